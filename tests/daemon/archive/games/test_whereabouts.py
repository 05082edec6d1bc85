"""What is noted of a game's id, when the game becomes one with another or comes apart again; on both databases."""

from core.edits import FIELDS
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import PairingRow, RoundRow
from daemon.archive.games.whereabouts import now
from daemon.archive.reading.doubles import list_doubles
from daemon.edits import doubles
from daemon.edits.door import edit_game, undo
from tests.daemon.made_up import ITALIAN, RUY, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

LONG = f"{RUY} a6 4. Ba4"


def a_board(archive: Archive, game_id: int) -> None:
    """A club's evening with one board, whose result this game told."""
    with archive.writing() as connection:
        tournament = tournaments.add_tournament(
            connection,
            {
                "slug": "winter", "name": "Winter", "short_name": "W", "kind": "keizer", "settings": {},
                "pairing_settings": {}, "city": "", "federation": "", "arbiter": "", "time_control": "",
            },
            NOW,
        )  # fmt: skip
        for name, rating in (("Rossi, Mario", 1500), ("Bianchi, Gina", 1600)):
            player_id = tournaments.player_of(connection, archive.known, name, None)
            member = {"player_id": player_id, "written": name, "rating": rating, "joined": 1}
            tournaments.add_member(connection, tournament, member)
        board = PairingRow(1, 1, 2, False, "", "", "1-0", game_id)
        tournaments.put_round(connection, tournament, RoundRow(n=1, state="complete", pairings=(board,)))


def board_is_of(archive: Archive) -> int | None:
    """The game of the board; the evening is stored again, as any change of it does."""
    with archive.writing() as connection:
        (evening,) = tournaments.rounds(connection, 1)
        tournaments.put_round(connection, 1, evening)
        return evening.pairings[0].now_in


def test_a_board_keeps_its_game(archive: Archive) -> None:
    """Its game becomes one with an older one, and comes back: the board names the game that there is."""
    fill(archive, [otb(Date="2024.05.13"), otb()])
    a_board(archive, 2)
    done = edit_game(archive, 2, {"date": "2024.05.13"}, now_ms=NOW)
    assert done.joined == ((2, 1),)
    assert board_is_of(archive) == 1
    undo(archive, done.edits, now_ms=NOW)
    assert board_is_of(archive) == 2


def test_a_board_follows_a_corrected_download(archive: Archive) -> None:
    """The site corrects its game, which is now the one of a file: for good, as nothing was edited."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("mrossi90", "gbianchi", ITALIAN)])
    downloaded(archive, account, [lichess(moves=RUY)])
    a_board(archive, 2)
    downloaded(archive, account, [lichess(moves=ITALIAN)])
    assert board_is_of(archive) == 1
    with archive.reading() as connection:
        assert now(connection, [1, 2, 3]) == {1: 1}


def test_a_board_follows_an_edited_download(archive: Archive) -> None:
    """The same while the game is edited, and the edit undone afterwards."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("mrossi90", "gbianchi", ITALIAN)])
    downloaded(archive, account, [lichess(moves=RUY)])
    a_board(archive, 2)
    done = edit_game(archive, 2, {"round": "7"}, now_ms=NOW)
    downloaded(archive, account, [lichess(moves=ITALIAN)])
    assert board_is_of(archive) == 1
    undo(archive, done.edits, now_ms=NOW)
    assert board_is_of(archive) == 1


def open_pairs(archive: Archive) -> dict[tuple[int, int], int]:
    doubles.look(archive)
    with archive.reading() as connection:
        found = list_doubles(connection, limit=100)["items"]
    return {(one["game"]["id"], one["other"]["id"]): one["id"] for one in found}


def test_answers_hold_for_the_game_that_there_is(archive: Archive) -> None:
    """Two games are two, and one of them becomes one with a third: nobody is asked about these two again."""
    fill(archive, [otb(moves=LONG, Date="2024.05.13"), otb(moves=LONG), otb(moves=RUY)])
    doubles.different(archive, [open_pairs(archive)[2, 3]], now_ms=NOW)
    assert set(open_pairs(archive)) == {(1, 2)}
    doubles.same(archive, [open_pairs(archive)[1, 2]], now_ms=NOW)
    moved = edit_game(archive, 1, {"date": FIELDS["date"].read("2024.05.12")}, now_ms=NOW)
    assert open_pairs(archive) == {}
    undo(archive, moved.edits, now_ms=NOW)
    undo(archive, [1], now_ms=NOW)
    assert (1, 3) not in open_pairs(archive)


def test_answers_on_a_game_that_is_gone_for_good(archive: Archive) -> None:
    """The answer is one on the game that its download tells now."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("mrossi90", "gbianchi", ITALIAN, Date="2024.05.13")])
    fill(archive, [otb("mrossi90", "gbianchi", f"{ITALIAN} Nf6")], "other.pgn")
    downloaded(archive, account, [lichess(moves=ITALIAN)])
    assert set(open_pairs(archive)) == {(1, 3), (2, 3)}
    doubles.different(archive, [open_pairs(archive)[2, 3]], now_ms=NOW)
    downloaded(archive, account, [lichess(moves=ITALIAN, Date="2024.05.13")])
    edit_game(archive, 2, {"date": "2024.05.13"}, now_ms=NOW)
    assert open_pairs(archive) == {}
