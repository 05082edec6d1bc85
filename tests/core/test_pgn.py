"""Reading PGN: what becomes of a game's text, and what cannot be read."""

from datetime import UTC, datetime
from io import BytesIO

import pytest

from core import pgn
from core.game import Game, PartialDate, Side, Unreadable
from core.oddities import Odd, Oddity

HEAD = '[Event "A"]\n[White "Rossi, Mario"]\n[Black "Bianchi"]\n[Result "1-0"]\n'


def one(text: str | bytes, **limits: int) -> Game | Unreadable:
    (found,) = pgn.read(text, limits=pgn.Limits(**limits))
    return found


def game(text: str | bytes) -> Game:
    found = one(text)
    assert isinstance(found, Game), found
    return found


def fault(text: str | bytes, **limits: int) -> Unreadable:
    found = one(text, **limits)
    assert isinstance(found, Unreadable), found
    return found


def moves(movetext: str, head: str = HEAD) -> str:
    return " ".join(game(f"{head}\n{movetext}\n").moves)


def test_fields():
    """Every tag that has a field fills it, and all tags are kept."""
    text = (
        '[Event "Club"]\n[Site "Town"]\n[Date "2024.05.??"]\n[Round "3.1"]\n[White "Rossi, Mario"]\n'
        '[Black "?"]\n[Result "1/2"]\n[WhiteElo "2100"]\n[BlackElo "-"]\n[WhiteTitle "FM"]\n[BlackTitle "-"]\n'
        '[WhiteFideId "123"]\n[WhiteTeam "Alpha"]\n[ECO "C20"]\n[Opening "King\'s Pawn"]\n[Annotator "Verdi"]\n'
        '[TimeControl "5400+30"]\n[Termination "normal"]\n\n1. e4 e5 1/2-1/2\n'
    )
    found = game(text)
    assert found.white == Side(name="Rossi, Mario", fide_id="123", rating=2100, title="FM", team="Alpha")
    assert found.black == Side(name="?")
    assert (found.date, found.result) == (PartialDate(2024, 5), "1/2-1/2")
    assert (found.event, found.site, found.round, found.eco) == ("Club", "Town", "3.1", "C20")
    assert (found.opening, found.annotator, found.termination) == ("King's Pawn", "Verdi", "normal")
    assert (found.time_control, found.time_class) == ("5400+30", "classical")
    assert (found.variant, found.start, found.start_fen) == ("standard", "", None)
    assert found.moves == ("e2e4", "e7e5")
    assert found.tags[0] == ("Event", "Club")
    assert len(found.tags) == 18
    assert found.raw == text.encode()
    assert found.oddities == ()
    assert not found.online


def test_what_tags_do_not_say_is_none():
    """Empty tags and question marks are no values; a name that is missing is empty."""
    found = game('[Event "?"]\n[Site ""]\n[White " "]\n[WhiteElo "?"]\n\n1. e4 *\n')
    assert (found.event, found.site, found.round, found.white.rating) == (None, None, None, None)
    assert (found.white.name, found.black.name) == (" ", "")


def test_comments_variations_and_signs_survive_in_raw():
    """They are left out of the moves and noted."""
    text = HEAD + "\n1. e4 $1 {good (1. f3} (1. d4 {x} d5 (1... Nf6)) 1... e5 ; rest 2. d4\n2. Nf3 !? 1-0\n"
    found = game(text)
    assert found.moves == ("e2e4", "e7e5", "g1f3")
    assert found.has_comments
    assert found.has_variations
    assert found.raw == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "1.e4 e5 2.Nf3 Nc6",
        "1. e4 1... e5 2. Nf3 2... Nc6",
        "1 e4 e5 2 Nf3 Nc6",
        "1.e4 1…e5 2.Nf3 2. … Nc6",
        "1. e4 e5\n2. Nf3\n\n\nNc6",
        "1.e4! e5?! 2.Nf3!! Nc6 ?",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
        "1. e2e4 e7e5 2. g1f3 b8c6",
        "1. Pe4 Pe5 2. N1f3 Nbc6",
        "1. e4 e5 2. Nf3 Nc6+-",
        "1. ♙e4 e5 2. ♘f3 ♞c6",
        "1. e4 $4 e5$10 2. Nf3{x}Nc6",
        "%x\n1. e4 e5\n% 2. d4\n2. Nf3 Nc6",
        "e4 e5 Nf3 Nc6",
        "1. e4\x00e5 2. Nf3 Nc6 \x1a",
    ],
)
def test_ways_to_write_moves(text):
    """However it is written, it is the same line."""
    assert moves(text + " 1-0") == "e2e4 e7e5 g1f3 b8c6"


