"""Games are merged and split after an edit was made or undone."""

from typing import Any

from sqlalchemy import select

from daemon.archive.archive import Archive
from daemon.archive.edits.regroup import Regrouped, regroup
from daemon.archive.games.prepared import prepare
from daemon.archive.tables.edits import doubles_due, told_games
from daemon.archive.tables.main import games, player_names, tellings
from daemon.archive.take_in import FilePiece, Telling, take_in
from daemon.edits.door import edit_game, undo
from daemon.edits.doubles import look
from tests.daemon.made_up import ITALIAN, RUY, otb
from tests.daemon.merging import say_same
from tests.daemon.seeding import NOW, fill

LONG = f"{RUY} a6 4. Ba4"
VERDI = "Verdi, Luca"


def where(archive: Archive) -> list[tuple[Any, ...]]:
    """Each telling, with its game and its number there."""
    its = select(tellings.c.id, tellings.c.game_id, tellings.c.n).order_by(tellings.c.id)
    with archive.reading() as connection:
        return [tuple(row) for row in connection.execute(its)]


def facts(archive: Archive, *names: str) -> list[tuple[Any, ...]]:
    with archive.reading() as connection:
        found = connection.execute(select(*(games.c[name] for name in names)).order_by(games.c.id))
        return [tuple(row) for row in found]


def kept(archive: Archive) -> set[bytes]:
    with archive.reading() as connection:
        return set(connection.scalars(select(told_games.c.key)))


def test_the_oldest_stays(sqlite_archive: Archive) -> None:
    """Games that have become one are the oldest of them, with its tellings first, whichever was edited."""
    fill(sqlite_archive, [otb(), otb(VERDI), otb(VERDI, Annotator="Neri")])
    edit_game(sqlite_archive, 2, {"white": "Rossi, Mario"}, now_ms=NOW)
    assert where(sqlite_archive) == [(1, 1, 1), (2, 1, 2), (3, 1, 3)]
    assert facts(sqlite_archive, "id", "white_name") == [(1, "Rossi, Mario")]


def test_split_off_again(sqlite_archive: Archive) -> None:
    """A game that is split off has its id, its time, and its tellings their numbers, gaps too."""
    fill(sqlite_archive, [otb()])
    late = [otb(VERDI), otb(VERDI, Annotator="Neri"), otb(VERDI, Annotator="Bo")]
    batch = [Telling(prepare(game), FilePiece(1, place)) for place, game in enumerate(late, 500)]
    take_in(sqlite_archive, batch, now_ms=NOW + 7)
    with sqlite_archive.writing() as connection:
        connection.execute(tellings.update().where(tellings.c.id == 4).values(n=9))
        connection.execute(games.update().where(games.c.id == 2).values(last_n=9))
    before = where(sqlite_archive), facts(sqlite_archive, "id", "key", "added_at", "last_n")
    edit_game(sqlite_archive, 2, {"white": "Rossi, Mario"}, now_ms=NOW + 9)
    assert [number for _, number, _ in where(sqlite_archive)] == [1] * 4
    undo(sqlite_archive, [1], now_ms=NOW + 10)
    after = where(sqlite_archive), facts(sqlite_archive, "id", "key", "added_at")
    assert after == (before[0], [row[:3] for row in before[1]])
    assert facts(sqlite_archive, "last_n")[1] == (9,)


def test_where_the_source_games_are(sqlite_archive: Archive) -> None:
    """In which games they were, and in which they are now."""
    fill(sqlite_archive, [otb(), otb(moves=LONG)])
    one, other = prepare(otb()).key, prepare(otb(moves=LONG)).key
    assert say_same(sqlite_archive, 1, 2) == Regrouped({one: 1, other: 2}, {one: 1, other: 1})
    with sqlite_archive.writing() as connection:
        again = regroup(connection, sqlite_archive.known, [other], NOW)
    assert again == Regrouped({one: 1, other: 1}, {one: 1, other: 1})


def test_the_fullest_moves_and_the_result(sqlite_archive: Archive) -> None:
    """One game has the facts of the first, the moves of the telling with most, and a result if any has one."""
    fill(sqlite_archive, [otb(result="*", Annotator="Neri"), otb(moves=LONG, result="0-1")])
    say_same(sqlite_archive, 1, 2)
    assert facts(sqlite_archive, "annotator", "ply_count", "result") == [("Neri", 7, "0-1")]
    undo(sqlite_archive, [1], now_ms=NOW)
    assert facts(sqlite_archive, "annotator", "ply_count", "result") == [("Neri", 5, "*"), (None, 7, "0-1")]


def test_a_typed_result_counts(sqlite_archive: Archive) -> None:
    """The result that the user has typed is that of the one game, however full another is."""
    fill(sqlite_archive, [otb(), otb(moves=LONG, result="0-1")])
    edit_game(sqlite_archive, 1, {"result": "1/2-1/2"}, now_ms=NOW)
    say_same(sqlite_archive, 1, 2)
    assert facts(sqlite_archive, "ply_count", "result") == [(7, "1/2-1/2")]


def test_kept_apart_while_edited(sqlite_archive: Archive) -> None:
    """What sources say is kept of games that are edited or merged, also of those they meet; afterwards of none."""
    fill(sqlite_archive, [otb(), otb(VERDI), otb(moves=ITALIAN)])
    edit_game(sqlite_archive, 2, {"white": "Rossi, Mario"}, now_ms=NOW)
    assert kept(sqlite_archive) == {prepare(otb()).key, prepare(otb(VERDI)).key}
    undo(sqlite_archive, [1], now_ms=NOW)
    assert kept(sqlite_archive) == set()
    with sqlite_archive.reading() as connection:
        marks = connection.execute(select(tellings.c.told_key, tellings.c.told_n))
        assert {(row.told_key, row.told_n) for row in marks} == {(None, None)}


def test_what_follows_a_change(sqlite_archive: Archive) -> None:
    """The changed game is looked at for near doubles, an unused spelling is forgotten, and no cache is relied on."""
    fill(sqlite_archive, [otb("M. Rossi", WhiteFideId="1234567"), otb(moves=ITALIAN)])
    look(sqlite_archive)
    edit_game(sqlite_archive, 1, {"white": "Rossi, Mario"}, now_ms=NOW)
    with sqlite_archive.reading() as connection:
        assert list(connection.scalars(select(doubles_due.c.game_id))) == [1]
        assert list(connection.scalars(select(player_names.c.name))) == ["Rossi, Mario"]
    assert (sqlite_archive.known.players, sqlite_archive.known.texts) == ({}, {})
