"""/suggest and /doubles: what the API lets people choose from and decide."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from sqlalchemy import event
from starlette.testclient import TestClient

from core.players import Profile
from core.search import suggest_texts
from daemon.api.app import create_app
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.search import words
from daemon.archive.reading.suggest import choices
from daemon.edits import doubles
from daemon.edits.door import edit_game
from tests.core.vector_files import vectors
from tests.daemon.archive.reading.test_players import TEXTS
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, emptied, fill, game_between, named
from tests.examples import examples

SEARCH = vectors("search")
FIELDS = {"events": "event", "sites": "site", "openings": "opening"}


@pytest.fixture(name="asked")
def _asked(archive: Archive) -> Iterator[TestClient]:
    """Asks the API of an archive that a test fills itself."""
    app = create_app(archive, Profile(), version="1", now_ms=lambda: NOW)
    with TestClient(app, base_url="http://127.0.0.1:8470") as client:
        yield client


def names(client: TestClient, what: str, query: str, **more: str) -> list[str]:
    answer = client.get(f"/api/v1/suggest/{what}", params={"q": query, **more})
    assert answer.status_code == 200, answer.text
    found = TypeAdapter(shapes.Suggestions).validate_python(answer.json(), strict=True)
    return [one["name"] for one in found["items"]]


def test_players_of_the_documents(archive: Archive, asked: TestClient) -> None:
    """Every list of suggestions of the vectors, in its exact order."""
    fill(archive, [game_between(name, "Bianchi, Anna") for name in SEARCH["players"]])
    for case in SEARCH["suggestions"]:
        found = [
            name for name in names(asked, "players", case["typed"], limit="500") if name != "Bianchi, Anna"
        ]
        assert found == [*case["first"], *case["then"]], case


@pytest.mark.parametrize("what", [*FIELDS, "teams"])
def test_texts_of_the_documents(archive: Archive, asked: TestClient, what: str) -> None:
    """Each text of the vectors is found, or not, by what is typed."""
    known = sorted({case["text"] for case in SEARCH["texts"]})
    games = []
    for number, one in enumerate(known):
        team = named("Rossi, Mario", team=one if what == "teams" else None)
        games.append(
            game_between(
                team, "?", f"{2000 + number}.01.01", **({FIELDS[what]: one} if what in FIELDS else {})
            )
        )
    fill(archive, games)
    for case in SEARCH["texts"]:
        assert (case["text"] in names(asked, what, case["typed"], limit="500")) == case["found"], case


def test_first_what_starts_so(archive: Archive, asked: TestClient) -> None:
    """First the names that start with all that is typed, then the others; each alphabetical; no more than asked for."""
    events = ["Wijk aan Zee", "Tata Steel", "Zeeland Open", "Open di Roma", "zee-open", "Bergen op Zee"]
    fill(
        archive,
        [
            game_between("?", "?", event=event, round=None, date=f"2024.01.{n:02}")
            for n, event in enumerate(events, 1)
        ],
    )
    assert names(asked, "events", "ZEE") == ["zee-open", "Zeeland Open", "Bergen op Zee", "Wijk aan Zee"]
    assert names(asked, "events", "zee", limit="1") == ["zee-open"]
    assert names(asked, "events", "op-ze") == ["Bergen op Zee", "zee-open", "Zeeland Open"]
    assert names(asked, "events", " - ") == []
    assert asked.get("/api/v1/suggest/events").json() == {"items": []}
    assert asked.get("/api/v1/suggest/rounds?q=x").status_code == 422


def test_a_name_once(archive: Archive, asked: TestClient) -> None:
    """Two players who are shown alike are one name to choose."""
    fill(archive, [game_between("Rossi, Mario", "?"), game_between(named("Rossi, Mario", "1234567"), "?")])
    assert names(asked, "players", "rossi") == ["Rossi, Mario"]


def test_no_text_that_no_game_has(archive: Archive, asked: TestClient) -> None:
    """A text that an edit took out of its last game is offered no longer."""
    fill(archive, [otb(Event="Open di Rma")])
    edit_game(archive, 1, {"event": "Open di Roma"}, now_ms=NOW)
    assert names(asked, "events", "open") == ["Open di Roma"]


@examples(60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    known=st.lists(
        TEXTS.filter(lambda text: text.strip() not in {"", "?"}), min_size=1, max_size=8, unique=True
    ),
    query=TEXTS,
)
def test_sql_finds_what_the_rule_finds(archive: Archive, known: list[str], query: str) -> None:
    """On any archive the texts are those of core.search, in its order."""
    fill(
        emptied(archive),
        [game_between("?", "?", f"{1900 + n}.01.01", event=one) for n, one in enumerate(known)],
    )
    with archive.reading() as connection:
        assert choices(connection, "events", query, limit=100) == suggest_texts(query, known)


def test_doubles(archive: Archive, asked: TestClient) -> None:
    """Pairs that may be one, with both games and the reason, page by page, until they are decided."""
    days = range(1, 4)
    fill(archive, [otb(moves=RUY, Date=f"2024.0{day}.01") for day in days])
    fill(archive, [otb(moves=f"{RUY} a6", Date=f"2024.0{day}.01") for day in days])
    assert doubles.look(archive) == 3
    whole = asked.get("/api/v1/doubles").json()
    TypeAdapter(shapes.Page[shapes.Double]).validate_python(whole, strict=True)
    assert [(one["game"]["id"], one["other"]["id"]) for one in whole["items"]] == [(3, 6), (2, 5), (1, 4)]
    assert {one["kind"] for one in whole["items"]} == {"beginning"}
    assert "5 plies" in whole["items"][0]["reason"]
    page = asked.get("/api/v1/doubles?limit=2")
    assert page.headers["link"].endswith('rel="next"')
    rest = asked.get("/api/v1/doubles", params={"cursor": page.json()["next"]}).json()
    assert [*page.json()["items"], *rest["items"]] == whole["items"]
    assert asked.get("/api/v1/doubles?kind=date").json() == {"items": [], "next": None}
    doubles.different(archive, [whole["items"][0]["id"]], now_ms=NOW)
    doubles.same(archive, [whole["items"][1]["id"]], now_ms=NOW)
    assert asked.get("/api/v1/doubles").json()["items"] == whole["items"][2:]


def test_the_way_to_suggestions(archive: Archive) -> None:
    """Suggestions come from the order of the texts and the index of words, not from looking at every text."""
    if archive.dialect != "sqlite":
        pytest.skip("the plan of SQLite is stable, PostgreSQL's depends on the size")
    fill(archive, [otb()])
    seen: list[tuple[str, Any]] = []
    with archive.reading() as connection:
        event.listen(connection, "before_cursor_execute", lambda *given: seen.append((given[2], given[3])))
        choices(connection, "events", "club", limit=5)
        plan = [
            row
            for statement, parameters in list(seen)
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    for index in ("ix_texts_kind_folded (kind=? AND <expr>>? AND <expr><?)", "text_words USING PRIMARY KEY"):
        assert any(index in str(row) for row in plan), plan
    assert not any("SCAN texts" in str(row) or "SCAN games" in str(row) for row in plan), plan


@pytest.mark.parametrize("frequent", [0, 2_000])
def test_suggestions_for_frequent_words(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, frequent: int
) -> None:
    """Whether the words are in many texts or in few, the texts are those of the rule in its order (names R33)."""
    monkeypatch.setattr(words, "FREQUENT", frequent)
    names = ("Open of Turin", "Turin Open", "Open Town", "Roma", "Old open, Trento", "Open T")
    fill(archive, [otb(Event=name, Date=f"2024.05.{n:02}") for n, name in enumerate(names, 1)])
    with archive.reading() as connection:
        assert choices(connection, "events", "open t", limit=9) == [
            "Open T", "Open Town", "Old open, Trento", "Open of Turin", "Turin Open",
        ]  # fmt: skip
        assert choices(connection, "events", "open t", limit=3) == ["Open T", "Open Town", "Old open, Trento"]
        assert choices(connection, "events", "open x", limit=3) == []
