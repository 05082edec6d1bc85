"""What went wrong with names and accounts in other tools, through real files and real archives."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.reading import shapes
from daemon.archive.reading.dossiers import dossier
from daemon.archive.reading.games import find_games
from daemon.archive.reading.me import my_games
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.filters import GameFilters
from daemon.config.configured import ConfiguredDossier
from daemon.imports.run import import_paths
from tests.daemon.installation import Installation
from tests.daemon.made_up import chesscom, lichess
from tests.daemon.seeding import downloaded, follow
from tests.fetchers.site_emulator.emulator import Ai, Emulator, Guest

NOBODY = Profile()


class Register:
    """An archive of games in files, each between one player and a made-up opponent."""

    def __init__(self, archive: Archive, folder: Path) -> None:
        self.archive = archive
        self.folder = folder
        self.files = 0

    def bring(self, *players: tuple[str, str | None], encoding: str = "utf-8") -> None:
        """Import a file with one game of each of these players (name and FIDE id)."""
        self.files += 1
        path = self.folder / f"{self.files}.pgn"
        path.write_text("".join(_game(number, *one) for number, one in enumerate(players)), encoding=encoding)
        assert import_paths(self.archive, [path]).new == len(players)

    def found(self, query: str) -> list[shapes.Player]:
        with self.archive.reading() as connection:
            return find_players(connection, query, limit=100)["items"]

    def names(self, query: str) -> set[tuple[str, str | None]]:
        """Those found, by name and FIDE id; the opponents are left out."""
        return {(one["name"], one["fide_id"]) for one in self.found(query)}

    def games(self, **fields: Any) -> list[shapes.Game]:
        with self.archive.reading() as connection:
            filters = GameFilters.model_validate(fields)
            return find_games(connection, filters, NOBODY, limit=100)["items"]

    def mine(self, profile: Profile) -> set[str | None]:
        """The names as written in the games that are the user's."""
        with self.archive.reading() as connection:
            return {one["white"]["written"] for one in my_games(connection, profile, limit=100)["items"]}

    def keep(self, *dossiers: ConfiguredDossier) -> None:
        with self.archive.writing() as connection:
            sync_dossiers(connection, dossiers)

    def dossier(self, slug: str) -> shapes.Dossier:
        with self.archive.reading() as connection:
            found = dossier(connection, slug)
        assert found is not None
        return found


def _game(number: int, name: str, fide_id: str | None) -> str:
    identity = f'[WhiteFideId "{fide_id}"]\n' if fide_id else ""
    return (
        f'[Event "Open"]\n[Date "2024.05.{number + 1:02}"]\n[White "{name}"]\n[Black "Opponent, {number}"]\n'
        f'[Result "1-0"]\n{identity}\n1. e4 e5 2. Nf3 1-0\n\n'
    )


@pytest.fixture
def register(archive: Archive, tmp_path: Path) -> Register:
    return Register(archive, tmp_path)


def _wanted(
    name: str, slug: str, names: Iterable[str] = (), accounts: Iterable[str] = ()
) -> ConfiguredDossier:
    return ConfiguredDossier(name, slug, None, list(names), list(accounts))


def test_a_name_with_many_hits_is_nobody_of_them(register: Register) -> None:
    """No person is chosen for "Ivanov, A": they are a player of their own, without an id, and all are offered."""
    register.bring(("Ivanov, Alexei", "4100001"), ("Ivanov, Anton", "4100002"), ("Ivanov, A", None))
    register.keep(_wanted("A. Ivanov", "a-ivanov", ["Ivanov, A"]))

    assert register.names("ivanov a") == {
        ("Ivanov, Alexei", "4100001"),
        ("Ivanov, Anton", "4100002"),
        ("Ivanov, A", None),
    }
    assert register.dossier("a-ivanov")["games"] == 1
    assert [one["white"]["written"] for one in register.games(dossier="a-ivanov")] == ["Ivanov, A"]


