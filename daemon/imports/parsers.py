"""Parses PGN in processes of its own, so that no game can stop, fill or kill the program.

Terminology
    LINE      what was put in and has not come out yet, in its order (`daemon.imports.bundles`).
    BUNDLE    some games that go to a process together.
    PARSER    a process that parses one bundle after another (`daemon.imports.parser_process`).

A game that takes too much time or memory, or kills its parser, costs itself alone: a bundle that nobody answered goes
to the next parser, game by game, and the one that kills that one too is unreadable. Small inputs are parsed right
here: starting a process takes longer than they do.
"""

import os
from collections import deque
from collections.abc import Generator, Iterable
from multiprocessing.connection import wait
from typing import Final, Self

from core.game import Unreadable
from core.pgn.reader import Cut
from daemon.imports.bundles import AnyParsed, Bundle, Other, Parsed, bundled, taken_from
from daemon.imports.parser_process import GAME_SECONDS, ParserProcess, parse_one
from daemon.logs import get_logger

log = get_logger(__name__)

MOST_PARSERS: Final = 8

_SMALL: Final = 64 * 1024
_IN_LINE_EACH: Final = 8
_TICK: Final = 1.0


class Parsers:
    """A set of parser processes. They start when there is enough to do, and end with the block.

    *packed*: they answer with packed games (`daemon.archive.games.packed_games`), as a large intake wants them.
    """

    def __init__(
        self,
        count: int | None = None,
        *,
        seconds: float = GAME_SECONDS,
        small: int = _SMALL,
        packed: bool = False,
    ) -> None:
        self._count = count or min(MOST_PARSERS, len(os.sched_getaffinity(0)))
        self._seconds = seconds
        self._small = small
        self._packed = packed
        self._todo: deque[Bundle] = deque()
        self._all: list[ParserProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for parser in self._all:
            parser.end()
        self._all.clear()
        self._todo.clear()

    def parse(self, entries: Iterable[Cut | Other]) -> Generator[AnyParsed | Other]:
        """Parse the games among *entries*, in order; the others pass in their places. Memory stays bounded."""
        line: deque[Bundle | Other] = deque()
        for entry in bundled(entries):
            line.append(entry)
            if isinstance(entry, Bundle):
                self._give(entry)
            yield from taken_from(line)
            while len(line) >= self._count * _IN_LINE_EACH:
                self._collect()
                yield from taken_from(line)
        while line:
            self._collect()
            yield from taken_from(line)

    def _give(self, bundle: Bundle) -> None:
        if self._small >= bundle.size:
            self._small -= bundle.size
            while not bundle.done:
                piece = bundle.next_piece()
                bundle.parsed.append(Parsed(piece, parse_one(piece, seconds=self._seconds)))
            return
        self._small = 0
        self._todo.append(bundle)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._todo and (parser := self._free_for(self._todo[0])) is not None:
            if parser.hand_over(self._todo[0]):
                self._todo.popleft()
            else:
                parser.bundles.pop()
                self._replace(parser)

    def _free_for(self, bundle: Bundle) -> ParserProcess | None:
        """The parser that has least to do, a new one if all have something, None if none has room."""
        least = min(self._all, key=lambda one: len(one.bundles), default=None)
        if (least is None or not least.idle) and len(self._all) < self._count:
            least = ParserProcess(self._seconds, packed=self._packed)
            self._all.append(least)
        return least if least is not None and least.has_room_for(bundle) else None

    def _collect(self) -> None:
        """Wait a tick for answers, and take all that have come."""
        busy = {parser.answers: parser for parser in self._all if not parser.idle}
        answered = wait(list(busy), timeout=_TICK)
        for connection, parser in busy.items():
            alive = parser.take() if connection in answered else (bool(answered) or not parser.hung())
            if not alive:
                self._replace(parser)
        self._hand_out()

    def _replace(self, parser: ParserProcess) -> None:
        """Bury a parser that is gone, and queue what it had. If it died idle, no game is to blame."""
        self._all.remove(parser)
        reason = parser.bury()
        left = list(parser.bundles)
        if left and left[0].careful:
            _blame(left[0], reason)
        elif left:
            left[0].careful = True
        self._todo.extendleft(bundle for bundle in reversed(left) if not bundle.done)


def _blame(bundle: Bundle, reason: str) -> None:
    """The first game without an outcome is the one that did it."""
    lost = bundle.next_piece()
    log.warning("a game ended its parser", reason=reason, bytes=len(lost.raw), offset=lost.offset)
    bundle.parsed.append(Parsed(lost, Unreadable(raw=lost.raw, reason=reason)))
