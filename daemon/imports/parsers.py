"""Parses PGN in processes of its own, so that no game can stop, fill or kill the program.

Terminology
    LINE      what was put in and has not come out yet, in its order.
    BUNDLE    some games that go to a process together.
    PARSER    a process that parses one bundle at a time and answers game by game.

A game that takes too much time or memory, or kills its parser, costs itself alone: the parser is replaced and
goes on after it. Small inputs are parsed right here: starting a process takes longer than they do.
"""

import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Final, Self, TypeVar

import structlog

from core.game import Unreadable
from core.pgn.reader import Limits, Piece, read_piece
from daemon.archive.games.prepared import Prepared, RefusedError, prepare

log = structlog.get_logger(__name__)

Other = TypeVar("Other")
"""What passes through between the games, in its place."""

GAME_SECONDS: Final = 2.0
"""Processor time for one game; the usual one takes 3 ms."""
MOST_PARSERS: Final = 8

_SMALL: Final = 64 * 1024
_BUNDLE_GAMES: Final = 64
_BUNDLE_BYTES: Final = 128 * 1024
_IN_LINE_EACH: Final = 8
_MEMORY: Final = 256 * 1024 * 1024

_KILL_AFTER: Final = 1.5
"""Times the allowed processor time, after which the kernel ends a parser that did not check the clock."""
_TICK: Final = 1.0
_SILENT_TICKS: Final = 60
"""Ticks without an answer after which we end it: many, because the machine may be busy with other things."""
_GRACE: Final = 1.0


class ParsersFailed(Exception):  # noqa: N818 - what is the case
    """No parser can be started on this machine."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A piece of a file and what it says."""

    piece: Piece
    outcome: Prepared | Unreadable


@dataclass(slots=True)
class _Bundle:
    pieces: list[Piece] = field(default_factory=list)
    outcomes: list[Prepared | Unreadable] = field(default_factory=list)
    size: int = 0

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.size += len(piece.raw)

    @property
    def full(self) -> bool:
        return len(self.pieces) >= _BUNDLE_GAMES or self.size >= _BUNDLE_BYTES

    @property
    def done(self) -> bool:
        return len(self.outcomes) == len(self.pieces)

    def parsed(self) -> Iterator[Parsed]:
        return (Parsed(piece, outcome) for piece, outcome in zip(self.pieces, self.outcomes, strict=True))


def parse_one(piece: Piece, *, seconds: float = GAME_SECONDS) -> Prepared | Unreadable:
    """Parse one game in this process, within *seconds* of processor time; any failure makes it unreadable."""
    end = time.thread_time() + seconds
    try:
        read = read_piece(piece, limits=Limits(overdue=lambda: time.thread_time() > end))
        return read if isinstance(read, Unreadable) else prepare(read)
    except RefusedError as refused:
        return Unreadable(raw=piece.raw, reason=str(refused))
    except MemoryError:
        return Unreadable(raw=piece.raw, reason="reading this game needs too much memory")
    except Exception as error:  # noqa: BLE001 - a fault in our reading costs one game, which shows it in quarantine
        return Unreadable(raw=piece.raw, reason=f"internal error: {type(error).__name__}: {error}")


class Parsers:
    """A set of parser processes. They start when there is enough to do, and end with the block."""

    def __init__(
        self, count: int | None = None, *, seconds: float = GAME_SECONDS, small: int = _SMALL
    ) -> None:
        self._count = count or min(MOST_PARSERS, len(os.sched_getaffinity(0)))
        self._seconds = seconds
        self._small = small
        self._todo: deque[_Bundle] = deque()
        self._idle: list[_Parser] = []
        self._busy: dict[Connection, _Parser] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for parser in (*self._idle, *self._busy.values()):
            parser.end()
        self._idle.clear()
        self._busy.clear()
        self._todo.clear()

    def parse(self, entries: Iterable[Piece | Other]) -> Iterator[Parsed | Other]:
        """Parse the pieces among *entries*, in order; the others pass in their places. Memory stays bounded."""
        line: deque[_Bundle | Other] = deque()
        for entry in _bundles(entries):
            line.append(entry)
            if isinstance(entry, _Bundle):
                self._give(entry)
            yield from _ready(line)
            while len(line) >= self._count * _IN_LINE_EACH:
                self._collect()
                yield from _ready(line)
        while line:
            self._collect()
            yield from _ready(line)

    def _give(self, bundle: _Bundle) -> None:
        if self._small >= bundle.size:
            self._small -= bundle.size
            bundle.outcomes.extend(parse_one(piece, seconds=self._seconds) for piece in bundle.pieces)
            return
        self._small = 0
        self._todo.append(bundle)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._todo and (self._idle or len(self._busy) < self._count):
            parser = self._idle.pop() if self._idle else _Parser(self._seconds)
            if parser.work_on(self._todo[0]):
                self._todo.popleft()
                self._busy[parser.connection] = parser
            else:
                parser.bury()  # it died idle: no game is to blame

    def _collect(self) -> None:
        """Wait a tick for answers, and take all that have come."""
        answered = wait(list(self._busy), timeout=_TICK)
        for connection, parser in list(self._busy.items()):
            if connection in answered:
                self._after(parser, alive=parser.take())
            elif not answered and parser.hung():
                self._after(parser, alive=False)
        self._hand_out()

    def _after(self, parser: "_Parser", *, alive: bool) -> None:
        """Handle a parser that has answered, or replace one that is gone."""
        if alive and not parser.bundle.done:
            return
        del self._busy[parser.connection]
        if alive:
            self._idle.append(parser)
            return
        bundle = parser.bundle
        reason = parser.bury()
        lost = bundle.pieces[len(bundle.outcomes)]
        log.warning("a game ended its parser", reason=reason, bytes=len(lost.raw), offset=lost.offset)
        bundle.outcomes.append(Unreadable(raw=lost.raw, reason=reason))
        if not bundle.done:
            self._todo.appendleft(bundle)


