"""Requests as the routes see them, and the answers that they give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. Header names are lower case; of repeated query parameters the last counts."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""

    @classmethod
    def of(cls, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes = b"") -> "Asked":
        """Read the request target."""
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return cls(method, unquote(parts.path), query, {k.lower(): v for k, v in headers}, body)

    def header(self, name: str) -> str:
        """The header of that name, or nothing."""
        return self.headers.get(name, "")

    @property
    def segments(self) -> tuple[str, ...]:
        """The parts of the path."""
        return tuple(part for part in self.path.split("/") if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer.

    Attributes:
        chunks: the body, in the pieces in which the site would send it.
        streamed: chunked, without a length.
        compressible: gzipped if the client takes it.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    chunks: Iterable[bytes] = field(default=())
    streamed: bool = False
    compressible: bool = True


def whole(status: int, content_type: str, body: bytes, *headers: tuple[str, str]) -> Answer:
    """An answer whose length is known."""
    return Answer(status=status, headers=(("Content-Type", content_type), *headers), chunks=(body,))
