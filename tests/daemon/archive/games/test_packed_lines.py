"""The quick way to a packed record against the ordinary one: the same bytes, or it leaves the game to that."""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import origin, time_control
from core.compiled import NATIVE
from core.game import Unreadable
from core.pgn import positions, reader, tags
from core.pgn.reader import Piece
from daemon.archive.games import packed_lines
from daemon.archive.games.packed_columns import Places
from daemon.archive.games.packed_games import PackedRun, Packer
from daemon.archive.games.packed_lines import KINDS, LEFT, QuickReader
from daemon.imports.parser_process import parse_one
from tests.core.pgn.made_up import games
from tests.daemon.archive.games.packed_reading import Reading
from tests.examples import examples

pytestmark = pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")

MOVES = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 O-O 5. a3 Bxc3+ {well} 6. Qxc3 b6 7. Bg5 Bb7 8. O-O-O d5",
    "1. e4 { [%clk 0:03:00] } c5 (1... e5) 2. Nf3 $1",
    "1. h4 h5 2. g4 hxg4 3. h5 g6 4. hxg6 f6 5. g7 a6 6. gxh8=Q",
    "",
]
OTB = {
    "Event": "Club Championship", "Site": "Torino ITA", "Date": "2024.05.12", "Round": "3.1", "White": "Rossi, Mario",
    "Black": "Bianchi, Gina", "Result": "1-0", "WhiteElo": "2100", "BlackElo": "1987", "WhiteFideId": "123456",
    "WhiteTitle": "FM", "BlackTeam": "Torre", "ECO": "C60", "EventDate": "2024.05.01", "PlyCount": "6", "Annotator": "Neri",
    "TimeControl": "5400+30",
}  # fmt: skip
LICHESS = {
    "Event": "Rated blitz game", "Site": "https://lichess.org/abcdEFG8", "Date": "2024.05.12", "White": "mrossi90",
    "Black": "gbianchi", "Result": "0-1", "GameId": "abcdEFG8", "UTCDate": "2024.05.12", "UTCTime": "10:20:30",
    "WhiteElo": "1500", "BlackElo": "1510", "WhiteRatingDiff": "-5", "BlackRatingDiff": "+5", "Variant": "Standard",
    "TimeControl": "180+2", "ECO": "C60", "Opening": "Ruy Lopez", "Termination": "Normal",
}  # fmt: skip
CHESSCOM = {
    "Event": "Live Chess", "Site": "Chess.com", "Date": "2024.05.12", "Round": "-", "White": "rossi-mario",
    "Black": "gbianchi", "Result": "1/2-1/2", "CurrentPosition": "8/8/8/8/8/8/8/8 w - -", "Timezone": "UTC", "ECO": "C60",
    "ECOUrl": "https://www.chess.com/openings/Ruy-Lopez-Opening-3...a6", "UTCDate": "2024.05.12", "UTCTime": "10:20:30",
    "WhiteElo": "1500", "BlackElo": "1510", "TimeControl": "600", "Termination": "Game drawn by agreement",
    "StartTime": "10:20:30", "EndDate": "2024.05.12", "EndTime": "10:30:00",
    "Link": "https://www.chess.com/game/live/123456789",
}  # fmt: skip
USUAL = {
    "otb": OTB,
    "few tags": {"White": "Rossi", "Black": "Bianchi", "Result": "*"},
    "unknown people": {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "White": "Rossi, M",
        "Black": "?",
        "Result": "0-1",
    },
    "no result tag": {"White": "Rossi, M", "Black": "Bianchi, G", "Date": "1999.??.??"},
    "beyond ASCII": OTB
    | {"White": "Müller, Jürgen", "Event": "Göteborg", "Round": "ö", "Annotator": "Đurić"},
    "a backslash": OTB | {"Site": "Torino \\05", "Round": "\\1", "White": "Rossi\\Neri"},
    "two backslashes": OTB | {"Site": "Torino \\\\05", "Round": "1\\\\2", "White": "Rossi\\\\Neri"},
    "lichess": LICHESS,
    "lichess, casual": LICHESS | {"WhiteElo": "?", "BlackElo": "?", "Event": "Casual rapid game"},
    "lichess, tournament": LICHESS
    | {"Event": "Rated blitz tournament https://lichess.org/tournament/abcdefgh"},
    "lichess, leap day": LICHESS | {"UTCDate": "2024.02.29", "Date": "2024.02.29"},
    "chess.com": CHESSCOM,
    "chess.com, daily": CHESSCOM | {"Link": "https://www.chess.com/game/daily/7", "TimeControl": "1/86400"},
    "page of a game": OTB | {"Link": "https://example.org/games/17"},
}
LEFT_TO_PYTHON = {
    "result differs": OTB | {"Result": "0-1"},
    "a start of its own": OTB | {"SetUp": "1", "FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
    "a variant": OTB | {"Variant": "Atomic"},
    "a variant in the event": OTB | {"Event": "FICS rated atomic game"},
    "a name that was typed": OTB | {"VerbatimNames": "white"},
    "not a date": OTB | {"Date": "in May"},
    "not a rating": OTB | {"WhiteElo": "strong"},
    "not a FIDE id": OTB | {"WhiteFideId": "x"},
    "one player": OTB | {"Black": "Mario Rossi", "BlackElo": ""},
    "one FIDE id": OTB | {"BlackFideId": "0123456"},
    "quotes": OTB | {"Event": 'The \\"Torre\\"'},
    "lichess, without an id": LICHESS | {"Site": "https://lichess.org"},
    "lichess, a study": LICHESS | {"Site": "https://lichess.org/study/abcdefgh/ijklmnop"},
    "lichess, names of persons": LICHESS | {"White": "Rossi, Mario"},
    "lichess, an old date": LICHESS | {"Date": "1999.01.01"},
    "lichess, imported": LICHESS | {"Event": "Import"},
    "chess.com, without an id": CHESSCOM | {"Link": ""},
    "no such day": LICHESS | {"UTCDate": "2023.02.29"},
    "a moment with blanks": LICHESS | {"UTCTime": "1:20:30"},
    "a long id": OTB | {"FICSGamesDBGameNo": "9" * 65},
    "a long FIDE id": OTB | {"WhiteFideId": "9" * 33},
}
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}


