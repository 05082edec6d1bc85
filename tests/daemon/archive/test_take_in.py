"""What take_in makes of tellings, on both databases."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Table, func, select

from core.game import Game, Side
from daemon.archive.archive import Archive
from daemon.archive.games.compression import decompress
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.games.reread import read_again
from daemon.archive.schedule import rounds
from daemon.archive.schedule.accounts import account, all_accounts, sync_accounts
from daemon.archive.tables.main import (
    games,
    player_names,
    player_words,
    players,
    telling_accounts,
    telling_ids,
    tellings,
    text_words,
    texts,
)
from daemon.archive.tables.main import rounds as round_table
from daemon.archive.take_in import (
    Download,
    FilePiece,
    IntakeBatch,
    QuarantineItem,
    Reached,
    Taken,
    Telling,
    take_in,
    take_in_together,
)
from daemon.config.configured import ConfiguredAccount
from daemon.edits.door import edit_game, undo
from tests.daemon.made_up import ITALIAN, RUY, chesscom, lichess, otb
from tests.daemon.seeding import fill, in_quarantine

NOW = 1_700_000_000_000


@pytest.fixture
def mine(archive: Archive) -> tuple[int, int]:
    """Two accounts, by their ids."""
    wanted = [ConfiguredAccount("lichess", h, h, mine=True, every=60) for h in ("mrossi90", "gbianchi")]
    with archive.writing() as connection:
        sync_accounts(connection, wanted)
        one, two = all_accounts(connection)
    return one.id, two.id


@pytest.fixture
def book(archive: Archive) -> int:
    """A file, by its id."""
    with archive.writing() as connection:
        return file_row(connection, "/chess/club.pgn").id


def download(archive: Archive, account_id: int, *source_games: Game) -> Taken:
    return take_in(
        archive, [Telling(prepare(game), Download(account_id)) for game in source_games], now_ms=NOW
    )


def pieces(archive: Archive, file_id: int, *source_games: Game) -> Taken:
    return take_in(
        archive,
        [Telling(prepare(game), FilePiece(file_id, 100 * n)) for n, game in enumerate(source_games)],
        now_ms=NOW,
    )


def rows(archive: Archive, table: Table, *names: str) -> list[tuple[Any, ...]]:
    """The named columns of a table, in the order of its key."""
    with archive.reading() as connection:
        found = connection.execute(select(*(table.c[name] for name in names)).order_by(*table.primary_key))
        return [tuple(row) for row in found]


def whats(taken: Taken) -> Sequence[str]:
    return [outcome.what for outcome in taken.outcomes]


# Downloads


def test_together_or_not_at_all(archive: Archive, book: int) -> None:
    """Of several batches the later ones meet what the earlier ones bring; if one fails nothing of them is stored."""
    first, second = (
        [Telling(prepare(otb(moves=one)), FilePiece(book, n))] for n, one in enumerate((RUY, ITALIAN))
    )
    batches = [IntakeBatch(tellings=some, now_ms=1) for some in (first, [*first, *second])]

    def failing() -> Iterator[IntakeBatch]:
        yield from batches
        raise LookupError

    with pytest.raises(LookupError):
        take_in_together(archive, failing())
    assert rows(archive, games, "id") == []
    assert [whats(taken) for taken in take_in_together(archive, batches)] == [["new"], ["unchanged", "new"]]
    assert rows(archive, games, "id") == [(1,), (2,)]


def test_known_download(archive: Archive, mine: tuple[int, int]) -> None:
    """The same download by another account is the same telling, with both accounts."""
    first = download(archive, mine[0], lichess())
    again = download(archive, mine[1], lichess())
    assert (first.read, first.new) == (1, 1)
    assert (again.read, again.unchanged, again.new, again.added) == (1, 1, 0, 0)
    assert again.outcomes[0].game_id == first.outcomes[0].game_id
    assert rows(archive, tellings, "game_id", "n", "site", "native_id") == [(1, 1, "lichess", "abcdefgh")]
    assert sorted(rows(archive, telling_accounts, "account_id", "telling_id")) == [(mine[0], 1), (mine[1], 1)]


def test_an_account_follows_its_game(archive: Archive, mine: tuple[int, int]) -> None:
    """The game beside an account is that of the download, also when this becomes another game than before."""
    download(archive, mine[0], lichess())
    fill(archive, [lichess()])
    download(archive, mine[0], lichess(moves=ITALIAN))
    assert sorted(rows(archive, tellings, "id", "game_id")) == [(1, 2), (2, 1)]
    assert rows(archive, telling_accounts, "telling_id", "game_id") == [(1, 2)]


def test_stored_as_it_came(archive: Archive, mine: tuple[int, int]) -> None:
    """The telling keeps the PGN byte for byte."""
    game = lichess()
    download(archive, mine[0], game)
    assert decompress(rows(archive, tellings, "pgn")[0][0]) == game.raw


def test_case_of_native_ids(archive: Archive, mine: tuple[int, int]) -> None:
    """Native ids of lichess that differ in case only are two games."""
    taken = download(archive, mine[0], lichess("abcdefgh"), lichess("ABCDEFGH", moves=ITALIAN))
    assert taken.new == 2


def test_game_goes_on(archive: Archive, mine: tuple[int, int]) -> None:
    """A download that has gone on replaces what was told before: one game, with the same id."""
    download(archive, mine[0], lichess(moves="1. e4 e5", result="*"))
    taken = download(archive, mine[0], lichess(moves=RUY, result="1-0"))
    assert (taken.refreshed, taken.new) == (1, 0)
    assert rows(archive, games, "id", "result", "ply_count") == [(1, "1-0", 5)]
    assert rows(archive, games, "key") == [(prepare(lichess()).key,)]
    assert rows(archive, tellings, "game_id", "n", "digest") == [(1, 1, prepare(lichess()).digest)]


def test_facts_are_refreshed(archive: Archive, mine: tuple[int, int]) -> None:
    """A later download of the first telling replaces the game's facts too, where its identity stays."""
    download(archive, mine[0], lichess(Termination="Normal"))
    taken = download(archive, mine[0], lichess(Termination="Rules infraction", WhiteElo="1600"))
    assert whats(taken) == ["refreshed"]
    assert rows(archive, games, "termination", "white_rating") == [("Rules infraction", 1600)]


