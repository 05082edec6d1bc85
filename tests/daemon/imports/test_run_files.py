"""The traps of origins, files and other servers (sites traps 54 to 71), through imports and rounds into real archives."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from daemon.archive.archive import open_archive
from daemon.sync.pacing import HOUR, RoundEnd
from tests.daemon.shown import HEAD, Shown, run_with, served
from tests.daemon.sync_rig import Bench
from tests.fetchers import lila
from tests.fetchers.site_emulator.chesscom_format import month_pgn
from tests.fetchers.site_emulator.emulator import CHESSCOM, Emulator
from tests.fetchers.site_emulator.events import Person

TESTS = Path(__file__).parents[2]
NOVEMBER = datetime(2026, 11, 5, 18, tzinfo=UTC)
ROSSI = Person(name="Rossi, Mario", fide_id=999_000_017)
BIANCHI = Person(name="Bianchi, Gina", fide_id=999_000_025)
KIF = "#KIF version=2.0 encoding=UTF-8\n場所：https://lishogi.org/abcdefgh\n先手：rossi\n後手：bianchi\n1 ７六歩(77)\n"


@pytest.fixture
def bench(sqlite_path: Path) -> Iterator[Bench]:
    with open_archive(sqlite_path) as archive, Emulator(seed=13) as sites:
        yield Bench(archive, sites)


def _text(moves: str = "1. e4 e5 2. Nf3", /, **tags: str) -> str:
    """A game of a file, with some other tags than usual."""
    head = HEAD
    for name, value in tags.items():
        line = f'[{name} "{value}"]\n'
        head, found = re.subn(rf'\[{name} "[^"]*"\]\n', lambda _, line=line: line, head)  # type: ignore[misc]
        head += "" if found else line
    return f"{head}\n{moves} {tags.get('Result', '1-0')}\n\n"


def _verbatim(shown: Shown) -> list[bool]:
    """Are the names of White handles (or nicknames), game by game?"""
    return [one["white"]["verbatim"] for one in shown.games()]


def test_trap_54_chesscom_as_site_makes_no_handles(shown: Shown, tmp_path: Path) -> None:
    """A world championship that chess.com exported was played over the board, by persons."""
    shown.bring(tmp_path, _text(Site="Chess.com", Event="World Championship 2021"))

    game = shown.game()
    assert _verbatim(shown) == [False]
    assert game["white"]["name"] == "Rossi, Mario"
    assert game["tellings"][0]["native_id"] is None


@pytest.mark.parametrize(
    "tags",
    [
        {"Site": "https://lichess.org/4pSpQGR7", "Event": "Import"},
        {"Site": "https://lichess.org/study/AbCdEfGh/IjKlMnOp"},
        {"Site": "https://lichess.org/broadcast/x/y/AbCdEfGh", "BroadcastName": "Torneo di Pasqua"},
        {"Site": "Torino", "StudyName": "Lezione"},
    ],
)
def test_trap_55_an_address_of_lichess_makes_no_handles(
    shown: Shown, tmp_path: Path, tags: dict[str, str]
) -> None:
    """Imports, studies and broadcasts have the names of persons."""
    shown.bring(tmp_path, _text(**tags))

    assert _verbatim(shown) == [False]


def test_trap_56_chesscom_int_is_no_account(shown: Shown, tmp_path: Path) -> None:
    """A file of TWIC tells of an online event under real names: no site's account, and the Site stays as written."""
    shown.bring(tmp_path, _text(Site="chess.com INT", Event="Titled Tue 5th Nov"))

    assert _verbatim(shown) == [False]
    assert shown.game()["tellings"][0]["site"] is None
    assert shown.game()["site"] == "chess.com INT"
    assert not shown.games(source="chesscom")


def test_trap_57_a_board_that_is_corrected_stays_one_game(bench: Bench, shown: Shown) -> None:
    """Its moves, its result and a name come later: in place, one game with one telling."""
    events = bench.sites.world.events
    events.add_broadcast("Torneo di Pasqua", id="Broadca1")
    events.add_round("Broadca1", id="Round001", starts=NOVEMBER, state="ongoing")
    events.add_board("Round001", ROSSI, BIANCHI, id="Board001", plies=40, played=22)
    bench.run("lichess:broadcast/Broadca1")
    (board,) = events.round("Round001").boards
    events.change_board("Round001", board, played=40, result="0-1", white=Person(name="Rossi, Marco"))
    bench.now += HOUR

    assert bench.run("lichess:broadcast/Broadca1").counts.refreshed == 1
    game = shown.game()
    assert (game["white"]["name"], game["result"], game["ply_count"]) == ("Rossi, Marco", "0-1", 40)
    assert len(game["tellings"]) == 1


def test_trap_58_one_game_from_broadcast_twic_and_club_file(shown: Shown, tmp_path: Path) -> None:
    """The place differs, and the event and the round: it is one game with three tellings."""
    broadcast = {"Site": "https://lichess.org/broadcast/x/y/Board001", "BroadcastName": "Torneo di Pasqua"}
    for number, tags in enumerate((broadcast, {"Site": "Torino ITA", "Round": "1.1"}, {"Event": "Open"})):
        shown.bring(tmp_path, _text(**tags), name=f"{number}.pgn")

    assert len(shown.game()["tellings"]) == 3


