"""Games packed for a large intake: records that SQLite reads as rows, without an object of Python for each value.

A parser process packs what it parses (`Packer`); the archive decides what is new, and stores that
(`daemon.archive.games.packed_intake`). Players and texts are referred to by places in two lists, which grow from bundle
to bundle: each answer has what is new in them.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.game import Unreadable
from core.oddities import Oddity
from core.pgn.reader import Piece
from daemon.archive.games.packed_columns import NOWHERE, Places, PlayerValues, all_columns, named
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.store import named_in
from daemon.archive.games.texts import KindAndText

__all__ = ["NOWHERE", "REFERENCES", "PackedRun", "Packer", "named"]

REFERENCES: Final = 8
"""How many places there are for each game in `PackedRun.references`."""
_MOST_PLACES: Final = 200_000
"""The players and texts that one list of places has, about; then another one is begun, so that memory stays bounded."""
_REFERENCES: Final = struct.Struct(f"<{REFERENCES}I")
_SIZE: Final = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class PackedRun:
    """Consecutive readable games.

    Attributes:
        records: One record after another.
        count: How many games these are.
        references: For each game the places (uint32) of White and Black among the players, and of its texts in the
            order of `daemon.archive.games.store.texts_of`; `NOWHERE` for a text that it does not have.
        keys: 16 bytes for each game.
        digests: Likewise.
        again: Both lists of places begin again with this run: what was defined before is gone.
        players: The players defined since the run before, in the order of their places; `named` makes one of each. Somebody
            whom games name in several ways is there for each of them.
        texts: The texts defined since the run before.
        oddities: What is odd about games of the run, by their index.
    """

    records: bytes
    count: int
    references: bytes
    keys: bytes
    digests: bytes
    again: bool
    players: list[PlayerValues]
    texts: list[KindAndText]
    oddities: list[tuple[int, tuple[Oddity, ...]]]


Answer = PackedRun | Unreadable
"""One that is unreadable comes without its bytes, which the asker has."""


class _Run:
    """A run that grows."""

    def __init__(self) -> None:
        self.records: list[bytes] = []
        self.references: list[bytes] = []
        self.keys: list[bytes] = []
        self.digests: list[bytes] = []
        self.oddities: list[tuple[int, tuple[Oddity, ...]]] = []


class Packer:
    """Packs games, one bundle after another.

    Args:
        parse: Parses a game as it is parsed where games are not packed.
        most_places: See `_MOST_PLACES`.
    """

    def __init__(
        self, parse: Callable[[Piece], Prepared | Unreadable], *, most_places: int = _MOST_PLACES
    ) -> None:
        self._parse = parse
        self._most_places = most_places
        self._begin()

    def _begin(self) -> None:
        self._places = Places()
        self._again = True
        self._run = _Run()

    def pack(self, pieces: Sequence[Piece]) -> list[Answer]:
        """The answers to these pieces, in order."""
        return [answer for some in self.pack_in_parts(pieces, lambda: False) for answer in some]

    def pack_in_parts(self, pieces: Sequence[Piece], due: Callable[[], bool]) -> Iterator[list[Answer]]:
        """The same, some at a time: *due* is asked after a game that took its time, whether to hand out what there is."""
        if len(self._places) > self._most_places:
            self._begin()
        answers: list[Answer] = []
        for piece in pieces:
            outcome = self._parse(piece)
            if isinstance(outcome, Unreadable):
                answers += self._ended()
                answers.append(replace(outcome, raw=b""))
            else:
                self._add(outcome)
            if due():
                yield answers + self._ended()
                answers = []
        answers += self._ended()
        if answers:
            yield answers

    def _add(self, prepared: Prepared) -> None:
        """Add a game to the run."""
        run = self._run
        columns, used = all_columns(self._places, prepared, *named_in(prepared))
        if prepared.game.oddities:
            run.oddities.append((len(run.keys), prepared.game.oddities))
        run.records += (_SIZE.pack(len(columns)), columns)
        run.references.append(_REFERENCES.pack(*used))
        run.keys.append(prepared.key)
        run.digests.append(prepared.digest)

    def _ended(self) -> list[Answer]:
        """The run that there is, if there is one; the next game begins another."""
        run = self._run
        if not run.keys:
            return []
        self._run = _Run()
        players, texts = self._places.take_new()
        ended = PackedRun(
            records=b"".join(run.records),
            count=len(run.keys),
            references=b"".join(run.references),
            keys=b"".join(run.keys),
            digests=b"".join(run.digests),
            again=self._again,
            players=players,
            texts=texts,
            oddities=run.oddities,
        )
        self._again = False
        return [ended]
