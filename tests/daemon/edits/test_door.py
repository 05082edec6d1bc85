"""Edits of games and players: what they mean, that they last, and that undoing leaves no trace; on both databases."""

from collections.abc import Mapping
from typing import Any

import pytest

from core.edits import FIELDS, EditError
from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.games import find_games, game
from daemon.archive.reading.players import find_players, player
from daemon.archive.reading.search.filters import GameFilters
from daemon.edits.door import Edited, Replacement, edit_game, edit_player, replace_player, undo
from tests.core.vector_files import vectors
from tests.daemon.made_up import ITALIAN, RUY, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow, game_between, named


def edit(archive: Archive, game_id: int, **values: str) -> Edited:
    """Edit fields of a game as they are typed."""
    read = {name: FIELDS[name].read(text) for name, text in values.items()}
    return edit_game(archive, game_id, read, now_ms=NOW)


def shown(archive: Archive, game_id: int) -> shapes.Game:
    with archive.reading() as connection:
        found = game(connection, game_id)
    assert found is not None
    return found


def all_games(archive: Archive) -> list[shapes.Game]:
    with archive.reading() as connection:
        from core.players import Profile

        page = find_games(connection, GameFilters(), Profile(), limit=100)
    return sorted(page["items"], key=lambda one: one["id"])


def people(archive: Archive) -> dict[int, str]:
    with archive.reading() as connection:
        return {one["id"]: one["name"] for one in find_players(connection, None, limit=100)["items"]}


def moves_of(number: int) -> dict[str, Any]:
    return {"moves": ("e2e4", "e7e5", "g1f3", "b8c6")[: number + 1]}


@pytest.mark.parametrize("case", vectors("display")["edits"], ids=lambda case: case["title"])
def test_what_an_edited_name_means(archive: Archive, case: Mapping[str, Any]) -> None:
    """A name of the same player shows in all their games; another moves this game alone (display.json, names R17)."""
    games = [
        game_between(named(one["name"], one["fide"]), "Neri, Anna", f"2024.01.{day:02}")
        for day, one in enumerate(case["games"], 1)
    ]
    fill(archive, games)
    number = case["edit"]["game"] + 1
    before = shown(archive, number)["white"]["player_id"]
    edit(archive, number, white=case["edit"]["name"])
    after = [one["white"] for one in all_games(archive)]
    assert (after[number - 1]["player_id"] == before) == case["same_player"]
    assert [one["name"] for one in after] == case["shown_after"]


@pytest.mark.parametrize("case", vectors("display")["sequences"], ids=lambda case: case["title"])
def test_who_is_shown_how(archive: Archive, case: Mapping[str, Any]) -> None:
    """Games imported one by one: who plays, and how they are shown after each (display.json, names R14 to R16)."""
    numbers: dict[int, int] = {}
    for day, one in enumerate(case["games"], 1):
        download = game_between(
            named(one["name"], one["fide"]), "Neri, Anna", f"2024.01.{day:02}", online=one["online"]
        )
        fill(archive, [download])
        white = shown(archive, day)["white"]
        assert numbers.setdefault(one["player"], white["player_id"]) == white["player_id"]
        assert white["name"] == one["shown"]
    assert len(set(numbers.values())) == len(numbers)


VALUES = {
    "white": "Verdi, Luca",
    "black": "gbianchi",
    "white_fide_id": "1503014",
    "black_fide_id": "",
    "white_rating": "2100",
    "black_rating": "",
    "white_title": "WIM",
    "black_title": "FM",
    "white_team": "Torino",
    "black_team": "",
    "date": "2023.??.??",
    "result": "1/2-1/2",
    "event": "Open di Roma",
    "site": "Roma",
    "round": "3.1",
    "eco": "C60",
    "opening": "Ruy Lopez",
    "time_control": "5400+30",
    "time_class": "classical",
    "termination": "Normal",
    "annotator": "Neri",
}


def everything() -> Game:
    return otb(
        WhiteElo="1900", BlackElo="2000", WhiteTitle="FM", BlackTitle="IM", WhiteTeam="A", BlackTeam="B",
        ECO="B90", Opening="Sicilian", Annotator="Rossi", TimeControl="60+1", Termination="Time forfeit",
        BlackFideId="01234567",
    )  # fmt: skip