def _bundles(entries: Iterable[Piece | Other]) -> Iterator[_Bundle | Other]:
    bundle = _Bundle()
    for entry in entries:
        if isinstance(entry, Piece):
            bundle.add(entry)
            if not bundle.full:
                continue
        if bundle.pieces:
            yield bundle
            bundle = _Bundle()
        if not isinstance(entry, Piece):
            yield entry
    if bundle.pieces:
        yield bundle


def _ready(line: "deque[_Bundle | Other]") -> Iterator[Parsed | Other]:
    """Take from the front of the line what is done."""
    while line:
        first = line[0]
        if isinstance(first, _Bundle):
            if not first.done:
                return
            yield from first.parsed()
        else:
            yield first
        line.popleft()


class _Parser:
    """Our end of one parser process."""

    def __init__(self, seconds: float) -> None:
        # Root that became the owner of the data folder may not be allowed to start this Python again.
        again = os.access(sys.executable, os.X_OK)
        context = multiprocessing.get_context("forkserver") if again else multiprocessing.get_context("fork")
        context.set_forkserver_preload([__name__])  # so that every further parser starts in milliseconds
        self.connection, theirs = context.Pipe()
        self._seconds = seconds
        self._process = context.Process(
            target=_serve, args=(theirs, seconds), daemon=True, name="gamekeeper-parser"
        )
        self._process.start()
        theirs.close()
        self.bundle = _Bundle()
        self._started = False
        self._silent = 0

    def work_on(self, bundle: _Bundle) -> bool:
        """Hand over the games of *bundle* that have no outcome yet; False if the process is gone."""
        self.bundle = bundle
        self._silent = 0
        try:
            self.connection.send(bundle.pieces[len(bundle.outcomes) :])
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def take(self) -> bool:
        """Take the answers that have come; False if the process is gone."""
        self._silent = 0
        try:
            while self.connection.poll():
                answer = self.connection.recv()
                if answer is None:
                    self._started = True
                else:
                    self.bundle.outcomes.append(answer)
        except (EOFError, OSError):
            return False
        return True

    def hung(self) -> bool:
        """Called for every tick without an answer; returns whether it has been silent too long.

        Ticks are counted, not time: while the whole machine sleeps, nobody is silent.
        """
        self._silent += 1
        return self._silent > _SILENT_TICKS

    def bury(self) -> str:
        """Make sure that the process is gone, and say why it died.

        Raises:
            ParsersFailed: it never came to life.
        """
        self._process.join(_GRACE)
        code = self._process.exitcode
        self.end()
        if not self._started:
            raise ParsersFailed(f"no process to read games in can be started (exit code {code})")
        if code in {None, -signal.SIGPROF}:
            return f"reading this game takes more than {self._seconds:g} s"
        return f"reading this game ended the process that did it (exit code {code})"

    def end(self) -> None:
        """End the process, by force if it does not end by itself."""
        self.connection.close()
        self._process.join(_GRACE)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()


def _serve(connection: "Connection[Prepared | Unreadable | None, list[Piece]]", seconds: float) -> None:
    """What a parser process does until its connection ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with suppress(OSError, ValueError):  # forbidden, or limited more closely already: then those limits count
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        connection.send(None)
        while True:
            for piece in connection.recv():
                signal.setitimer(signal.ITIMER_PROF, seconds * _KILL_AFTER)
                outcome = parse_one(piece, seconds=seconds)
                signal.setitimer(signal.ITIMER_PROF, 0)
                connection.send(outcome)
