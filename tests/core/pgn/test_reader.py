"""Reading PGN: what becomes of a game's text, and what cannot be read."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from core.game import Game, PartialDate, Side, Unreadable
from core.oddities import Odd, Oddity
from core.pgn import reader

HEAD = '[Event "A"]\n[White "Rossi, Mario"]\n[Black "Bianchi"]\n[Result "1-0"]\n'


def one(text: str | bytes, **limits: Any) -> Game | Unreadable:
    (found,) = reader.read(text, limits=reader.Limits(**limits))
    return found


def game(text: str | bytes) -> Game:
    found = one(text)
    assert isinstance(found, Game), found
    return found


def fault(text: str | bytes, **limits: Any) -> Unreadable:
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
    """Empty tags and question marks are not values; a name that is missing is empty."""
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
    """The piece after `=`, in brackets, or right after the square."""
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
    """Results as people write them; `test_results.py` has more of them."""
    found = one(f'[Event "A"]\n[Result "?"]\n\n1. e4 {text}\n')
    assert isinstance(found, Game)
    assert found.result == {"1-0": "1-0", "1 - 0": "1-0", "1:0": "1-0", "*": "*"}.get(text, "1/2-1/2")


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
    found = game('[Event "A"]\n[ECO "B00"]\n[ECO "C20"]\n\n1. e4 *\n')
    assert found.eco == "B00"
    assert found.tags[1:] == (("ECO", "B00"), ("ECO", "C20"))
    assert found.oddities == (Oddity(Odd.REPEATED_TAG, "ECO"),)


def test_cut_off_game_is_kept_with_a_warning():
    """The tag says 1-0, but the moves have no end marker."""
    found = game(f"{HEAD}\n1. e4 e5\n")
    assert found.result == "1-0"
    assert found.oddities == (reader.NO_END,)


def test_stream_that_breaks_off():
    """The game in which a stream failed is not taken for a shorter one; a whole one before is."""
    whole = reader.Piece(f"{HEAD}\n1. e4 e5 1-0\n".encode(), 0, 1, cut_off=True)
    assert isinstance(reader.read_piece(whole), Game)
    torn = reader.Piece(f"{HEAD}\n1. e4 e5".encode(), 0, 1, cut_off=True)
    assert isinstance(reader.read_piece(torn), Unreadable)


def test_tag_and_moves_disagree_on_the_result():
    """The tag counts (names A29), with a warning."""
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
        ("1. e4 1-0 e5", "after the result", "e5"),
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
        found = list(reader.read(good + broken + good))
        assert [type(each) for each in found] == [Game, Unreadable, Game], broken
        assert found[0] == found[2]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Helbich, Ján".encode(), "Helbich, Ján"),
        (b"\xef\xbb\xbf" + "Müller".encode(), "Müller"),
        ("Helbich, Ján".encode("cp1252"), "Helbich, Ján"),
        (b"a\x93b\x94", "a“b”"),
        (b"x\x90y\x81\xe4", "x\\x90y\\x81ä"),
        (b"NU\x00L", "NUL"),
    ],
)
def test_encodings(raw, name):
    """UTF-8 with or without BOM, else cp1252; a byte that it does not know is a sign of its own; no NUL in a text."""
    head = b""
    if raw.startswith(b"\xef\xbb\xbf"):
        head, raw = raw[:3], raw[3:]
    assert game(head + b'[White "' + raw + b'"]\n\n1. e4 *\n').white.name == name


def test_encoding_is_of_each_game():
    """A file joined of two encodings has all its names right."""
    text = '[Event "A"]\n[White "Gómez"]\n\n1. e4 *\n\n'
    names = [
        found.white.name
        for found in reader.read(text.encode() + text.encode("cp1252"))
        if isinstance(found, Game)
    ]
    assert names == ["Gómez", "Gómez"]


PIECES = [
    ('[White "{}"]{{\xff}}'.format("Öberg, Åsa").encode().replace(b"\xc3\xbf", b"\xff"), "Öberg, Åsa"),
    ('[White "Öberg, Åsa"]\n[Site "'.encode() + b'M\xfcnchen"]', "Öberg, Åsa"),
    ('[White "Öberg, Åsa'.encode() + b'\x81"]', "Öberg, Åsa\\x81"),
    ('[White "Öberg, Åsa"] [Site "'.encode() + b'\x81"]', "Öberg, Åsa"),
    (b'[White "M\xfcller"]\n[Site "' + 'Málaga"]'.encode(), "Müller"),
    (b'[White "M\x81ller"]', "M\\x81ller"),
]


@pytest.mark.parametrize(("raw", "name"), PIECES)
def test_encoding_is_of_each_piece_of_text(raw, name):
    """One stray byte harms the tag or the line that it is in, and no name elsewhere."""
    found = game(raw + b"\n\n1. e4 {Stra\xdfe \x81 } e5 *\n")
    assert found.white.name == name
    assert found.encoding is None


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp850", "Müller, Jürgen"),
        ("cp1250", "Dvořák, Žižka"),
        ("cp1251", "Фёдоров, Лёва"),
        ("koi8-r", "Алёша, её"),
    ],
)
def test_what_the_user_says_of_the_encoding(encoding, name):
    """It holds for what is not UTF-8, a whole piece of text together, and for nothing else."""
    text = f'[White "{name}"]\n[Black "'.encode(encoding) + f'{name}"]\n\n1. e4 e5 *\n'.encode()
    found = reader.parse(text, encoding=encoding)
    assert isinstance(found, Game)
    assert (found.white.name, found.black.name, found.encoding) == (name, name, encoding)
    (plain,) = [reader.parse(f'[White "{name}"]\n\n1. e4 *\n'.encode(), encoding=encoding)]
    assert isinstance(plain, Game)
    assert (plain.white.name, plain.encoding) == (name, None)


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


@pytest.mark.parametrize("opening", "“”„«»″＂‘’`´'")
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_typographic_quotes(opening, encoding):
    """They are read as quotation marks, and it is said; what is inside stays."""
    text = (
        f'[Event "A"]\n[White {opening}Rossi [x] “M”{opening}]\n[Result “1-0”]\n[Black "B”]\n\n1. e4 e5 *\n'
    )
    (found,) = reader.read(text.encode(encoding, "replace").replace(b"?", opening.encode()))
    assert isinstance(found, Game)
    assert (found.white.name, found.result, found.black.name) == ("Rossi [x] “M”", "1-0", "B")
    odd = [oddity.detail for oddity in found.oddities if oddity.code == Odd.QUOTES]
    assert odd == ["White", "Result", "Black"]


@pytest.mark.parametrize("names", [("white", "black", "result", "fen"), ("WHITE", "BLACK", "RESULT", "Fen")])
def test_names_of_tags_in_other_case(names):
    """They are the known tags; other tags keep their names."""
    white, black, result, fen = names
    text = (
        f'[{white} "Rossi"]\n[{black} "Bianchi"]\n[{result} "1-0"]\n'
        f'[{fen} "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[myTag "x"]\n\n1. e4 1-0\n'
    )
    found = game(text)
    assert (found.white.name, found.black.name, found.result) == ("Rossi", "Bianchi", "1-0")
    assert (found.start_fen or "")[:4] == "4k3/"
    assert [name for name, _ in found.tags] == ["White", "Black", "Result", "FEN", "myTag"]
    assert found.oddities == tuple(Oddity(Odd.TAG_CASE, name) for name in names)


TWICE = [
    ("Event", "A", "B"),
    ("White", "Rossi", "Bianchi"),
    ("Black", "Rossi", "?"),
    ("Date", "2024.05.12", "2024.05.13"),
    ("Result", "1-0", "0-1"),
    ("FEN", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/K7 w - - 0 1"),
    ("Variant", "Standard", "Atomic"),
    ("WhiteFideId", "1", "2"),
    ("BlackFideId", "1", "x"),
]


@pytest.mark.parametrize(("name", "one", "other"), TWICE)
def test_tags_that_contradict_each_other(name, one, other):
    """What makes the game this game cannot be two things: the reason names both, and where the second one is."""
    text = f'[Site "x"]\n[{name} "{one}"]\n[Round "1"]\n[{name} "{other}"]\n\n1. Ke2 *\n'
    found = fault(text)
    assert "twice" in found.reason
    assert repr(one) in found.reason
    assert repr(other) in found.reason
    assert found.position == text.rindex(f"[{name}")
    assert (name, other) in found.tags


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("Event", "A", "A"),
        ("White", "Rossi, Mario", "Rossi,  Mario "),
        ("Date", "2024.05.12", "2024-5-12"),
        ("Result", "1/2", "½–½"),
        ("Variant", "Fischerandom", "Chess960"),
        ("WhiteFideId", "0123", "123"),
        ("white", "Rossi", "Rossi"),
    ],
)
def test_tags_that_say_the_same_twice(name, one, other):
    """One game, and it is said."""
    head = f'[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n[{name} "{one}"]\n'
    found = game(f'{head}[{name.title() if name.islower() else name} "{other}"]\n\n1. e4 e5 *\n')
    assert found.moves == ("e2e4", "e7e5")
    assert Odd.REPEATED_TAG in {oddity.code for oddity in found.oddities}


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1:0", "1-0"),
        ("0 – 1", "0-1"),
        ("1−0", "1-0"),
        ("½:½", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
    ],
)
def test_results_in_tag_and_moves_are_of_one_table(written, result):
    """However it is written: the tag says the same as the end of the moves, and nothing is odd."""
    found = game(f'[Result "{written}"]\n\n1. e4 e5 {"".join(written.split())}\n')
    assert (found.result, found.oddities) == (result, ())


def test_a_star_ends_itself():
    """It is a token of its own, directly after a move too (PGN 7)."""
    (one, two) = reader.read('[Event "A"]\n\n1. e4 e5*\n[Event "B"]\n\n1. d4*[Event "C"]\n'[:-13] + "\n")
    assert isinstance(one, Game)
    assert isinstance(two, Game)
    assert (one.moves, one.result, one.oddities) == (("e2e4", "e7e5"), "*", ())
    assert two.moves == ("d2d4",)


@pytest.mark.parametrize(
    "sign",
    [
        "N",
        "D",
        "RR",
        "TN",
        "+=",
        "=+",
        "+/=",
        "+/-",
        "+-",
        "-+",
        "∓",
        "±",
        "⩲",
        "∞",
        "=∞",
        "→",
        "↑",
        "⇆",
        "□",
        "△",
        "∆",
        "⌓",
        "⊕",
        "⨀",
        "⇔",
        "⟳",
        "○",
        "⊥",
        "ep",
        "e.p.",
        "!?",
        "?!",
        "!!",
        "‼",
        "ch",
        "++",
        "#",
        "mate",
        "~",
        "≈",
        "!N",
        "±□",
        "12",
    ],
)
def test_signs_of_annotators(sign):
    """They say nothing about the moves, alone and directly after one, before and after castling."""
    assert moves(f"1. e4 {sign} e5 {sign} 2. Nf3 Nc6 {sign} *") == "e2e4 e7e5 g1f3 b8c6"
    if not sign.isdecimal():
        assert moves(f"1. e4{sign} e5{sign} 2. Nf3{sign} Nc6 3. Bc4 Bc5 4. O-O{sign} *").endswith("e1g1")


def test_a_novelty_is_no_promotion():
    """N after the move of a piece is a sign, after a pawn on the last rank a knight."""
    fen = '[FEN "7k/4P3/8/8/8/8/8/KN6 w - - 0 1"]\n'
    assert moves("1. Nc3N *", fen) == "b1c3"
    assert moves("1. e8N *", fen) == "e7e8n"
    assert moves("1. Kb2N *", fen) == "a1b2"


@pytest.mark.parametrize("text", ["00", "000", "oo", "R", "Q", "1. e4 xN", "x", "+x"])
def test_what_is_no_sign(text):
    """Nothing is passed over that may be a move, or anything else."""
    assert "unknown token" in fault(f"{HEAD}\n1. e4 {text} *\n").reason


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
    assert what in (reader.not_pgn(body) or "")
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
    assert reader.not_pgn(body) is None


def test_sources():
    """Text, bytes and binary files are read alike; nothing, and blanks, hold no game."""
    text = f"{HEAD}\n1. e4 1-0\n"
    assert game(text) == game(text.encode()) == next(reader.read(BytesIO(text.encode())))
    assert list(reader.read("")) == list(reader.read(b" \r\n\x00\n")) == []


def test_limits():
    """Too long, too many moves, too many tags, too slow: all cost this game alone."""
    text = f"{HEAD}\n1. e4 e5 2. Nf3 1-0\n"
    assert "longer than 50 bytes" in fault(text, max_bytes=50).reason
    assert "more than 2 half moves" in fault(text, max_plies=2).reason
    assert "more than 3 tags" in fault(text, max_tags=3).reason
    (slow,) = reader.read(text, limits=reader.Limits(overdue=lambda: True))
    assert isinstance(slow, Unreadable)
    assert "too long" in slow.reason


def test_the_longest_game_by_the_rules():
    """17,697 plies are possible where each 75 moves without pawn or capture are a draw; there is a bound all the same."""
    shuffle = ("Nf3", "Nf6", "Ng1", "Ng8")
    found = game(f"{HEAD}\n{' '.join(shuffle[ply % 4] for ply in range(17_697))} 1-0\n")
    assert found.ply_count == 17_697
    assert "half moves" in fault(f"{HEAD}\n{' '.join(shuffle * 10_000)} 1-0\n").reason


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