def test_trap_59_a_broadcast_has_no_town(bench: Bench, shown: Shown) -> None:
    """Its board's address is not a place: event and names are there, the place is not made up."""
    events = bench.sites.world.events
    events.add_broadcast("Torneo di Pasqua", id="Broadca1")
    events.add_round("Broadca1", id="Round001", starts=NOVEMBER)
    events.add_board("Round001", ROSSI, BIANCHI, id="Board001", plies=20, result="1-0")
    bench.run("lichess:broadcast/Broadca1")

    game = shown.game()
    assert game["site"] is None
    assert "Torneo di Pasqua" in (game["event"] or "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_trap_60_the_encoding_of_a_file(shown: Shown, tmp_path: Path, encoding: str) -> None:
    """UTF-8 with and without a mark, Latin-1 and cp1252: the names are right, the bytes stay."""
    content = _text(White="Müller, Jörg", Event="Café").encode(encoding)
    shown.bring(tmp_path, content)

    assert (shown.game()["white"]["name"], shown.game()["event"]) == ("Müller, Jörg", "Café")


def test_trap_61_blank_lines_end_no_game(shown: Shown, tmp_path: Path) -> None:
    """Between tags and moves two, in a comment one: two games, whole."""
    comment = "1. e4 {a first thought\n\nand [another] one} e5 2. Nf3"
    summary = shown.bring(tmp_path, _text(comment).replace("]\n\n", "]\n\n\n") + _text("1. d4 d5"))

    assert (summary.new, summary.quarantined) == (2, 0)
    assert [one["ply_count"] for one in shown.games()] == [3, 2]


def test_trap_62_tags_need_no_line_of_their_own(shown: Shown, tmp_path: Path) -> None:
    """All in one line, or one over two lines."""
    one_line = HEAD.replace("]\n", "] ")
    broken = HEAD.replace('[Event "', '[Event\n "').replace("Torino", "Milano").replace("2024", "2023")
    summary = shown.bring(tmp_path, f"{one_line}\n\n1. e4 e5 1-0\n\n{broken}\n1. d4 1-0\n")

    assert (summary.new, summary.quarantined) == (2, 0)
    assert {one["white"]["name"] for one in shown.games()} == {"Rossi, Mario"}
    assert {one["site"] for one in shown.games()} == {"Torino", "Milano"}


@pytest.mark.parametrize("moves", ["1A. e4 1a. e5 2A. Nf3 1B. d4", "1. e4 d5 2. exd5 $146@g4"])
def test_trap_63_bughouse_costs_one_game(shown: Shown, tmp_path: Path, moves: str) -> None:
    """What is not PGN goes to quarantine with its text; the games around it are whole."""
    bughouse = _text(moves, Event="Live Chess - Bughouse", Variant="Bughouse")
    summary = shown.bring(tmp_path, _text() + bughouse + _text("1. c4"))

    assert (summary.new, summary.quarantined) == (2, 1)
    assert shown.quarantine()[0]["size"] >= len(bughouse.rstrip())


def test_trap_64_fics_tells_its_own_time(shown: Shown, tmp_path: Path) -> None:
    """Date and time of FICS are those of its server: the date stays as written, no moment in UTC is made of them."""
    shown.bring(
        tmp_path,
        _text(
            Event="FICS rated blitz game",
            Site="FICS freechess.org",
            FICSGamesDBGameNo="380389492",
            White="mrossi",
            Black="bianchi",
            Date="2014.11.30",
            Time="23:50:00",
        ),
    )

    assert (shown.game()["date"], shown.game()["started_at"]) == ("2014.11.30", None)


def _lishogi(*lines: bytes) -> Callable[[httpx.Request], httpx.Response]:
    """The lines of a server's answer, whatever is asked."""
    return lambda request: (
        httpx.Response(200, json={"id": "mrossi90", "username": "mrossi90"})
        if request.url.path.startswith("/api/user/")
        else lila.ndjson(b"".join(line + b"\n" for line in lines))
    )


def _lines(records: Sequence[dict[str, object]]) -> list[bytes]:
    return [json.dumps(record).encode() for record in records]


def test_trap_65_a_keep_alive_is_no_game(bench: Bench, shown: Shown) -> None:
    """`{}` and empty lines between the games of a server like lila say only that it lives."""
    first, second = _lines([lila.record(1), lila.record(2, lila.BASE + lila.DAY, pgn=_other())])

    report = run_with(
        bench, lila.lichess(_lishogi(b"{}", first, b"", b"{}", second, b"{}")), "lichess:mrossi90"
    )

    assert (report.outcome, report.counts.new) == (RoundEnd.DONE, 2)
    assert not shown.quarantine()


def _other() -> str:
    """The PGN of another game than that of `lila.record`."""
    return str(lila.record(2)["pgn"]).replace("1. e4", "1. d4")


def test_trap_66_moves_of_shogi_are_not_read_as_chess(bench: Bench, shown: Shown) -> None:
    """Records with moves in USI, and KIF files, go to quarantine whole, and the round goes on after them."""
    shogi = {"id": "shogi001", "createdAt": lila.BASE, "status": "resign", "moves": "7g7f 3c3d 2g2f"}
    notation = shogi | {"id": "shogi002", "pgn": KIF}
    lines = _lines([shogi, notation, lila.record(3)])

    report = run_with(bench, lila.lichess(_lishogi(*lines)), "lichess:mrossi90")

    assert (report.outcome, report.counts.new, report.counts.quarantined) == (RoundEnd.DONE, 1, 2)
    assert {one["native_id"] for one in shown.quarantine()} == {"shogi001", "shogi002"}


def test_trap_67_a_server_that_ignores_the_order(bench: Bench, shown: Shown) -> None:
    """As lishogi: newest first, both bounds exclusive, keep-alives; ten at once, one answer cut: after two rounds nothing is missing."""
    records = [
        lila.record(
            n, lila.BASE + n * lila.DAY, pgn=str(lila.record(n)["pgn"]).replace("11.14", f"11.{n + 1:02}")
        )
        for n in range(25)
    ]
    site = lila.Lila(records, cap=10, descending=True, exclusive=True, keep_alive=True, cuts=[10**9, 2000])

    with lila.small_caps():
        broken = run_with(bench, served(site), "lichess:mrossi90")
        bench.now += HOUR
        mended = run_with(bench, served(site), "lichess:mrossi90")

    assert (broken.outcome, mended.outcome) == (RoundEnd.INCOMPLETE, RoundEnd.DONE)
    assert set(shown.ids()) == {record["id"] for record in records}


def test_trap_68_a_content_type_may_say_it_twice(bench: Bench) -> None:
    """`…; charset=utf-8; charset=utf-8` is JSON all the same."""
    bench.sites.world.add_player(CHESSCOM, "mrossi90")
    bench.sites.replay(
        CHESSCOM,
        "/pub/player/mrossi90/games/archives",
        b'{"archives":[]}',
        {"Content-Type": "application/json; charset=utf-8; charset=utf-8"},
    )

    assert bench.run("chesscom:mrossi90").outcome is RoundEnd.DONE


def test_trap_69_months_joined_byte_by_byte(bench: Bench, shown: Shown, tmp_path: Path) -> None:
    """Each month ends without a blank line, so that a result is followed by a tag: no game is lost or spoilt."""
    world = bench.sites.world
    months = []
    for month in (8, 9, 10):
        games = [
            world.add_game(
                CHESSCOM, "mrossi90", "BianchiL", at=NOVEMBER.replace(month=month) + timedelta(day)
            )
            for day in range(3)
        ]
        months.append(month_pgn(games, world))
    joined = "".join(months)

    summary = shown.bring(tmp_path, joined)

    assert len(re.findall(r"(?:1-0|0-1|1/2-1/2)\n\[Event", joined)) == 2
    assert (summary.new, summary.quarantined) == (9, 0)
    assert {one["ply_count"] for one in shown.games()} == {30}


def test_trap_70_a_variant_that_stands_in_the_event_only(shown: Shown, tmp_path: Path) -> None:
    """Old files of FICS: crazyhouse with its drops and suicide with its forced captures are legal by their own rules."""
    fics = {"Site": "FICS", "White": "mrossi", "Black": "bianchi"}
    drops = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. P@e4"
    forced = "1. e3 b6 2. Qg4 a6 3. Qxd7 Bxd7"
    summary = shown.bring(
        tmp_path,
        _text(drops, Event="FICS rated crazyhouse game", **fics)
        + _text(forced, Event="FICS rated suicide game", **fics),
    )

    assert (summary.new, summary.quarantined) == (2, 0)
    assert [one["variant"] for one in shown.games()] == ["crazyhouse", "suicide"]


def test_trap_71_one_bad_game_costs_one_game(shown: Shown, tmp_path: Path) -> None:
    """A game of Seirawan chess in the middle: it waits in quarantine with its place, all around it come in."""
    seirawan = _text("1. e4 Nf6/H 2. Nf3/E", Variant="Seirawan")
    around = [_text(Round=str(number), Date=f"2024.01.{number + 1:02}") for number in range(20)]
    summary = shown.bring(tmp_path, "".join([*around[:10], seirawan, *around[10:]]))

    (bad,) = shown.quarantine()
    assert (summary.new, summary.quarantined) == (20, 1)
    assert bad["place"] == sum(map(len, around[:10]))
    assert "Seirawan" in bad["reason"]


def test_every_trap_has_a_test_by_its_number() -> None:
    """The table of traps has 71 rows, and each has its test."""
    texts = [path.read_text() for path in TESTS.rglob("test_*.py")]
    numbers = {
        int(number) for text in texts for number in re.findall(r"^def test_trap_(\d+)_", text, re.MULTILINE)
    }

    assert numbers == set(range(1, 72))