def test_a_new_alias_counts_at_once(register: Register) -> None:
    """The next question knows it; nothing is stored of who the user is."""
    register.bring(("Rossi, M.", None), ("Rossi, Mario", None))

    assert register.mine(Profile("Mario", "Rossi")) == {"Rossi, Mario"}
    assert register.mine(Profile("Mario", "Rossi", ["Rossi M"])) == {"Rossi, Mario", "Rossi, M."}


def test_one_name_with_two_ids_is_two(register: Register) -> None:
    """Also "BYE", and a person who got two ids by mistake: two players until told otherwise."""
    register.bring(("BYE", "111"), ("BYE", "222"), ("Neri, Anna", "333"), ("Neri, Anna", "444"))

    assert register.names("bye") == {("BYE", "111"), ("BYE", "222")}
    assert register.names("neri") == {("Neri, Anna", "333"), ("Neri, Anna", "444")}


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("Blübaum, Matthias", "Bluebaum, Matthias"),
        ("Groß, Anna", "Gros, Anna"),
        ("Kvaløy, Lars", "Kvaloey, Lars"),
    ],
)
def test_spellings_are_not_guessed(register: Register, written: str, other: str) -> None:
    """ü is not ue, ß not s, ø not oe: two players, each shown as written; a search folds accents."""
    register.bring((written, None), (other, None))

    assert register.names(written.split(",", maxsplit=1)[0]) == {(written, None)}
    assert register.names(other.split(",", maxsplit=1)[0]) >= {(other, None)}
    assert len({one["white"]["player_id"] for one in register.games()}) == 2


def test_an_alias_that_two_could_be_is_not_applied(register: Register, tmp_path: Path) -> None:
    """The alias "Ivanov" takes the game of neither Ivanov, and `check-config` says what it looks like."""
    register.bring(("Ivanov, Alexei", None), ("Ivanov, Boris", None))
    place = Installation(tmp_path / "here")
    place.folder.mkdir()
    place.configure(mine=["Ivanov"])

    checked = place.call("check-config")

    assert register.mine(Profile("Mario", "Rossi", ["Ivanov"])) == set()
    assert checked.returncode == 0
    assert '"Ivanov" looks like an account' in checked.stdout + checked.stderr


def test_namesakes_with_ids(register: Register) -> None:
    """Two FIDE ids, overlapping names in several writings: two persons, each with all their games."""
    older, younger = "13500001", "13500002"
    register.bring(
        ("Petrosian, Tigran", older),
        ("Petrosian, Tigran V", older),
        ("Petrosian, Tigran L", younger),
        ("Petrosian, TL", younger),
    )

    assert register.names("petrosian") == {("Petrosian, Tigran", older), ("Petrosian, Tigran L", younger)}
    assert [one["games"] for one in register.found("petrosian")] == [2, 2]


def test_spellings_of_one_person_stay_apart(register: Register) -> None:
    """Nothing is merged because it looks alike; the same words with other accents are one."""
    register.bring(("Polgar, Zsuzsa", None), ("Polgár, Susan", None), ("Polgár, Zsuzsa", None))

    assert register.names("polgar") == {("Polgar, Zsuzsa", None), ("Polgár, Susan", None)}


def test_a_digit_behind_a_name(register: Register) -> None:
    """The names "Li, Chao" and "Li, Chao2" are two, but for the FIDE id that makes them one."""
    register.bring(("Li, Chao", None), ("Li, Chao2", None), ("Li, Chao2", "8604436"), ("Li, Chao", "8604436"))

    assert register.names("li chao") == {("Li, Chao", None), ("Li, Chao2", None), ("Li, Chao2", "8604436")}


