"""Where a game starts and by which rules: variants, FENs and their normal form."""

import chess
import pytest

from core.game import Game, Unreadable
from core.pgn.reader import parse
from core.pgn.variants import variant_key

START_960 = "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w HBhb - 0 1"


def read(tags: str, moves: str = "*") -> Game | Unreadable:
    lines = "\n".join(f'[{line.strip()}"]' for line in tags.split('"]') if line.strip(" []"))
    return parse(f"{lines.replace('[[', '[')}\n\n{moves}\n".encode())


def game(tags: str, moves: str = "*") -> Game:
    found = read(tags, moves)
    assert isinstance(found, Game), found
    return found


def fen(text: str, moves: str = "*", more: str = "") -> Game:
    return game(f'[FEN "{text}"]{more}', moves)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Standard", "standard"),
        ("From Position", "standard"),
        ("Chess960", "chess960"),
        ("fischerandom", "chess960"),
        ("Fischer Random", "chess960"),
        ("wild/fr", "chess960"),
        ("King of the Hill", "kingOfTheHill"),
        ("KingOfTheHill", "kingOfTheHill"),
        ("Three-check", "threeCheck"),
        ("3-Check", "threeCheck"),
        ("Antichess", "antichess"),
        ("Racing Kings", "racingKings"),
        ("crazyhouse", "crazyhouse"),
        ("Bughouse", None),
        ("Capahouse960", None),
        ("Seirawan", None),
    ],
)
def test_names_of_variants(name, key):
    """lichess, chess.com and FICS write them in their own ways; what is not known is not guessed."""
    assert variant_key(name) == key


@pytest.mark.parametrize(
    ("event", "key"),
    [
        ("FICS rated blitz game", "standard"),
        ("FICS unrated untimed game", "standard"),
        ("FICS rated wild/fr game", "chess960"),
        ("FICS rated crazyhouse game", "crazyhouse"),
        ("FICS rated atomic game", "atomic"),
        ("FICS rated suicide game", "suicide"),
        ("FICS rated losers game", "losers"),
        ("ICS unrated atomic match", "atomic"),
        ("Live Chess - Chess960", "chess960"),
        ("Let's Play! - King of the Hill", "kingOfTheHill"),
        ("rated variant:crazyhouse game", "crazyhouse"),
        ("Club championship", "standard"),
    ],
)
def test_variant_in_the_event_alone(event, key):
    """Older FICS files have no Variant tag (sites trap 70)."""
    start = f'[FEN "{START_960}"]' if key == "chess960" else ""
    assert game(f'[Event "{event}"]{start}').variant == key


@pytest.mark.parametrize(
    "tags", ['[Variant "Bughouse"]', '[Event "FICS rated bughouse match"]', '[Variant "Capahouse960"]']
)
def test_unknown_variant(tags):
    """Its moves are not read as normal chess; the reason names it."""
    found = read(tags, "1. e4 e5 1-0")
    assert isinstance(found, Unreadable)
    assert "ouse" in found.reason
    assert "not known" in found.reason


@pytest.mark.parametrize(
    ("tags", "moves", "uci"),
    [
        ('[Variant "Crazyhouse"]', "1. e4 d5 2. exd5 Qxd5 3. @e6 P@h3 4. p@h6", None),
        ('[Variant "Crazyhouse"]', "1. e4 d5 2. exd5 Qxd5 3. @e6 fxe6 4. Nc3 P@a3", "P@a3"),
        ('[Variant "Antichess"]', "1. e3 b5 2. Bxb5", "f1b5"),
        ('[Variant "Antichess"]', "1. e3 b5 2. Ba6", None),
        ('[Event "FICS rated losers game"]', "1. e3 b5 2. Bxb5", "f1b5"),
        ('[Event "FICS rated losers game"]', "1. e3 b5 2. Nf3", None),
        ('[Variant "Atomic"]', "1. Nf3 e5 2. Nxe5 d6", "d7d6"),
        ('[Variant "Horde"]', "1. b4", None),
        ('[Variant "Racing Kings"]', "1. Kh3 Ka3", "a2a3"),
        ('[Variant "Horde"]', "1. e5 e5", None),
        ('[FEN "8/4P3/8/8/8/7k/8/8 w - - 0 1"][Variant "Antichess"]', "1. e8=K", "e7e8k"),
        ("", "1. e8=K", None),
    ],
)
def test_rules_of_variants(tags, moves, uci):
    """Moves are played by the rules of their variant."""
    found = read(f'[Event "x"]{tags}' if "Event" not in tags else tags, moves + " *")
    if uci is None:
        assert isinstance(found, Unreadable)
    else:
        assert isinstance(found, Game), found
        assert found.moves[-1] == uci


STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize(
    "text",
    [
        f"{STANDARD} w KQkq - 0 1",
        f"{STANDARD} w KQkq - 5 30",
        f"{STANDARD} w HAha - 0 1",
        f"{STANDARD} w KQkq e3 0 1",
        f"  {STANDARD}   w  KQkq -",
        f"{STANDARD} w AHah -",
    ],
)
def test_standard_position_is_no_position(text):
    """However its FEN is written, the standard position is the same as no FEN (names A30)."""
    found = fen(text, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *", '[SetUp "1"]')
    assert (found.start, found.start_fen, found.moves[-1], found.castlings) == ("", None, "e1g1", (6,))
    assert game('[Variant "Chess960"]' + f'[FEN "{text}"]').start == ""


def test_castling_rights_are_part_of_the_position():
    """As rook squares, so that no way to write them makes a difference; without them it is another position."""
    start = fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert start.start == "r3k2r/8/8/8/8/8/8/R3K2R w a1h1a8h8 -"
    assert fen("r3k2r/8/8/8/8/8/8/R3K2R w AHah - 7 9").start == start.start
    assert fen("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1").start != start.start
    assert fen(f"{STANDARD} w - - 0 1").start != ""
    # A right without its rook or king is none.
    assert fen("4k2r/8/8/8/8/8/8/R4K2 w KQkq - 0 1").start == "4k2r/8/8/8/8/8/8/R4K2 w a1h8 -"


def test_en_passant_only_where_it_can_be_taken():
    """The square counts where a capture on it is legal."""
    taken = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert fen(taken).start.endswith(" d6")
    assert fen("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").start.endswith(" -")
    # The pawn that would take is pinned.
    assert fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1").start.endswith(" -")


@pytest.mark.parametrize("rights", ["KQkq", "HBhb", "BHbh", "HQkb"])
def test_chess960_without_variant_tag(rights):
    """chess.com's Shredder-FEN and X-FEN say the same (tarrasch#39)."""
    found = fen(f"qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w {rights} - 0 1", "1. Ncd3 Ncd6 *")
    assert found.variant == "chess960"
    assert found.rules == "standard"
    assert found.start == "qrnknbbr/pppppppp/8/8/8/8/PPPPPPPP/QRNKNBBR w b1h1b8h8 -"


def test_chess960_castling_is_king_takes_rook():
    """Where king and rooks are elsewhere, the move names the rook; it is not a step of the king then."""
    found = fen("1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 0 1", "1. O-O *")
    assert (found.moves, found.castlings) == (("d1g1",), ())
    found = fen("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", "1. O-O-O *", '[Variant "Chess960"]')
    assert (found.moves, found.castlings) == (("d1b1",), ())


@pytest.mark.parametrize("fen", ["", '[FEN "?"]', '[FEN ""]', '[SetUp "0"][FEN " "]'])
@pytest.mark.parametrize(
    "variant",
    [
        '[Variant "Chess960"]',
        '[Variant "fischerandom"]',
        '[Variant "From Position"]',
        '[Event "FICS rated wild/fr game"]',
        '[Event "FICS rated wild/5 game"]',
        '[Event "Live Chess - Chess960"]',
    ],
)
def test_own_start_without_fen(variant, fen):
    """Whatever starts from a position of its own cannot be read without it, nor taken for a usual game."""
    found = read(f"{variant}{fen}", "1. e4 e5 *")
    assert isinstance(found, Unreadable)
    assert "needs a FEN" in found.reason


def test_chess960_from_the_usual_position():
    """It is one of the 960, if the FEN says so."""
    found = game(f'[Variant "Chess960"][FEN "{STANDARD} w KQkq - 0 1"]')
    assert (found.variant, found.start) == ("chess960", "")


@pytest.mark.parametrize("text", ["", "?"])
def test_fen_that_says_nothing(text):
    """It is not a FEN, unless SetUp says that there is one: then the start is unknown."""
    assert fen(text, "1. e4 *").start == ""
    assert isinstance(read(f'[FEN "{text}"]', "1. e5 *"), Unreadable)
    found = read(f'[SetUp "1"][FEN "{text}"]', "1. e4 *")
    assert isinstance(found, Unreadable)
    assert "SetUp" in found.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rubbish", "cannot be read"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no pieces"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("4k3/8/8/8/8/8/8/KK6 w - - 0 1", "too many kings"),
        ("4k2P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn on the first or last rank"),
        ("4k3/4R3/8/8/8/8/8/K7 w - - 0 1", "not to move is in check"),
        (f"{STANDARD}/8 w KQkq - 0 1", "cannot be read"),
        (f"{STANDARD} x KQkq - 0 1", "cannot be read"),
        (f"{STANDARD} w KQkq - 0 1 | {STANDARD} w KQkq - 0 1", "cannot be read"),
        (f"{STANDARD} w KQkq - {'9' * 5000} 1", "cannot be read"),
    ],
)
def test_fen_that_is_no_position(text, reason):
    """The game is unreadable, and the reason says what is wrong with its FEN."""
    found = read(f'[FEN "{text}"]', "1. e4 *")
    assert isinstance(found, Unreadable)
    assert reason in found.reason
    assert len(found.reason) < 300


