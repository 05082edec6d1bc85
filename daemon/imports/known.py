"""Finds pieces of files that need no parsing, because the archive knows their bytes.

An import of a file that has grown costs a look at each of its old games, and the parsing of the new ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from core.pgn.reader import Cut
from daemon.archive.archive import Archive
from daemon.archive.games.files import find_file
from daemon.archive.games.known_pieces import KnownPiece, find_known
from daemon.imports.pieces import Entry, Opened
from daemon.paths import shown

_LOOK_GAMES: Final = 500
_LOOK_BYTES: Final = 4 << 20


@dataclass(frozen=True, slots=True)
class Known:
    """Games that need no parsing. They may come out before unknown ones that precede them in the file."""

    pieces: tuple[KnownPiece, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of which the archive may know something."""

    file_id: int
    source: str


class Recogniser:
    """Looks games up in the archive, some hundred at a time."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._part: _Part | None = None
        self._held: list[Cut] = []
        self._games = 0
        self._size = 0

    def entries(self, entries: Iterable[Entry]) -> Iterator[Entry | Known]:
        """The same entries, with known games taken together; nothing overtakes a note."""
        for entry in entries:
            if not isinstance(entry, Cut):
                yield from self._look()
                if isinstance(entry, Opened):
                    self._part = self._find(entry)
                yield entry
            elif self._part is None:
                yield entry
            else:
                self._held.append(entry)
                self._games += len(entry)
                self._size += len(entry.raw)
                if self._games >= _LOOK_GAMES or self._size >= _LOOK_BYTES:
                    yield from self._look()
        yield from self._look()

    def _find(self, opened: Opened) -> _Part | None:
        with self._archive.reading() as connection:
            file = find_file(connection, opened.part)
        # What was read in another encoding says nothing about what the same bytes say now.
        if file is None or file.encoding != opened.encoding:
            return None
        return _Part(file.id, shown(opened.part))

    def _look(self) -> Iterator[Cut | Known]:
        held, self._held, self._games, self._size = self._held, [], 0, 0
        if not held or self._part is None:
            return
        pieces = [piece for cut in held for piece in cut.pieces()]
        with self._archive.reading() as connection:
            found = find_known(connection, self._part.file_id, self._part.source, pieces)
        known = tuple(one for one in found if one is not None)
        if known:
            yield Known(known)
        at = 0
        for cut in held:
            yield from _unknown(cut, found[at : at + len(cut)])
            at += len(cut)


def _unknown(cut: Cut, found: Sequence[KnownPiece | None]) -> Iterator[Cut]:
    """The games of *cut* that are not known."""
    at = 0
    for unknown, some in groupby(found, lambda one: one is None):
        end = at + len(list(some))
        if unknown:
            yield cut.part(at, end)
        at = end