CASTLING = '[FEN "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"]\n'


@pytest.mark.parametrize("text", ["O-O", "0-0", "o-o", "O-O!", "O–O", "0-0+", "e1g1", "Ke1-g1", "Kg1"])
def test_ways_to_castle(text):
    """Castling with letters, zeros, dashes of all kinds, or as king steps; but not as a step of the king alone."""
    if text == "Kg1":
        assert "illegal" in fault(f"{CASTLING}\n1. {text} *").reason
        return
    found = game(f"{CASTLING}\n1. {text} O-O-O *")
    assert found.moves == ("e1g1", "e8c8")
    assert found.castlings == (0, 1)


@pytest.mark.parametrize(
    "text", ["e8=Q", "e8Q", "e8(Q)", "e8 (Q)", "e8=(Q)", "e8/Q", "e8=q", "e7e8q", "e7-e8=Q+", "e8Q+!"]
)
def test_ways_to_promote(text):
    """The piece behind `=`, in brackets, or just behind."""
    assert moves(f"1. {text} *", '[FEN "7k/4P3/8/8/8/8/8/K7 w - - 0 1"]\n') == "e7e8q"


@pytest.mark.parametrize("text", ["exd6", "exd6 e.p.", "exd6e.p.", "e5xd6", "ed6", "e5:d6", "exd6ep"])
def test_ways_to_take_en_passant(text):
    """With and without the remark."""
    fen = '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n'
    assert moves(f"1. {text} *", fen) == "e5d6"


@pytest.mark.parametrize("null", ["--", "Z0", "0000"])
def test_null_moves(null):
    """A side that passes in an analysis."""
    assert moves(f"1. e4 {null} 2. d4 *") == "e2e4 0000 d2d4"


@pytest.mark.parametrize("text", ["1-0", "1 - 0", "½-½", "1/2", "1:0", "0.5-0.5", "*"])
def test_result_tokens(text):
    """Results as people write them; torn apart they are no result."""
    found = one(f'[Event "A"]\n[Result "?"]\n\n1. e4 {text}\n')
    if text == "1 - 0":
        assert isinstance(found, Unreadable)
        return
    assert isinstance(found, Game)
    assert found.result == {"1-0": "1-0", "1:0": "1-0", "*": "*"}.get(text, "1/2-1/2")


def test_double_loss():
    """`0-0` is a result where the tag says so and it is the last token, else a castling."""
    found = game('[Event "A"]\n[Result "0-0"]\n\n0-0\n')
    assert (found.result, found.moves) == ("0-0", ())
    assert game(CASTLING + '[Result "0-0"]\n\n1. 0-0 0-0-0 0-0\n').moves == ("e1g1", "e8c8")


def test_header_alone():
    """With a result it is a game of no moves (a forfeit); without one it is nothing."""
    found = game('[Event "A"]\n[Termination "Abandoned"]\n[Result "1-0"]\n')
    assert (found.ply_count, found.result) == (0, "1-0")
    assert game('[Event "A"]\n\n*\n').ply_count == 0
    assert "neither" in fault('[Event "A"]\n[White "Rossi"]\n').reason


def test_first_tag_wins():
    """Of two tags of one name the first counts; both are kept, and it is said."""
    found = game('[Event "A"]\n[WhiteFideId "1"]\n[WhiteFideId "2"]\n\n1. e4 *\n')
    assert found.white.fide_id == "1"
    assert found.tags[1:] == (("WhiteFideId", "1"), ("WhiteFideId", "2"))
    assert found.oddities[0] == Oddity(Odd.REPEATED_TAG, "WhiteFideId")


def test_cut_off_game_is_kept_with_a_warning():
    """The tag says 1-0, but the moves have no end marker."""
    found = game(f"{HEAD}\n1. e4 e5\n")
    assert found.result == "1-0"
    assert found.oddities == (pgn.NO_END,)


def test_stream_that_breaks_off():
    """The game in which a stream failed is not taken for a shorter one; a whole one before is."""
    whole = pgn.Piece(f"{HEAD}\n1. e4 e5 1-0\n".encode(), 0, 1, cut_off=True)
    assert isinstance(pgn.read_piece(whole), Game)
    torn = pgn.Piece(f"{HEAD}\n1. e4 e5".encode(), 0, 1, cut_off=True)
    assert isinstance(pgn.read_piece(torn), Unreadable)


def test_tag_and_moves_disagree_on_the_result():
    """The tag counts (RULES A29), with a warning."""
    found = game(f"{HEAD}\n1. e4 e5 0-1\n")
    assert found.result == "1-0"
    assert found.oddities == (Oddity(Odd.RESULT_DIFFERS, "1-0 and 0-1"),)


