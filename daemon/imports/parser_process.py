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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from operator import attrgetter
from typing import Any, Final

from core.game import Unreadable
from core.pgn.reader import Limits, Piece, read_piece
from daemon.archive.games.prepared import RefusedError, prepare
from daemon.imports.bundles import Bundle
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
_PIECE: Final = attrgetter("raw", "offset", "number", "too_large", "cut_off", "encoding")
_OF_A_PIECE: Final = 200
"""Bytes that are sent of a piece besides its own, at most: of its encoding there is a name."""
_Request = tuple[bool, list[tuple[Any, ...]]]
"""Whether each game is answered by itself, and the pieces."""


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

    def __init__(self, seconds: float) -> None:
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
            target=_serve, args=(theirs, their_answers, seconds), daemon=True, name="gamekeeper-parser"
        )
        self._process.start()
        theirs.close()
        their_answers.close()
        self.bundles: deque[Bundle] = deque()
        self._sizes: deque[int] = deque()
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
        """Give it the games of *bundle* that have no outcome yet; False if the process is gone."""
        if self.idle:
            self._silent = 0
        self.bundles.append(bundle)
        request: _Request = bundle.careful, [_PIECE(piece) for piece in bundle.open]
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

    def _note(self, answers: Sequence[Small]) -> None:
        """Note the outcomes of the next games."""
        bundle = self.bundles[0]
        bundle.outcomes += [whole(*pair) for pair in zip(answers, bundle.open, strict=False)]
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
    return bundle.size + len(bundle.pieces) * _OF_A_PIECE


def _widened(pipe: "Connection[Any, Any]") -> int:
    """Let the pipe hold as much as it may; returns how many bytes that are."""
    with suppress(OSError):  # the user has too many of them: what it holds is enough to work with
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
    return fcntl.fcntl(pipe.fileno(), fcntl.F_GETPIPE_SZ)


def _serve(requests: "Connection[Any, Any]", answers: "Connection[Any, Any]", seconds: float) -> None:
    """What a parser process does until its pipes end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    with suppress(OSError, ValueError):  # forbidden, or limited more closely already: then those limits count
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        answers.send_bytes(_ALIVE)
        while True:
            careful, pieces = pickle.loads(requests.recv_bytes())  # noqa: S301 - from a process of ours
            for some in _answers(pieces, seconds, careful=careful):
                answers.send_bytes(pickle.dumps(some, pickle.HIGHEST_PROTOCOL))


def _answers(pieces: Sequence[tuple[Any, ...]], seconds: float, *, careful: bool) -> Iterator[list[Small]]:
    """The outcomes of these pieces, some at a time, and each by itself where care is needed."""
    some: list[Small] = []
    due = time.monotonic() + _ANSWER_AFTER
    for piece in pieces:
        signal.setitimer(signal.ITIMER_PROF, seconds * _KILL_AFTER)
        some.append(small(parse_one(Piece(*piece), seconds=seconds)))
        if careful or time.monotonic() > due:
            signal.setitimer(signal.ITIMER_PROF, 0)
            yield some
            some = []
            due = time.monotonic() + _ANSWER_AFTER
    signal.setitimer(signal.ITIMER_PROF, 0)
    if some:
        yield some
