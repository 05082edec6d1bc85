"""A process that parses bundles of games, one after another, and our end of it.

Bundles lie ready in its pipe, so that it need not wait for us while we store. Never more of them than the pipe
holds: then handing one over never waits, and two processes never wait for each other.
"""

import fcntl
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from operator import attrgetter
from typing import Any, Final

from core.game import Unreadable
from core.pgn.reader import Cut, Limits, Piece, read_piece
from daemon import garbage
from daemon.archive.games.packed_games import PackedRun, Packer
from daemon.archive.games.packed_places import PackedPlaces
from daemon.archive.games.prepared import RefusedError, prepare
from daemon.imports.bundles import Bundle, Parsed, ParsedRun
from daemon.imports.outcomes import Outcome, Small, small, whole

GAME_SECONDS: Final = 2.0
"""Processor time for one game; the usual one takes 1 ms."""

_MEMORY: Final = 256 * 1024 * 1024
_PIPE: Final = 1 << 20
"""Bytes that a pipe can hold, where the system allows it; of these a half is used, since it is counted in pages."""
_ANSWER_AFTER: Final = 0.1
"""Seconds after which a parser answers what it has; a whole bundle seldom takes as long."""
_KILL_AFTER: Final = 1.5
"""Times the allowed processor time, after which the kernel ends a parser that did not check the clock."""
_SILENT_TICKS: Final = 60
"""Ticks without an answer after which we end it: many, because the machine may be busy with other things."""
_GRACE: Final = 1.0
_ALIVE: Final = b""
"""What a parser sends when it has started."""
_CUT: Final = attrgetter("raw", "ends", "offset", "number", "encoding", "too_large", "cut_off")
_OF_A_GAME: Final = 200
"""Bytes that are sent of a game besides its own, at most: it may be alone, with the name of an encoding."""
_Request = tuple[bool, list[tuple[Any, ...]]]
"""Whether each game is answered by itself, and the games."""


class ParsersFailed(Exception):  # noqa: N818 - what is the case
    """No parser can be started on this machine."""


def parse_one(piece: Piece, *, seconds: float = GAME_SECONDS) -> Outcome:
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