@pytest.mark.parametrize(
    ("text", "reason", "at"),
    [
        ("1. e4 sdfg e5", "unknown token 'sdfg'", "sdfg"),
        ("1. e4 e5 2. Ke3", "illegal move 'Ke3' of White, number 2", "Ke3"),
        ("1. e4 e5 2. Sf3", "unknown token", "Sf3"),
        ("1. d4 d5 2. Nf3 e6 3. Nd2", "ambiguous move 'Nd2'", "Nd2"),
        ("1. e4 (1. d4 d5 1... e5", "a variation is not closed", "("),
        ("1. e4 ) e5", "a variation is closed that was never opened", ")"),
        ("1. e4 } e5", "a comment is closed that was never opened", "}"),
        ("1. e4 { e5", "a comment is not closed", "{"),
        ("1. e4 1-0 e5", "behind the result", "e5"),
        ("1. e4 e5 2. N@f3", "illegal move 'N@f3'", "N@f3"),
        ("1. e4 <x> e5", "unknown token '<x>'", "<x>"),
        ("1. e8", "illegal move", "e8"),
        ("1. e4 d5 2. exd6", "illegal move", "exd6"),
        ("1. e4 f6 2. d3 g5 3. Qh5 --", "illegal move '--' of Black, number 3", "--"),
    ],
)
def test_what_is_wrong_and_where(text, reason, at):
    """A game that cannot be read says why and where; nothing is skipped."""
    whole = f"{HEAD}\n{{ä}} {text} 1-0\n"
    found = fault(whole)
    assert reason in found.reason
    assert found.position == len(whole.encode().split(f" {at}".encode(), 1)[0]) + 1
    assert found.tags[0] == ("Event", "A")
    assert found.raw == whole.encode()


def test_illegal_move_tells_the_position():
    """The reason holds move number and FEN."""
    reason = fault(f"{HEAD}\n1. e4 e5 2. Bb4\n").reason
    assert (
        "'Bb4' of White, number 2, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" in reason
    )


def test_neighbours_of_a_broken_game():
    """A bad token or an unknown variant costs one game (python-chess#773, #1087, #794)."""
    good = '[Event "G"]\n[White "Verdi"]\n[Black "Neri"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
    for broken in (
        f"{HEAD}\n1. e4 xyzzy e5 1-0\n\n",
        f"{HEAD}\n1. e4 {{ lost 1-0\n\n",
        f'{HEAD}[Variant "Bughouse"]\n\n1A. e4 1a. e5 5b. $146@g4 1-0\n\n',
        f'{HEAD}[White "cut\n',
        "<html>\n<body>error</body>\n</html>\n\n",
        '[Event "A"]\n[FEN "?"]\n[SetUp "1"]\n\n1. e4 *\n\n',
    ):
        found = list(pgn.read(good + broken + good))
        assert [type(each) for each in found] == [Game, Unreadable, Game], broken
        assert found[0] == found[2]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Helbich, Ján".encode(), "Helbich, Ján"),
        (b"\xef\xbb\xbf" + "Müller".encode(), "Müller"),
        ("Helbich, Ján".encode("cp1252"), "Helbich, Ján"),
        (b"a\x93b\x94", "a“b”"),
        (b"x\x90y\x81\xe4", "x\x90y\x81ä"),
        (b"NU\x00L", "NUL"),
    ],
)
def test_encodings(raw, name):
    """UTF-8 with or without BOM, else cp1252; what that leaves undefined is Latin-1; no NUL in a text."""
    head = b""
    if raw.startswith(b"\xef\xbb\xbf"):
        head, raw = raw[:3], raw[3:]
    assert game(head + b'[White "' + raw + b'"]\n\n1. e4 *\n').white.name == name


def test_encoding_is_of_each_game():
    """A file joined of two encodings has all its names right."""
    text = '[Event "A"]\n[White "Gómez"]\n\n1. e4 *\n\n'
    names = [
        found.white.name
        for found in pgn.read(text.encode() + text.encode("cp1252"))
        if isinstance(found, Game)
    ]
    assert names == ["Gómez", "Gómez"]