def board(white: str | None, result: str = "*", moves: str = RUY, **tags: str) -> Game:
    """A board of a broadcast, as lichess tells it; without a White tag for None."""
    named = {"WhiteFideId": "1234567", "WhiteElo": "2104"} if white else {}
    source_game = otb(white or "?", moves=moves, result=result, Date="2024.05.20", **(named | tags))
    return replace(source_game, source="lichess", native_id="broadcast/Round001/Board001")


def test_a_name_that_is_left_out_stays(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A download without a name still tells of who was named, with FIDE id; moves and result are the new ones."""
    download(archive, mine[0], board("Rossi, Mario"))
    taken = download(archive, mine[0], board(None, "1-0", RUY + " a6", WhiteTitle="FM"))
    assert (whats(taken), taken.outcomes[0].game_id) == (["refreshed"], 1)
    facts = rows(archive, games, "white_name", "white_rating", "white_title", "result", "ply_count", "online")
    assert facts == [("Rossi, Mario", 2104, "FM", "1-0", 6, False)]
    assert rows(archive, players, "name", "fide_id") == [("Rossi, Mario", "1234567"), ("Bianchi, Gina", None)]
    assert whats(download(archive, mine[0], board(None, "1-0", RUY + " a6", WhiteTitle="FM"))) == [
        "unchanged"
    ]
    with archive.reading() as connection:
        [(_, again)] = read_again(connection, [1])
        assert again is not None
        assert (str(again.white), again.game.online) == ("fide:1234567", False)
    download(archive, mine[0], board("Rossi, Mario", "1-0", WhiteFideId="", Black="Verdi, Anna"))
    assert rows(archive, players, "name", "fide_id")[0] == ("Rossi, Mario", None), "beside a name an id goes"


def test_a_name_that_is_left_out_of_an_edited_game(archive: Archive, mine: tuple[int, int]) -> None:
    """What was told before stays told: with the edit undone, it is there again."""
    download(archive, mine[0], board("Rossi, Mario"))
    edit_game(archive, 1, {"white": "Rossini, Mario"}, now_ms=NOW)
    download(archive, mine[0], board(None, "1-0"))
    assert rows(archive, games, "white_name", "result") == [("Rossini, Mario", "1-0")]
    undo(archive, [1], now_ms=NOW)
    assert rows(archive, games, "white_name", "result") == [("Rossi, Mario", "1-0")]


def test_later_telling_does_not_replace_facts(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A download that is the second telling of a game leaves the facts of the first when it is refreshed."""
    pieces(archive, book, lichess(Termination="from a file"))
    download(archive, mine[0], lichess(Termination="Normal"))
    taken = download(archive, mine[0], lichess(Termination="Time forfeit"))
    assert whats(taken) == ["refreshed"]
    assert rows(archive, games, "termination") == [("from a file",)]


def test_refreshed_joins_another_game(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A download that turns out to be a known game becomes a telling of it; the emptied game goes, its id too."""
    pieces(archive, book, lichess(moves=RUY))
    download(archive, mine[0], lichess(moves="1. e4", result="*"))
    taken = download(archive, mine[0], lichess(moves=RUY))
    assert (taken.refreshed, taken.outcomes[0].game_id, taken.outcomes[0].stored.n) == (1, 1, 2)
    assert rows(archive, games, "id", "last_n") == [(1, 2)]
    later = pieces(archive, book, otb())
    assert later.outcomes[0].game_id == 3


def test_refreshed_leaves_others_behind(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A download moves to the game it now is; the game it was stays with who still tells it, in their words."""
    running = lichess(moves="1. e4 e5", result="*", Event="as lichess names it")
    download(archive, mine[0], running)
    pieces(archive, book, lichess(moves="1. e4 e5", result="*", Event="as the file names it"))
    taken = download(archive, mine[0], lichess(moves=RUY))
    assert (taken.refreshed, taken.outcomes[0].game_id, taken.outcomes[0].stored.n) == (1, 2, 1)
    assert rows(archive, games, "id", "result", "ply_count") == [(1, "*", 2), (2, "1-0", 5)]
    assert rows(archive, tellings, "id", "game_id", "n") == [(1, 2, 1), (2, 1, 2)]
    with archive.reading() as connection:
        event = select(texts.c.text).join(games, games.c.event_id == texts.c.id).where(games.c.id == 1)
        assert connection.scalar(event) == "as the file names it"


def test_numbers_of_tellings_are_not_reused(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """The number of a telling that moved away is not given to another telling of that game."""
    pieces(archive, book, lichess(moves="1. e4 e5", result="*"))
    download(archive, mine[0], lichess(moves="1. e4 e5", result="*"))
    download(archive, mine[0], lichess(moves=RUY))
    taken = download(archive, mine[0], lichess("hgfedcba", moves="1. e4 e5", result="*"))
    assert (taken.outcomes[0].game_id, taken.outcomes[0].stored.n) == (1, 3)


def test_refreshed_twice_in_a_batch(archive: Archive, mine: tuple[int, int]) -> None:
    """Within one batch, too, the last download of an id counts."""
    taken = download(
        archive,
        mine[0],
        lichess(moves="1. e4", result="*"),
        lichess(moves="1. e4 e5", result="*"),
        lichess(moves=RUY),
        lichess(moves=RUY),
    )
    assert whats(taken) == ["new", "refreshed", "refreshed", "unchanged"]
    assert rows(archive, games, "id", "ply_count") == [(1, 5)]
    assert {outcome.game_id for outcome in taken.outcomes} == {1}


def test_identities_swap(archive: Archive, mine: tuple[int, int]) -> None:
    """Two downloads may exchange their identities in one batch."""
    one, two, three = (moves for moves in ("1. e4", "1. d4", "1. c4"))
    download(archive, mine[0], lichess("aaaaaaaa", one), lichess("bbbbbbbb", two))
    taken = download(
        archive,
        mine[0],
        lichess("aaaaaaaa", three),
        lichess("bbbbbbbb", one),
        lichess("aaaaaaaa", two),
    )
    assert whats(taken) == ["refreshed"] * 3
    expected = [prepare(lichess("aaaaaaaa", two)).key, prepare(lichess("bbbbbbbb", one)).key]
    assert rows(archive, games, "key") == [(key,) for key in expected]


def test_two_ids_one_game(archive: Archive, mine: tuple[int, int]) -> None:
    """Two ids of one site for the same moves are one game; both are kept, and it is counted, never silent."""
    download(archive, mine[0], lichess("abcdefgh"))
    taken = download(archive, mine[0], lichess("hgfedcba"))
    assert (taken.added, taken.collapsed, taken.outcomes[0].collapsed) == (1, 1, True)
    assert rows(archive, tellings, "game_id", "n", "native_id") == [(1, 1, "abcdefgh"), (1, 2, "hgfedcba")]


def test_two_ids_become_one_game(archive: Archive, mine: tuple[int, int]) -> None:
    """The same, where one of the two games was still running at first."""
    download(archive, mine[0], lichess("abcdefgh"), lichess("hgfedcba", moves="1. e4", result="*"))
    taken = download(archive, mine[0], lichess("hgfedcba"))
    assert (taken.refreshed, taken.collapsed) == (1, 1)
    assert rows(archive, games, "id") == [(1,)]


def test_file_does_not_collapse(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A site's game in a file beside the download of another id does not collapse: files join by identity alone."""
    download(archive, mine[0], lichess("abcdefgh"))
    taken = pieces(archive, book, lichess("hgfedcba"))
    assert (taken.added, taken.collapsed) == (1, 0)


def test_alias(archive: Archive, mine: tuple[int, int]) -> None:
    """chess.com's uuid finds the download, whichever of the two ids came first; number and kind are its own id."""
    uuid = "5c1d7e9a-0000-11ee-8000-000000000001"
    by_uuid = replace(chesscom(123), native_id=uuid)
    download(archive, mine[0], by_uuid)
    taken = download(archive, mine[0], chesscom(123, uuid=uuid))
    assert (taken.unchanged, taken.new) == (1, 0)
    assert rows(archive, tellings, "native_id") == [("live/123",)]
    assert rows(archive, telling_ids, "site", "native_id", "telling_id") == [("chesscom", uuid, 1)]
    assert download(archive, mine[0], by_uuid).unchanged == 1
    assert download(archive, mine[0], chesscom(123, uuid=uuid)).unchanged == 1
    assert len(rows(archive, tellings, "id")) == 1


def test_download_needs_an_id(archive: Archive, mine: tuple[int, int]) -> None:
    """A download without the site's id for it is a fault of the program, and nothing is stored."""
    with pytest.raises(ValueError, match="site's id"):
        download(archive, mine[0], lichess(), otb())
    assert rows(archive, games, "id") == []


# Files


def test_file_twice(archive: Archive, book: int) -> None:
    """Importing a file twice adds nothing."""
    first = pieces(archive, book, otb(), otb(moves=ITALIAN))
    again = pieces(archive, book, otb(), otb(moves=ITALIAN))
    assert (first.new, again.new, again.added, again.unchanged) == (2, 0, 0, 2)
    assert len(rows(archive, tellings, "id")) == 2


def test_same_game_twice_in_a_file(archive: Archive, book: int) -> None:
    """The same bytes twice in one file are one telling, at the first place; other bytes of the game are another."""
    taken = pieces(archive, book, otb(), otb(), otb(Annotator="Neri"))
    assert whats(taken) == ["new", "unchanged", "added"]
    assert rows(archive, tellings, "n", "place") == [(1, 0), (2, 200)]


def test_game_moves_in_its_file(archive: Archive, book: int) -> None:
    """A game that lies elsewhere in its file now is unchanged, but its place is known."""
    pieces(archive, book, otb())
    taken = pieces(archive, book, otb(moves=ITALIAN), otb())
    assert whats(taken) == ["new", "unchanged"]
    assert sorted(rows(archive, tellings, "id", "place")) == [(1, 100), (2, 0)]


def test_three_files(archive: Archive) -> None:
    """One game in three files is one game with three tellings."""
    with archive.writing() as connection:
        files = [file_row(connection, f"/chess/{n}.pgn").id for n in range(3)]
    for file_id in files:
        pieces(archive, file_id, otb())
    assert rows(archive, tellings, "game_id", "n", "file_id") == [(1, n + 1, files[n]) for n in range(3)]


def test_export_of_a_download(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A site's own export in a file is one more telling of the downloaded game, and names the same id."""
    download(archive, mine[0], lichess())
    taken = pieces(archive, book, lichess())
    assert whats(taken) == ["added"]
    assert rows(archive, tellings, "download", "native_id") == [(True, "abcdefgh"), (False, "abcdefgh")]


def test_file_with_a_known_id_but_other_moves(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A file's game joins by the rule of the documents alone: the same id with other moves is another game."""
    download(archive, mine[0], lichess(moves=RUY))
    assert whats(pieces(archive, book, lichess(moves=ITALIAN))) == ["new"]


def test_games_without_moves(archive: Archive, mine: tuple[int, int]) -> None:
    """A game of no moves, synchronised twice, is one row."""
    download(archive, mine[0], lichess(moves=""))
    assert download(archive, mine[0], lichess(moves="")).unchanged == 1
    assert rows(archive, games, "ply_count", "moves") == [(0, b"")]


def test_short_games_with_other_moves(archive: Archive, book: int) -> None:
    """Short games with equal headers and other moves are kept apart; so is one that is the beginning of another."""
    assert pieces(archive, book, otb(moves="1. e4"), otb(moves="1. d4"), otb(moves="1. e4 e5")).new == 3


def test_unknown_players(archive: Archive, book: int) -> None:
    """Two games of `?` against `?`, equal in everything that counts, are one (names A20)."""
    taken = pieces(archive, book, otb("?", "?"), otb("", "?", Event="elsewhere"))
    assert whats(taken) == ["new", "added"]
    assert rows(archive, players, "kind", "name", "verbatim") == [("unknown", "?", False)]


# Players and texts


def test_first_game_gives_the_name(archive: Archive, book: int) -> None:
    """The name in the first game that creates the player is shown; later ones change nothing (names R14)."""
    pieces(archive, book, otb("ROSSI,Mario", "Rossi-Mario"), otb("Mario Rossi", "rossi-mario"))
    assert rows(archive, players, "key", "kind", "name", "folded", "verbatim") == [
        ("person:mario rossi", "person", "Rossi, Mario", "rossi mario", False),
        ("nick:rossi-mario", "nickname", "Rossi-Mario", "rossi-mario", True),
    ]
    assert rows(archive, games, "white_name") == [("ROSSI,Mario",)]


def test_sequence_of_the_documents(archive: Archive, book: int) -> None:
    """The documents' example, one game after another, ends in four players."""
    names = [
        ("ROSSI,Mario", {}),
        ("Mario Rossi", {}),
        ("Rossi-Mario", {}),
        ("Rossi, M.", {}),
        ("Rossi, Mario", {"WhiteFideId": "1234567"}),
        ("M. Rossi", {"WhiteFideId": "1234567"}),
        ("Rossi, Mario", {"WhiteFideId": "0"}),
    ]
    for n, (name, more) in enumerate(names):
        pieces(archive, book, otb(name, "?", Date=f"2024.01.{n + 1:02}", **more))
    white = dict(rows(archive, players, "id", "name"))
    shown = [white[number] for (number,) in rows(archive, games, "white_id")]
    assert shown == ["Rossi, Mario", "Rossi, Mario", "Rossi-Mario", "Rossi, M.", *["Rossi, Mario"] * 3]
    keys = [number for (number,) in rows(archive, games, "white_id")]
    assert keys[0] == keys[1] == keys[6]
    assert keys[4] == keys[5]
    assert len(set(keys)) == 4


def test_online_names_are_verbatim(archive: Archive, mine: tuple[int, int]) -> None:
    """Every name of an online game is shown as it is."""
    download(archive, mine[0], lichess(white="ROSSI, Mario", black="MRossi90", WhiteElo="1500"))
    assert rows(archive, players, "name", "verbatim") == [("ROSSI, Mario", True), ("MRossi90", True)]


def test_words(archive: Archive, book: int) -> None:
    """Players are found by the words of their shown name, a nickname by its whole; texts by their words."""
    pieces(archive, book, otb("Rossi, Mario Rossi", "rossi-mario", Event="Tata-Steel 2024"))
    assert rows(archive, player_words, "word", "player_id", "nickname") == [
        ("mario", 1, False),
        ("rossi", 1, False),
        ("rossi-mario", 2, True),
    ]
    assert [word for (word, _) in rows(archive, text_words, "word", "text_id")] == [
        "2024",
        "lopez",
        "ruy",
        "steel",
        "tata",
        "torino",
    ]


def test_names_of_players_with_ids(archive: Archive, book: int) -> None:
    """Every way to write a player with an id is kept, with who it would be without the id."""
    mario = {"WhiteFideId": "1234567"}
    pieces(
        archive, book, otb("Rossi, Mario", moves="1. e4", **mario), otb("M. Rossi", moves="1. d4", **mario)
    )
    pieces(archive, book, otb("M. Rossi", moves="1. c4", **mario))
    kept = rows(archive, player_names, "player_id", "name", "identity")
    assert sorted(name for _, name, _ in kept) == ["M. Rossi", "Rossi, Mario"]
    without = {name: prepare(otb(name)).white.digest for _, name, _ in kept}
    assert {name: identity for _, name, identity in kept} == without
    assert rows(archive, players, "fide_id") == [("1234567",), (None,)]


def test_texts(archive: Archive, book: int) -> None:
    """Events, sites, teams and openings are stored once each; what says nothing is null."""
    pieces(
        archive,
        book,
        otb(moves="1. e4", Site="?", Opening="Ruy Lopez", WhiteTeam="Torino", BlackTeam="?"),
        otb(moves="1. d4", Site="Torino", Opening="Ruy Lopez"),
    )
    stored = {number: (kind, text) for number, kind, text in rows(archive, texts, "id", "kind", "text")}
    assert sorted(stored.values()) == [
        ("event", "Club Championship"),
        ("opening", "Ruy Lopez"),
        ("site", "Torino"),
        ("team", "Torino"),
    ]
    (white, black, site, opening), (_, _, other_site, other_opening) = rows(
        archive, games, "white_team_id", "black_team_id", "site_id", "opening_id"
    )
    assert (stored[white], black, site) == (("team", "Torino"), None, None)
    assert stored[other_site] == ("site", "Torino")
    assert opening == other_opening


def test_sites_of_online_games(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A million online games do not make a million sites: the game's own id is kept apart."""
    download(archive, mine[0], lichess("abcdefgh"), lichess("hgfedcba", moves=ITALIAN))
    pieces(archive, book, otb(Site="https://lichess.org/study/abc"))
    assert sorted(rows(archive, texts, "kind", "text"))[-2:] == [
        ("site", "https://lichess.org/"),
        ("site", "https://lichess.org/study/abc"),
    ]
    assert rows(archive, games, "site_tail") == [("abcdefgh",), ("hgfedcba",), (None,)]


def test_all_facts(archive: Archive, book: int) -> None:
    """What a source tells of a game is in its row."""
    tags = {"WhiteTitle": "GM", "WhiteElo": "2500", "ECO": "C60", "TimeControl": "40/7200"}
    pieces(archive, book, otb(**tags, Annotator="Neri, Rossi"))
    names = ("white_name", "white_rating", "white_title", "date", "result", "variant", "start", "start_fen")
    assert rows(archive, games, *names) == [
        ("Rossi, Mario", 2500, "GM", "2024.05.12", "1-0", "standard", "", None)
    ]
    names = ("round", "eco", "time_control", "annotator", "online", "added_at", "ply_count", "started_at")
    assert rows(archive, games, *names) == [("1", "C60", "40/7200", "Neri, Rossi", False, NOW, 5, None)]


def test_started_at(archive: Archive, mine: tuple[int, int]) -> None:
    """The start of an online game is kept in milliseconds UTC."""
    download(archive, mine[0], lichess())
    assert rows(archive, games, "started_at") == [(1_715_508_000_000,)]


# The rest of the transaction


def test_cursor_and_round(archive: Archive, mine: tuple[int, int]) -> None:
    """The cursor and the counts are stored with the games, batch by batch."""
    with archive.writing() as connection:
        round_id = rounds.begin_round(connection, "sync", "lichess:mrossi90", mine[0], NOW)
    for number, moves in enumerate(("1. e4", "1. d4")):
        take_in(
            archive,
            [Telling(prepare(lichess(f"abcdefg{number}", moves)), Download(mine[0]))],
            now_ms=NOW,
            reached=Reached(mine[0], {"until": number}),
            round_id=round_id,
            left_out=1,
        )
    with archive.reading() as connection:
        row = account(connection, "lichess:mrossi90")
    assert row is not None
    assert row.cursor == {"until": 1}
    assert rows(archive, round_table, "read", "new", "left_out", "unchanged") == [(2, 2, 2, 0)]


def test_all_or_nothing(archive: Archive, mine: tuple[int, int]) -> None:
    """If the cursor cannot be stored, neither are the games, and the next batch knows nothing of them."""
    with pytest.raises(TypeError):
        take_in(
            archive,
            [Telling(prepare(lichess()), Download(mine[0]))],
            now_ms=NOW,
            reached=Reached(mine[0], {"until": object()}),
        )
    assert rows(archive, players, "id") == []
    assert download(archive, mine[0], lichess()).new == 1
    assert rows(archive, players, "id") == [(1,), (2,)]


def test_unread(archive: Archive, book: int) -> None:
    """What could not be read goes to quarantine with the same batch, once, and its neighbours are stored."""
    item = QuarantineItem(source="/chess/club.pgn", raw=b"1. e4 e9", reason="no such move: e9", file_id=book)
    for _ in range(2):
        taken = take_in(archive, [Telling(prepare(otb()), FilePiece(book, 0))], now_ms=NOW, unread=[item])
    assert (taken.read, taken.unchanged, taken.quarantined) == (2, 1, 1)
    with archive.reading() as connection:
        (kept,) = in_quarantine(connection)
    assert (kept.item, kept.seen, kept.size) == (item, 2, 8)


def test_memory_of_ids_is_bounded(archive: Archive, book: int) -> None:
    """What is remembered between batches is given up when it grows too large, and found again in the archive."""
    archive.known.most = 3
    for n in range(5):
        pieces(archive, book, otb(f"Rossi {n}", Event=f"Open {n % 2}", WhiteFideId=f"{n + 1}"))
        assert max(map(len, (archive.known.players, archive.known.texts, archive.known.names))) <= 3
    assert len(rows(archive, players, "id")) == 6
    assert len(rows(archive, texts, "id")) == 4


def test_long_words(archive: Archive, book: int) -> None:
    """Words that no index holds do not keep a game out."""
    chance = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(6000))
    assert pieces(archive, book, replace(otb(), event=chance, white=Side(name=chance))).new == 1


def test_leaves_quarantine(archive: Archive, mine: tuple[int, int], book: int) -> None:
    """A game that can be read now leaves the quarantine, a download by its id and a file's game by its bytes."""
    waiting = [
        QuarantineItem(source="/chess/club.pgn", raw=otb().raw, reason="once unknown", file_id=book),
        QuarantineItem(
            source="lichess:mrossi90", raw=b"{}", reason="once unknown", site="lichess", native_id="abcdefgh"
        ),
        QuarantineItem(source="/chess/other.pgn", raw=otb().raw, reason="still unknown"),
    ]
    take_in(archive, [], now_ms=NOW, unread=waiting)
    download(archive, mine[0], lichess())
    pieces(archive, book, otb())
    with archive.reading() as connection:
        assert [kept.item.source for kept in in_quarantine(connection)] == ["/chess/other.pgn"]


def test_batches_beyond_one_look_up(archive: Archive, book: int, mine: tuple[int, int]) -> None:
    """More games than one look-up holds are one batch all the same."""
    many = [
        replace(otb(Date=f"{1900 + n % 100}.{n // 100 % 12 + 1:02}.01", Round=str(n)), raw=f"{n}".encode())
        for n in range(2300)
    ]
    distinct = len({prepare(game).key for game in many})
    assert pieces(archive, book, *many).new == distinct
    assert pieces(archive, book, *many).unchanged == 2300
    with archive.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(games)) == distinct
