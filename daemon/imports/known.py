"""Finds games of files that need no parsing, because the archive knows their bytes.

An import of a file that has grown costs a look at each of its old games, and the parsing of the new ones. Most old ones
follow each other as they did before (`FileOrder`); the others are looked up, some hundred at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from core.pgn.reader import Cut
from daemon.archive.archive import Archive
from daemon.archive.games.file_order import FileOrder
from daemon.archive.games.files import find_file
from daemon.archive.games.known_pieces import KnownPiece, KnownTelling, Unmoved, find_known
from daemon.archive.games.prepared import content_digests
from daemon.archive.games.quarantine import digests_of, item_digest
from daemon.imports.pieces import Entry, Opened
from daemon.paths import shown

_LOOK_GAMES: Final = 500
_LOOK_BYTES: Final = 4 << 20


@dataclass(frozen=True, slots=True)
class Known:
    """Games that need no parsing. They may come out before unknown ones that precede them in the file."""

    pieces: tuple[KnownPiece | Unmoved, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of which the archive may know something. *unread*: the digests of its items in quarantine."""

    file_id: int
    source: str
    order: FileOrder
    unread: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class _Held:
    """Some games, their digests, and what is known of them so far. *near*: whether any were where they were expected."""

    cut: Cut
    digests: list[bytes]
    known: list[KnownPiece | None]
    near: bool


class Recogniser:
    """Looks games up in the archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._part: _Part | None = None
        self._held: list[_Held] = []
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
                yield from self._recognised(entry, self._part)
        yield from self._look()

    def _find(self, opened: Opened) -> _Part | None:
        with self._archive.reading() as connection:
            file = find_file(connection, opened.part)
            # What was read in another encoding says nothing about what the same bytes say now.
            if file is None or file.encoding != opened.encoding:
                return None
            source = shown(opened.part)
            order = FileOrder.of(connection, file.id)
            return _Part(file.id, source, order, digests_of(connection, source))

    def _recognised(self, cut: Cut, part: _Part) -> Iterator[Cut | Known]:
        digests = content_digests(cut.raws())
        quickly = cut.plain and not _any_unread(cut, part)
        unmoved = part.order.unmoved(cut.offsets(), digests) if quickly else None
        if unmoved is not None:
            yield from self._look()
            yield Known((Unmoved(unmoved),))
            return
        near = part.order.near(digests) if quickly else [None] * len(digests)
        known: list[KnownPiece | None] = [
            None if one is None else KnownTelling(offset, *one)
            for offset, one in zip(cut.offsets(), near, strict=True)
        ]
        self._held.append(_Held(cut, digests, known, any(known)))
        self._games += len(cut)
        self._size += len(cut.raw)
        if self._games >= _LOOK_GAMES or self._size >= _LOOK_BYTES:
            yield from self._look()

    def _look(self) -> Iterator[Cut | Known]:
        held, self._held, self._games, self._size = self._held, [], 0, 0
        if not held or self._part is None:
            return
        self._look_up(held, self._part)
        known = tuple(one for some in held for one in some.known if one is not None)
        if known:
            yield Known(known)
        for some in held:
            yield from _unknown(some.cut, some.known)

    def _look_up(self, held: Sequence[_Held], part: _Part) -> None:
        """Look up in the archive what is not known yet."""
        open_ones = [(one, at) for one in held for at, known in enumerate(one.known) if known is None]
        if not open_ones:
            return
        pieces = [one.cut.piece(at) for one, at in open_ones]
        digests = [one.digests[at] for one, at in open_ones]
        with self._archive.reading() as connection:
            found = find_known(connection, part.file_id, part.source, pieces, digests)
        for (one, at), known in zip(open_ones, found, strict=True):
            one.known[at] = known
        last = next((one for one in reversed(held[-1].known) if isinstance(one, KnownTelling)), None)
        if last is not None and last.place is not None and not held[-1].near:
            part.order.go_on_after(last.place)


def _any_unread(cut: Cut, part: _Part) -> bool:
    """Whether one of these games is in quarantine."""
    return bool(part.unread) and any(item_digest(part.source, raw) in part.unread for raw in cut.raws())


def _unknown(cut: Cut, found: Sequence[KnownPiece | None]) -> Iterator[Cut]:
    """The games of *cut* that are not known."""
    at = 0
    for unknown, some in groupby(found, lambda one: one is None):
        end = at + len(list(some))
        if unknown:
            yield cut.part(at, end)
        at = end
