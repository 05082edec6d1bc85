"""Studies of lichess: any game may be in a chapter."""

from datetime import timedelta

import pytest

from fetchers.base import Following
from fetchers.errors import NotShown
from tests.fetchers.conftest import TOKEN, Build
from tests.fetchers.rounds import NOW, Followed, follow
from tests.fetchers.site_emulator.emulator import Emulator
from tests.fetchers.site_emulator.event_world import EventWorld
from tests.fetchers.site_emulator.events import STUDY_READ

IT = Followed("study", "Study001")


@pytest.fixture(name="events")
def _events(sites: Emulator) -> EventWorld:
    sites.world.events.add_study("Partite commentate", id=IT.id)
    return sites.world.events


def test_a_chapter_is_a_game_under_its_own_id(sites: Emulator, build: Build, events: EventWorld) -> None:
    """The id is made of study and chapter; the address of the chapter is where it can be seen."""
    chapter = events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0", comment="Una lezione")

    [game] = follow(build("lichess"), IT).games

    assert game.native_id == f"study/Study001/{chapter.id}"
    assert game.url == f"https://lichess.org/study/Study001/{chapter.id}"
    assert (game.online, game.source, game.has_comments) == (False, "lichess", True)
    assert game.event == "Partite commentate: Rossi, Mario - Bianchi, Laura"


def test_the_town_of_the_original_stays(sites: Emulator, build: Build, events: EventWorld) -> None:
    """A chapter may keep the Site of the game that was put there; its own address is not a town."""
    events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0", site="Arlington")
    events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")

    assert [game.site for game in follow(build("lichess"), IT).games] == ["Arlington", None]


def test_positions_without_moves_are_left_out(sites: Emulator, build: Build, events: EventWorld) -> None:
    """An exercise has no moves yet; an analysis without players has, and is kept as it is told."""
    exercise = events.add_board(IT.id, start="8/8/8/8/3k4/8/R7/R3K3 w Q - 0 1", plies=0)
    analysis = events.add_board(IT.id, plies=9)

    answer = follow(build("lichess"), IT)

    assert answer.left_out == [(f"study/Study001/{exercise.id}", "empty board")]
    assert answer.ids == [f"study/Study001/{analysis.id}"]
    assert answer.games[0].white.name == ""


def test_a_chapter_that_is_changed_keeps_its_id(sites: Emulator, build: Build, events: EventWorld) -> None:
    """A name put right takes the place of the older one."""
    chapter = events.add_board(IT.id, "Rosi, Mario", "Bianchi, Laura", result="1-0")
    fetcher = build("lichess")
    first = follow(fetcher, IT)
    events.change_board(IT.id, chapter, white=None, result="0-1")

    second = follow(fetcher, IT, first.cursor)

    assert second.ids == first.ids
    assert second.games[0].result == "0-1"


def test_an_untouched_study_costs_one_head(sites: Emulator, build: Build, events: EventWorld) -> None:
    """Its Last-Modified, byte for byte as before, is all that is asked for."""
    events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")
    fetcher = build("lichess")
    first = follow(fetcher, IT)
    sites.clear_log()

    second = follow(fetcher, IT, first.cursor, now=NOW + timedelta(hours=1))

    assert [(request.method, request.status) for request in sites.requests] == [("HEAD", 204)]
    assert (second.games, second.error) == ([], None)
    assert follow(fetcher, IT, second.cursor).games == []


def test_a_server_that_gives_no_last_modified(sites: Emulator, build: Build, events: EventWorld) -> None:
    """Then the study is read every time."""
    events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")
    fetcher = build("lichess")
    first = follow(fetcher, IT)
    bare = {name: value for name, value in first.cursor.items() if name != "last_modified"}

    assert follow(fetcher, IT, bare).ids == first.ids


@pytest.mark.parametrize(
    ("token", "answer"),
    [
        (
            None,
            "(401): make a token with the scope study:read at lichess.org/account/oauth/token, and name the file",
        ),
        (TOKEN, "(403): the token lacks the scope study:read, or its account may not see it"),
    ],
)
def test_a_private_study_is_refused(
    sites: Emulator, build: Build, events: EventWorld, token: str | None, answer: str
) -> None:
    """401 or 403 for one study is neither an absence nor a refusal of us; it is told what would help."""
    events.change_study(IT.id, private=True)
    sites.world.add_token(TOKEN)
    fetcher = build("lichess", token=token)
    assert isinstance(fetcher, Following)

    error = follow(fetcher, IT).error

    assert isinstance(error, NotShown)
    assert answer in str(error)
    with pytest.raises(NotShown):
        fetcher.events.about(IT.kind, IT.id)
    assert sites.violations == []


def test_a_token_with_the_scope_opens_a_private_study(
    sites: Emulator, build: Build, events: EventWorld
) -> None:
    """What is private is shown to a token with `study:read`."""
    events.change_study(IT.id, private=True)
    chapter = events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")
    sites.world.add_token(TOKEN, STUDY_READ)

    assert follow(build("lichess", token=TOKEN), IT).ids == [f"study/Study001/{chapter.id}"]


def test_a_deleted_chapter_is_withdrawn(sites: Emulator, build: Build, events: EventWorld) -> None:
    """A study that was read whole says which chapters it has; the deleted one is not among them."""
    gone = events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")
    kept = events.add_board(IT.id, "Rossi, Mario", "Bianchi, Laura", result="1-0")
    fetcher = build("lichess")
    first = follow(fetcher, IT)
    events.remove_board(IT.id, gone)

    second = follow(fetcher, IT, first.cursor)

    ids = {one: f"study/Study001/{chapter.id}" for one, chapter in (("gone", gone), ("kept", kept))}
    assert first.wholes == {"study/Study001": set(ids.values())}
    assert second.wholes == {"study/Study001": {ids["kept"]}}


def test_an_empty_study(sites: Emulator, build: Build, events: EventWorld) -> None:
    """A study without chapters has no games, and no name but its id."""
    fetcher = build("lichess")
    assert isinstance(fetcher, Following)

    assert follow(fetcher, IT).error is None
    assert fetcher.events.about(IT.kind, IT.id).name == IT.id
