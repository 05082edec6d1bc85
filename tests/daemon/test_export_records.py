"""What only a site's record says goes out with the game, and comes back; on both databases."""

import re
from dataclasses import replace

import pytest

from core.game import Game
from core.pgn import reader
from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading.export import game_pgn
from daemon.archive.reading.games import find_games, game
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.filters import GameFilters
from daemon.edits import doubles
from daemon.edits.door import edit_game, edit_player
from tests.daemon.made_up import RUY, chesscom, lichess, otb
from tests.daemon.seeding import NOW, downloaded, emptied, fill, follow
from tests.daemon.test_export import exported

FEN = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1"
RECORDS: dict[str, tuple[Game, str]] = {
    # A game as the record tells it, and the tags that its PGN does not have.
    "crazyhouse": (
        chesscom(moves="1. e4 d5 2. exd5 Qxd5 3. P@e4", Variant="Crazyhouse"),
        "Variant",
    ),
    "chess960": (chesscom(moves="1. e4 e5", Variant="Chess960", SetUp="1", FEN=FEN), "Variant|SetUp|FEN"),
    "result": (chesscom(result="0-1"), "Result"),
    "ratings": (chesscom(WhiteElo="1500", BlackElo="1600"), "WhiteElo|BlackElo"),
    "address": (chesscom(), "Link"),
    "beginning": (lichess(), "UTCDate|UTCTime"),
    "address of lichess": (lichess(), "Site|GameId"),
}


def everything(archive: Archive) -> list[dict[str, object]]:
    """All games as they are shown, but for who tells them and the tags as they were told."""
    with archive.reading() as connection:
        page = find_games(connection, GameFilters(), Profile(), limit=100)["items"]
        whole = [game(connection, one["id"]) for one in page]
    return [
        {name: value for name, value in dict(one or ()).items() if name not in {"tellings", "tags"}}
        for one in whole
    ]


def without(record: Game, tags: str) -> Game:
    """The same game with a PGN that lacks these tags; the end of its moves says nothing either, if the result is one."""
    raw = re.sub(rf'\[(?:{tags}) "[^"]*"\]\n', "", record.raw.decode())
    return replace(record, raw=(raw.replace(" 0-1\n", " *\n") if "Result" in tags else raw).encode())


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("edited", [False, True])
def test_what_the_record_says(archive: Archive, name: str, edited: bool) -> None:
    """Rules, start, result, ratings, address: exported and taken in again, the game is the same, edited or not."""
    accounts = follow(archive, ["lichess:mrossi90", "chesscom:rossi-mario"])
    record, tags = RECORDS[name]
    downloaded(archive, accounts["chesscom:rossi-mario"], [without(record, tags)])
    if edited:
        edit_game(archive, 1, {"round": "7"}, now_ms=NOW)
    before = everything(archive)
    (read,) = reader.read(exported(archive))
    assert isinstance(read, Game)
    assert (read.source, read.native_id) == (record.source, record.native_id)
    fill(emptied(archive), [read])
    assert everything(archive) == before


def test_what_says_all_itself_is_not_touched(archive: Archive) -> None:
    """The PGN of a download that says what the record says goes out as it came."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess(WhiteElo="1500", Opening="Ruy Lopez", TimeControl="300+0")])
    (raw,) = (lichess(WhiteElo="1500", Opening="Ruy Lopez", TimeControl="300+0").raw,)
    with archive.reading() as connection:
        assert game_pgn(connection, 1) == raw
    assert exported(archive).rstrip() == raw.rstrip()


def test_the_moves_of_the_longer_go_out(archive: Archive) -> None:
    """Of two games that the user said are one, the moves go out that the game has, with the tags that it has."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess(moves="1. e4 e5", result="*")])
    fill(archive, [replace(lichess(moves=f"{RUY} a6", Event="exported"), online=False)])
    doubles.look(archive)
    doubles.same(archive, [one["id"] for one in doubles.of_kind(archive, "native_id")], now_ms=NOW)
    (read,) = reader.read(exported(archive))
    assert isinstance(read, Game)
    assert (read.ply_count, read.result, read.event) == (6, "1-0", "Rated blitz game")
    with archive.reading() as connection:
        whole = game(connection, 1)
        assert whole is not None
        assert whole["moves"] == " ".join(read.moves)


def test_a_typed_name_comes_back_as_it_was_typed(archive: Archive) -> None:
    """Names that the user has typed otherwise than they are usually shown: in one game, and for a player."""
    fill(archive, [otb(), otb("Verdi, Luca", "Neri, Ugo")])
    edit_game(archive, 1, {"white": "ROSSI,Mario"}, now_ms=NOW)
    edit_player(archive, 4, "NERI,UGO", now_ms=NOW)

    def shown() -> list[str]:
        with archive.reading() as connection:
            return [one["name"] for one in find_players(connection, None, limit=9)["items"]]

    before = shown()
    assert {"ROSSI,Mario", "NERI,UGO"} <= set(before)
    games = [one for one in reader.read(exported(archive)) if isinstance(one, Game)]
    fill(emptied(archive), games)
    assert shown() == before
    with archive.reading() as connection:
        assert len(find_games(connection, GameFilters(q="rossi"), Profile(), limit=9)["items"]) == 1
