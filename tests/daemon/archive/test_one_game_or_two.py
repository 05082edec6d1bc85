"""What went wrong with duplicates in other tools, through real files and real archives."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.games import find_games, game, pgn
from daemon.archive.reading.search.filters import GameFilters
from daemon.imports.run import Summary, import_paths
from tests.daemon.made_up import RUY, chesscom, lichess
from tests.daemon.seeding import downloaded, follow

LONG = f"{RUY} a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
NOBODY = Profile()
START_960 = "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w HBhb - 0 1"


def text(moves: str = RUY, *, after: str = "", **changed: str | None) -> str:
    """A game over the board as a file tells it; a tag that is None is left out."""
    tags: dict[str, str | None] = {
        "Event": "Club Championship",
        "Site": "Torino",
        "Date": "2024.05.12",
        "Round": "1",
        "White": "Rossi, Mario",
        "Black": "Bianchi, Gina",
        "Result": "1-0",
        **changed,
    }
    lines = "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)
    return f"{lines}\n{moves} {tags['Result'] or '1-0'}{after}\n\n"


class Desk:
    """An archive, and a folder of files for it."""

    def __init__(self, archive: Archive, folder: Path) -> None:
        self.archive = archive
        self.folder = folder

    def bring(self, *games: str, name: str = "club.pgn") -> Summary:
        """Import a file of these games."""
        (self.folder / name).write_text("".join(games), encoding="utf-8")
        return import_paths(self.archive, [self.folder / name])

    def games(self, **fields: Any) -> list[shapes.Game]:
        with self.archive.reading() as connection:
            page = find_games(connection, GameFilters.model_validate(fields), NOBODY, limit=100)
        return page["items"]

    def tellings(self) -> Sequence[int]:
        """How many tellings each game has, in the order of intake."""
        return [len(one["tellings"]) for one in sorted(self.games(), key=lambda one: one["id"])]

    def text_of(self, game_id: int, n: int) -> bytes:
        with self.archive.reading() as connection:
            return pgn(connection, game_id, n) or b""


@pytest.fixture
def desk(archive: Archive, tmp_path: Path) -> Desk:
    return Desk(archive, tmp_path)


@pytest.fixture
def accounts(archive: Archive) -> dict[str, int]:
    return follow(archive, ["lichess:mrossi90", "lichess:gbianchi", "chesscom:rossi-mario"])


def test_a_comment_in_the_file_makes_no_other_game(desk: Desk, accounts: dict[str, int]) -> None:
    """A downloaded game that was commented in a file, and downloaded again, is one game; the comment stays."""
    online = lichess()
    downloaded(desk.archive, accounts["lichess:mrossi90"], [online])
    desk.bring(online.raw.decode().replace("1. e4", "1. e4 {my own word}"), name="commented.pgn")

    again = downloaded(desk.archive, accounts["lichess:mrossi90"], [online])

    assert [outcome.what for outcome in again.outcomes] == ["unchanged"]
    assert desk.tellings() == [2]
    assert b"my own word" in desk.text_of(1, 2)


def test_a_game_without_moves_comes_once(desk: Desk, accounts: dict[str, int]) -> None:
    """Told by two rounds and by a file read twice: one row."""
    empty = lichess(moves="")
    for _ in range(2):
        downloaded(desk.archive, accounts["lichess:mrossi90"], [empty])
        desk.bring(text(""))

    assert desk.tellings() == [1, 1]


@pytest.mark.parametrize("other", [f"{LONG} 9. h3", LONG.rsplit(" ", 2)[0]])
def test_a_game_that_goes_on_longer_is_another(desk: Desk, other: str) -> None:
    """A feed that stops a move early, a game that was mended next week: two games, neither replaced."""
    desk.bring(text(LONG))
    desk.bring(text(other), name="twic.pgn")

    assert desk.tellings() == [1, 1]
    assert len({one["ply_count"] for one in desk.games()}) == 2


def test_equal_headers_are_no_duplicate(desk: Desk) -> None:
    """Short games with invented, equal headers and other moves are all kept."""
    summary = desk.bring(text("1. e4 e5"), text("1. e4 c5"), text("1. d4 d5"))

    assert (summary.new, desk.tellings()) == (3, [1, 1, 1])


def test_equal_moves_are_no_duplicate(desk: Desk) -> None:
    """The same plies against another opponent, on another day, with another result: four games."""
    others: tuple[dict[str, str], ...] = (
        {},
        {"Black": "Verdi, Luca"},
        {"Date": "2024.05.13"},
        {"Result": "1/2-1/2"},
    )

    assert desk.bring(*(text(LONG, **changed) for changed in others)).new == 4


def test_short_draws_of_different_people(desk: Desk) -> None:
    """Moves and start alone make no duplicate."""
    draws = (
        text("1. e4 e5", White=white, Black=black, Result="1/2-1/2")
        for white, black in (("Neri, A", "Verdi, L"), ("Gallo, P", "Conti, S"), ("Verdi, L", "Neri, A"))
    )
    assert desk.bring(*draws).new == 3


def test_two_games_of_one_day(desk: Desk) -> None:
    """Two games over the board between the same two on one day, without any id: two rows."""
    summary = desk.bring(
        text("1. e4 e5 2. Nf3", Site=None, Round=None), text("1. e4 e5 2. Bc4", Site=None, Round=None)
    )
    assert summary.new == 2


def test_the_same_moves_twice_in_one_account(desk: Desk, accounts: dict[str, int]) -> None:
    """Two ids of one site that are one game by the rule: one game, both ids kept, the collapse counted."""
    draws = [lichess(native_id=one, moves="1. e4 e5", result="1/2-1/2") for one in ("aaaaaaaa", "bbbbbbbb")]

    taken = downloaded(desk.archive, accounts["lichess:mrossi90"], draws)

    (found,) = desk.games()
    assert (taken.new, taken.added, taken.collapsed) == (1, 1, 1)
    assert [one["native_id"] for one in found["tellings"]] == ["aaaaaaaa", "bbbbbbbb"]


def test_an_import_again_adds_nothing(desk: Desk) -> None:
    """The same file, unchanged, touched, asked for again, and packed under another name."""
    games = [text(LONG, Round=str(number), Black=f"Neri, A{number}") for number in range(20)]
    desk.bring(*games)
    path = desk.folder / "club.pgn"

    touched = desk.bring(*games)
    again = import_paths(desk.archive, [path], again=True)
    (desk.folder / "copy.pgn.gz").write_bytes(gzip.compress(path.read_bytes()))
    copy = import_paths(desk.archive, [desk.folder / "copy.pgn.gz"])

    assert (touched.new, again.new, copy.new) == (0, 0, 0)
    assert (again.unchanged, copy.added) == (20, 20)
    assert len(desk.games()) == 20


@pytest.mark.parametrize("file_first", [True, False])
def test_an_online_game_that_was_imported_too(
    desk: Desk, accounts: dict[str, int], *, file_first: bool
) -> None:
    """By its address and by a file: one game with two sources, whichever comes first."""
    online = lichess()
    steps = [
        lambda: desk.bring(online.raw.decode(), name="export.pgn"),
        lambda: downloaded(desk.archive, accounts["lichess:mrossi90"], [online]),
    ]
    for step in steps if file_first else reversed(steps):
        step()

    (found,) = desk.games()
    assert {(one["native_id"], one["file"] is None) for one in found["tellings"]} == {
        ("abcdefgh", True),
        ("abcdefgh", False),
    }


def test_one_game_of_two_tracked_accounts(desk: Desk, accounts: dict[str, int]) -> None:
    """One game, one download, linked to both accounts."""
    for account in ("lichess:mrossi90", "lichess:gbianchi"):
        downloaded(desk.archive, accounts[account], [lichess()])

    (found,) = desk.games()
    assert [one["accounts"] for one in found["tellings"]] == [["lichess:mrossi90", "lichess:gbianchi"]]
    for account in ("lichess:mrossi90", "lichess:gbianchi"):
        assert len(desk.games(account=account)) == 1


def test_the_date_of_an_import_is_no_playing_day(desk: Desk) -> None:
    """A game that was pasted into lichess and exported carries the day of that: it is not merged."""
    pasted = text(
        LONG,
        Event="Import",
        Site="https://lichess.org/zzzzzzzz",
        Date="2024.06.01",
        UTCDate="2024.06.01",
        UTCTime="10:00:00",
    )
    desk.bring(text(LONG), name="club.pgn")
    desk.bring(pasted, name="export.pgn")

    found = {one["date"]: one for one in desk.games()}
    assert set(found) == {"2024.05.12", "2024.06.01"}
    assert found["2024.06.01"]["white"]["player_id"] == found["2024.05.12"]["white"]["player_id"]


@pytest.mark.parametrize("written", ["0.5-0.5", "½-½", "1/2"])
def test_a_draw_in_another_writing(desk: Desk, written: str) -> None:
    """It compares as 1/2-1/2, and comes out as it was written."""
    desk.bring(text(LONG, Result="1/2-1/2"))
    odd = text(LONG, Result=written)
    desk.bring(odd, name="study.pgn")

    assert (desk.tellings(), desk.games()[0]["result"]) == ([2], "1/2-1/2")
    assert desk.text_of(1, 2).decode().strip() == odd.strip()


def test_a_960_game_without_its_variant(desk: Desk, accounts: dict[str, int]) -> None:
    """chess.com's FEN with the files of the rooks is legal, and the start is a part of who the game is."""
    online = chesscom(moves="1. e4 e5", FEN=START_960, SetUp="1")
    downloaded(desk.archive, accounts["chesscom:rossi-mario"], [online])
    desk.bring(text("1. e4 e5", White="rossi-mario", Black="gbianchi"))
    desk.bring(online.raw.decode().replace("HBhb", "KQkq"), name="xfen.pgn")

    assert desk.tellings() == [2, 1]
    first = min(desk.games(), key=lambda one: one["id"])
    assert (first["variant"], (first["start_fen"] or "").split()[0]) == (
        "chess960",
        START_960.split(maxsplit=1)[0],
    )


