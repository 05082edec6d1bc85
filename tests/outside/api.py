"""The answers of a running daemon, over HTTP."""

import json
import re
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from prometheus_client.parser import text_string_to_metric_families

from tests.outside.normal import Normal, without_prose, without_sentences
from tests.outside.questions import QUESTIONS, WRONG

OF_THIS_RUN: Final = {"date", "content-length", "link"}
"""Headers that depend on the run, or on a cursor."""
PAGES: Final = 3
"""So many pages of a list are asked for at most."""


class Api:
    """Asks the daemon at a port of this machine."""

    def __init__(self, port: int, normal: Normal) -> None:
        self._port = port
        self._normal = normal

    def resources(self) -> Iterator[tuple[str, Any]]:
        """The answer to each question, and each following page of a list.

        Raises:
            AssertionError: a resource has no question, or a question has no resource.
        """
        described = set(self.description()["paths"])
        assert described == set(QUESTIONS), "each resource needs questions in tests/outside/questions.py"
        for path, questions in QUESTIONS.items():
            for question in questions:
                yield from self._pages(path.partition("/{")[0] + question)

    def wrong(self) -> Iterator[tuple[str, Any]]:
        """The problems that wrong questions bring."""
        for path in WRONG:
            yield path, self._answer(path)[0]
        for method in ("POST", "DELETE", "OPTIONS"):
            yield f"{method} /api/v1/games", self._answer("/api/v1/games", method)[0]
        for name, value in (("Host", "elsewhere.example"), ("Origin", "http://elsewhere.example")):
            yield f"{name}: {value}", self._answer("/api/v1/games", headers={name: value})[0]

    def heads(self) -> Iterator[tuple[str, Any]]:
        """HEAD, an answer that the client has, a file for who wants bytes, and the stream of events."""
        yield "HEAD /api/v1/games", self._answer("/api/v1/games", "HEAD")[0]
        for path in ("/api/v1/games?limit=3", "/api/v1/games/1/pgn", "/api/v1/openapi.json"):
            etag = self.ask(path)[1]["etag"]
            yield f"{path} again", self._answer(path, headers={"If-None-Match": etag})[0]
        accept = {"Accept": "application/octet-stream"}
        yield "/api/v1/games/1/pgn as bytes", self._answer("/api/v1/games/1/pgn", headers=accept)[0]
        yield "/api/v1/events/stream", self._head_of("/api/v1/events/stream")

    def description(self) -> Any:
        """The description of the API, whole."""
        return json.loads(self.ask("/api/v1/openapi.json")[2])

    def described(self) -> Any:
        """The same without its prose."""
        return without_prose(self.description())

    def metrics(self) -> dict[str, Any]:
        """The names of /metrics, each with its kind, and the labels of its samples."""
        families = text_string_to_metric_families(self.ask("/metrics")[2].decode())
        return {
            one.name: {
                "type": one.type,
                "labels": sorted({label for sample in one.samples for label in sample.labels}),
            }
            for one in families
        }

    def ask(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by their small names, and body."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            response = self._asked(connection, path, method, headers or {})
            return response.status, _headers(response), response.read()
        finally:
            connection.close()

    def _head_of(self, path: str) -> Any:
        """Status and headers of an answer that does not end."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            response = self._asked(connection, path, "GET", {})
            return {"status": response.status, "headers": self._essential(_headers(response))}
        finally:
            connection.close()

    def _asked(
        self, connection: HTTPConnection, path: str, method: str, headers: Mapping[str, str]
    ) -> HTTPResponse:
        connection.request(method, path, headers={"Connection": "close", **headers})
        return connection.getresponse()

    def _pages(self, path: str) -> Iterator[tuple[str, Any]]:
        answer, following = self._answer(path)
        yield path, answer
        number = 1
        while following is not None and number < PAGES:
            number += 1
            answer, following = self._answer(with_cursor(path, following))
            yield f"{path} page {number}", answer

    def _answer(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> tuple[dict[str, Any], str | None]:
        """What counts of an answer, and the cursor of the next page."""
        status, given, body = self.ask(path, method, headers)
        answer: dict[str, Any] = {"status": status, "headers": self._essential(given)}
        following = None
        if "json" in given.get("content-type", "").replace("ndjson", "") and body:
            value = json.loads(body)
            following = value.get("next")
            if following is not None:
                assert ("link" in given) == (status == 200)
                value["next"] = "<cursor>"
            if path == "/api/v1/openapi.json":
                value = "<described>"
            answer["body"] = without_sentences(self._normal.value(value))
        else:
            answer["body"] = self._normal.text(readable(body)).splitlines(keepends=True)
        return answer, following

    def _essential(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers that say something; of an ETag its form."""
        kept = {name: value for name, value in headers.items() if name not in OF_THIS_RUN}
        if "etag" in kept:
            kept["etag"] = re.sub("[0-9a-f]{32}", "<digest>", kept["etag"])
        return {name: self._normal.text(value) for name, value in sorted(kept.items())}


def _headers(response: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def with_cursor(path: str, cursor: str) -> str:
    """The address of the next page."""
    return path + ("&" if urlsplit(path).query else "?") + urlencode({"cursor": cursor})


def readable(content: bytes) -> str:
    """Bytes as a text that keeps each of them."""
    return (
        content.decode(errors="surrogateescape")
        .encode(errors="surrogateescape")
        .decode(errors="backslashreplace")
    )