class ParserProcess:
    """Our end of it.

    Attributes:
        answers: Where its answers come; readable also when it is gone.
        bundles: What was handed over and is not done, oldest first.
    """

    def __init__(self, seconds: float, *, packed: bool = False) -> None:
        # Root that became the owner of the data folder may not be allowed to start this Python again.
        again = os.access(sys.executable, os.X_OK)
        context = multiprocessing.get_context("forkserver") if again else multiprocessing.get_context("fork")
        context.set_forkserver_preload([__name__])  # so that every further parser starts in milliseconds
        theirs, self._requests = context.Pipe(duplex=False)
        self.answers, their_answers = context.Pipe(duplex=False)
        self._room = _widened(self._requests) // 2
        _widened(self.answers)
        self._seconds = seconds
        self._process = context.Process(
            target=_serve,
            args=(theirs, their_answers, seconds, packed),
            daemon=True,
            name="gamekeeper-parser",
        )
        self._process.start()
        theirs.close()
        their_answers.close()
        self.bundles: deque[Bundle] = deque()
        self._places = PackedPlaces()
        self._started = False
        self._silent = 0

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return not self.bundles

    def has_room_for(self, bundle: Bundle) -> bool:
        """Whether its pipe can hold this one too. A careful one goes alone, so that nothing else is to blame."""
        if self.idle:
            return True
        alone = bundle.careful or self.bundles[0].careful
        return not alone and sum(map(_weight, self.bundles)) + _weight(bundle) <= self._room

    def hand_over(self, bundle: Bundle) -> bool:
        """Give it the games of *bundle* of which nothing is known; False if the process is gone."""
        if self.idle:
            self._silent = 0
        self.bundles.append(bundle)
        request: _Request = bundle.careful, [_CUT(cut) for cut in bundle.rest()]
        try:
            self._requests.send_bytes(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def take(self) -> bool:
        """Take the answers that have come; False if the process is gone."""
        self._silent = 0
        try:
            while self.answers.poll():
                answer = self.answers.recv_bytes()
                if answer == _ALIVE:
                    self._started = True
                else:
                    self._note(pickle.loads(answer))  # noqa: S301 - from a process of ours
        except (EOFError, OSError):
            return False
        return True

    def _note(self, answers: Sequence[PackedRun | Small]) -> None:
        """Note what the next games say."""
        bundle = self.bundles[0]
        for answer in answers:
            if isinstance(answer, PackedRun):
                self._places = self._places.with_those_of(answer)
                bundle.parsed.append(ParsedRun(bundle.next_cuts(answer.count), answer, self._places))
            else:
                piece = bundle.next_piece()
                bundle.parsed.append(Parsed(piece, whole(answer, piece)))
        if bundle.done:
            self.bundles.popleft()

    def hung(self) -> bool:
        """Called for every tick without an answer; returns whether it has been silent too long.

        Ticks are counted, not time: while the whole machine sleeps, nobody is silent.
        """
        self._silent += 1
        return self._silent > _SILENT_TICKS

    def bury(self) -> str:
        """Make sure that the process is gone, with all that it has answered taken, and say why it died.

        Raises:
            ParsersFailed: it never came to life.
        """
        self._process.join(_GRACE)
        code = self._process.exitcode
        self.take()
        self.end()
        if not self._started:
            raise ParsersFailed(f"no process for reading games can be started (exit code {code})")
        if code in {None, -signal.SIGPROF}:
            return f"reading this game takes more than {self._seconds:g} s"
        return f"reading this game ended the process that did it (exit code {code})"

    def end(self) -> None:
        """End the process, by force if it does not end by itself."""
        self._requests.close()
        self.answers.close()
        self._process.join(_GRACE)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()


def _weight(bundle: Bundle) -> int:
    """At most so many bytes are sent for it."""
    return bundle.size + bundle.games * _OF_A_GAME


def _widened(pipe: "Connection[Any, Any]") -> int:
    """Let the pipe hold as much as it may; returns how many bytes that are."""
    with suppress(OSError):  # the user has too many of them: what it holds is enough to work with
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
    return fcntl.fcntl(pipe.fileno(), fcntl.F_GETPIPE_SZ)


def _serve(
    requests: "Connection[Any, Any]", answers: "Connection[Any, Any]", seconds: float, packed: bool
) -> None:
    """What a parser process does until its pipes end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with suppress(OSError, ValueError):  # forbidden, or limited more closely already: then those limits count
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    parse = partial(_parse_or_die, seconds=seconds)
    packer = Packer(parse) if packed else None
    with suppress(EOFError, BrokenPipeError, ConnectionResetError), garbage.looked_for_seldom():
        answers.send_bytes(_ALIVE)
        while True:
            careful, values = pickle.loads(requests.recv_bytes())  # noqa: S301 - from a process of ours
            cuts, due = [Cut(*cut) for cut in values], _due(careful=careful)
            parts = (
                _small(cuts, parse, due) if packer is None else _packed(cuts, packer, due, careful=careful)
            )
            for some in parts:
                answers.send_bytes(pickle.dumps(some, pickle.HIGHEST_PROTOCOL))


def _parse_or_die(piece: Piece, seconds: float) -> Outcome:
    """Parse a game; the kernel ends this process if it does not check the clock."""
    signal.setitimer(signal.ITIMER_PROF, seconds * _KILL_AFTER)
    try:
        return parse_one(piece, seconds=seconds)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _due(*, careful: bool) -> Callable[[], bool]:
    """What says, after a game, whether it is time to answer."""
    due = time.monotonic() + _ANSWER_AFTER

    def ask() -> bool:
        nonlocal due
        if careful or time.monotonic() > due:
            due = time.monotonic() + _ANSWER_AFTER
            return True
        return False

    return ask


def _small(
    cuts: Iterable[Cut], parse: Callable[[Piece], Outcome], due: Callable[[], bool]
) -> Iterator[list[Small]]:
    """What these games say, some at a time."""
    some: list[Small] = []
    for piece in (piece for cut in cuts for piece in cut.pieces()):
        some.append(small(parse(piece)))
        if due():
            yield some
            some = []
    if some:
        yield some


def _packed(
    cuts: Sequence[Cut], packer: Packer, due: Callable[[], bool], *, careful: bool
) -> Iterator[list[PackedRun | Small]]:
    """The same, packed. The packer does not ask after every game, so with care it gets one by one."""
    alone = [[Cut.of(piece)] for cut in cuts for piece in cut.pieces()] if careful else [cuts]
    for some in alone:
        for answers in packer.pack_in_parts(some, due):
            yield [one if isinstance(one, PackedRun) else small(one) for one in answers]