def test_text_with_surrogates():
    """A text that was read with `surrogateescape` gets its bytes back; other surrogates cost a question mark."""
    assert game('[White "J\udce1n"]\n\n1. e4 *').white.name == "Ján"
    assert game('[White "J\ud800n"]\n\n1. e4 *').white.name == "J?n"


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        (r'[White "O\"Neil"]', 'O"Neil'),
        (r'[White "back\\slash"]', r"back\slash"),
        (r'[White "C:\chess"]', r"C:\chess"),
        ('[White "The "Great" One"]', 'The "Great" One'),
        ('[White "C:\\"]', "C:\\"),
        ('[ White   "x" ]', "x"),
        ('  [White "x"]', "x"),
        ('[White\n"x"]', "x"),
        ('[White "Ro\n  ssi"]', "Ro ssi"),
        ('[White "1. e4 (e5) {x} ; 1-0"]', "1. e4 (e5) {x} ; 1-0"),
        ('[White "a]b"]', "a]b"),
        ("[White Rossi]", "Rossi"),
    ],
)
def test_ways_to_write_tags(tag, value):
    """Tags as the standard has them, and as programs have them."""
    assert game(f'{tag}\n[Black "B"]\n\n1. e4 *\n').tags[:2] == (("White", value), ("Black", "B"))


def test_tag_that_is_not_closed():
    """A header that breaks off is unreadable; it does not eat the moves."""
    found = fault('[Event "A"]\n[White "Rossi\n\n1. e4 *\n')
    assert "not closed" in found.reason
    assert found.position == 12


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"<!DOCTYPE html>\n<html></html>", "HTML"),
        (b"\n <html><body>Too many requests</body></html>", "HTML"),
        (b'<?xml version="1.0"?><x/>', "HTML"),
        (b'{"error": "Not found"}', "JSON"),
        (b"{}", "JSON"),
        (b'[{"id": 1}]', "JSON"),
        (b"\x1f\x8b\x08\x00\x00\x00", "gzip"),
        (b"\xff\xfe[\x00E\x00", "UTF-16"),
        (b"PK\x03\x04 rest", "zip"),
        (bytes(range(256)), "binary"),
    ],
)
def test_bodies_that_are_no_pgn(body, what):
    """They are recognised before anything is parsed."""
    assert what in (pgn.not_pgn(body) or "")
    assert what in fault(body).reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"1. e4",
        b'{"Quoted" comment} 1. e4',
        b'[Event "A"]',
        b"{ [%clk 1] } e4",
        b"\xef\xbb\xbf[Event",
        b"\x00" * 99 + b"1. e4 *" + b"\x00" * 999,
    ],
)
def test_bodies_that_may_be_pgn(body):
    """Comments and tags are not mistaken for JSON."""
    assert pgn.not_pgn(body) is None


def test_sources():
    """Text, bytes and binary files are read alike; nothing, and blanks, hold no game."""
    text = f"{HEAD}\n1. e4 1-0\n"
    assert game(text) == game(text.encode()) == next(pgn.read(BytesIO(text.encode())))
    assert list(pgn.read("")) == list(pgn.read(b" \r\n\x00\n")) == []


def test_limits():
    """Too long, too many moves, too many tags, too slow: all cost this game alone."""
    text = f"{HEAD}\n1. e4 e5 2. Nf3 1-0\n"
    assert "longer than 50 bytes" in fault(text, max_bytes=50).reason
    assert "more than 2 half moves" in fault(text, max_plies=2).reason
    assert "more than 3 tags" in fault(text, max_tags=3).reason
    (slow,) = pgn.read(text, limits=pgn.Limits(overdue=lambda: True))
    assert isinstance(slow, Unreadable)
    assert "too long" in slow.reason


def test_times_of_online_games():
    """UTCDate and UTCTime are the start where the site wrote them; elsewhere they only date the file."""
    online = (
        '[Event "rated blitz game"]\n[Site "https://lichess.org/abcdEFGH"]\n[White "mrossi90"]\n[Black "x"]\n'
        '[WhiteElo "1500"]\n[UTCDate "2024.05.12"]\n[UTCTime "10:11:12"]\n[TimeControl "180+2"]\n\n1. e4 *\n'
    )
    found = game(online)
    assert found.started_at == datetime(2024, 5, 12, 10, 11, 12, tzinfo=UTC)
    assert (found.online, found.source, found.native_id) == (True, "lichess", "abcdEFGH")
    assert (found.url, found.time_class) == ("https://lichess.org/abcdEFGH", "blitz")
    assert game(online.replace("Event", 'BroadcastName "X"]\n[Event', 1)).started_at is None


def test_end_of_chesscom_games():
    """EndDate and EndTime where the zone is UTC."""
    head = '[Event "Live Chess"]\n[Site "Chess.com"]\n[EndDate "2024.05.12"]\n[EndTime "10:11:12"]\n{}\n1. e4 *\n'
    assert game(head.format('[Timezone "UTC"]\n')).ended_at == datetime(2024, 5, 12, 10, 11, 12, tzinfo=UTC)
    assert game(head.format("")).ended_at is None