def test_every_tag(archive: Archive) -> None:
    """Every tag that the archive stores can be edited, all at once and one by one, and be undone in any order."""
    assert VALUES.keys() == FIELDS.keys()
    fill(archive, [everything()])
    before = shown(archive, 1)
    done = edit(archive, 1, **VALUES)
    after: Any = shown(archive, 1)
    assert after["white"]["name"] == "Verdi, Luca"
    assert after["white"] | {"player_id": 0, "name": "", "verbatim": False} == {
        "player_id": 0, "name": "", "written": "Verdi, Luca", "fide_id": "1503014", "verbatim": False,
        "rating": 2100, "title": "WIM", "team": "Torino",
    }  # fmt: skip
    assert after["black"]["rating"] is None
    own = {name: text for name, text in VALUES.items() if FIELDS[name].colour is None}
    assert {name: after[name] for name in own} == own
    for number in (*done.edits[::2], *done.edits[1::2]):
        undo(archive, [number], now_ms=NOW)
    assert shown(archive, 1) == before


def test_nothing_to_change(archive: Archive) -> None:
    """A value that is there already is not an edit."""
    fill(archive, [otb()])
    assert edit(archive, 1, event="Club Championship", white="Rossi, Mario") == Edited()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("date", "12.05.2024"),
        ("date", "2024.13.01"),
        ("result", "2-0"),
        ("eco", "F00"),
        ("white_rating", "-5"),
        ("white_fide_id", "15x"),
        ("event", "x" * 2000),
    ],
)
def test_refused(field: str, text: str) -> None:
    """What no such tag says is refused, and the message says what is expected."""
    with pytest.raises(EditError, match=r"expected|is no|characters"):
        FIELDS[field].read(text)


def test_no_such_game(archive: Archive) -> None:
    """A game or player that is not there is named, with what to do."""
    with pytest.raises(EditError, match="there is no game 7"):
        edit(archive, 7, event="x")
    with pytest.raises(EditError, match="there is no player 7"):
        edit_player(archive, 7, "Neri", now_ms=NOW)


def test_a_file_again_adds_nothing(archive: Archive) -> None:
    """What an edited game was told by is known: the same file, and another one, bring no second game (en-croissant#815)."""
    fill(archive, [otb()])
    edit(archive, 1, white="Verdi, Luca", date="2024.05.13", event="Open")
    before = all_games(archive)
    again = fill(archive, [otb()])
    assert (again.unchanged, all_games(archive)) == (1, before)
    other = fill(archive, [otb(Event="As another file has it")], "other.pgn")
    assert (other.added, len(all_games(archive))) == (1, 1)
    assert shown(archive, 1)["event"] == "Open"