def text(
    said: dict[str, str], moves: str = MOVES[0], end: str | None = None, encoding: str = "utf-8"
) -> bytes:
    header = "".join(f'[{name} "{value}"]\n' for name, value in said.items())
    result = said.get("Result", "1-0")
    end = end or ("1-0" if result not in RESULTS else result)
    return f"{header}\n{moves} {end}\n\n".encode(encoding, "surrogateescape")


def both(*raws: bytes) -> None:
    """Both ways make the same of these games, twice over."""
    given = [Piece(raw, offset=0, number=n) for n, raw in enumerate(raws)]
    quick, slow = Packer(parse_one), Packer(parse_one, quickly=False)
    one, other = Reading(), Reading()
    for _ in range(2):
        assert list(said_by(quick, one, given)) == list(said_by(slow, other, given))


def said_by(packer: Packer, reading: Reading, given: Sequence[Piece]) -> Iterator[object]:
    """What the archive is told of these games. Of a game that is refused there may be names that no game has."""
    for answer in packer.pack(given):
        if isinstance(answer, Unreadable):
            yield answer
        else:
            reading.define(answer)
            yield answer.count, list(reading.rows(answer)), list(reading.references(answer))
            yield answer.keys, answer.digests, answer.oddities


def taken(*raws: bytes) -> list[bool]:
    """Which of these games the quick way takes."""
    lines = QuickReader.usual(Places())
    assert lines is not None
    return [lines.read(raw) is not None for raw in raws]


@pytest.mark.parametrize("said", USUAL.values(), ids=list(USUAL))
def test_usual_games_are_taken_and_are_the_same(said: dict[str, str]) -> None:
    """Of clubs, lichess and chess.com, whatever the moves are."""
    end = None if "Result" in said else "*"
    raws = [text(said, moves, end) for moves in MOVES if moves]
    assert taken(*raws) == [True] * len(raws)
    both(*raws, *raws[:2])


@pytest.mark.parametrize("said", LEFT_TO_PYTHON.values(), ids=list(LEFT_TO_PYTHON))
def test_unusual_games_are_left_to_the_ordinary_way(said: dict[str, str]) -> None:
    """With an end that the Result tag does not have, and with none."""
    end = "1-0" if said["Result"] == "0-1" and said["White"] == OTB["White"] else None
    assert taken(text(said, end=end)) == [False]
    both(text(OTB), text(said, end=end), text(LICHESS), text(said, end=end))


