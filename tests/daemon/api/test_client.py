"""The Python client, over real servers: what it asks, and what it says when it is not answered."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from fastapi import FastAPI

from core.players import Profile
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import Archive
from daemon.archive.reading import games
from daemon.archive.reading.search.filters import GameFilters
from daemon.client import Client, ClientError, Refused, Unreachable, address_of, connection
from daemon.club.foundation import NewTournament, found
from daemon.club.members import NewMember, add_members
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.config.values import Listen
from daemon.events import News
from tests.daemon.club.evenings import evening_of
from tests.daemon.seeding import NOW, fill, game_between


@pytest.fixture
def news() -> News:
    """What happens in the daemon."""
    return News()


@pytest.fixture
def app(small_archive: Archive, news: News) -> FastAPI:
    """The small archive, with a token."""
    profile = Profile("Mario", "Rossi", ("lichess:mrossi90",))
    return create_app(small_archive, profile, version="1.2.3", token="s3cret", news=news)


@pytest.fixture(params=["tcp", "unix"])
def listen(request: pytest.FixtureRequest, tmp_path: Path) -> Listen:
    """Both ways to listen."""
    return Listen("127.0.0.1", 0) if request.param == "tcp" else Listen(socket=tmp_path / "api.sock")


@pytest.fixture
def client(app: FastAPI, listen: Listen, news: News) -> Iterator[Client]:
    """Asks a running server."""
    server = Server(app, listen, has_token=True)
    server.start()
    bound = listen if listen.socket else Listen(*server.addresses[0][:2])
    with Client(address_of(bound), token="s3cret") as opened:
        yield opened
    news.close()
    server.stop()


def answering(*answers: bytes) -> tuple[str, threading.Thread]:
    """A server that gives these answers, one for each connection, and closes it."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listening:
            for each in answers:
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    connection.recv(65536)
                    connection.sendall(each)

    thread = threading.Thread(target=answer)
    thread.start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}", thread


def test_everything_that_it_asks(client: Client, small_archive: Archive) -> None:
    """Each method gives what the API has at that address."""
    assert client.health() == {"status": "ok", "version": "1.2.3"}
    assert client.status()["archive"]["games"] == 5
    rossi = client.players("ros mar", limit=1)["items"][0]
    assert (rossi["name"], client.player(rossi["id"])) == ("Rossi, Mario", rossi)
    game = client.games(GameFilters(white="rossi", mine=True, date_from="2024-05"))["items"][0]
    with small_archive.reading() as connection:
        assert client.game(game["id"]) == games.game(connection, game["id"])
        assert client.pgn(game["id"]) == client.pgn(game["id"], 1) == games.pgn(connection, game["id"])
    dossier = client.dossier("giulia-bianchi")
    assert dossier is not None
    assert dossier["name"] == "Giulia Bianchi"


def test_every_route_has_a_method(client: Client, app: FastAPI, small_archive: Archive) -> None:
    """Each route of the description is asked by a method, and what it gives has the shape that is promised."""
    club = found(small_archive, NewTournament("Club championship 2026", "VM 2026", {}), now_ms=NOW)
    add_members(small_archive, club, [NewMember("Rossi", 1800), NewMember("Bianchi", 1900)], now_ms=NOW)
    pair_round(small_archive, club, evening_of(), now_ms=NOW)
    enter(small_archive, club, {1: BoardResult(read_result("1-0"))}, number=1, now_ms=NOW, confirmed=None)
    assert client.me()["first_name"] == "Mario"
    assert client.my_games(sort="id", total=True)["total"] == len(client.my_games()["items"])
    assert client.my_games(GameFilters(colour="black"))["items"] == []
    assert client.my_games()["items"][0]["why"]
    ids = [one["id"] for one in client.all_games(sort="-id")]
    assert ids == sorted(ids, reverse=True)
    assert [one["slug"] for one in client.dossiers()] == ["giulia-bianchi"]
    assert client.games_of_dossier("giulia-bianchi")["items"]
    assert client.games_of_player(1)["items"]
    assert client.syncs()["items"][0]["outcome"] == "done"
    [broken] = client.quarantine()["items"]
    assert client.quarantined(broken["id"]) == b"\xff1. e5"
    assert client.doubles("date", limit=1) == {"items": [], "next": None}
    assert client.edits(limit=1) == {"items": [], "next": None}
    assert client.suggestions("players", "ros mar") == ["Rossi, Mario"]
    assert [one["slug"] for one in client.tournaments()] == [club]
    tournament, round_ = client.tournament(club), client.round(club, 1)
    assert (tournament is not None, round_ is not None) == (True, True)
    table, crosstable = client.standings(club, 1), client.crosstable(club)
    assert (table is not None, crosstable is not None) == (True, True)
    assert client.turnering(club)
    assert (client.trf(club) or b"").startswith(b"012 ")
    for form in ("pgn", "ndjson", "csv"):
        assert b"".join(client.export(form))
    assert client.description()["paths"].keys() == app.openapi()["paths"].keys()
    assert "gamekeeper_games 5.0" in client.metrics()
    assert (client.tournament("none"), client.round(club, 9), client.quarantined(9)) == (None,) * 3
    client.status(), client.health(), client.players(), client.player(1), client.games(), client.game(1)
    client.pgn(1), client.pgn(1, 1), client.dossier("giulia-bianchi"), next(client.events())
    asked = re.findall(r'http_requests_total\{method="GET",route="(.+?)"', client.metrics())
    assert set(app.openapi()["paths"]) - set(asked) <= {"/api/v1/events/stream"}  # which may not have ended


