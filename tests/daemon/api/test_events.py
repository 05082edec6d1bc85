"""Server-sent events over real connections: what comes, what comes again, and who is left."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, Self

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from core.players import Profile
from daemon.api import events
from daemon.api.app import create_app
from daemon.api.events import ClientPlace
from daemon.api.protocol import DeadlineProtocol
from daemon.api.server import Server
from daemon.archive.archive import Archive
from daemon.config.values import Listen
from daemon.events import News
from tests.daemon.seeding import fill, game_between

Address = tuple[str, int]
PATH = "/api/v1/events/stream"


class Impatient(DeadlineProtocol):
    """Leaves who does not read, soon enough for a test."""

    reading_seconds = 0.5


@pytest.fixture
def news() -> News:
    """What happens in the daemon."""
    return News(kept=5, run=7)


@pytest.fixture
def app(archive: Archive, news: News) -> FastAPI:
    """The API over two games."""
    fill(archive, [game_between("Rossi", "Bianchi"), game_between("Verdi", "Neri")])
    return create_app(archive, Profile(), version="1.2.3", news=news)


@pytest.fixture
def address(app: FastAPI, news: News) -> Iterator[Address]:
    """It on a free port; it ends as the daemon does."""
    server = Server(app, Listen("127.0.0.1", 0))
    server.start()
    yield server.addresses[0]
    news.close()
    server.stop()


class Listener:
    """One client of the stream."""

    def __init__(self, address: Address, last: str | None = None) -> None:
        self._connection = http.client.HTTPConnection(*address[:2], timeout=30)
        self._connection.request("GET", PATH, headers={} if last is None else {"Last-Event-ID": last})
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self.answer.close()

    def block(self) -> dict[str, str]:
        """The fields of the next event or comment; nothing at the end."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode().rstrip("\r\n"):
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        return fields

    def event(self) -> tuple[str, str, Any]:
        """Id, kind and data of the next event."""
        while "event" not in (fields := self.block()):
            assert fields, "the stream has ended"
        return fields["id"], fields["event"], json.loads(fields["data"])

    def kinds(self, number: int) -> list[tuple[str, Any]]:
        return [self.event()[1:] for _ in range(number)]


def new_game(archive: Archive, name: str) -> None:
    fill(archive, [game_between(f"Nuovo, {name}", "Bianchi")], f"{name}.pgn")


def test_the_beginning(address: Address) -> None:
    """A stream begins with how soon to come back, and an event that tells where it stands."""
    with Listener(address) as listener:
        assert listener.answer.headers["Content-Type"].startswith("text/event-stream")
        assert listener.answer.headers["Cache-Control"] == "no-store"
        first = listener.block()
    assert first == {"retry": "3000", "id": "7-0-2", "event": "open", "data": '{"version":"1.2.3"}'}


def test_new_games_and_progress(address: Address, archive: Archive, news: News) -> None:
    """A new game is told by its id, whatever took it in; what the daemon does is told as it says it."""
    with Listener(address) as listener:
        listener.event()
        new_game(archive, "a")
        assert listener.event() == ("7-1-3", "games", {"ids": [3]})
        news.publish("sync", {"account": "lichess:mrossi90"})
        assert listener.event() == ("7-2-3", "sync", {"account": "lichess:mrossi90"})


def test_who_comes_back_gets_what_he_missed(address: Address, archive: Archive, news: News) -> None:
    """With the id of the last event come the games and events after it, each once."""
    with Listener(address) as listener:
        last, *_ = listener.event()
    news.publish("sync", {"n": 1})
    new_game(archive, "b")
    with Listener(address, last) as listener:
        got = listener.kinds(3)
        assert got[0][0] == "open"
        assert sorted(got[1:], key=repr) == [("games", {"ids": [3]}), ("sync", {"n": 1})]
        news.publish("sync", {"n": 2})
        assert listener.kinds(1) == [("sync", {"n": 2})]


def test_games_are_told_once(address: Address, archive: Archive) -> None:
    """Whichever event a client comes back with, a game that it was told does not come again, and none is left out."""
    with Listener(address) as keeping:
        places = [keeping.event()[0]]
        for name in "abc":
            new_game(archive, name)
            places.append(keeping.event()[0])
        for heard, place in enumerate(places):
            with Listener(address, place) as listener:
                assert listener.event()[1] == "open"
                ids: list[int] = []
                while len(ids) < 3 - heard:
                    ids += listener.event()[2]["ids"]
                assert ids == [3, 4, 5][heard:]


