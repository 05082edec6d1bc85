"""Caching, errors and guards: what holds for every address."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from fastapi import FastAPI
from starlette.testclient import TestClient

from core.players import Profile
from daemon.api.app import create_app
from daemon.api.security import HEADERS
from daemon.archive.archive import Archive
from daemon.archive.errors import ArchiveBusy
from daemon.archive.lock import only_daemon

PATHS = [
    "/health",
    "/status",
    "/games",
    "/games/1",
    "/games/1/pgn",
    "/players?q=ros",
    "/me",
    "/openapi.json",
    "/syncs",
]


@pytest.fixture
def where(sqlite_path: Path) -> str:
    """Only on SQLite: what is tested here does not know the database."""
    return str(sqlite_path)


@pytest.mark.parametrize("path", PATHS)
def test_etag(client: TestClient, path: str) -> None:
    """What a client has is not sent again; what changed is."""
    first = client.get(f"/api/v1{path}")
    etag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    for known in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        again = client.get(f"/api/v1{path}", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert client.get(f"/api/v1{path}", headers={"If-None-Match": '"other"'}).content == first.content


@pytest.mark.parametrize("path", PATHS)
def test_head(client: TestClient, path: str) -> None:
    """HEAD answers as GET does, without the body."""
    got, head = client.get(f"/api/v1{path}"), client.head(f"/api/v1{path}")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == got.headers


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/nothing", 404),
        ("/api/v1/games/", 404),
        ("/api/v1/games/99", 404),
        ("/api/v1/games/1/tellings/9/pgn", 404),
        ("/api/v1/players/99", 404),
        ("/api/v1/players/99/games", 404),
        ("/api/v1/dossiers/nobody", 404),
        ("/api/v1/dossiers/nobody/games", 404),
        ("/api/v1/quarantine/99", 404),
        ("/api/v1/games/one", 422),
        ("/api/v1/games/0", 422),
        ("/api/v1/games/9223372036854775808", 422),
        ("/api/v1/games?limit=0", 422),
        ("/api/v1/games?limit=501", 422),
        ("/api/v1/games?limit=x", 422),
        ("/api/v1/games?whit=rossi", 422),
        ("/api/v1/games?from=yesterday", 422),
        ("/api/v1/games?from=12.05.2024", 422),
        ("/api/v1/games?mine=perhaps", 422),
        ("/api/v1/games?from=2024-02-31", 422),
        ("/api/v1/games?to=2023.02.29", 422),
        ("/api/v1/games?from=2024-13", 422),
        ("/api/v1/games?result=remis", 422),
        ("/api/v1/games?result=", 422),
        ("/api/v1/games?time_class=foo", 422),
        ("/api/v1/games?variant=checkers", 422),
        ("/api/v1/games?source=gameknot", 422),
        ("/api/v1/games?colour=red&player=rossi", 422),
        ("/api/v1/games?account=mrossi90", 422),
        ("/api/v1/games?min_rating=x", 422),
        ("/api/v1/games?max_plies=-1", 422),
        ("/api/v1/games?since=yesterday", 422),
        ("/api/v1/games?since=2024-02-30T10:00:00Z", 422),
        ("/api/v1/games?date_from=2024", 422),
        ("/api/v1/games?limit=5&limit=6", 422),
        ("/api/v1/games.csv?result=remis", 422),
        ("/api/v1/doubles?kind=odd", 422),
        ("/api/v1/suggest/rounds?q=x", 422),
        ("/api/v1/games/1?moves=e4", 422),
        ("/api/v1/health?x=1", 422),
        ("/api/v1/me?q=rossi", 422),
        ("/metrics?x=1", 422),
        ("/api/v1/games?colour=white", 400),
        ("/api/v1/games.csv?colour=white", 400),
        ("/api/v1/games?from=2024-05-13&to=2024-05-12", 400),
        ("/api/v1/games?from=2024-06&to=2024-05-31", 400),
        ("/api/v1/games?from=2025&to=2024", 400),
        ("/api/v1/games?min_rating=2001&max_rating=2000", 400),
        ("/api/v1/games?min_plies=81&max_plies=80", 400),
        ("/api/v1/games.pgn?min_plies=81&max_plies=80", 400),
        ("/api/v1/games.csv?min_rating=2001&max_rating=2000", 400),
        ("/api/v1/me/games?mine=false", 400),
        ("/api/v1/me/games?from=2025&to=2024", 400),
        ("/api/v1/syncs?kind=import&account=lichess:mrossi90", 400),
        ("/api/v1/games?q=%00", 422),
        ("/api/v1/games?result=%00", 422),
        ("/api/v1/dossiers/%00", 422),
        ("/api/v1/players?q=" + "a" * 201, 422),
        ("/api/v1/games?cursor=nonsense", 400),
        ("/api/v1/players?cursor=Z2FtZXM6MQ", 400),
        ("/api/v1/syncs?cursor=Z2FtZXM6MQ", 400),
        ("/api/v1/quarantine?cursor=%00", 400),
    ],
)
def test_errors_are_problems(client: TestClient, path: str, status: int) -> None:
    """Every error is a problem that says in a sentence what is wrong, and carries the same guards."""
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], bool(problem["title"]), problem["detail"][-1]) == (status, True, ".")
    assert problem.get("errors", status not in {400, 422})
    assert HEADERS.items() <= {name.title(): value for name, value in answer.headers.items()}.items()


def test_every_wrong_parameter_is_named(client: TestClient) -> None:
    """All wrong parameters are told at once, each with what is wrong with it."""
    problem = client.get("/api/v1/games?limit=0&from=x&color=white").json()
    details = {error["parameter"]: error["detail"] for error in problem["errors"]}
    assert set(details) == {"limit", "from", "color"}
    assert details["color"] == "there is no such parameter"
    assert "2024-05-12" in details["from"]
    assert details["from"] in problem["detail"]


@pytest.mark.parametrize(
    ("path", "parameters", "words"),
    [
        ("/games?limit=0", {"limit"}, ("'0'", "a whole number from 1 to 500")),
        ("/games?limit=1.5", {"limit"}, ("'1.5'", "a whole number from 1 to 500")),
        ("/games?min_rating=x", {"min_rating"}, ("'x'", "a whole number from 0 to 9999")),
        ("/games?mine=perhaps", {"mine"}, ("'perhaps'", "true and false")),
        ("/games?sort=moves", {"sort"}, ("'moves'", "date, -date, id,", "or -eco")),
        ("/syncs?outcome=good", {"outcome"}, ("'good'", "done, incomplete, failed or stopped")),
        ("/doubles?kind=odd", {"kind"}, ("'odd'", "native_id,")),
        ("/suggest/rounds?q=x", {"what"}, ("'rounds'", "players, events, sites, teams or openings")),
        ("/games/one", {"game_id"}, ("'one'", "a whole number from 1")),
        ("/games?q=" + "a" * 201, {"q"}, ("'aaa", "a text of at most 200 characters")),
        ("/games?from=2025&to=2024", {"from", "to"}, ("from is 2025 and to is 2024", "exchange them")),
        ("/games?min_rating=9&max_rating=8", {"min_rating", "max_rating"}, ("min_rating is 9", "8")),
        ("/games?colour=white", {"colour"}, ("add player, fide_id, dossier or mine=true",)),
        ("/games?cursor=foo", {"cursor"}, ("next", "first page")),
    ],
)
def test_what_is_wrong_and_what_is_allowed(
    client: TestClient, path: str, parameters: set[str], words: tuple[str, ...]
) -> None:
    """An error names the parameter, what was given and what is allowed."""
    problem = client.get(f"/api/v1{path}").json()
    assert {error["parameter"] for error in problem["errors"]} == parameters
    for word in words:
        assert word in problem["errors"][0]["detail"], problem
        assert word in problem["detail"], problem


def test_no_words_of_a_library(client: TestClient) -> None:
    """No parameter of the description has a value that is refused in pydantic's own words."""
    details = []
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    once = {
        (parameter["in"], parameter["name"], str(parameter["schema"])): path
        for path in paths.keys() - {"/api/v1/events/stream"}  # has no end
        for parameter in paths[path]["get"].get("parameters", ())
    }
    for (place, name, _), path in once.items():
        for wrong in ("", "9" * 3000):
            whole = re.sub(r"\{.+?\}", "1", path.replace(f"{{{name}}}", wrong or "x%00"))
            answer = client.get(whole, params={name: wrong} if place == "query" else {})
            if answer.status_code == 422:
                details += [error["detail"] for error in answer.json()["errors"]]
    assert len(details) > 40
    assert [one for one in details if re.match("(Input|String|Value)|.*should (be|have)", one)] == []


