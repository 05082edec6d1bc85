"""Limits the time of one answer, where its bytes arrive.

A socket's time-out starts again with every byte, so a site that sends one byte now and then would hold a
worker for ever: in the body, in the headers, or inside the frame of a chunk, where the reader of the body
never gets to look at a clock. So the clock is checked in the read of the socket itself.
"""

import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import httpcore

from core.plurals import count_of

SLICE_S = 0.5
"""A read blocks at most this long before the clock and *stop* are checked again."""

STOP_AFTER_S = 0.5
"""An answer that has not begun is waited for this long even if we want to stop.

It may be a 429, which we must obey.
"""


class TooSlowError(Exception):
    """The answer takes too long. `str()` says in which way."""


class StoppedError(Exception):
    """We do not want to wait any longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long we wait for one answer.

    Only the time that we spend waiting counts: it is not the site's fault if a reader takes time over what
    came.

    Attributes:
        silence_s: Without a single byte.
        window_s: In each stretch of this length at least *window_bytes* must come.
        total_s: For the whole answer.
        least_rate: Bytes a second that must come on average, once *grace_s* are over: a long answer may take
            long, but cannot hold us for hours with a few bytes now and then. 0: none.
        grace_s: See there.
    """

    silence_s: float = 60
    window_s: float = 120
    window_bytes: int = 256
    total_s: float = 300
    least_rate: float = 0
    grace_s: float = 300

    def time_for(self, received: int) -> float:
        """How many seconds an answer may take of which so many bytes have come."""
        if not self.least_rate:
            return self.total_s
        return min(self.total_s, self.grace_s + received / self.least_rate)


class AnswerPace:
    """The clock of the answer that is being read. One thread at a time."""

    def __init__(self, clock: Callable[[], float], stop: Callable[[], bool]) -> None:
        self._clock = clock
        self._stop = stop
        self.begin(Patience())

    def begin(self, patience: Patience) -> None:
        """Start waiting for a new answer."""
        self._patience = patience
        self._waited = self._silent = self._window = 0.0
        self._window_bytes = self._bytes = 0

    def read(self, stream: httpcore.NetworkStream, max_bytes: int) -> bytes:
        """The next bytes of *stream*, or an error if they take too long."""
        while True:
            self.check()
            began = self._clock()
            try:
                data = stream.read(max_bytes, self._slice())
            except httpcore.ReadTimeout:
                self._waiting(self._clock() - began)
                continue
            self._waiting(self._clock() - began)
            self._received(len(data))
            return data

    def check(self) -> None:
        """Check that there is still patience.

        Raises:
            TooSlowError: there is not.
            StoppedError: *stop* says so.
        """
        if self._stop() and (self._bytes or self._waited >= STOP_AFTER_S):
            raise StoppedError
        if self._waited >= self._patience.total_s:
            raise TooSlowError(f"the answer was not complete after {self._patience.total_s:g} s")
        if self._waited >= self._patience.time_for(self._bytes):
            raise TooSlowError(f"only {count_of(self._bytes, 'byte')} in {self._waited:.0f} s")
        if self._silent >= self._patience.silence_s:
            raise TooSlowError(f"no byte for {self._patience.silence_s:g} s")
        if self._window >= self._patience.window_s:
            if self._window_bytes < self._patience.window_bytes:
                raise TooSlowError(
                    f"only {count_of(self._window_bytes, 'byte')} in {self._patience.window_s:g} s"
                )
            self._window, self._window_bytes = 0.0, 0

    def _slice(self) -> float:
        left = self._patience.silence_s - self._silent, self._patience.total_s - self._waited
        return max(0.001, min(SLICE_S, *left))

    def _waiting(self, seconds: float) -> None:
        self._waited += seconds
        self._silent += seconds
        self._window += seconds

    def _received(self, count: int) -> None:
        self._silent = 0.0
        self._window_bytes += count
        self._bytes += count


class PacedStream(httpcore.NetworkStream):
    """A connection whose reads keep to a `AnswerPace`."""

    def __init__(self, stream: httpcore.NetworkStream, pace: AnswerPace) -> None:
        self._stream = stream
        self._pace = pace

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the pace decides
        return self._pace.read(self._stream, max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return PacedStream(self._stream.start_tls(ssl_context, server_hostname, timeout), self._pace)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class PacedBackend(httpcore.NetworkBackend):
    """Opens connections whose reads keep to a `AnswerPace`."""

    def __init__(self, backend: httpcore.NetworkBackend, pace: AnswerPace) -> None:
        self._backend = backend
        self._pace = pace

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        return PacedStream(stream, self._pace)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        return PacedStream(self._backend.connect_unix_socket(path, timeout, socket_options), self._pace)

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