@pytest.mark.parametrize("last", ["6-40-1", "7-99-1", "rubbish", "7-0-99", ""])
def test_an_id_from_elsewhere(address: Address, news: News, last: str) -> None:
    """With the id of a daemon before this one, or with rubbish, what can be told is told, and that some may be lost."""
    news.publish("sync", {"n": 1})
    with Listener(address, last) as listener:
        kinds = [kind for kind, _ in listener.kinds(2)]
        if last == "7-0-99":
            assert kinds == ["open", "sync"]
        else:
            assert kinds == ["open", "missed"]
        if last == "6-40-1":
            assert listener.kinds(2) == [("games", {"ids": [2]}), ("sync", {"n": 1})]


def test_more_than_is_kept(address: Address, news: News) -> None:
    """A client that missed more than is kept is told so, and gets the rest."""
    with Listener(address) as listener:
        last, *_ = listener.event()
    for number in range(9):
        news.publish("sync", {"n": number})
    with Listener(address, last) as listener:
        assert listener.kinds(7)[1:] == [("missed", {}), *(("sync", {"n": number}) for number in range(4, 9))]


def test_heartbeat(app: FastAPI, address: Address) -> None:
    """Where nothing happens a comment goes out now and then."""
    app.state.stories._heartbeat = 0.05
    with Listener(address) as listener:
        listener.event()
        assert listener.block() == {"": "still here"}


def test_the_end_of_the_daemon(app: FastAPI, news: News) -> None:
    """All streams end as they should when the daemon stops, and what was told before comes first."""
    server = Server(app, Listen("127.0.0.1", 0))
    server.start()
    with ExitStack() as stack:
        listeners = [stack.enter_context(Listener(server.addresses[0])) for _ in range(20)]
        for listener in listeners:
            listener.event()
        news.publish("sync", {"n": 1})
        news.close()
        server.stop()
        for listener in listeners:
            assert listener.kinds(1) == [("sync", {"n": 1})]
            assert listener.answer.read() == b""  # IncompleteRead would say that it was cut off
    assert app.state.stories.places.taken == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "api"]


def test_clients_that_do_not_read(app: FastAPI, news: News) -> None:
    """A hundred clients that read nothing keep nobody waiting, publishers least of all, and are left."""
    server = Server(app, Listen("127.0.0.1", 0), protocol=Impatient)
    server.start()
    address = server.addresses[0]
    with ExitStack() as stack:
        stack.callback(server.stop)
        stack.callback(news.close)
        for _ in range(100):
            silent = stack.enter_context(socket.create_connection(address, timeout=30))
            silent.sendall(f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert silent.recv(12) == b"HTTP/1.1 200"
        with Listener(address) as listener:
            listener.event()
            large = {"text": "x" * 1_000_000}
            for _ in range(12):
                news.publish("sync", large)
                assert listener.event()[1:] == ("sync", large)
        deadline = time.monotonic() + 60
        while app.state.stories.places.taken:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_too_many_clients(app: FastAPI, address: Address) -> None:
    """Beyond its places a stream is refused with a problem that says when to come again."""
    app.state.stories.places.number = 1
    with Listener(address) as first:
        first.event()
        with Listener(address) as second:
            assert second.answer.status == 503
            assert second.answer.headers["Retry-After"] == "5"
            assert "1 event streams" in json.loads(second.answer.read())["detail"]


def test_nobody_looks_where_nobody_listens(
    app: FastAPI, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without listeners the archive is not looked at."""
    monkeypatch.setattr(events, "LOOK_EVERY", 0.01)
    with Listener(address) as listener:
        listener.event()
    deadline = time.monotonic() + 30
    while not app.state.stories._look.done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_head(address: Address) -> None:
    """HEAD does not wait for what will never come."""
    with closing(http.client.HTTPConnection(*address[:2], timeout=30)) as connection:
        connection.request("HEAD", PATH)
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"")


@given(st.text(max_size=40))
def test_any_id_is_read(text: str) -> None:
    """Whatever a client sends as its last id is a place of ours or none."""
    place = ClientPlace.read(text)
    assert place is None or ClientPlace.read(str(place)) == place
