"""Whose games are whose: the user's own, and those of the dossiers."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.game import Side
from core.players import Profile, account_takes, is_mine
from daemon.archive.archive import Archive, open_archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.reading.dossiers import dossier, list_dossiers
from daemon.archive.reading.games import find_games
from daemon.archive.reading.me import me, my_games
from daemon.archive.reading.search import plan
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.tables.main import accounts as accounts_table
from daemon.config.configured import ConfiguredDossier
from tests.core.vector_files import vectors
from tests.daemon.archive.reading.search.test_by_date import plans
from tests.daemon.seeding import downloaded, fill, follow, game_between, named, online

MINE = vectors("mine")


def track(archive: Archive, *wanted: ConfiguredDossier) -> None:
    with archive.writing() as connection:
        sync_dossiers(connection, wanted)


def of_dossier(archive: Archive, slug: str) -> list[int]:
    with archive.reading() as connection:
        page = find_games(connection, GameFilters(dossier=slug), Profile(), limit=100)
    return sorted(found["id"] for found in page["items"])


def mine(archive: Archive, profile: Profile, *, is_mine: bool = True) -> set[str]:
    """The rounds of the games that are the user's, or are not."""
    with archive.reading() as connection:
        page = find_games(connection, GameFilters(mine=is_mine), profile, limit=500)
    return {found["round"] or "" for found in page["items"]}