def test_ranges_of_one_day_or_number(client: TestClient) -> None:
    """A range that holds one day, or one number, or in which one end lies within the other, is one."""
    for asked in (
        "from=2024-05-12&to=2024-05-12",
        "from=2024-05-12&to=2024",
        "from=2024&to=2024-01-01",
        "from=2024-05&to=2024-05-01",
        "min_rating=2000&max_rating=2000",
        "min_plies=0&max_plies=0",
    ):
        assert client.get(f"/api/v1/games?{asked}").status_code == 200, asked


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ODD"])
def test_only_reading(client: TestClient, method: str) -> None:
    """Whatever would change something is refused, with the methods that are not."""
    answer = client.request(method, "/api/v1/games")
    assert (answer.status_code, answer.json()["status"]) == (405, 405)
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.0.0.1:8470", "[::1]", "[::1]:8470", "LOCALHOST:1"]
)
def test_hosts_of_this_machine(client: TestClient, host: str) -> None:
    """The names of this machine are answered."""
    assert client.get("/api/v1/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1:8470.evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.example:8470",
        "[::1].evil.example",
        "::1",
        "127.0.0.1@evil.example",
        "",
        "club.example",
    ],
)
def test_foreign_hosts(client: TestClient, host: str) -> None:
    """A name that somebody pointed at this machine (DNS rebinding) gets no data."""
    answer = client.get("/api/v1/games", headers={"Host": host})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": "http://127.0.0.1:8470.evil.example"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_from_elsewhere(client: TestClient, headers: dict[str, str]) -> None:
    """A page of another origin gets no data, and no header that would let it read."""
    answer = client.get("/api/v1/games", headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (403, 403)
    assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://127.0.0.1:8470"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}],
)
def test_our_own_pages(client: TestClient, headers: dict[str, str]) -> None:
    """Our own pages, and addresses that the user typed, are answered."""
    assert client.get("/api/v1/games", headers=headers).status_code == 200


