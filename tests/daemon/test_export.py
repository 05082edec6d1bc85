"""What goes out of an archive comes back as the same games, players and comments."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from core.game import Game
from core.oddities import Odd
from core.pgn import reader
from core.pgn.writer import standing_alone, tag
from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading import games
from daemon.archive.reading.pages import all_of
from daemon.archive.reading.players import find_players
from daemon.archive.reading.search.filters import GameFilters
from daemon.export import COLUMNS, ExportFormat, export
from tests.daemon.made_up import chesscom, lichess, otb
from tests.daemon.seeding import downloaded, emptied, fill, follow, game_between
from tests.examples import examples

NOBODY = Profile()
EVERY = GameFilters()

STARTS = [
    ("", "1. e4 {Best by test} e5 (1... c5 $1 {Sicilian}) 2. Nf3 ; to the end\n2... Nc6 3. Bb5"),
    ("", "1. f3 e5 2. g4 Qh4#"),
    ("", ""),
    ('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]', "1. e4 Kd7 $5 {[%clk 0:00:03]}"),
    (
        '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]',
        "1. e4 e5 2. Ng3 Ng6",
    ),
    ('[Variant "Crazyhouse"]', "1. e4 d5 2. exd5 Qxd5 3. P@e4"),
    ('[Variant "Antichess"]', "1. e3 b5 2. Bxb5 {forced}"),
    ('[Variant "King of the Hill"]', "1. e4 e5 2. Ke2"),
]
names = st.sampled_from(
    ["Rossi, Mario", "Mario Rossi", "ROSSI MARIO", "Öberg, Åsa", "Мирзоев, Азер", "mrossi90", "rossi-mario", "李小龍", "?",
     'O"Neil, Pat', "Back\\slash", "Müller, Jürgen", ""]
)  # fmt: skip
texts = st.sampled_from(
    ["Club", 'The "Big" One', "C:\\games", "Città di Castello", "?", "", "[a] {b} ;c %d", "½"]
)


@st.composite
def written(draw: st.DrawFn) -> bytes:
    """A game as a file may hold it."""
    start, moves = draw(st.sampled_from(STARTS))
    result = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    values = {
        "Event": draw(texts),
        "Site": draw(texts),
        "Date": draw(st.sampled_from(["2024.05.12", "2024.05.??", "1999", "????.??.??", "12/5/24"])),
        "Round": draw(st.sampled_from(["1", "3.2", "?"])),
        "White": draw(names),
        "Black": draw(names),
        "Result": result,
        "WhiteFideId": draw(st.sampled_from(["", "1503014", "0"])),
        "BlackElo": draw(st.sampled_from(["2100", "-", "?"])),
        "WhiteTeam": draw(texts),
        "Annotator": draw(texts),
    }
    given_tags = draw(st.sets(st.sampled_from(sorted(values)), min_size=1))
    head = "\n".join(tag(name, values[name]) for name in values if name in given_tags)
    comment = draw(st.sampled_from(["", "{Zu Beginn: schön}\n", "; first\n"]))
    end = draw(st.sampled_from([result, result, ""]))
    text = f"{draw(st.sampled_from(['', comment]))}{head}\n{start}\n\n{comment}{moves} {end}\n\n"
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8", "cp1252"])), "replace")


def read(texts: Sequence[bytes]) -> list[Game]:
    return [found for text in texts for found in [reader.parse(text)] if isinstance(found, Game)]


def held(archive: Archive) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Every game without its ids and where it was told, with its first telling's text."""
    with archive.reading() as connection:
        ids = games.ids_after(connection, EVERY, NOBODY, last=0, limit=1000)
        for game in games.whole_games(connection, ids):
            shown: dict[str, Any] = {**game, "id": None, "tellings": len(game["tellings"]) > 0}
            # A file has the text of the first telling alone, and in it every game has its end mark.
            shown["oddities"] = [
                one for one in game["oddities"] if one["telling"] == 1 and one["code"] != Odd.NO_END
            ]
            for side in ("white", "black"):
                shown[side] = {**shown[side], "player_id": None, "written": shown[side]["written"] or "?"}
            shown["tags"] = {name: value for name, value in game["tags"].items() if value not in {"", "?"}}
            if not shown["tags"].keys() - {
                "Date",
                "Result",
            }:  # a game without tags has got those of every game
                del shown["tags"]
            yield shown, standing_alone(games.pgn(connection, game["id"]) or b"")


def people(archive: Archive) -> list[dict[str, Any]]:
    found = all_of(
        archive,
        lambda connection, size, cursor: find_players(connection, None, limit=size, cursor=cursor),
        None,
    )
    return sorted(({**one, "id": None} for one in found), key=repr)


def exported(archive: Archive, form: ExportFormat = "pgn", **more: Any) -> bytes:
    return b"".join(part.content for part in export(archive, EVERY, NOBODY, form, **more))


def assert_comes_back(archive: Archive) -> None:
    before, players = list(held(archive)), people(archive)
    file = exported(archive)
    emptied(archive)
    again = list(reader.read(file))
    assert all(isinstance(one, Game) for one in again)
    fill(archive, [one for one in again if isinstance(one, Game)])
    assert list(held(archive)) == before
    assert people(archive) == players