def test_the_start_position_comes_later(desk: Desk, accounts: dict[str, int]) -> None:
    """Without its FEN it waits in quarantine, and meets no usual game; with it, file and download are one."""
    whole = lichess(moves="1. e4 e5", Variant="Chess960", FEN=START_960, SetUp="1")
    without = whole.raw.decode().replace(f'[FEN "{START_960}"]\n', "").replace('[SetUp "1"]\n', "")
    downloaded(desk.archive, accounts["lichess:mrossi90"], [lichess(moves="1. e4 e5")])
    assert desk.bring(without, name="broadcast.pgn").quarantined == 1
    assert desk.tellings() == [1]

    downloaded(
        desk.archive,
        accounts["lichess:mrossi90"],
        [lichess("ijklmnop", "1. e4 e5", Variant="Chess960", FEN=START_960)],
    )
    desk.bring(whole.raw.decode().replace("abcdefgh", "ijklmnop"), name="broadcast.pgn")

    assert desk.tellings() == [1, 2]


def test_variants_that_are_not_known(desk: Desk) -> None:
    """What has no rules here is kept as it came, labelled; "From Position" is normal chess from there."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    known = text("1. e4 Kd7", Variant="From Position", FEN=fen, SetUp="1")
    summary = desk.bring(text("1. Cd3", Variant="Capahouse960"), known, text(LONG, Variant="Atomic"))

    assert (summary.new, summary.quarantined) == (2, 1)
    assert {one["variant"] for one in desk.games()} == {"standard", "atomic"}
    assert {one["start_fen"] for one in desk.games()} == {fen, None}


def test_the_same_game_in_three_files(desk: Desk) -> None:
    """One game, three locations."""
    spellings = ("Rossi, Mario", "ROSSI,Mario", "Mario Rossi")
    for number, white in enumerate(spellings):
        desk.bring(text(LONG, White=white, Event=f"Event {number}"), name=f"{number}.pgn")

    (found,) = desk.games()
    files = [one["file"] for one in found["tellings"]]
    assert files == [str(desk.folder / f"{number}.pgn") for number in range(3)]
    with desk.archive.reading() as connection:
        whole = game(connection, found["id"])
    assert whole is not None
    assert whole["tags"]["Event"] == "Event 0"
