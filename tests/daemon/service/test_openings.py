"""Openings that no source tells: kept, found, marked, and never written into anybody's tags."""

from pathlib import Path

import pytest
from sqlalchemy import select, update

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.suggest import choices
from daemon.archive.tables.main import games, settings, tellings
from daemon.edits.door import edit_game
from daemon.export import export
from daemon.service.openings import look_up, openings_thread
from tests.daemon.shown import Shown

NAJDORF = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"
TAGS = '[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Date "2024.05.12"]\n[Result "1-0"]\n'
CHESSCOM = (
    '[Event "Live Chess"]\n[Site "Chess.com"]\n[Date "2024.05.13"]\n[White "mrossi"]\n[Black "aneri"]\n[Result "1-0"]\n'
    '[ECO "B90"]\n[ECOUrl "https://www.chess.com/openings/Sicilian-Defense-Najdorf-Variation-6.Be3"]\n'
    '[Link "https://www.chess.com/game/live/123"]\n'
)


@pytest.fixture(name="shown")
def _shown(archive: Archive) -> Shown:
    return Shown(archive)


def opening(game: shapes.Game) -> tuple[str | None, bool, str | None, bool]:
    """What a game says of its opening."""
    return game["eco"], game["eco_derived"], game["opening"], game["opening_derived"]


def test_what_no_source_tells_is_derived(shown: Shown, tmp_path: Path) -> None:
    """Code and name come from the moves, and are marked so; what is told stays."""
    name = "Sicilian Defense: Najdorf Variation"
    shown.bring(
        tmp_path, f'{TAGS}\n{NAJDORF} 1-0\n\n{TAGS}[Round "2"]\n[ECO "B98"]\n\n{NAJDORF} 6. Bg5 1-0\n'
    )
    bare, coded = shown.games()
    assert opening(bare) == ("B90", True, name, True)
    assert opening(coded)[:2] == ("B98", False)
    assert (coded["opening"] or "").startswith(name)
    assert coded["opening_derived"]


def test_where_nothing_can_be_derived(shown: Shown, tmp_path: Path) -> None:
    """A variant, a game from a position and one without moves have no opening."""
    position = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 1-0'
    texts = (f'{TAGS}[Variant "Atomic"]\n\n1. e4 c5 1-0', f"{TAGS}{position}", f"{TAGS}\n1-0")
    shown.bring(tmp_path, "\n\n".join(texts))
    assert [opening(game) for game in shown.games()] == [(None, False, None, False)] * 3


def test_derived_openings_are_found(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """By code, by words of the name, in the field above the list, and among the suggestions."""
    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n\n{TAGS}\n1. d4 d5 1-0\n")
    for asked in ({"eco": "b9"}, {"opening": "najd sic"}, {"q": "najdorf rossi"}, {"q": "b90"}):
        assert [game["id"] for game in shown.games(**asked)] == [1], asked
    with archive.reading() as connection:
        assert choices(connection, "openings", "sic", limit=5) == ["Sicilian Defense: Najdorf Variation"]


def test_nobodys_tags_are_changed(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """An export has no ECO and no Opening where none was told, not even of an edited game."""
    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n")
    edit_game(archive, 1, {"event": "Open"}, now_ms=1)
    [game] = shown.games()
    assert (game["event"], opening(game)[:2]) == ("Open", ("B90", True))
    out = b"".join(part.content for part in export(archive, GameFilters(), Profile(), "pgn"))
    assert b'[Event "Open"]' in out
    assert b"ECO" not in out
    assert b"Opening" not in out


def test_an_edit_tells_the_opening(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """What the user says counts as told; once it is undone, the moves speak again."""
    from daemon.edits.door import undo

    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n")
    edit_game(archive, 1, {"eco": "B99", "opening": "My own"}, now_ms=1)
    assert opening(shown.games()[0]) == ("B99", False, "My own", False)
    undo(archive, [1], now_ms=2, whole=True)
    assert opening(shown.games()[0])[:2] == ("B90", True)


def forget(archive: Archive) -> None:
    """The archive as an older program has left it."""
    nothing = {"opening_id": None, "derived_eco": None, "derived_opening_id": None}
    with archive.writing() as connection:
        connection.execute(update(games).values(nothing))
        connection.execute(settings.delete().where(settings.c.name == "openings"))


def test_stored_games_are_looked_up(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """Games of an older program get the openings that they would get now, chess.com's own names among them."""
    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n\n{CHESSCOM}\n{NAJDORF} 6. Be3 1-0\n")
    before = [opening(game) for game in shown.games()]
    assert before[1] == ("B90", False, "Sicilian Defense Najdorf Variation", False)
    forget(archive)
    look_up(archive)
    assert [opening(game) for game in shown.games()] == before


def test_damaged_games_stop_nothing(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """Moves or bytes that nobody can read leave their game without a derived opening, and the games after have one."""
    texts = [f"{TAGS}\n{NAJDORF} 6. Be3 1-0", f"{CHESSCOM}\n{NAJDORF} 6. Be3 1-0", f"{TAGS}\n{NAJDORF} 1-0"]
    shown.bring(tmp_path, "\n\n".join(texts))
    forget(archive)
    with archive.writing() as connection:
        connection.execute(update(games).where(games.c.id == 1).values(moves=b"\xff\xff\xff"))
        connection.execute(
            update(tellings).where(tellings.c.game_id == 2).values(pgn=b"damaged", site="chesscom")
        )
    look_up(archive)
    with archive.reading() as connection:
        assert list(connection.scalars(select(games.c.derived_eco).order_by(games.c.id))) == [
            None,
            None,
            "B90",
        ]


def test_all_are_looked_up_once(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """When all are done nothing is read or written any more."""
    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n")
    look_up(archive)
    with archive.writing() as connection:
        connection.execute(update(games).values(derived_eco="A00"))
    look_up(archive)
    with archive.reading() as connection:
        assert connection.scalar(select(games.c.derived_eco)) == "A00"


def test_the_daemon_looks_up_in_the_background(shown: Shown, archive: Archive, tmp_path: Path) -> None:
    """Its thread does the same, and can be closed at any time."""
    shown.bring(tmp_path, f"{TAGS}\n{NAJDORF} 1-0\n")
    forget(archive)
    thread = openings_thread(archive)
    thread.start()
    while opening(shown.games()[0])[0] is None:
        pass
    thread.close()
    assert opening(shown.games()[0])[:2] == ("B90", True)