def test_a_download_again_changes_nothing_edited(archive: Archive) -> None:
    """A site that tells its game otherwise later changes what is not edited."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess(result="*")])
    edit(archive, 1, black="Bianchi, Gina", event="Our match")
    download = lichess(moves=f"{RUY} a6", result="0-1", Opening="Ruy Lopez")
    downloaded(archive, account, [download])
    (one,) = all_games(archive)
    assert (one["id"], one["ply_count"], one["result"], one["opening"]) == (1, 6, "0-1", "Ruy Lopez")
    assert (one["black"]["name"], one["event"]) == ("Bianchi, Gina", "Our match")
    undo(archive, [1, 2], now_ms=NOW)
    (one,) = all_games(archive)
    assert (one["black"]["name"], one["event"], one["ply_count"]) == ("gbianchi", "Rated blitz game", 6)


def test_two_games_become_one_and_come_apart(archive: Archive) -> None:
    """Games that an edit makes the same are one with all tellings; undone, each has its id and its numbers again."""
    fill(archive, [otb(), otb("Verdi, Luca", Event="Open")])
    fill(archive, [otb("Verdi, Luca")], "other.pgn")
    before = all_games(archive)
    done = edit(archive, 2, white="Mario Rossi")
    assert done.joined == ((2, 1),)
    (one,) = all_games(archive)
    assert [telling["n"] for telling in one["tellings"]] == [1, 2, 3]
    assert people(archive) == {1: "Rossi, Mario", 2: "Bianchi, Gina"}
    undo(archive, list(done.edits), now_ms=NOW)
    assert all_games(archive) == before
    assert people(archive) == {1: "Rossi, Mario", 2: "Bianchi, Gina", 3: "Verdi, Luca"}


def test_the_older_game_stays(archive: Archive) -> None:
    """Whichever of the two is edited, the game that was there first keeps its address."""
    fill(archive, [otb("Verdi, Luca"), otb()])
    before = all_games(archive)
    done = edit(archive, 1, white="Mario Rossi")
    assert done.joined == ((2, 1),)
    assert shown(archive, 1)["white"] | {"verbatim": False} == before[1]["white"] | {"written": "Mario Rossi"}
    undo(archive, list(done.edits), now_ms=NOW)
    assert all_games(archive) == before


def test_what_comes_later_comes_apart_too(archive: Archive) -> None:
    """A telling that joins the one game while it is one goes, when undone, to the game that it tells."""
    fill(archive, [otb("Verdi, Luca", Event="Open")])
    done = edit(archive, 1, white="Rossi, Mario")
    assert fill(archive, [otb(), otb("Verdi, Luca")], "other.pgn").added == 2
    assert [len(one["tellings"]) for one in all_games(archive)] == [3]
    undo(archive, list(done.edits), now_ms=NOW)
    found = {one["white"]["name"]: len(one["tellings"]) for one in all_games(archive)}
    assert found == {"Verdi, Luca": 2, "Rossi, Mario": 1}


def test_an_edit_of_the_one_game_is_undone_first(archive: Archive) -> None:
    """An edit that made games one is not undone under a later edit of that game; the message names that one."""
    fill(archive, [otb(), otb("Verdi, Luca")])
    edit(archive, 2, white="Rossi, Mario")
    edit(archive, 1, date="2024.05.13")
    with pytest.raises(EditError, match="undo edit 2 first"):
        undo(archive, [1], now_ms=NOW)
    assert len(all_games(archive)) == 1
    undo(archive, [1, 2], now_ms=NOW)
    assert [one["date"] for one in all_games(archive)] == ["2024.05.12"] * 2


def test_undone_once(archive: Archive) -> None:
    """An edit is undone once, and only one that there is."""
    fill(archive, [otb()])
    edit(archive, 1, event="Open")
    undo(archive, [1], now_ms=NOW)
    with pytest.raises(EditError, match="undone already"):
        undo(archive, [1], now_ms=NOW)
    with pytest.raises(EditError, match="no edit 2"):
        undo(archive, [2], now_ms=NOW)


def test_who_comes_back_is_who_he_was(archive: Archive) -> None:
    """A player whose last game an edit took has id and shown name again, even if another edit names them first."""
    fill(archive, [otb("ROSSI,Mario"), otb("Verdi, Luca", moves=ITALIAN)])
    edit(archive, 1, white="Neri, Anna")
    assert 1 not in people(archive)
    edit(archive, 2, white="mario rossi")
    assert people(archive)[1] == "Rossi, Mario"
    undo(archive, [1], now_ms=NOW)
    undo(archive, [2], now_ms=NOW)
    assert people(archive) == {1: "Rossi, Mario", 2: "Bianchi, Gina", 3: "Verdi, Luca"}


def test_renaming_a_player(archive: Archive) -> None:
    """A player is shown as they were renamed last, whatever is undone, and whatever comes in."""
    fill(archive, [otb("ROSSI,Mario")])
    for name in ("Mario Rossi", "Rossi Mario", "rossi, mario"):
        edit_player(archive, 1, name, now_ms=NOW)
    fill(archive, [otb("Rossi, Mario", moves=ITALIAN)])
    assert people(archive)[1] == "rossi, mario"
    undo(archive, [1], now_ms=NOW)
    assert people(archive)[1] == "rossi, mario"
    undo(archive, [3], now_ms=NOW)
    assert people(archive)[1] == "Rossi Mario"
    undo(archive, [2], now_ms=NOW)
    assert people(archive)[1] == "Rossi, Mario"
    with archive.reading() as connection:
        found = find_players(connection, "rossi mar", limit=5)["items"]
    assert [one["id"] for one in found] == [1]


def test_a_player_of_another_name(archive: Archive) -> None:
    """Another player's name for a player moves all their games to that player."""
    fill(
        archive,
        [
            otb("Rossi, M."),
            otb("Bianchi, Gina", "Rossi, M", moves=ITALIAN),
            otb("Rossi, Mario", moves="1. d4"),
        ],
    )
    done = edit_player(archive, 1, "Mario Rossi", now_ms=NOW)
    assert people(archive) == {2: "Bianchi, Gina", 3: "Rossi, Mario"}
    assert [(move.before, move.after, move.new, move.games) for move in done.moved] == [
        ("Rossi, M.", "Rossi, Mario", False, 2)
    ]
    with archive.reading() as connection:
        assert player(connection, 1) is None
    undo(archive, [done.edits[0]], now_ms=NOW, whole=True)
    assert people(archive)[1] == "Rossi, M."


def test_replacing_a_player_in_some_games(archive: Archive) -> None:
    """Only in the games that are asked for, and only with the colour that is asked for."""
    fill(
        archive,
        [
            otb("Rossi, M."),
            otb("Rossi, M.", moves=ITALIAN, Event="Open"),
            otb("Bianchi, Gina", "Rossi, M.", Event="Open"),
        ],
    )
    asked = Replacement("rossi m", "Rossi, Marco", filters=GameFilters(event="open"))
    seen = replace_player(archive, asked, now_ms=NOW, preview=True)
    assert seen.games == (2, 3)
    assert {one["white"]["name"] for one in all_games(archive)} == {"Rossi, M.", "Bianchi, Gina"}
    white = Replacement("Rossi, M.", "Rossi, Marco", colours=("white",), filters=GameFilters(event="open"))
    assert replace_player(archive, white, now_ms=NOW).games == (2,)
    assert replace_player(archive, asked, now_ms=NOW).games == (3,)
    with pytest.raises(EditError, match="there is no player"):
        replace_player(archive, Replacement("Rossi, Mario", "x"), now_ms=NOW)


