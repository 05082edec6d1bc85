"""Games packed for a large intake: records that SQLite reads as rows, without an object of Python for each value.

A parser process packs what it parses (`Packer`); the archive decides what is new, and stores that
(`daemon.archive.games.packed_intake`). Players and texts are referred to by places in two lists, which grow from bundle
to bundle: each answer has what is new in them.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from core.game import Unreadable
from core.oddities import Oddity
from core.pgn.reader import Cut, Piece
from daemon.archive.database.packed_rows import integer, null
from daemon.archive.games import compression
from daemon.archive.games.named import KindAndText, named_in
from daemon.archive.games.packed_columns import NOWHERE, Places, PlayerValues, all_columns, named
from daemon.archive.games.packed_lines import Line, QuickReader
from daemon.archive.games.prepared import Prepared, content_digest

__all__ = ["NOWHERE", "REFERENCES", "PackedRun", "Packer", "named"]

REFERENCES: Final = 8
"""How many places there are for each game in `PackedRun.references`."""
_MOST: Final = 100_000_000
"""Bytes of memory for players, texts and what the quick way remembers, about; then all of it begins again."""
_REFERENCES: Final = struct.Struct(f"<{REFERENCES}I")
_SIZE: Final = struct.Struct("<I")
_SIZED: Final = struct.Struct("<cI")
_HEAD: Final = struct.Struct("<IcI16scI16s")
"""The length of a record, key and digest."""
_WITH_COMMENTS, _WITHOUT = (integer(number) + null() for number in (1, 0))
"""The end of a record: whether there are comments, and no encoding that a user named."""
_AROUND: Final = _HEAD.size - _SIZE.size + _SIZED.size + len(_WITHOUT)
"""Bytes of a record besides the columns of the row, and the bytes of the game."""


@dataclass(frozen=True, slots=True)
class PackedRun:
    """Consecutive readable games.

    Attributes:
        records: One record after another.
        count: How many games these are.
        references: For each game the places (uint32) of White and Black among the players, and of its texts in the
            order of `daemon.archive.games.named.texts_of`; `NOWHERE` for a text that it does not have.
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
        most: See `_MOST`.
        quickly: Whether games may be read the quick way (`daemon.archive.games.packed_lines`), where there is one.
    """

    def __init__(
        self, parse: Callable[[Piece], Prepared | Unreadable], *, most: int = _MOST, quickly: bool = True
    ) -> None:
        self._parse = parse
        self._most = most
        self._quickly = quickly
        self._begin()

    def _begin(self) -> None:
        self._places = Places()
        self._quick = QuickReader.usual(self._places) if self._quickly else None
        self._again = True
        self._run = _Run()

    def pack(self, pieces: Sequence[Piece]) -> list[Answer]:
        """The answers to these pieces, in order."""
        cuts = list(map(Cut.of, pieces))
        return [answer for some in self.pack_in_parts(cuts, lambda: False) for answer in some]

    def pack_in_parts(self, cuts: Sequence[Cut], due: Callable[[], bool]) -> Iterator[list[Answer]]:
        """The answers to the games of these texts, some at a time: *due* is asked after a game that took its time, whether to hand out what there is."""
        if self._places.size + (self._quick.size if self._quick else 0) > self._most:
            self._begin()
        answers: list[Answer] = []
        for piece in self._left_over(cuts):
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

    def _left_over(self, cuts: Sequence[Cut]) -> Iterator[Piece]:
        """Add games to the run the quick way, and give those that are left to the ordinary one, each in its place."""
        for cut in cuts:
            if self._quick is None or not cut.plain:
                yield from cut.pieces()
            else:
                yield from self._not_usual(cut, self._quick.read)

    def _not_usual(self, cut: Cut, read: Callable[[bytes], Line | None]) -> Iterator[Piece]:
        """The same for one text."""
        compress, hashed = compression.compress, blake2b
        for index, raw in enumerate(cut.raws()):
            line = read(raw)
            if line is None:
                yield cut.piece(index)
                continue
            columns, identity, places, has_comments = line
            key = hashed(identity, digest_size=16).digest()
            digest = content_digest(raw)
            pgn = compress(raw)
            run = self._run
            size = _AROUND + len(columns) + len(pgn)
            run.records += (
                _HEAD.pack(size, b"b", 16, key, b"b", 16, digest),
                columns,
                _SIZED.pack(b"b", len(pgn)),
                pgn,
                _WITH_COMMENTS if has_comments else _WITHOUT,
            )
            run.references.append(places)
            run.keys.append(key)
            run.digests.append(digest)

    def _add(self, game: Prepared) -> None:
        """Add a game to the run."""
        run = self._run
        columns, used = all_columns(self._places, game, *named_in(game))
        if game.game.oddities:
            run.oddities.append((len(run.keys), game.game.oddities))
        run.records += (_SIZE.pack(len(columns)), columns)
        run.references.append(_REFERENCES.pack(*used))
        run.keys.append(game.key)
        run.digests.append(game.digest)

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
