"""The user's edits, applied to what sources give."""

from collections.abc import Collection

from sqlalchemy import select

from core import sameness
from core.edits import edited
from core.game import Game
from daemon.archive.archive import Archive
from daemon.archive.edits.overlay import Overlays, anything_edited, attach, carry
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.tables.edits import edit_keys, edits
from daemon.edits.door import edit_game, edit_player, undo
from tests.daemon.made_up import ITALIAN, RUY, otb
from tests.daemon.merging import say_same
from tests.daemon.seeding import NOW, fill

LONG = f"{RUY} a6 4. Ba4"


def key(game: Game) -> bytes:
    return prepare(game).key


def laid(archive: Archive, game: Game, *, loaded: Collection[Game] = ()) -> Prepared:
    """The game with the edits; loaded together with others if there are any."""
    with archive.reading() as connection:
        return Overlays(connection, {key(one) for one in (game, *loaded)}).lay(prepare(game))


def test_nothing_is_edited(sqlite_archive: Archive) -> None:
    """Without edits of games what comes is what was given; another name of a player is not an edit of a game."""
    fill(sqlite_archive, [otb()])
    edit_player(sqlite_archive, 1, "ROSSI, Mario", now_ms=NOW)
    with sqlite_archive.reading() as connection:
        assert not anything_edited(connection)
        given = prepare(otb())
        assert Overlays(connection, [given.key]).lay(given) is given


def test_edits_hold_for_whatever_gives_the_game(sqlite_archive: Archive) -> None:
    """Every later source of the same game gets them; its key, players and typed fields are those after the edit."""
    fill(sqlite_archive, [otb()])
    values = {"white": "Verdi, Luca", "white_fide_id": "7654321", "event": "Open"}
    edit_game(sqlite_archive, 1, values, now_ms=NOW)
    later = otb("Mario Rossi", Event="elsewhere", Annotator="Neri")
    one = laid(sqlite_archive, later)
    assert (one.game.white.name, one.game.event, one.game.annotator) == ("Verdi, Luca", "Open", "Neri")
    assert one.key == sameness.key(edited(later, values))
    assert (str(one.white), one.typed) == ("fide:7654321", frozenset(values))
    assert one.as_given == prepare(later)


def test_another_game_is_left_alone(sqlite_archive: Archive) -> None:
    """An edit is about its source game; a game that differs from it has none."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    other = otb(moves=ITALIAN)
    assert laid(sqlite_archive, other, loaded=[otb()]).unedited is None
    with sqlite_archive.reading() as connection:
        overlays = Overlays(connection, [key(otb()), key(other)])
        assert (key(otb()) in overlays, key(other) in overlays) == (True, False)


def test_the_last_edit_of_a_field_counts(sqlite_archive: Archive) -> None:
    """Of several that are not undone; those that are undone count for nothing."""
    fill(sqlite_archive, [otb()])
    for name in ("Verdi, Luca", "Neri, Anna"):
        edit_game(sqlite_archive, 1, {"white": name}, now_ms=NOW)
    assert laid(sqlite_archive, otb()).game.white.name == "Neri, Anna"
    undo(sqlite_archive, [2], now_ms=NOW)
    assert laid(sqlite_archive, otb()).game.white.name == "Verdi, Luca"
    undo(sqlite_archive, [1], now_ms=NOW)
    assert laid(sqlite_archive, otb()).unedited is None


def test_the_opening_follows_the_edit(sqlite_archive: Archive) -> None:
    """What the moves say is worked out again where the user has taken the source's word away."""
    game = otb(ECO="A00", Opening="Something else")
    fill(sqlite_archive, [game])
    assert laid(sqlite_archive, game).opening is None
    edit_game(sqlite_archive, 1, {"eco": ""}, now_ms=NOW)
    assert laid(sqlite_archive, game).derived_eco == "C60"


def test_games_that_are_one(sqlite_archive: Archive) -> None:
    """All get the key of the one that the others are, over any number of answers; only it had to be asked for."""
    one, two, three = (otb(moves=moves) for moves in (RUY, LONG, f"{LONG} Nf6"))
    fill(sqlite_archive, [one, two, three, otb("Verdi, Luca")])
    say_same(sqlite_archive, 1, 2)
    say_same(sqlite_archive, 1, 3)
    assert [laid(sqlite_archive, game).key for game in (one, two, three)] == [key(one)] * 3
    with sqlite_archive.reading() as connection:
        assert Overlays(connection, [key(three)]).linked == {key(one), key(two), key(three)}
        assert Overlays(connection, [key(otb("Verdi, Luca"))]).linked == set()
    undo(sqlite_archive, [2], now_ms=NOW)
    assert [laid(sqlite_archive, game).key for game in (one, two, three)] == [key(one), key(one), key(three)]


def test_an_edit_of_the_one_game_is_about_all(sqlite_archive: Archive) -> None:
    """The key of games that are one is that of the main one with its edits."""
    fill(sqlite_archive, [otb(), otb(moves=LONG)])
    say_same(sqlite_archive, 1, 2)
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    assert laid(sqlite_archive, otb(moves=LONG)).key == key(otb("Verdi, Luca"))


def test_what_is_carried(sqlite_archive: Archive) -> None:
    """Edits of what a source gave are about what it gives now, too, and about what it gave as before."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    with sqlite_archive.writing() as connection:
        assert carry(connection, {key(otb()): key(otb(moves=LONG))}) == {key(otb(moves=LONG))}
        assert carry(connection, {key(otb()): key(otb(moves=LONG))}) == set(), "it was edited so before"
        assert carry(connection, {key(otb(moves=ITALIAN)): key(otb(result="*"))}) == set()
    for game in (otb(), otb(moves=LONG)):
        assert laid(sqlite_archive, game).game.white.name == "Verdi, Luca"


def test_undone_edits_are_not_carried(sqlite_archive: Archive) -> None:
    """What was undone is not about anything later."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"white": "Verdi, Luca"}, now_ms=NOW)
    undo(sqlite_archive, [1], now_ms=NOW)
    with sqlite_archive.writing() as connection:
        assert carry(connection, {key(otb()): key(otb(moves=LONG))}) == set()


def test_the_main_game_is_carried(sqlite_archive: Archive) -> None:
    """Where the game that the others are has changed, they are what it is now."""
    fill(sqlite_archive, [otb(), otb(moves=LONG)])
    say_same(sqlite_archive, 1, 2)
    now = otb(result="1/2-1/2")
    with sqlite_archive.writing() as connection:
        carry(connection, {key(otb()): key(now)})
        assert connection.scalar(select(edits.c.main_key)) == key(now)


def test_attached_twice(sqlite_archive: Archive) -> None:
    """An edit is about a source game once, however often it is said."""
    fill(sqlite_archive, [otb()])
    edit_game(sqlite_archive, 1, {"event": "Open"}, now_ms=NOW)
    pairs = [(key(otb()), 1), (key(otb(moves=LONG)), 1)]
    with sqlite_archive.writing() as connection:
        attach(connection, pairs)
        attach(connection, pairs)
        found = connection.execute(select(edit_keys.c.key, edit_keys.c.edit_id))
        assert {(row.key, row.edit_id) for row in found} == set(pairs)
