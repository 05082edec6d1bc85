"""Exports over real connections: whole files, a few at a time, and none for nobody."""

import csv
import http.client
import io
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import psutil
import pytest
from fastapi import FastAPI

from core.pgn import reader
from core.players import Profile
from daemon.api import exports
from daemon.api.app import create_app
from daemon.api.protocol import DeadlineProtocol
from daemon.api.server import Server
from daemon.archive.archive import Archive
from daemon.config.values import Listen
from tests.daemon.seeding import fill, game_between

Address = tuple[str, int]


class Impatient(DeadlineProtocol):
    """Leaves who does not read, soon enough for a test."""

    reading_seconds = 0.5


@pytest.fixture
def address(app: FastAPI) -> Iterator[Address]:
    """The small archive's API on a free port."""
    server = Server(app, Listen("127.0.0.1", 0))
    server.start()
    yield server.addresses[0]
    server.stop()


@pytest.fixture
def large(archive: Archive) -> FastAPI:
    """An archive whose export fills every buffer between it and a client that does not read."""
    comment = os.urandom(200_000).hex()
    for number in range(30):
        raw = f'[White "Rossi, N{number}"]\n[Black "?"]\n\n1. e4 {{{comment}}} e5 *\n'.encode()
        fill(archive, [game_between(f"Rossi, N{number}", "?", raw=raw)], f"{number}.pgn")
    return create_app(archive, Profile(), version="1")


def get(address: Address, path: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
    with closing(http.client.HTTPConnection(*address[:2], timeout=60)) as connection:
        connection.request(method, f"/api/v1{path}")
        answer = connection.getresponse()
        return answer, answer.read()


def begin(address: Address, path: str = "/api/v1/games.pgn") -> socket.socket:
    """Ask for an export, read its head, and then no more."""
    connection = socket.create_connection(address, timeout=60)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert connection.recv(12) == b"HTTP/1.1 200"
    return connection


def eventually(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_pgn(address: Address) -> None:
    """The whole archive is a PGN file with a name; what is not UTF-8 in the archive is in it."""
    answer, body = get(address, "/games.pgn")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/x-chess-pgn"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="games.pgn"'
    assert [one.tag("White") for one in reader.read(body)][:2] == ["mrossi90", "Rossi, Mario"]
    assert '[Event "café"]' in body.decode()


def test_tellings(address: Address) -> None:
    """With tellings each comes byte for byte."""
    _, body = get(address, "/games.pgn?tellings=true&q=neri")
    assert body == b'[Event "caf\xe9"]\n\n1. e4 e5 1-0\n\n'


def test_ndjson_and_csv(address: Address) -> None:
    """Every line is a game as by its id, every row the same game."""
    answer, body = get(address, "/games.ndjson?player=rossi")
    lines = [json.loads(line) for line in body.splitlines()]
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert lines == [json.loads(get(address, f"/games/{line['id']}")[1]) for line in lines]
    answer, body = get(address, "/games.csv?player=rossi")
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(body.decode(), newline="")))
    assert [int(row["id"]) for row in rows] == [line["id"] for line in lines]


def test_a_parameter_that_there_is_not(address: Address) -> None:
    """A misspelt filter is told: the whole archive is not what was meant. Pages have no place here."""
    for path in (
        "/games.pgn?whit=x",
        "/games.ndjson?tellings=true",
        "/games.csv?limit=3",
        "/games.csv?from=x",
    ):
        answer, body = get(address, path)
        assert answer.status == 422
        assert json.loads(body)["errors"]


def test_head_begins_nothing(address: Address, app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """HEAD tells the headers and makes no export."""
    monkeypatch.setattr(exports, "export", lambda *_, **__: pytest.fail("an export for nobody"))
    answer, body = get(address, "/games.pgn", "HEAD")
    assert (answer.status, body) == (200, b"")
    assert answer.headers["Content-Type"] == "application/x-chess-pgn"


def test_an_archive_that_fails_at_once(address: Address, small_archive: Archive) -> None:
    """What is wrong before the first game is told as a problem, as everywhere."""
    with small_archive.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE games RENAME TO gone")
    answer, body = get(address, "/games.pgn")
    assert (answer.status, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert json.loads(body)["status"] == 500


def test_an_export_that_breaks_off(app: FastAPI, address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the middle breaks the connection off: half a file does not look like a whole one."""
    from daemon.archive.errors import ArchiveError
    from daemon.export import ExportPart

    def half(*_: object, **__: Any) -> Iterator[ExportPart]:
        yield ExportPart(b"[Event]", 1)
        raise ArchiveError("the disk is gone")

    monkeypatch.setattr(exports, "export", half)
    with pytest.raises(http.client.IncompleteRead):
        get(address, "/games.pgn")
    assert app.state.exports.taken == 0


def test_four_at_once(large: FastAPI) -> None:
    """Beyond four exports the next one is told to come again; a client that leaves makes room. Pages are answered."""
    server = Server(large, Listen("127.0.0.1", 0))
    server.start()
    address = server.addresses[0]
    with ExitStack() as stack:
        stack.callback(server.stop)
        readers = [stack.enter_context(begin(address)) for _ in range(exports.AT_ONCE)]
        answer, body = get(address, "/games.csv")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert "4 exports" in json.loads(body)["detail"]
        assert get(address, "/games?limit=1")[0].status == 200
        readers[0].close()
        eventually(lambda: large.state.exports.taken < exports.AT_ONCE)
        assert get(address, "/games.csv")[0].status == 200


def test_who_does_not_read_is_left(large: FastAPI) -> None:
    """Exports that nobody reads end after a while, hold no more than a few pieces, and no transaction."""
    server = Server(large, Listen("127.0.0.1", 0), protocol=Impatient)
    server.start()
    before = psutil.Process().memory_info().rss
    connections = [begin(server.addresses[0]) for _ in range(exports.AT_ONCE)]
    try:
        eventually(lambda: large.state.exports.taken == 0)
        assert psutil.Process().memory_info().rss - before < 64 << 20
        assert large.state.serving.archive._engines.read.pool.checkedout() == 0
    finally:
        for connection in connections:
            connection.close()
        server.stop()


def test_the_end_of_the_daemon(large: FastAPI) -> None:
    """An export under way does not hold up the end of the daemon; its reader sees that it is not whole."""
    server = Server(large, Listen("127.0.0.1", 0))
    server.start()
    connection = begin(server.addresses[0])
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    stopping.join(20)
    assert not stopping.is_alive()
    received = b""
    with connection:
        while block := connection.recv(1 << 20):
            received += block
    assert not received.endswith(b"0\r\n\r\n")
    assert large.state.exports.taken == 0
