"""What each address answers."""

import json
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from core.players import Profile
from daemon.api.app import set_profile
from daemon.archive.reading import shapes
from tests.examples import examples

SHAPES: dict[str, Any] = {
    "/health": shapes.Health,
    "/status": shapes.Status,
    "/syncs": shapes.Page[shapes.Round],
    "/players": shapes.Page[shapes.Player],
    "/players/1": shapes.Player,
    "/players/1/games": shapes.Page[shapes.Game],
    "/games": shapes.Page[shapes.Game],
    "/games/1": shapes.WholeGame,
    "/me": shapes.Me,
    "/me/games": shapes.Page[shapes.MyGame],
    "/dossiers": shapes.Page[shapes.Dossier],
    "/dossiers/giulia-bianchi": shapes.Dossier,
    "/dossiers/giulia-bianchi/games": shapes.Page[shapes.Game],
    "/quarantine": shapes.Page[shapes.Quarantined],
}


def get(client: TestClient, path: str) -> Any:
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("path", SHAPES)
def test_answers_have_the_documented_shape(client: TestClient, path: str) -> None:
    """Every answer is, strictly and without a field more, of the shape that OpenAPI documents."""
    body = get(client, path)
    if "items" in body:
        assert body["items"], "an empty list shows nothing"
    shape = SHAPES[path]
    TypeAdapter(shape).validate_python(body, strict=True)
    assert _fields(body) == _fields_of(TypeAdapter(shape).json_schema())
    described = client.get("/api/v1/openapi.json").json()
    pattern = next(one for one in described["paths"] if _fits(one, f"/api/v1{path}"))
    answer = described["paths"][pattern]["get"]["responses"]["200"]["content"]["application/json"]
    components = described["components"]["schemas"]
    documented = components[answer["schema"]["$ref"].rsplit("/", 1)[1]]
    assert _fields(body) == _fields_of({**documented, "$defs": components})


def _fields(body: dict[str, Any]) -> set[str]:
    """The fields of what is answered, or of its first item."""
    return set(body["items"][0]) if "items" in body else set(body)


def _fields_of(schema: dict[str, Any]) -> set[str]:
    """The fields that a schema names for it."""
    if "items" not in schema["properties"]:
        return set(schema["properties"])
    name = schema["properties"]["items"]["items"]["$ref"].rsplit("/", 1)[1]
    return set(schema["$defs"][name]["properties"])


def _fits(pattern: str, path: str) -> bool:
    parts, asked = pattern.split("/"), path.split("/")
    return len(parts) == len(asked) and all(
        one in (two, "{" + one.strip("{}") + "}") for one, two in zip(parts, asked, strict=True)
    )


def test_players(client: TestClient) -> None:
    """Players come in the order of suggestions, with their games counted."""
    found = get(client, "/players?q=ros")["items"]
    assert [(player["name"], player["games"]) for player in found] == [
        ("Rossi, Mario", 1),
        ("Rossini, Matteo", 1),
    ]
    assert get(client, "/players?q=oberg")["items"][0]["name"] == "Öberg, Lars"


def test_games_by_fields(client: TestClient) -> None:
    """The field above the list and the search window are told by the query."""
    assert [game["site"] for game in get(client, "/games?q=carlsen%20roma")["items"]] == ["Roma"]
    assert len(get(client, "/games?from=2024&to=2024-05-10")["items"]) == 1
    assert len(get(client, "/games?account=lichess:gbianchi&mine=true&eco=b9")["items"]) == 1
    assert [game["id"] for game in get(client, "/games?fide_id=1503014")["items"]] == [2]


def test_games_are_newest_first(client: TestClient) -> None:
    """The last games of the list are those of an unknown year, whose date is null."""
    dates = [game["date"] for game in get(client, "/games")["items"]]
    assert dates == ["2024.05.??", "2024.05.12", "2021.01.01", "2020.01.01", None]


def test_pages_by_link(client: TestClient) -> None:
    """Following the links of the pages gives the whole list, each game once."""
    path, seen = "/api/v1/games?limit=2&from=1900", []
    while path:
        answer = client.get(path)
        seen += [game["id"] for game in answer.json()["items"]]
        assert ("link" in answer.headers) == (answer.json()["next"] is not None)
        path = answer.links["next"]["url"] if "next" in answer.links else ""
    assert seen == [game["id"] for game in get(client, "/games?from=1900")["items"]]
    assert len(seen) == 4


def test_a_game_with_two_kinds_of_tellings(client: TestClient) -> None:
    """A download with both of its accounts, and the same game in a file."""
    game = get(client, "/games/1")
    assert [(telling["accounts"], telling["file"]) for telling in game["tellings"]] == [
        (["lichess:mrossi90", "lichess:gbianchi"], None),
        ([], "club.pgn"),
    ]
    assert game["moves"] == "e2e4 e7e5"
    assert game["tags"]["White"] == "mrossi90"


def test_pgn_as_it_came(client: TestClient) -> None:
    """PGN is given byte for byte, whatever its encoding."""
    answer = client.get("/api/v1/games/5/pgn")
    assert answer.content == b'[Event "caf\xe9"]\n\n1. e4 e5 1-0\n'
    assert answer.headers["content-type"] == "application/x-chess-pgn"
    assert client.get("/api/v1/games/5/tellings/1/pgn").content == answer.content
    assert client.get("/api/v1/games/5/tellings/2/pgn").status_code == 404