def test_it_needs_no_database() -> None:
    """A program that imports the client imports no database, no server and no other client of HTTP."""
    heavy = ("sqlalchemy", "alembic", "fastapi", "starlette", "uvicorn", "httpx", "chess", "apscheduler")
    code = f"import sys, daemon.client; print([one for one in {heavy} if one in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


def test_what_there_is_not(client: Client) -> None:
    """What is not there is None; any other error is told as the server tells it."""
    assert (client.player(99), client.game(99), client.pgn(99), client.dossier("no/body?")) == (None,) * 4
    with pytest.raises(Refused, match="not a cursor") as refused:
        client.games(cursor="x")
    assert refused.value.status == 400


def test_all_of_a_list(client: Client, small_archive: Archive) -> None:
    """Lists are walked page by page; a limit ends them."""
    fill(small_archive, [game_between(f"Rossi, N{number}", "Bianchi") for number in range(501)], "many.pgn")
    assert [game["id"] for game in client.all_games()][-501:-1]
    assert len(list(client.all_games())) == 506
    assert len(list(client.all_games(GameFilters(q="rossi"), 3))) == 3
    assert len({player["id"] for player in client.all_players()}) > 501
    assert len(list(client.all_players("ros", 2))) == 2


def test_exports(client: Client) -> None:
    """An export comes piece by piece."""
    lines = b"".join(client.export("ndjson", GameFilters(q="rossi"))).splitlines()
    assert [json.loads(line)["white"]["name"] for line in lines] == [
        "Rossi, Mario",
        "Rossini, Matteo",
    ]
    assert b"caf\xe9" in b"".join(client.export("pgn", tellings=True))


def test_events(client: Client, news: News, small_archive: Archive) -> None:
    """Events come as they happen, and again from any of them on; the end of the server is the end of them."""
    events = client.events()
    first = next(events)
    assert first.kind == "open"
    fill(small_archive, [game_between("Nuovo", "Bianchi")], "new.pgn")
    first = next(events)
    assert first.kind == "games"
    news.publish("sync", {"n": "è\u2028\x85"})  # which would end a line anywhere but in a stream of events
    assert next(events).data == {"n": "è\u2028\x85"}
    again = client.events(first.id)
    assert [next(again).kind, next(again).data] == ["open", {"n": "è\u2028\x85"}]
    news.close()
    assert (list(events), list(again)) == ([], [])


def test_a_wrong_token(client: Client) -> None:
    """Without the token nothing is told, and the message says what to send."""
    with (
        Client(client.address) as stranger,
        pytest.raises(Refused, match="token of the configuration") as refused,
    ):
        stranger.status()
    assert refused.value.status == 401


def test_a_server_that_restarts(app: FastAPI, tmp_path: Path) -> None:
    """A connection that the server has closed is opened again."""
    listen = Listen(socket=tmp_path / "api.sock")
    with Client(address_of(listen), token="s3cret") as client:
        for _ in range(2):
            server = Server(app, listen, has_token=True)
            server.start()
            assert client.health()["status"] == "ok"
            server.stop()
        with pytest.raises(Unreachable, match="does not answer"):
            client.health()