def test_many_games_at_once(archive: Archive) -> None:
    """Hundreds of games go from one player to another, some into games that are there, and come back."""
    dates = [
        f"20{year:02}.{month:02}.{day:02}"
        for year in range(1)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    fill(archive, [otb("Rossi, M.", Date=date) for date in dates])
    fill(archive, [otb("Rossi, Mario", Date=date) for date in dates[::10]], "other.pgn")
    before = people(archive)
    done = replace_player(archive, Replacement("Rossi, M.", "Rossi, Mario"), now_ms=NOW)
    assert (len(done.games), len(done.joined)) == (len(dates), len(dates[::10]))
    undo(archive, [done.edits[0]], now_ms=NOW, whole=True)
    assert people(archive) == before
    with archive.reading() as connection:
        found = player(connection, 1)
    assert found is not None
    assert found["games"] == len(dates)


def test_a_batch_is_undone_once(archive: Archive) -> None:
    """Undoing a command a second time says that it is undone, and changes nothing."""
    fill(archive, [otb()])
    done = edit(archive, 1, white="Verdi, Luca", date="2020.01.01")
    undo(archive, [done.edits[0]], now_ms=NOW, whole=True)
    with pytest.raises(EditError, match="undone already"):
        undo(archive, [done.edits[1]], now_ms=NOW, whole=True)


def test_a_player_whom_an_edit_made_first(archive: Archive) -> None:
    """A slip of an id makes a player; when a source names the real one, undoing the slip shows that name, and finds it."""
    fill(archive, [otb("Rossi, Anna", "Verdi, Luca")])
    slip = edit(archive, 1, white_fide_id="1503014")
    fill(archive, [otb("Carlsen, Magnus", "Neri, Ugo", WhiteFideId="1503014")], "real.pgn")
    undo(archive, slip.edits, now_ms=NOW)
    with archive.reading() as connection:
        (carlsen,) = find_players(connection, "carlsen", limit=10)["items"]
        (rossi,) = find_players(connection, "rossi", limit=10)["items"]
    assert (carlsen["fide_id"], rossi["fide_id"]) == ("1503014", None)
    assert shown(archive, 2)["white"]["name"] == "Carlsen, Magnus"
    assert shown(archive, 1)["white"]["name"] == "Rossi, Anna"


def test_a_typed_name_goes_with_its_edit(archive: Archive) -> None:
    """As it was typed while the edit stands; as the file writes it afterwards."""
    fill(archive, [otb("Rossi, Anna", "Verdi, Luca")])
    typed = edit(archive, 1, white="gina BIANCHI")
    fill(archive, [otb("Bianchi, Gina", "Neri, Ugo"), otb("BIANCHI,GINA", "Rossi, Anna")], "real.pgn")
    assert shown(archive, 2)["white"]["name"] == "gina BIANCHI"
    undo(archive, typed.edits, now_ms=NOW)
    assert shown(archive, 2)["white"]["name"] == "Bianchi, Gina"
    assert shown(archive, 3)["black"]["name"] == "Rossi, Anna"


def test_facts_follow_the_first_telling(archive: Archive) -> None:
    """The first telling of an edited game becomes another game: the next one's event, rating and annotator count."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess(Event="A", WhiteElo="1500")])
    fill(archive, [lichess(Event="B", WhiteElo="2000", Annotator="Neri")])
    done = edit(archive, 1, round="7")
    downloaded(archive, account, [lichess(Event="A", WhiteElo="1500", Date="2024.05.13")])
    for _ in range(2):
        (one,) = (game for game in all_games(archive) if game["date"] == "2024.05.12")
        assert (one["event"], one["white"]["rating"], one["annotator"]) == ("B", 2000, "Neri")
        if done.edits:
            undo(archive, done.edits, now_ms=NOW)
            done = Edited()


def test_tellings_keep_their_order(archive: Archive) -> None:
    """The first telling of a game is refreshed while the game is one with another: it is the first again afterwards."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("Rossi, Mario", "gbianchi")])
    downloaded(archive, account, [lichess(Event="A")])
    fill(archive, [lichess(Event="B")], "export.pgn")
    done = edit(archive, 2, white="Rossi, Mario")
    assert len(all_games(archive)) == 1
    downloaded(archive, account, [lichess(Event="C")])
    undo(archive, done.edits, now_ms=NOW)
    second = shown(archive, 2)
    assert second["event"] == "C"
    assert [telling["file"] for telling in second["tellings"]] == [None, "export.pgn"]