@pytest.fixture(params=["by index", "walking"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to a page: as if few games were found by every condition, and as if many were."""
    if request.param == "walking":
        monkeypatch.setattr(plan, "FEW", -1)


def test_mine_of_the_documents(archive: Archive, way: None) -> None:
    """For every profile of the vectors, SQL finds exactly the games that the rule calls theirs."""
    cases = MINE["cases"]
    fill(
        archive,
        (
            game_between(named(case["name"], case["fide"]), f"player{number}", round=str(number))
            for number, case in enumerate(cases)
        ),
    )
    for label, fields in MINE["profiles"].items():
        profile = Profile(fields["first"], fields["last"], tuple(fields["aliases"]), fields["fide"])
        expected = {
            str(number) for number, case in enumerate(cases) if is_mine(case["name"], case["fide"], profile)
        }
        assert expected >= {
            str(number) for number, case in enumerate(cases) if case["profile"] == label and case["mine"]
        }
        assert mine(archive, profile) == expected, label
        assert mine(archive, profile, is_mine=False) == {str(n) for n in range(len(cases))} - expected, label


def test_why(archive: Archive) -> None:
    """Each of the user's games says why it is theirs, and which side they played."""
    sides: Sequence[tuple[Side | str, Side | str]] = [
        ("Mario Rossi", "a"),
        ("b", "MROSSI90"),
        (named("M. Rossi", "12345"), "c"),
        ("Rossi, Mario", "mrossi90"),
        (named("Rossi, Mario", "777"), "d"),
    ]
    fill(archive, (game_between(white, black) for white, black in sides))
    profile = Profile("Mario", "Rossi", ("lichess:mrossi90",), 12345)
    with archive.reading() as connection:
        items = my_games(connection, profile, limit=10)["items"]
        assert me(connection, profile)["games"] == 4
    assert {item["id"]: (item["why"], item["mine"]) for item in items} == {
        1: ("name", "white"),
        2: ("alias mrossi90", "black"),
        3: ("fide id", "white"),
        4: ("name", "both"),
    }


def test_the_name_as_written_counts(archive: Archive, way: None) -> None:
    """Without an id of one's own, a player with an id is the user only in the games that name them so (names A24)."""
    fill(archive, [game_between(named("Rossi, Mario", "5"), "a"), game_between(named("Rossi, M.", "5"), "b")])
    with archive.reading() as connection:
        assert [item["id"] for item in my_games(connection, Profile("Mario", "Rossi"), limit=9)["items"]] == [
            1
        ]


def test_nobody_has_no_games(archive: Archive) -> None:
    """A user without a name owns nothing, not even the games of unknown players."""
    fill(archive, [game_between("?", ""), game_between("a", "?")])
    with archive.reading() as connection:
        assert my_games(connection, Profile(), limit=9)["items"] == []


def test_me(archive: Archive) -> None:
    """The user is shown as configured, with the accounts that are downloaded."""
    follow(archive, ["lichess:mrossi90", "chesscom:Rossi-Mario"])
    with archive.reading() as connection:
        assert me(connection, Profile("Mario", "Rossi", ("Rossi M.",), "007")) == {
            "first_name": "Mario",
            "last_name": "Rossi",
            "fide_id": "7",
            "aliases": ["Rossi M."],
            "accounts": ["lichess:mrossi90", "chesscom:rossi-mario"],
            "games": 0,
        }


def test_dossiers_of_the_documents(archive: Archive, way: None) -> None:
    """An account of a dossier takes the players of the vectors, or not."""
    cases = MINE["dossiers"]
    handles = sorted({case["account"].lower() for case in cases})
    follow(archive, [f"lichess:{handle}" for handle in handles], mine=False)
    track(
        archive,
        *(
            ConfiguredDossier(handle, f"d{n}", None, (), [f"lichess:{handle}"])
            for n, handle in enumerate(handles)
        ),
    )
    played = [game_between(named(case["name"], case["fide"]), f"player{n}") for n, case in enumerate(cases)]
    fill(archive, played)
    for number, handle in enumerate(handles):
        expected = [
            n
            for n, game in enumerate(played, 1)
            if account_takes(handle, game.white.name, game.white.fide_id)
        ]
        assert of_dossier(archive, f"d{number}") == expected, handle


def test_games_of_a_dossier(archive: Archive, way: None) -> None:
    """A dossier has what its accounts told, and the games of its id, names and nicknames; never a namesake's."""
    accounts = follow(archive, ["lichess:rossi-mario"], mine=False)
    track(
        archive,
        ConfiguredDossier("Mario Rossi", "mario-rossi", 777, ["Rossi, Mario"], ["lichess:rossi-mario"]),
    )
    downloaded(archive, accounts["lichess:rossi-mario"], [online("anonymous", "b", "abcdefgh")])
    fill(
        archive,
        [
            game_between("Rossi-Mario", "c"),
            game_between(named("Whoever", "777"), "d"),
            game_between("e", "Mario ROSSI"),
            game_between(named("Rossi, Mario", "999"), "f"),
            game_between(named("rossi-mario", "998"), "g"),
            game_between("Rossi, M.", "h"),
        ],
    )
    assert of_dossier(archive, "mario-rossi") == [1, 2, 3, 4]
    with archive.reading() as connection:
        assert dossier(connection, "mario-rossi") == {
            "slug": "mario-rossi",
            "name": "Mario Rossi",
            "fide_id": "777",
            "names": ["Rossi, Mario"],
            "accounts": ["lichess:rossi-mario"],
            "games": 4,
        }


def test_an_account_alone_never_takes_a_person(archive: Archive) -> None:
    """The dossier of the account rossi-mario has none of Rossi, Mario's games."""
    follow(archive, ["lichess:rossi-mario"], mine=False)
    track(archive, ConfiguredDossier("Somebody", "somebody", None, (), ["lichess:rossi-mario"]))
    fill(archive, [game_between("Rossi, Mario", "a"), game_between("ROSSI-MARIO", "b")])
    assert of_dossier(archive, "somebody") == [2]


def test_dossiers_are_in_the_order_of_the_configuration(archive: Archive) -> None:
    """What left the configuration is no longer listed."""
    one, two, three = (ConfiguredDossier(slug, slug, None, (), ()) for slug in ("one", "two", "three"))
    track(archive, one, two, three)
    track(archive, three, one)
    with archive.reading() as connection:
        assert [found["slug"] for found in list_dossiers(connection)] == ["three", "one"]
        assert dossier(connection, "two") is None


def test_numbers_of_games(archive: Archive) -> None:
    """Each dossier's number is that of its list, also where others have the same games, or several of its accounts led to one."""
    keys = ["lichess:rossi", "lichess:older", "chesscom:rossi", "lichess:verdi"]
    accounts = follow(archive, keys, mine=False)
    with archive.writing() as connection:
        same = accounts_table.c.handle.in_(["rossi", "older"]) & (accounts_table.c.site == "lichess")
        connection.execute(accounts_table.update().where(same).values(permanent_id="1"))
    track(
        archive,
        ConfiguredDossier("Rossi", "both", 777, ["Rossi, Mario", "Rossi, M."], keys[:1] + keys[2:3]),
        ConfiguredDossier("Verdi", "verdi", None, ["Verdi, Anna"], [keys[3]]),
        ConfiguredDossier("Neri", "names", None, ["Neri, Ugo", "Rossi, Mario", "Verdi, Anna"], ()),
        ConfiguredDossier("Nobody", "nobody", None, (), ()),
    )
    led_to = {
        "lichess:rossi": [online("rossi", "verdi", "a"), online("x", "y", "b")],
        "lichess:older": [online("rossi", "verdi", "a"), online("older", "z", "c")],
        "chesscom:rossi": [
            online("rossi", "x", "1", "chesscom"),
            online("Rossi, Mario", "w", "2", "chesscom"),
        ],
        "lichess:verdi": [online("rossi", "verdi", "a"), online("Verdi, Anna", "w", "d")],
    }
    for key, some in led_to.items():
        downloaded(archive, accounts[key], some)
    fill(
        archive,
        [
            game_between("Rossi, Mario", "Rossi, M."),
            game_between("Rossi, Mario", "Verdi, Anna"),
            game_between(named("Whoever", "777"), "Neri, Ugo"),
            game_between("Neri, Ugo", "Neri, Ugo"),
        ],
    )
    with archive.reading() as connection:
        found = list_dossiers(connection)
    assert [one["accounts"] for one in found] == [keys[:3], keys[3:], [], []]
    assert [one["games"] for one in found] == [len(of_dossier(archive, one["slug"])) for one in found]
    assert [one["games"] for one in found] == [8, 3, 6, 0]


def test_numbers_from_indexes_alone(sqlite_path: Path) -> None:
    """No number looks at a game or a telling: in large archives that takes as long as all the rest."""
    with open_archive(sqlite_path) as archive:
        accounts = follow(archive, ["lichess:rossi"], mine=False)
        track(archive, ConfiguredDossier("Rossi", "rossi", 777, ["Rossi, Mario"], ["lichess:rossi"]))
        downloaded(archive, accounts["lichess:rossi"], [online("rossi", "verdi", "a")])
        with archive.reading() as connection, plans(connection) as lines:
            (found,) = list_dossiers(connection)
    assert found["games"] == 1
    steps = [line for line in lines if " games " in f"{line} " or "tellings" in line]
    assert steps
    assert all(" games USING COVERING INDEX" in step for step in steps), steps


@pytest.mark.parametrize("ask", [GameFilters(account="lichess:rossi"), GameFilters(dossier="rossi")])
def test_games_of_an_account_without_its_tellings(sqlite_path: Path, ask: GameFilters) -> None:
    """Which games an account led to is known beside it."""
    with open_archive(sqlite_path) as archive:
        accounts = follow(archive, ["lichess:rossi"], mine=False)
        track(archive, ConfiguredDossier("Rossi", "rossi", None, (), ["lichess:rossi"]))
        downloaded(archive, accounts["lichess:rossi"], [online("rossi", "verdi", "a")])
        with archive.reading() as connection, plans(connection) as lines:
            page = find_games(connection, ask, Profile(), limit=1)
    assert len(page["items"]) == 1
    assert not any(" tellings USING INTEGER PRIMARY KEY" in line for line in lines), lines