@pytest.fixture(params=[None, "s3cret"])
def invited(request: pytest.FixtureRequest, small_archive: Archive) -> Iterator[TestClient]:
    """An app, with and without a token, that a page of the user's own may ask; the client bears the token."""
    app = create_app(
        small_archive, Profile(), version="1", token=request.param, origins=["http://localhost:3000"]
    )
    headers = {} if request.param is None else {"Authorization": f"Bearer {request.param}"}
    with TestClient(app, base_url="http://127.0.0.1:8470", headers=headers) as opened:
        yield opened


def test_pages_of_ones_own(invited: TestClient) -> None:
    """A page of an origin that is named may ask and read, errors too; no other one may, and none without the token."""
    page = {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "cross-site"}
    for path, status in (("/api/v1/games", 200), ("/api/v1/games/99", 404)):
        answer = invited.get(path, headers=page)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (status, page["Origin"])
        assert "Origin" in answer.headers["vary"]
        assert "ETag" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers
    for origin in (
        "http://localhost:3001",
        "https://localhost:3000",
        "null",
        "http://localhost:3000.evil.example",
    ):
        answer = invited.get("/api/v1/games", headers={**page, "Origin": origin})
        assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (403, None)
    assert "access-control-allow-origin" not in invited.get("/api/v1/games").headers
    if "authorization" in invited.headers:
        answer = invited.get("/api/v1/games", headers={**page, "Authorization": "Bearer wrong"})
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (401, page["Origin"])


def test_a_browser_that_asks_first(invited: TestClient) -> None:
    """Before it sends a token a browser asks whether it may, without it; pages that are not named may not."""
    first = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET"}
    del invited.headers["authorization" if "authorization" in invited.headers else "accept"]
    asked = {**first, "Access-Control-Request-Headers": "authorization"}
    answer = invited.options("/api/v1/games", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, first["Origin"])
    assert "authorization" in answer.headers["access-control-allow-headers"].lower()
    private = {**asked, "Access-Control-Request-Private-Network": "true"}
    answer = invited.options("/api/v1/games", headers=private)
    assert answer.headers["access-control-allow-private-network"] == "true"
    for wrong in ({"Origin": "http://evil.example"}, {"Access-Control-Request-Method": "DELETE"}):
        refused = invited.options("/api/v1/games", headers={**asked, **wrong})
        assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    assert invited.options("/api/v1/games").status_code in {401, 405}


