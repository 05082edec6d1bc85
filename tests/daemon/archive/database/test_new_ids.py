"""Numbers that a user can type: none is given again, whatever was deleted; on both databases."""

import pytest

from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.database import new_ids
from daemon.archive.games import quarantine
from daemon.archive.games.quarantine import QuarantineItem
from daemon.archive.reading.doubles import list_doubles
from daemon.archive.schedule import rounds
from daemon.archive.tables.main import metadata, tellings
from daemon.edits import doubles
from daemon.edits.door import edit_game
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, fill, in_quarantine

LONG = f"{RUY} a6 4. Ba4"


def item(text: str) -> QuarantineItem:
    return QuarantineItem(source="club.pgn", raw=text.encode(), reason="broken")


def open_pairs(archive: Archive) -> dict[tuple[int, int], int]:
    """The pairs that are to be decided, with their numbers."""
    doubles.look(archive)
    with archive.reading() as connection:
        found = list_doubles(connection, limit=100)["items"]
    return {(one["game"]["id"], one["other"]["id"]): one["id"] for one in found}


def test_a_pair_keeps_its_number(archive: Archive) -> None:
    """A pair that is looked at again has the number that the user has read, and no other pair gets it."""
    fill(archive, [otb(moves=LONG), otb(moves=RUY), otb("Verdi, Luca", moves=LONG)])
    before = open_pairs(archive)
    edit_game(archive, 1, {"event": "Open"}, now_ms=NOW)
    assert open_pairs(archive) == before


def test_the_number_of_a_pair_that_is_gone(archive: Archive) -> None:
    """A pair is no longer near: its number is that of nothing, and the next pair has another one."""
    fill(archive, [otb(moves=LONG), otb(moves=RUY), otb("Verdi, Luca", moves=LONG)])
    (number,) = open_pairs(archive).values()
    edit_game(archive, 2, {"date": "2020.01.01"}, now_ms=NOW)
    assert open_pairs(archive) == {}
    fill(archive, [otb("Verdi, Luca", moves=RUY)])
    (later,) = open_pairs(archive).values()
    assert later > number


def test_items_in_quarantine(archive: Archive) -> None:
    """An item that was dropped, the last one too, leaves its number unused."""
    with archive.writing() as connection:
        quarantine.put(connection, [item("a"), item("b")], NOW)
        quarantine.drop(connection, [2])
        quarantine.put(connection, [item("c")], NOW)
        assert [one.id for one in in_quarantine(connection)] == [1, 3]
        quarantine.drop(connection, [1, 3])
    with archive.writing() as connection:
        quarantine.put(connection, [item("d")], NOW)
        assert [one.id for one in in_quarantine(connection)] == [4]


def test_members_of_a_tournament(archive: Archive) -> None:
    """`#2` is never another member: not after the second one was removed."""
    with archive.writing() as connection:
        tournament = tournaments.add_tournament(
            connection,
            {
                "slug": "winter", "name": "Winter", "short_name": "W", "kind": "keizer", "settings": {},
                "pairing_settings": {}, "city": "", "federation": "", "arbiter": "", "time_control": "",
            },
            NOW,
        )  # fmt: skip

        def add(name: str, rating: int) -> int:
            player_id = tournaments.player_of(connection, archive.known, name, None)
            member = {"player_id": player_id, "written": name, "rating": rating, "joined": 1}
            return tournaments.add_member(connection, tournament, member)

        add("Rossi, Mario", 1500)
        tournaments.remove_member(connection, add("Verdi, Luca", 1600))
        add("Bianchi, Gina", 1700)
        assert [(one.id, one.n) for one in tournaments.members(connection, tournament)] == [(1, 1), (3, 3)]


def test_rounds(archive: Archive) -> None:
    """An old round that brought nothing is forgotten, and its number with it."""
    with archive.writing() as connection:
        number = rounds.begin_round(connection, "import", "club.pgn", None, NOW)
        rounds.end_round(connection, number, "done", None, NOW)
        assert rounds.forget_uneventful(connection, NOW + 2 * rounds.KEPT_MS) == 1
        assert rounds.begin_round(connection, "import", "club.pgn", None, NOW) == number + 1


def test_tellings(archive: Archive) -> None:
    """Ids of tellings that were removed are not given again."""
    fill(archive, [otb(), otb("Verdi, Luca")])
    with archive.writing() as connection:
        connection.execute(tellings.delete())
        assert new_ids.first_free(connection, tellings) == 3


@pytest.mark.parametrize("name", ["edits", "quarantine", "near_doubles", "games", "players", "files"])
def test_every_table(archive: Archive, name: str) -> None:
    """What was taken stays taken, across transactions, whether or not a row was ever stored."""
    table = metadata.tables[name]
    with archive.writing() as connection:
        assert list(new_ids.take(connection, table, 3)) == [1, 2, 3]
        new_ids.note(connection, table, [2])
    with archive.writing() as connection:
        assert list(new_ids.take(connection, table, 0)) == []
        assert list(new_ids.take(connection, table)) == [4]
