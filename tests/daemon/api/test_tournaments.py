"""/tournaments: what the API tells of club tournaments."""

from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from core.club.findings import errors
from core.club.tournament import AbsenceReason
from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.club import shapes as club_shapes
from daemon.club.evening import EveningSetting, set_by_hand
from daemon.club.members import NewMember
from tests.daemon.club.evenings import NOW, SLUG, pair_all, results, start

BASE = "/api/v1/tournaments"


@pytest.fixture(name="client")
def _client(archive: Archive) -> TestClient:
    """One complete round of five, and a second one set up by hand."""
    start(archive, 5)
    pair_all(archive)
    results(archive, "1-0", "1/2")
    set_by_hand(archive, SLUG, EveningSetting(pairs=[("rossi", "neri")]), now_ms=NOW)
    return TestClient(app(archive), base_url="http://localhost")


def app(archive: Archive) -> FastAPI:
    return create_app(archive, Profile(), version="1", now_ms=lambda: NOW)


def get(client: TestClient, path: str, shape: Any) -> Any:
    answer = client.get(BASE + path)
    assert answer.status_code == 200, answer.text
    TypeAdapter(shape).validate_python(answer.json(), strict=True)
    return answer.json()


def test_the_list(client):
    """Each tournament with where it stands."""
    (one,) = get(client, "", shapes.Page[club_shapes.Tournament])["items"]
    assert (one["slug"], one["rounds_complete"], one["playing"], one["member_count"]) == ("vm26", 1, None, 5)


def test_one_tournament(client):
    """With all settings, members, and rounds."""
    one = get(client, "/vm26", club_shapes.WholeTournament)
    assert one["settings"]["bye"] == "1/2"
    assert one["pairing_settings"]["rematch_min_gap"] == "3"
    assert [member["name"] for member in one["members"]][:2] == ["Rossi, Mario", "Bianchi, Laura"]
    assert [(each["n"], each["state"]) for each in one["rounds"]] == [(1, "complete"), (2, "open")]


def test_a_round(client):
    """Boards with reasons; and what is set by hand for the coming one."""
    one = get(client, "/vm26/rounds/1", club_shapes.ClubRound)
    assert [(board["white"]["name"], board["result"]) for board in one["pairings"]] == [
        ("Rossi, Mario", "1-0"),
        ("Neri, Anna", "1/2"),
    ]
    assert all(board["why"] and board["why_colours"] for board in one["pairings"])
    assert [(each["member"]["name"], each["reason"]) for each in one["absences"]] == [("O'Neill, Zoë", "bye")]
    coming = get(client, "/vm26/rounds/2", club_shapes.ClubRound)
    assert coming["by_hand"][0]["one"]["name"] == "Rossi, Mario"


def test_standings(client):
    """After a round; before the first it is the starting order."""
    last = get(client, "/vm26/standings", club_shapes.Standings)
    assert last == get(client, "/vm26/standings?round=1", club_shapes.Standings)
    first = get(client, "/vm26/standings?round=0", club_shapes.Standings)
    assert [one["member"]["rating"] for one in first["items"]] == [1800, 1750, 1700, 1650, 1600]
    assert last["items"][0]["credits"][0]["opponent"] == "Bianchi, Laura"
    with_ties = get(client, "/vm26/standings?tie_breaks=bh,SB", club_shapes.Standings)
    assert list(with_ties["items"][0]["tie_breaks"]) == ["BH", "SB"]
    assert with_ties["tie_break_rules"]


def test_cross_table(client):
    """As many cells as players."""
    found = get(client, "/vm26/crosstable", club_shapes.CrossTable)
    assert all(len(row["cells"]) == 5 for row in found["items"])


def test_files(client):
    """Texts in the encodings that their readers want, named after the tournament, with an ETag."""
    from core.club import trf_checks, turnering

    fesa = client.get(f"{BASE}/vm26/turnering.txt")
    assert fesa.headers["content-type"] == "text/plain; charset=iso-8859-1"
    assert errors(turnering.check(fesa.content)) == ()
    assert "Zoë" in fesa.text
    fide = client.get(f"{BASE}/vm26/trf")
    assert errors(trf_checks.check(fide.content)) == ()
    assert 'filename="vm26.trf"' in fide.headers["content-disposition"]
    again = client.get(f"{BASE}/vm26/trf", headers={"If-None-Match": fide.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/nothing/standings", 404),
        ("/nothing/rounds/1", 404),
        ("/nothing/trf", 404),
        ("/vm26/rounds/3", 404),
        ("/vm26/rounds/0", 422),
        ("/vm26/rounds/x", 422),
        ("/vm26/rounds/99999999999999999999", 422),
        ("/vm26/standings?round=2", 404),
        ("/vm26/standings?round=-1", 422),
        ("/vm26/standings?tie_breaks=XY", 409),
        ("/vm26/standings?after=1", 422),
        ("/vm26/crosstable?round=2", 404),
        ("/vm%00", 422),
    ],
)
def test_what_is_not_there(client, path, status):
    """A problem with what to do about it."""
    answer = client.get(BASE + path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["turnering.txt", "trf"])
def test_a_file_that_cannot_be_written(archive, path):
    """409 with the reason, while no round is complete."""
    start(archive, [NewMember("Rossi, Mario", 1800)])
    answer = TestClient(app(archive), base_url="http://localhost").get(f"{BASE}/vm26/{path}")
    assert answer.status_code == 409
    assert "no round is complete" in answer.json()["detail"]


def test_a_tournament_without_anything(archive):
    """Nobody is a member yet: all of it can be asked for."""
    start(archive, 0)
    client = TestClient(app(archive), base_url="http://localhost")
    assert get(client, "/vm26/standings", club_shapes.Standings)["items"] == []
    assert get(client, "/vm26/crosstable", club_shapes.CrossTable)["items"] == []
    assert get(client, "/vm26", club_shapes.WholeTournament)["rounds"] == []


def test_absences_have_reasons(archive):
    """All four of them."""
    start(archive, 6)
    pair_all(
        archive,
        away={"rossi": AbsenceReason.CLUB, "bianchi": AbsenceReason.EXCUSED, "neri": AbsenceReason.UNEXCUSED},
    )
    client = TestClient(app(archive), base_url="http://localhost")
    found = get(client, "/vm26/rounds/1", club_shapes.ClubRound)
    assert {one["reason"] for one in found["absences"]} == {"club", "excused", "unexcused", "bye"}