@pytest.fixture
def guarded(small_archive: Archive) -> Iterator[TestClient]:
    """An app that wants a token, known as club.example too."""
    app = create_app(small_archive, Profile(), version="1", token="s3cret-é", hosts=["club.example"])
    with TestClient(app, base_url="http://club.example") as opened:
        yield opened


@pytest.mark.parametrize("given_token", [None, "Bearer wrong", "Bearer ", "Basic s3cret", "Bearer s3cret"])
def test_without_the_token(guarded: TestClient, given_token: str | None) -> None:
    """Without the right token there is neither data nor metrics."""
    headers = {} if given_token is None else {"Authorization": given_token}
    for path in ("/api/v1/games", "/api/v1/status", "/metrics", "/api/v1/openapi.json"):
        answer = guarded.get(path, headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.headers["content-type"] == "application/problem+json"


def test_monitors_need_no_token(guarded: TestClient) -> None:
    """Whether the daemon is alive is told without the token, by GET and HEAD, but only under its own names."""
    assert guarded.get("/api/v1/health").json() == {"status": "ok", "version": "1"}
    assert guarded.head("/api/v1/health").status_code == 200
    assert guarded.get("/api/v1/health", headers={"Host": "evil.example"}).status_code == 400
    assert guarded.get("/api/v1/health", headers={"Origin": "http://evil.example"}).status_code == 403
    assert guarded.get("/api/v1/health/").status_code == 401


def test_with_the_token(guarded: TestClient) -> None:
    """The token opens, whatever the case of its scheme; the configured host is known."""
    header = {b"Authorization": "bearer s3cret-é".encode()}
    assert guarded.get("/api/v1/games", headers=header).status_code == 200


@pytest.mark.parametrize(
    ("listening", "asked"),
    [
        ("0.0.0.0", "192.168.1.5:8470"),
        ("::", "[fd00::1]:8470"),
        ("::", "club.example"),
        ("fd00::1", "[fd00::1]:8470"),
        ("192.168.1.5", "192.168.1.5:8470"),
    ],
)
def test_hosts_beyond_this_machine(small_archive: Archive, listening: str, asked: str) -> None:
    """An API that listens beyond this machine is answered there, by whatever name, to who bears the token."""
    app = create_app(small_archive, Profile(), version="1", hosts=[listening], token="s3cret")
    with TestClient(app, base_url=f"http://{asked}") as client:
        codes = [
            client.get("/api/v1/me", headers=headers).status_code
            for headers in ({}, {"Authorization": "Bearer s3cret"})
        ]
    assert codes == [401, 200]


def test_every_host_only_with_a_token(small_archive: Archive) -> None:
    """Without a token no foreign name is answered, wherever the API listens."""
    app = create_app(small_archive, Profile(), version="1", hosts=["0.0.0.0"])
    with TestClient(app, base_url="http://evil.example") as client:
        assert client.get("/api/v1/health").status_code == 400


def test_a_fault_of_ours(app: FastAPI) -> None:
    """A fault is logged whole, and told as a problem that shows nothing of it."""

    def broken() -> None:
        raise ZeroDivisionError("secret detail")

    app.add_api_route("/broken", broken)
    with structlog.testing.capture_logs() as logs, TestClient(app, base_url="http://localhost") as client:
        answer = client.get("/broken")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["a request failed"]


def test_a_busy_archive(app: FastAPI) -> None:
    """An archive that cannot be read for now is a 503 that says when to come again."""

    def busy() -> None:
        raise ArchiveBusy("another process keeps writing")

    app.add_api_route("/busy", busy)
    with TestClient(app, base_url="http://localhost") as client:
        answer = client.get("/busy")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "keeps writing" in answer.json()["detail"]


def test_a_deleted_archive_does_not_answer(
    client: TestClient, small_archive: Archive, sqlite_path: Path, tmp_path: Path
) -> None:
    """What a daemon has still open without a name is not served as if all were well, from the next request on."""
    with only_daemon(small_archive, tmp_path):
        assert client.get("/api/v1/health").status_code == 200
        sqlite_path.rename(sqlite_path.with_name("moved.sqlite"))
        for path in ("/health", "/status", "/games", "/games/1", "/games.pgn", "/players", "/me"):
            answer = client.get(f"/api/v1{path}")
            assert answer.status_code == 503, path
            assert "was deleted or moved away while it was in use" in answer.json()["detail"]
        sqlite_path.with_name("moved.sqlite").rename(sqlite_path)
        assert client.get("/api/v1/health").status_code == 200