def test_a_connection_that_is_closed_while_it_is_used() -> None:
    """Where the server closes the kept connection instead of answering, it is asked once more on a new one."""
    good = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            first, _ = listening.accept()
            with first:
                first.recv(65536)
                first.sendall(good)
                first.recv(65536)
            second, _ = listening.accept()
            with second:
                second.recv(65536)
                second.sendall(good)

        thread = threading.Thread(target=serve)
        thread.start()
        with Client(f"http://127.0.0.1:{listening.getsockname()[1]}") as client:
            assert [client.health(), client.health()] == [{}, {}]
        thread.join()


def test_proxies_of_the_environment(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that the environment names is not for our own daemon."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert client.health()["status"] == "ok"


@pytest.mark.parametrize("name", [".", ".."])
def test_names_that_lead_to_another_path(client: Client, name: str) -> None:
    """A slug is one part of a path, whatever it is."""
    assert (client.dossier(name), client.tournament(name)) == (None, None)
    with pytest.raises(Refused) as refused:
        client.games_of_dossier(name)
    assert refused.value.status == 404


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<ht>", "is not a gamekeeper"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno", "502 Bad Gateway"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{}", "broke off"),
        (b"SSH-2.0\r\n", "does not answer"),
        (b"", "does not answer"),
    ],
)
def test_who_is_no_gamekeeper(answer: bytes, what: str) -> None:
    """Whatever else answers is told in a sentence."""
    address, thread = answering(answer)
    with Client(address) as client, pytest.raises(ClientError, match=what):
        client.health()
    thread.join()


def test_an_export_that_breaks_off() -> None:
    """Half an export is an error, not a file."""
    address, thread = answering(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[Even\r\n")
    with Client(address) as client, pytest.raises(Unreachable, match="broke off"):
        list(client.export("pgn"))
    thread.join()


@pytest.mark.parametrize(
    ("answer", "kind", "what"),
    [
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nevent\r\n",
            Unreachable,
            "broke off",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ClientError, "not a stream of events"),
        (b"HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", Refused, "503 No"),
    ],
)
def test_events_that_do_not_come(answer: bytes, kind: type[ClientError], what: str) -> None:
    """A stream of events that breaks off, is none, or is refused is an error, not the end of the events."""
    address, thread = answering(answer)
    with Client(address) as client, pytest.raises(kind, match=what) as error:
        list(client.events())
    assert getattr(error.value, "retry_after", 7) == 7
    thread.join()


def test_an_answer_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is longer than any of ours is not read to its end."""
    monkeypatch.setattr(connection, "LARGEST", 1 << 20)
    address, thread = answering(b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * (1 << 21))
    with Client(address) as client, pytest.raises(ClientError, match="more than 1 MB"):
        client.health()
    thread.join()


def test_who_is_not_there(tmp_path: Path) -> None:
    """Why nobody answers is said in the system's words alone."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    addresses = {
        f"http://127.0.0.1:{port}": "Connection refused",
        f"unix:{tmp_path}/none": "No such file or directory",
    }
    for address, why in addresses.items():
        with Client(address) as client, pytest.raises(Unreachable) as raised:
            client.health()
        assert str(raised.value) == f"{address} does not answer: {why}"


def test_who_never_answers() -> None:
    """The wait has an end."""
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(address, seconds=0.1) as client, pytest.raises(Unreachable, match="timed out"):
            client.health()


@pytest.mark.parametrize(
    "address",
    ["", "127.0.0.1:8470", "ftp://x", "http://", "http://user:x@host", "http://:x@host", "http://x?q=1"],
)
def test_what_is_no_address(address: str) -> None:
    """An address that is none is told before anything is asked, with one that would do."""
    with pytest.raises(ValueError, match=r"write http://127\.0\.0\.1:8470"):
        Client(address)


def test_where_a_server_is_asked() -> None:
    """A server that listens everywhere is asked on loopback."""
    asked = [address_of(Listen(host, 8470)) for host in ("localhost", "0.0.0.0", "::", "::1")]
    assert asked == [f"http://{host}:8470" for host in ("localhost", "127.0.0.1", "[::1]", "[::1]")]
    assert address_of(Listen(socket=Path("/run/api.sock"))) == "unix:/run/api.sock"