def test_positions_that_no_game_reaches():
    """Odds and puzzles can be played: too many queens, no pawns, three checks at once."""
    assert fen("QQQQQQQQ/Q3Q3/8/8/8/8/7k/K7 b - - 0 1").start
    assert fen("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1", "1. Kd2 *").moves == ("e1d2",)


def test_extras_of_variants_are_part_of_the_position():
    """Pieces in hand and checks left."""
    hand = "4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1"
    starts = {fen(hand.format(held), more='[Variant "Crazyhouse"]').start for held in ("", "Q", "q", "QQ")}
    assert len(starts) == 4
    checks = "4k3/8/8/8/8/8/8/4K3 w - - {} 0 1"
    starts = {
        fen(checks.format(left), more='[Variant "Three-check"]').start for left in ("3+3", "1+3", "3+1")
    }
    assert len(starts) == 3
    promoted = {
        fen(f"4k3/8/8/8/8/8/8/4K2{q} w - - 0 1", more='[Variant "Crazyhouse"]').start for q in ("Q", "Q~")
    }
    assert len(promoted) == 2


@pytest.mark.parametrize(
    ("variant", "first"),
    [("Horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
     ("Racing Kings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
     ("Three-check", f"{STANDARD} w KQkq - 3+3 0 1"),
     ("Crazyhouse", f"{STANDARD}[] w KQkq - 0 1"),
     ("Crazyhouse", f"{STANDARD}/ w KQkq - 0 1"),
     ("Antichess", f"{STANDARD} w - - 0 1")],
)  # fmt: skip
def test_first_positions_of_variants(variant, first):
    """A FEN that only repeats the variant's own first position is none; sites write it all the same."""
    assert fen(first, more=f'[Variant "{variant}"]').start == ""
    assert game(f'[Variant "{variant}"]').start == ""


def test_start_fen_is_a_whole_fen():
    """It can be given to any program, and is the same position."""
    found = fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 40")
    assert found.start_fen == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 40"
    assert chess.Board(found.start_fen).is_valid()


def test_wild_positions_of_fics():
    """wild/5 and its like are start positions of normal chess."""
    found = fen(
        "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
        "1. Nf6 Nf3 2. g8=Q *",
        '[Event "FICS rated wild/5 game"]',
    )
    assert isinstance(found, Game)
    assert found.moves[-1] == "g7g8q"
    assert (found.variant, found.rules) == ("standard", "standard")