def test_a_game_without_an_end_is_left() -> None:
    """It may have been cut off, which is odd; one that the stream cut off is left whatever it is."""
    raw = text(OTB).replace(b" 1-0\n", b"\n")
    assert taken(raw) == [False]
    both(raw, text(OTB))
    one = Piece(text(OTB), offset=0, number=1, cut_off=True)
    other = Piece(text(OTB), offset=0, number=1, too_large=True)
    found = [Packer(parse_one, quickly=quickly).pack([one, other]) for quickly in (True, False)]
    assert found[0] == found[1]
    assert isinstance(found[0][0], PackedRun)
    assert isinstance(found[0][1], Unreadable)


def test_games_of_one_site_differ_by_their_ids() -> None:
    """One event is remembered for all of them; what has the id is each game's own."""
    ids = ["abcdEFG8", "AAAAAAAA", "BBBBBBBB", "11111111", "22222222"]
    raws = [text(LICHESS | {"Site": f"https://lichess.org/{one}", "GameId": one}) for one in ids]
    numbers = ["1", "2", "12", "99", "111", "123456789012"]
    raws += [text(CHESSCOM | {"Link": f"https://www.chess.com/game/live/{one}"}) for one in numbers]
    assert all(taken(*raws))
    both(*raws)


def test_an_encoding_that_the_user_named_is_for_the_ordinary_way() -> None:
    """Even where all of a game is UTF-8."""
    given = [Piece(text(said), offset=0, number=1, encoding="cp850") for said in USUAL.values()]
    quick, slow = (Packer(parse_one, quickly=quickly).pack(given) for quickly in (True, False))
    assert quick == slow


def test_cp1252_is_read_value_by_value() -> None:
    """A name in cp1252 beside an event in UTF-8, and bytes of no encoding, which are odd."""
    mixed = text(OTB).replace(b"Rossi", b"M\xfcller").replace(b"Club", "Göteborg".encode())
    assert taken(mixed) == [True]
    stray = text(OTB).replace(b"Rossi", b"M\x81ller")
    assert taken(stray) == [False]
    both(mixed, stray, mixed)


@pytest.mark.parametrize("tag", ["Source", "EventDate", "Mode", "PlyCount", "GameId"])
def test_stray_bytes_in_what_no_column_has_are_odd_too(tag: str) -> None:
    """The value of such a tag is looked at by nobody but the ordinary way."""
    usual = text(OTB).replace(b"\n\n", f'\n[{tag} "x!y"]\n\n'.encode(), 1)
    stray = usual.replace(b"x!y", b"x\x81y")
    assert taken(stray) == [False]
    both(usual, stray, usual)


