"""Edits outlast new rules: what was edited stays so, and can be undone, on both databases."""

from collections.abc import Sequence

from core.edits import FIELDS
from core.game import Game
from daemon.archive.archive import Archive
from daemon.edits.door import edit_game, edit_player, undo
from tests.daemon.archive.rekey.test_run import empty
from tests.daemon.edits.test_door import all_games, people
from tests.daemon.edits.test_door_properties import check
from tests.daemon.made_up import ITALIAN, otb
from tests.daemon.other_rules import made_by_others, other_rules
from tests.daemon.seeding import NOW, fill


def filled(archive: Archive, games: Sequence[Game]) -> None:
    empty(archive)
    fill(archive, games)


def edit(archive: Archive, number: int, **values: str) -> None:
    edit_game(archive, number, {name: FIELDS[name].read(text) for name, text in values.items()}, now_ms=NOW)


def rekeyed(archive: Archive) -> None:
    made_by_others(archive)
    assert archive.migrate()
    check(archive)


def test_edited_fields_stay(archive: Archive) -> None:
    """What was edited by old rules is in the game by new rules, and undone it is as it is told."""
    with other_rules():
        filled(archive, [otb("Rossi, Mario"), otb("Rossi, Mario", moves=ITALIAN)])
        edit(archive, 1, white="Neri, Anna", event="Open")
    rekeyed(archive)
    first, second = all_games(archive)
    assert (first["white"]["name"], first["event"]) == ("Neri, Anna", "Open")
    assert second["white"]["name"] == "Rossi, Mario"
    assert (fill(archive, [otb("Rossi, Mario")], "other.pgn").added, len(all_games(archive))) == (1, 2)
    undo(archive, [1, 2], now_ms=NOW)
    check(archive)
    first, second = all_games(archive)
    assert (first["white"]["name"], first["event"]) == ("Rossi, Mario", "Club Championship")
    assert "Neri, Anna" not in people(archive).values()


def test_who_has_no_game_left_comes_back(archive: Archive) -> None:
    """A player who is there only without the edits keeps their id through new rules."""
    with other_rules():
        filled(archive, [otb("Rossi, Mario"), otb("Verdi, Luca", moves=ITALIAN)])
        edit(archive, 1, white="Verdi, Luca")
        assert 1 not in people(archive)
    rekeyed(archive)
    assert 1 not in people(archive)
    undo(archive, [1], now_ms=NOW)
    assert people(archive)[1] == "Rossi, Mario"


def test_renamed_players_stay_renamed(archive: Archive) -> None:
    """How a player was named by hand holds for whom that name is by the new rules."""
    with other_rules():
        filled(archive, [otb("Rossi, Mario"), otb("Verdi, Luca", moves=ITALIAN)])
        edit_player(archive, 1, "Mario Rossi", now_ms=NOW)
    rekeyed(archive)
    assert people(archive)[1] == "Mario Rossi"
    undo(archive, [1], now_ms=NOW)
    assert people(archive)[1] == "Rossi, Mario"


def test_games_that_an_edit_made_one(archive: Archive) -> None:
    """They are one by the new rules too, and come apart with their ids."""
    with other_rules():
        filled(archive, [otb("Rossi, Mario"), otb("Verdi, Luca"), otb("Neri, Anna")])
        edit(archive, 2, white="Rossi, Mario")
        assert len(all_games(archive)) == 2
    rekeyed(archive)
    assert [one["id"] for one in all_games(archive)] == [1, 3]
    undo(archive, [1], now_ms=NOW)
    check(archive)
    assert [(one["id"], one["white"]["name"]) for one in all_games(archive)] == [
        (1, "Rossi, Mario"),
        (2, "Verdi, Luca"),
        (3, "Neri, Anna"),
    ]


def test_an_edit_of_what_two_rules_divide(archive: Archive) -> None:
    """A game that is two by the new rules: what was edited in the one is edited in both."""
    with other_rules():
        filled(archive, [otb("Rossi, Mario"), otb("Rossi, Mario", Date="2024.06.01")])
        assert len(all_games(archive)) == 1
        edit(archive, 1, event="Open")
    rekeyed(archive)
    assert [(one["date"], one["event"]) for one in all_games(archive)] == [
        ("2024.05.12", "Open"),
        ("2024.06.01", "Open"),
    ]
    undo(archive, [1], now_ms=NOW)
    assert [one["event"] for one in all_games(archive)] == ["Club Championship"] * 2


def test_an_edit_of_what_two_rules_join(archive: Archive) -> None:
    """Two games that are one by the new rules: what was edited in one of them holds for the one game."""
    with other_rules():
        filled(archive, [otb("Røssi, Mario"), otb("Rossi, Mario"), otb("Neri, Anna")])
        edit(archive, 2, round="7")
        assert len(all_games(archive)) == 3
    rekeyed(archive)
    assert [(one["id"], one["round"]) for one in all_games(archive)] == [(1, "7"), (3, "1")]
