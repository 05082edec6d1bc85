"""Deadlines where the bytes come in."""

import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from threading import Event, Thread

import httpcore
import pytest

from fetchers.errors import FetchError, Incomplete, SiteUnreachable
from fetchers.http.deadlines import AnswerPace, Patience, StoppedError, TooSlowError
from fetchers.http.door import Door
from fetchers.http.responses import AnswerLimits

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

Serve = Callable[[bytes, bytes, float], str]


@pytest.fixture(name="dripping")
def _dripping() -> Iterator[Serve]:
    """Servers that send a beginning at once, then one byte after the other of what they repeat for ever."""
    ended = Event()
    with ExitStack() as stack:

        def serve(start: bytes, repeated: bytes, pause: float) -> str:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            thread = Thread(target=_drip, args=(listener, start, repeated, pause, ended))
            thread.start()
            stack.callback(thread.join)
            stack.callback(ended.set)
            return f"http://127.0.0.1:{listener.getsockname()[1]}"

        yield serve


def _drip(listener: socket.socket, start: bytes, repeated: bytes, pause: float, ended: Event) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(start)
        while not ended.is_set():
            for byte in repeated:
                try:
                    connection.send(bytes([byte]))
                except OSError:
                    return
                if ended.wait(pause):
                    return


@pytest.mark.parametrize(
    ("start", "repeated", "error"),
    [
        (b"", b"HTTP/1.1 200 OK", SiteUnreachable),
        (HEAD, b"X-Slow: yes\r\n", SiteUnreachable),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", b"extension", Incomplete),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", Incomplete),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"X-Trailer: yes\r\n", Incomplete),
        (HEAD + b"Content-Length: 1000000\r\n\r\n", b" ", Incomplete),
    ],
    ids=["status line", "headers", "chunk extension", "chunks", "trailers", "body"],
)
def test_a_drip_ends_wherever_it_is(
    dripping: Serve, start: bytes, repeated: bytes, error: type[FetchError]
) -> None:
    """Also where the reader of the body never gets a byte, so that no loop over it could look."""
    limits = AnswerLimits(
        answer=Patience(silence_s=5, window_s=0.4, window_bytes=10_000, total_s=30), tries=1
    )
    door = Door(dripping(start, repeated, 0.02), user_agent="test", limits=limits)

    with pytest.raises(error, match="too slow"):
        door.json("x")
    door.close()


def test_the_whole_answer_has_a_deadline(dripping: Serve) -> None:
    """A steady stream that is just quick enough for the window still ends."""
    limits = AnswerLimits(answer=Patience(silence_s=5, window_s=60, total_s=0.4), tries=1)
    door = Door(
        dripping(HEAD + b"Content-Length: 1000000\r\n\r\n", b" ", 0.005), user_agent="test", limits=limits
    )

    with pytest.raises(Incomplete, match=r"not complete after 0\.4 s"):
        door.json("x")
    door.close()


class Clock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Stream(httpcore.NetworkStream):
    """Each read takes the given seconds and gives the given bytes (None: nothing within the time-out)."""

    def __init__(self, clock: Clock, reads: Iterable[tuple[float, bytes | None]]) -> None:
        self._clock = clock
        self._reads = list(reads)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        seconds, data = self._reads.pop(0)
        self._clock.now += seconds if data is not None else timeout or 0
        if data is None:
            raise httpcore.ReadTimeout
        return data


class TestPace:
    """The rules of patience, on a clock of their own."""

    def test_only_waiting_counts(self) -> None:
        """A reader who stores games for minutes between two reads does not make the site slow."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        pace.begin(Patience(silence_s=10, window_s=20, window_bytes=100, total_s=30))
        stream = Stream(clock, [(1, b"x" * 50)] * 5)

        for _ in range(5):
            assert pace.read(stream, 1000) == b"x" * 50
            clock.now += 600

    def test_silence(self) -> None:
        """No byte for too long."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        pace.begin(Patience(silence_s=10))

        with pytest.raises(TooSlowError, match="no byte for 10 s"):
            pace.read(Stream(clock, [(0, None)] * 30), 1000)
        assert clock.now == pytest.approx(10)

    def test_each_byte_ends_the_silence(self) -> None:
        """A site (lishogi) may send a line every 70 s when it has nothing to say; each wait begins again."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        pace.begin(Patience(silence_s=10, window_s=1000, total_s=1000))
        stream = Stream(clock, [(9, b"x")] * 5)

        assert [pace.read(stream, 1) for _ in range(5)] == [b"x"] * 5

    def test_a_window_with_enough_bytes_begins_a_new_one(self) -> None:
        """A slow but steady stream may go on to the end of its time."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        pace.begin(Patience(silence_s=10, window_s=10, window_bytes=100, total_s=1000))
        stream = Stream(clock, [(5.0, b"x" * 60)] * 20 + [(5.0, b"x")] * 4)

        for _ in range(22):
            pace.read(stream, 1000)
        with pytest.raises(TooSlowError, match="only 2 bytes in 10 s"):
            pace.read(stream, 1000)

    @pytest.mark.parametrize(("rate", "until"), [(4, 303), (400, 1371), (600, 6 * 3600)])
    def test_a_few_bytes_now_and_then_do_not_hold_us_for_hours(self, rate: int, until: int) -> None:
        """A byte every quarter of a second ends with the grace; what comes at the least rate may go on to its end."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        pace.begin(Patience(total_s=6 * 3600, least_rate=512, grace_s=300))
        stream = Stream(clock, [(1.0, b"x" * rate)] * 7 * 3600)

        with pytest.raises(TooSlowError):
            deque(iter(lambda: pace.read(stream, 65536), b""), maxlen=0)

        assert clock.now == pytest.approx(until, abs=2)

    def test_begin_forgets_what_was(self) -> None:
        """Each answer has its own time."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: False)
        for _ in range(3):
            pace.begin(Patience(total_s=10, silence_s=10))
            assert pace.read(Stream(clock, [(9, b"x")]), 1) == b"x"

    def test_stop_is_asked_while_nothing_comes(self) -> None:
        """A read that has nothing to give ends soon after the daemon wants to."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: clock.now > 3)
        pace.begin(Patience(silence_s=60))

        with pytest.raises(StoppedError):
            pace.read(Stream(clock, [(0, None)] * 30), 1000)
        assert clock.now < 4

    def test_an_answer_that_is_about_to_come_is_seen_though_we_stop(self) -> None:
        """A 429 that is on its way must be heeded by the next process; what follows its head is not waited for."""
        clock = Clock()
        pace = AnswerPace(clock, lambda: True)
        pace.begin(Patience())
        stream = Stream(clock, [(0.4, b"HTTP/1.1 429 Too Many Requests\r\n\r\n"), (0, b"x")])

        assert pace.read(stream, 1000).startswith(b"HTTP/1.1 429")
        with pytest.raises(StoppedError):
            pace.read(stream, 1000)
        pace.begin(Patience())
        with pytest.raises(StoppedError):
            pace.read(Stream(clock, [(0, None)] * 9), 1000)