def test_the_id_wins_and_the_conflict_shows(register: Register) -> None:
    """Who has the id is the player; the game shows the name that was written, too."""
    register.bring(("Rossi, Mario", "900001"), ("Verdi, Luca", "900001"))

    sides = [one["white"] for one in register.games(fide_id="900001")]
    assert {(one["name"], one["written"]) for one in sides} == {
        ("Rossi, Mario", "Rossi, Mario"),
        ("Rossi, Mario", "Verdi, Luca"),
    }
    assert len({one["player_id"] for one in sides}) == 1


def test_a_handle_that_begins_another(register: Register) -> None:
    """The dossier of "anna" has no game of "anna2"."""
    register.bring(("anna", None), ("anna2", None))
    follow(register.archive, ["lichess:anna"])
    register.keep(_wanted("Anna", "anna", accounts=["lichess:anna"]))

    assert [one["white"]["written"] for one in register.games(dossier="anna")] == ["anna"]


def test_capitals_in_a_handle(register: Register) -> None:
    """However it is typed it is one account and one player, shown as first written."""
    register.bring(("MarStem", None), ("marstem", None), ("MARSTEM", None))
    accounts = follow(register.archive, ["lichess:MarStem", "lichess:marstem"])

    assert register.names("marstem") == {("MarStem", None)}
    assert list(accounts) == ["lichess:marstem"]


def test_a_renamed_account_tells_the_same_games(register: Register) -> None:
    """The new name tells the same ids, with another name in them: the same games, no doubles."""
    accounts = follow(register.archive, ["chesscom:rossi-mario", "chesscom:mario_rossi"])
    days = {1: "2024.05.12", 2: "2024.05.13", 3: "2024.05.14"}
    before = [chesscom(number, Date=days[number]) for number in (1, 2)]
    after = [chesscom(number, Date=day, White="mario_rossi") for number, day in days.items()]
    downloaded(register.archive, accounts["chesscom:rossi-mario"], before)

    taken = downloaded(register.archive, accounts["chesscom:mario_rossi"], after)

    assert (taken.refreshed, taken.new, len(register.games())) == (2, 1, 3)
    assert [len(one["tellings"]) for one in register.games()] == [1, 1, 1]
    assert {one["white"]["name"] for one in register.games()} == {"mario_rossi"}
    assert (register.names("mario"), register.names("rossi-mario")) == ({("mario_rossi", None)}, set())


def test_one_person_with_three_accounts(register: Register) -> None:
    """Two sites, three accounts, one dossier: every game once, also that between two of them."""
    keys = ["lichess:mrossi90", "lichess:gbianchi", "chesscom:rossi-mario"]
    accounts = follow(register.archive, keys)
    register.keep(_wanted("Mario Rossi", "mario-rossi", ["Rossi, Mario"], keys))
    for key in keys[:2]:
        downloaded(register.archive, accounts[key], [lichess()])
    downloaded(register.archive, accounts[keys[2]], [chesscom()])
    register.bring(("Rossi, Mario", None), ("rossi-mario", None))

    assert register.dossier("mario-rossi")["games"] == 4
    assert len({one["id"] for one in register.games(dossier="mario-rossi")}) == 4


def test_computers_and_guests_are_no_persons(tmp_path: Path) -> None:
    """A game against lichess's computer, and one against nobody known, come in; they name no account."""
    with Emulator(seed=3) as sites:
        sites.world.add_player("lichess", "mrossi90")
        for day, opponent in ((1, Ai(3)), (2, Guest())):
            sites.world.add_game("lichess", "mrossi90", opponent, at=datetime(2026, 10, day, 18, tzinfo=UTC))
        place = Installation(tmp_path, sites)
        place.configure(mine=["lichess:mrossi90"])
        assert place.call("sync").returncode == 0
        games = place.json("games")["items"]

    others = [side for one in games for side in (one["white"], one["black"]) if side["name"] != "mrossi90"]
    assert (len(games), len(others), {one["fide_id"] for one in others}) == (2, 2, {None})
    assert [one["account"] for one in place.json("status")["accounts"]] == ["lichess:mrossi90"]