@given(st.lists(written(), max_size=8))
@examples(25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_files_come_back(archive: Archive, texts: list[bytes]) -> None:
    """Whatever games files held, their export taken into an empty archive is the same games, players and comments."""
    emptied(archive)
    fill(archive, read(texts))
    assert_comes_back(archive)


def test_downloads_come_back(archive: Archive) -> None:
    """Games of sites come back as online games of the same site, id, names and clock comments."""
    accounts = follow(archive, ["lichess:mrossi90", "chesscom:rossi-mario"])
    played = [
        lichess("abcdefgh", "1. e4 { [%clk 0:03:00] } e5", WhiteElo="1810", ECO="C20", Opening="King's Pawn"),
        lichess("abcdefgi", "1. e4 d5", Variant="Crazyhouse", BlackFideId="1503014", BlackTitle="GM"),
    ]
    downloaded(archive, accounts["lichess:mrossi90"], played)
    downloaded(archive, accounts["chesscom:rossi-mario"], [chesscom(7, "1. d4 {[%clk 0:10:00]} d5")])
    fill(archive, [otb(), *played[:1]])
    assert_comes_back(archive)


def test_each_telling_as_it_came(archive: Archive) -> None:
    """With tellings, every telling goes out byte for byte, the second one of a game after its first."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess()])
    latin = otb(Event="x")
    latin_raw = latin.raw.replace(b"Gina", b"Gin\xe0")
    fill(archive, [lichess(Annotator="Verdi"), *read([latin_raw])])
    first, second = (lichess(**more).raw.rstrip() for more in ({}, {"Annotator": "Verdi"}))
    assert exported(archive, tellings=True) == b"\n\n".join([first, second, latin_raw.rstrip(), b""])
    with pytest.raises(ValueError, match="tellings are PGN"):
        exported(archive, "csv", tellings=True)


def test_ndjson_is_what_the_api_has(archive: Archive) -> None:
    """Each line is a game as the API answers it by its id."""
    fill(archive, [otb(), otb("Öberg, Åsa", result="0-1")])
    lines = [json.loads(line) for line in exported(archive, "ndjson").splitlines()]
    with archive.reading() as connection:
        assert lines == [games.game(connection, one["id"]) for one in lines]
    assert [line["white"]["name"] for line in lines] == ["Rossi, Mario", "Öberg, Åsa"]


def test_csv_is_a_table(archive: Archive) -> None:
    """A header and a row for each game; what a spreadsheet would take for a formula is none."""
    fill(
        archive,
        [
            otb(Event='=HYPERLINK("http://x","y")', WhiteElo="2100"),
            otb("Rossi, Mario", "Öberg; Åsa", result="*"),
        ],
    )
    rows = list(csv.DictReader(io.StringIO(exported(archive, "csv").decode(), newline="")))
    assert [row["black"] for row in rows] == ["Bianchi, Gina", "Öberg; Åsa"]
    assert (rows[0]["event"], rows[0]["white_rating"]) == ('\'=HYPERLINK("http://x","y")', "2100")
    assert rows[0]["moves"] == "e2e4 e7e5 g1f3 b8c6 f1b5"
    assert exported(emptied(archive), "csv").decode() == ",".join(COLUMNS) + "\r\n"


def test_pages_and_groups(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the pages fall, each game goes out once, in the order of intake, counted as it goes."""
    fill(archive, [game_between(f"Rossi, {name}", "Bianchi") for name in "abcdefghijk"])
    for ids, most, size in ((1, 100, 1), (4, 2, 1 << 20), (11, 3, 1 << 20), (12, 100, 200)):
        monkeypatch.setattr("daemon.export.IDS_AT_ONCE", ids)
        monkeypatch.setattr("daemon.archive.reading.export.GROUP_GAMES", most)
        monkeypatch.setattr("daemon.archive.reading.export.GROUP_BYTES", size)
        parts = list(export(archive, EVERY, NOBODY, "ndjson"))
        lines = [json.loads(line)["id"] for part in parts for line in part.content.splitlines()]
        assert lines == list(range(1, 12))
        assert parts[-1].games == 11


def test_no_transaction_stays_open(archive: Archive) -> None:
    """Between two pieces nothing is held: games can be taken in meanwhile."""
    fill(archive, [game_between(f"Rossi, {number}", "Bianchi") for number in range(150)])
    parts = export(archive, EVERY, NOBODY, "ndjson")
    next(parts)
    fill(archive, [game_between("Verdi, Late", "Bianchi")], "late.pgn")
    assert archive._engines.read.pool.checkedout() == 0  # type: ignore[attr-defined]  # a QueuePool
    assert [part.games for part in parts] == [150]


def test_only_what_is_asked_for(archive: Archive) -> None:
    """An export takes every filter of the list of games."""
    fill(archive, [otb(), otb("Verdi, Luca", result="0-1")])
    found = b"".join(part.content for part in export(archive, GameFilters(q="verdi"), NOBODY, "pgn"))
    assert [one.white.name for one in reader.read(found)] == ["Verdi, Luca"]
    assert list(export(archive, GameFilters(q="nobody"), NOBODY, "pgn")) == []


def test_csv_has_the_moves_as_people_write_them(archive: Archive) -> None:
    """The last column is SAN with numbers, also of a variant."""
    fill(archive, [game_between("Rossi, Mario", "Neri, Anna"), game_between("A b", "C d", variant="atomic")])
    whole = b"".join(part.content for part in export(archive, GameFilters(), Profile(), "csv"))
    rows = list(csv.DictReader(io.StringIO(whole.decode())))
    assert [(row["moves"], row["san"]) for row in rows] == [("e2e4 e7e5", "1. e4 e5")] * 2
