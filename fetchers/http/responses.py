"""Answers that are still arriving, and how much of them we accept."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from fetchers.errors import BadAnswer
from fetchers.http import bodies
from fetchers.http.deadlines import Patience

_ANSWER: Final = Patience()
_STREAM: Final = Patience(total_s=6 * 3600, least_rate=512)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLimits:
    """How much of an answer we accept, and how long we wait for it.

    Attributes:
        answer: Patience with one answer of bounded size (a profile, a month).
        stream: Patience with an answer of many games; lichess needs more than an hour for 100,000.
        answer_bytes, stream_bytes: Decompressed size of each, if they are read item by item.
        record_bytes: Of an answer that is one record (a profile, a glance at 300 accounts): as JSON it takes
            thirty times as much memory.
        list_bytes: Of a list that is read at once (the matches of a club).
        item_bytes: One line of a stream, or one item of a list. The longest games with all comments are far
            below.
        tries: How often an answer of bounded size is asked for while nothing, or half, comes.
        retry_wait_s: Before the second try; then longer.
    """

    answer: Patience = _ANSWER
    stream: Patience = _STREAM
    answer_bytes: int = 256 << 20
    record_bytes: int = 4 << 20
    list_bytes: int = 8 << 20
    stream_bytes: int = 16 << 30
    item_bytes: int = 4 << 20
    tries: int = 3
    retry_wait_s: float = 1


USUAL: Final = AnswerLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a site gave with an answer so that we may ask whether it has changed; sent back byte for byte."""

    etag: str | None = None
    last_modified: str | None = None

    def headers(self) -> dict[str, str]:
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value and value.isascii()}


@dataclass(slots=True)
class Answer:
    """An answer whose body is still arriving. It is valid within the ``with`` of `Door.ask`.

    *changed* is False for a 304, which has no body.
    """

    changed: bool
    validators: Validators
    chunks: Iterator[bytes] = field(repr=False)
    item_bytes: int
    whole_bytes: int = USUAL.list_bytes

    def lines(self) -> Iterator[bytes]:
        """See `fetchers.http.bodies.lines`."""
        return bodies.lines(self.chunks, longest=self.item_bytes)

    def items(self, key: str) -> Iterator[object]:
        """See `fetchers.http.bodies.items`."""
        return bodies.items(self.chunks, key, longest=self.item_bytes)

    def json(self) -> object:
        """The whole body as JSON."""
        body = b"".join(bodies.at_most(self.chunks, self.whole_bytes))
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise BadAnswer("the answer is not the JSON that the site promises") from error