@pytest.mark.parametrize("part", ["occasion_of", "identify", "integer"])
def test_a_fault_leaves_the_game_to_the_ordinary_way(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in our reading costs no more than time, and does not end a parser process."""

    def fault(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(packed_lines, part, fault)
    raw = text(OTB | {"WhiteElo": "2100?"})
    assert taken(raw) == [False]
    both(raw, raw)


NAMES = ["", "?", "Rossi, Mario", "Mario Rossi", "ROSSI,M", "mrossi90", " Bianchi , Gina ", "Müller", "M\udcfcller", "N N",
         "(1500)", "A, B", "\\", "Đurić", "\udc81", "\u00a0", "123", "x" * 300]  # fmt: skip


def same(names: Sequence[str], values: list[str]) -> dict[str, list[str]]:
    return dict.fromkeys(names, values)


VALUES: dict[str, list[str]] = {
    **dict.fromkeys(("White", "Black"), NAMES),
    **same(("WhiteFideId", "BlackFideId"), ["", "0", "123", "0123", "x", "-", "9" * 40]),
    **same(("WhiteElo", "BlackElo"), ["", "?", "0", "-", "2100", "2100?", " 99", "12345", "unr", "0000", "1\u0665"]),
    **same(("WhiteTitle", "BlackTitle"), ["", "-", "?", "GM", " IM "]),
    **same(("WhiteTeam", "BlackTeam", "Round", "ECO", "Termination"), ["", "?", "Torre", " a b ", "é", "\u00a0", "C60"]),
    "Date": ["", "?", "2024.05.12", "1999.??.??", "2024-5-1", "May", "2011", "2010.13.01", " 2024.05.12 "],
    "Event": ["", "?", "Open", "Import", "FICS rated blitz game", "Live Chess - Chess960", "ICC 5 0 r", "WC/2001", "é"],
    "Site": ["", "?", "Torino", "https://lichess.org/abcdefgh", "https://lichess.org/", "Chess.com", "FICS", "X INT", "ICCF",
             "https://lichess.org/abcdefghijkl", "https://www.chess.com/game/live/77", "lishogi.org/abcdefgh", "chess24.com",
             "https://example.org/12345678", "http://de.lichess.org/ABCDEFGH", "https://lichess.org/study/abcdefgh",
             "https://lichess.org/bcd-fgh!", "Internet Chess Club"],
    "Link": ["", "x", "https://www.chess.com/game/live/123", "https://www.chess.com/live/game/5", "chess.com/daily/7/",
             "https://example.org/5", "123", "https://www.chess.com/game/live/123?x=7", "https://www.chess.com/game/a-7"],
    "GameId": ["abcdefgh", "x"],
    "Opening": ["", "?", "Ruy Lopez", "é"],
    "ECOUrl": ["", "x", "https://www.chess.com/openings/Ruy-Lopez-Opening", "https://www.chess.com/openings/Undefined"],
    "UTCDate": ["", "2024.05.12", "2024.02.30", "1969.12.31", "2024.5.1", "????.??.??", "\u00a0"],
    "UTCTime": ["", "10:00:00", "23:59:60", "9:0:0", "24:00:00", "é"],
    "TimeControl": ["", "180+2", "600", "1/86400", "-", "40/7200:3600", "5 days per move"],
    "Annotator": ["", "Neri", "https://lichess.org/@/neri", "é"],
    "Variant": ["Standard", "Chess960", "From Position", "standard", "?"],
    "FICSGamesDBGameNo": ["", "17", "9" * 70],
    "EndTime": ["10:00:00 PDT", "", "10:00:00"],
    "VerbatimNames": ["white", ""],
    "chesstempoId": ["1", ""],
    **same(("BroadcastURL", "BroadcastName", "GameURL", "ChapterURL", "StudyName", "Timezone", "ICCResult", "Board",
                     "WhiteCountry", "WhiteEloChange", "SourceTitle", "EventType", "WhiteRatingDiff", "BlackRatingDiff",
                     "PlyCount", "Strange"), ["", "?", "UTC", "5", "https://lichess.org/broadcast/x/y", "é", "\u00a0"]),
}  # fmt: skip


@st.composite
def dirty(draw: Any) -> bytes:
    """A game of a usual kind in which some tags are others, some missing, and some more."""
    said = dict(draw(st.sampled_from([{}, OTB, LICHESS, CHESSCOM])))
    for name in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=6)):
        said[name] = draw(st.sampled_from(VALUES[name]))
    for name in draw(st.lists(st.sampled_from(sorted(said)), max_size=3)) if said else []:
        said.pop(name, None)
    names = draw(st.permutations(list(said))) if draw(st.booleans()) else list(said)
    said["Result"] = draw(st.sampled_from(["1-0", "0-1", "*", "1/2-1/2", "?", "", "½", "1-0 "]))
    end = draw(st.sampled_from([None, "1-0", "*", "0-1", "", "0-0"]))
    return text({name: said[name] for name in [*names, "Result"]}, draw(st.sampled_from(MOVES)), end)


@given(st.lists(dirty(), min_size=1, max_size=4))
@examples(600)
def test_dirty_games_are_the_same_or_left(raws: list[bytes]) -> None:
    """Whatever the tags say, one after another, in UTF-8 and with stray bytes."""
    both(*raws)


@given(st.lists(games().map(lambda pair: pair[1]), min_size=1, max_size=3))
@examples(100)
def test_lines_of_chess_and_chess960_are_the_same_or_left(raws: list[bytes]) -> None:
    """Castlings, promotions and captures in passing, in all usual spellings."""
    both(*raws)


def _tag_names(module: ModuleType) -> set[str]:
    """What may be the name of a tag in a module: a text that is one word with a capital."""
    tree = ast.parse(inspect.getsource(module))
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {one for one in texts if re.fullmatch(r"[A-Z][A-Za-z]+", one)}


OTHER_WORDS = {
    "Cut",
    "Elo",
    "FideId",
    "Title",
    "Team",
    "Limits",
    "Piece",
    "White",
    "Black",
    "ICC",
    "ICCF",
    "FICS",
    "Import",
    "Standard",
    "UTC",
    "Unrated",
    "UNR",
    "K",
    "Game",
    "Origin",
}


def test_every_tag_that_matters_is_known() -> None:
    """A tag that the ordinary way begins to look at has to get a kind, or games would be taken without it."""
    found = set().union(*map(_tag_names, (origin, reader, time_control, positions)))
    assert found >= {"Event", "GameId", "ChapterURL", "FICSGamesDBGameNo"}
    assert found - set(KINDS) - OTHER_WORDS == set()
    assert set(tags.KNOWN) <= set(KINDS)
    assert KINDS["FEN"] == LEFT
