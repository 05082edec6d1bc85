"""What the user has edited goes out with the games, and comes back as the same."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from core.edits import FIELDS, EditError
from core.game import Game
from core.pgn import reader
from daemon.archive.archive import Archive
from daemon.edits.door import edit_game, edit_player, undo
from tests.daemon.made_up import lichess, otb
from tests.daemon.seeding import NOW, downloaded, emptied, fill, follow
from tests.daemon.test_export import exported, held, people, read, written
from tests.examples import examples

TYPED: Mapping[str, list[str]] = {
    "white": ["Verdi, Luca", 'O"Neil \\ Pat', "mario rossi", "Öberg, Åsa", ""],
    "black": ["bianchi-gina", "Мирзоев, Азер", "Rossi, Mario"],
    "white_fide_id": ["999001238", ""],
    "black_rating": ["2345", ""],
    "white_title": ["IM", ""],
    "black_team": ['Torre "B"', ""],
    "date": ["2023.12.31", "2023.??.??", "????.??.??"],
    "result": ["0-1", "*", "1/2-1/2"],
    "event": ["Città", "", "[x]"],
    "site": ["Roma", ""],
    "round": ["7.1", ""],
    "eco": ["B90", ""],
    "opening": ["Sicilian", ""],
    "time_control": ["300+2", ""],
    "termination": ["time forfeit", ""],
    "annotator": ["Neri", ""],
}
edits = st.lists(
    st.tuples(
        st.integers(1, 6),
        st.dictionaries(st.sampled_from(sorted(TYPED)), st.integers(0, 4), min_size=1, max_size=4),
    ),
    max_size=4,
)


def edit(archive: Archive, game_id: int, **values: str) -> None:
    read_values = {name: FIELDS[name].read(text) for name, text in values.items()}
    edit_game(archive, game_id, read_values, now_ms=NOW)


def shown(archive: Archive) -> list[dict[str, Any]]:
    """Every game as the archive shows it, and who plays it. The tags are those that were told; a time class no tag says.

    The name by which a player is shown is not told by games alone: it may be that of a game as it was before an edit,
    and one that the user has given them is exported with all of their games.
    """
    games = [game for game, _ in held(archive)]
    for game in games:
        game.pop("tags", None)
        del game["oddities"]  # of what a source told; what an edit says may be odd, too, or no longer
        for derived in ("time_class", "started_at"):
            del game[derived]
        for side in (game["white"], game["black"]):
            del side["name"], side["verbatim"], side["written"]
    return games


def names(archive: Archive) -> list[list[set[str]]]:
    """By which names the players of each game may be exported: as they are written in it, or as they are shown."""
    games = [game for game, _ in held(archive)]
    return [[{game[side]["written"], game[side]["name"]} for side in ("white", "black")] for game in games]


def players(archive: Archive) -> list[str]:
    """Who there is, by what does not change with a name that is shown."""
    return sorted(f"{one['kind']} {one['fide_id']} {one['games']}" for one in people(archive))


def assert_comes_back(archive: Archive) -> None:
    before, who = shown(archive), players(archive)
    possible = names(archive)
    games = [one for one in reader.read(exported(archive)) if isinstance(one, Game)]
    written_now = [[one.white.name or "?", one.black.name or "?"] for one in games]
    for found, wanted in zip(written_now, possible, strict=True):
        assert all(name in those for name, those in zip(found, wanted, strict=True))
    emptied(archive)
    fill(archive, games)
    assert shown(archive) == before
    assert players(archive) == who


def test_every_field(archive: Archive) -> None:
    """Each edited field is in the tag that says it; moves, comments and other tags are as they came."""
    raw = otb(Annotator="Verdi").raw.replace(b"1. e4", b"{Gi\xe0} 1. e4 $1 (1. d4 {x})")
    fill(archive, read([raw]))
    edit(archive, 1, **{name: texts[0] for name, texts in TYPED.items()})
    (game,) = reader.read(exported(archive))
    assert isinstance(game, Game)
    said = dict(game.tags)
    assert (said["White"], said["Black"], said["Date"]) == ("Verdi, Luca", "bianchi-gina", "2023.12.31")
    assert (said["WhiteFideId"], said["BlackElo"], said["WhiteTitle"]) == ("999001238", "2345", "IM")
    assert (said["BlackTeam"], said["Event"], said["ECO"]) == ('Torre "B"', "Città", "B90")
    assert said["Result"] == "0-1"
    assert game.raw.decode().rstrip().endswith("{Già} 1. e4 $1 (1. d4 {x}) e5 2. Nf3 Nc6 3. Bb5 0-1")
    assert_comes_back(archive)


def test_a_field_that_was_emptied(archive: Archive) -> None:
    """An emptied tag of the seven says that nothing is known; another one is gone."""
    fill(archive, [otb(ECO="B90", WhiteElo="2100")])
    edit(archive, 1, event="", eco="", white_rating="", white="")
    said = dict(reader.parse(exported(archive)).tags)
    assert (said["Event"], said["White"]) == ("?", "?")
    assert not said.keys() & {"ECO", "WhiteElo"}


def test_a_renamed_player(archive: Archive) -> None:
    """A player who is shown by another name now is called so in all their games; undone, as before."""
    fill(archive, [otb(), otb("Mario Rossi", "Neri, Anna"), otb("Verdi, Luca", "Rossi, Mario")])
    before = exported(archive)
    edited = edit_player(archive, 1, "ROSSI, Mario", now_ms=NOW)
    after = [(game.white.name, game.black.name) for game in reader.read(exported(archive))]
    assert after == [
        ("ROSSI, Mario", "Bianchi, Gina"),
        ("ROSSI, Mario", "Neri, Anna"),
        ("Verdi, Luca", "ROSSI, Mario"),
    ]
    undo(archive, edited.edits, now_ms=NOW)
    assert exported(archive) == before


def test_tellings_are_never_edited(archive: Archive) -> None:
    """Each telling goes out as it came, whatever was edited."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess()])
    before = exported(archive, tellings=True)
    edit(archive, 1, event="Other", result="0-1")
    assert exported(archive, tellings=True) == before


@pytest.mark.slow
@given(st.lists(written(), max_size=5), edits)
@examples(20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_edited_games_come_back(archive: Archive, texts: list[bytes], wanted: list[Any]) -> None:
    """Whatever was edited, the export taken into an empty archive is the games as they are shown, and the players."""
    emptied(archive)
    fill(archive, read(texts))
    for game_id, values in wanted:
        typed = {name: TYPED[name][at % len(TYPED[name])] for name, at in values.items()}
        with suppress(EditError):  # no such game
            edit(archive, game_id, **typed)
    assert_comes_back(archive)