def test_quarantine_as_it_came(client: TestClient) -> None:
    """A game that could not be read is given byte for byte, and never as a page."""
    [item] = get(client, "/quarantine")["items"]
    answer = client.get(f"/api/v1/quarantine/{item['id']}")
    assert (answer.content, answer.headers["content-type"]) == (b"\xff1. e5", "application/octet-stream")


def test_a_reloaded_profile_counts_at_once(client: TestClient, app: FastAPI) -> None:
    """When the configuration was read again, the next answer knows the new alias."""
    assert len(get(client, "/me/games")["items"]) == 2
    set_profile(app, Profile("Giulia", "Bianchi", ("gbianchi", "Neri, Anna")))
    assert [game["why"] for game in get(client, "/me/games")["items"]] == [
        "alias gbianchi",
        "alias Neri, Anna",
        "name",
    ]


def test_status(client: TestClient) -> None:
    """The status tells what is held and where each account stands."""
    found = get(client, "/status")
    assert found["version"] == "1.2.3"
    assert found["archive"] == {"games": 5, "players": 10, "tellings": 6, "files": 1, "quarantine": 1}
    assert [account["account"] for account in found["accounts"]] == ["lichess:mrossi90", "lichess:gbianchi"]
    assert found["accounts"][1]["dossiers"] == ["giulia-bianchi"]


def test_openapi_is_whole(client: TestClient) -> None:
    """Every address is documented with what it answers, its errors, and a sentence; parameters too."""
    described = client.get("/api/v1/openapi.json").json()
    assert set(described["paths"]) >= {f"/api/v1{path}" for path in SHAPES if path.count("/") == 1}
    for path, methods in described["paths"].items():
        assert set(methods) == {"get"}, path
        operation = methods["get"]
        assert operation["description"], path
        assert {"200", "4XX", "5XX"} <= set(operation["responses"]), path
        assert "422" not in operation["responses"], path
        assert "application/problem+json" in operation["responses"]["4XX"]["content"], path
    games = {one["name"]: one for one in described["paths"]["/api/v1/games"]["get"]["parameters"]}
    assert {"q", "from", "to", "white", "mine", "limit", "cursor"} <= set(games)
    assert all(one.get("description") or one["schema"].get("description") for one in games.values())


_NAMES = st.sampled_from(
    [
        "q",
        "white",
        "site",
        "eco",
        "fide_id",
        "annotator",
        "result",
        "from",
        "to",
        "title",
        "account",
        "cursor",
        "limit",
        "mine",
        "dossier",
        "source",
    ]
)


@examples(150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.dictionaries(_NAMES, st.text(max_size=30), max_size=4))
def test_no_query_is_a_fault(client: TestClient, query: dict[str, str]) -> None:
    """Whatever is asked, the answer is data or a problem of the client's, never a fault of ours."""
    answer = client.get(
        "/api/v1/games", params={name: text.encode(errors="replace") for name, text in query.items()}
    )
    assert answer.status_code in {200, 400, 422}
    json.loads(answer.content)


def test_a_number_that_no_telling_has(client: TestClient) -> None:
    """A number beyond what the databases count to is refused, not looked up."""
    answers = {number: client.get(f"/api/v1/games/1/tellings/{number}/pgn") for number in (2**31 - 1, 2**31)}
    assert [answer.status_code for answer in answers.values()] == [404, 422]


def test_lists_of_games_take_the_same_parameters(client: TestClient) -> None:
    """The games of a player, of a dossier and the user's own are narrowed, sorted and counted as all games are."""
    me, dossier = (
        get(client, "/me/games?total=true"),
        get(client, "/dossiers/giulia-bianchi/games?total=true"),
    )
    assert (me["total"], dossier["total"]) == (len(me["items"]), len(dossier["items"]))
    sides = {colour: get(client, f"/me/games?colour={colour}")["items"] for colour in ("white", "black")}
    assert [one["mine"] for one in sides["white"]] == ["white"] * len(me["items"])
    assert sides["black"] == []
    player = me["items"][0]["black"]["player_id"]
    games = f"/players/{player}/games"
    assert get(client, f"{games}?colour=black&sort=id")["items"]
    assert get(client, f"{games}?colour=white")["items"] == []
    ids = [one["id"] for one in get(client, "/games?sort=-id")["items"]]
    assert ids == sorted(ids, reverse=True)
    assert client.get("/api/v1/games?sort=moves").status_code == 422
    for path in ("/players", "/syncs", "/quarantine", "/doubles"):
        assert get(client, f"{path}?limit=1&total=true")["total"] == len(
            get(client, f"{path}?limit=500")["items"]
        )


def test_the_history_is_narrowed(client: TestClient) -> None:
    """Rounds are found by their kind, their outcome and their account; what cannot be is refused."""
    everything = get(client, "/syncs")["items"]
    assert get(client, "/syncs?kind=import&outcome=done&total=true") == {
        "items": everything,
        "next": None,
        "total": len(everything),
    }
    for nothing in ("kind=sync", "outcome=failed", "account=lichess:mrossi90"):
        assert get(client, f"/syncs?{nothing}")["items"] == []
    for wrong in ("kind=export", "outcome=good", "account=mrossi90"):
        assert client.get(f"/api/v1/syncs?{wrong}").status_code == 422
