"""Results as people write them after the moves: read where PGN's own form would be, with a note."""

import pytest

from core.game import Game, Unreadable
from core.oddities import Odd
from core.pgn.movetext import read_movetext
from core.pgn.reader import parse
from core.pgn.writer import with_tags, without_moves
from core.results import spoken


def pgn(end: str, tag: str | None = None, moves: str = "1. e4 e5") -> bytes:
    """A game whose moves end so, with this tag Result."""
    result = "" if tag is None else f'[Result "{tag}"]\n'
    return f'[Event "Club"]\n[White "Rossi"]\n[Black "Verdi"]\n{result}\n{moves} {end}\n'.encode()


ENDS = [
    ("1 - 0", "1-0"),
    ("0 – 1", "0-1"),
    ("1 : 0", "1-0"),
    ("1- 0", "1-0"),
    ("½ - ½", "1/2-1/2"),
    ("1/2 - 1/2", "1/2-1/2"),
    ("0.5 – 0.5", "1/2-1/2"),
    ("1-0 FF", "1-0"),
    ("1-0\nFF", "1-0"),
    ("0-1 F.F.", "0-1"),
    ("0-1, time", "0-1"),
    ("1-0/forfeit", "1-0"),
    ("1-0.", "1-0"),
    ("1-0 Black resigns (time)", "1-0"),
    ("1/2-1/2 agreed", "1/2-1/2"),
    ("½ patta", "1/2-1/2"),
    ("+ -", "1-0"),
    ("- +", "0-1"),
    ("+:-", "1-0"),
    ("-:+", "0-1"),
]


@pytest.mark.parametrize(("end", "result"), ENDS)
def test_a_result_in_words_and_signs(end: str, result: str) -> None:
    """It is the result, with a note, where the tag says the same or nothing."""
    for tag in (None, "?", result, " - ".join(result.split("-"))):
        game = parse(pgn(end, tag))
        assert isinstance(game, Game), game
        assert (game.result, len(game.moves)) == (result, 2)
        assert [(one.code, one.detail) for one in game.oddities] == [
            (Odd.RESULT_FORM, " ".join(("1-0" if end == "1-0." else end).split()))
        ]


@pytest.mark.parametrize(("end", "result"), ENDS)
def test_the_tag_says_something_else(end: str, result: str) -> None:
    """Where the tag says another result, the game waits for somebody to decide."""
    assert isinstance(parse(pgn(end, "0-1" if result != "0-1" else "1-0")), Unreadable)


@pytest.mark.parametrize(
    ("end", "result"),
    [("1-0", "1-0"), ("1–0", "1-0"), ("½:½", "1/2-1/2"), ("0-1 (time)", "0-1"), ("1-0 {FF}", "1-0")],
)
def test_what_needs_no_note(end: str, result: str) -> None:
    """PGN's own form with other dashes, a comment or a variation after it, is nothing special."""
    game = parse(pgn(end))
    assert isinstance(game, Game)
    assert (game.result, game.oddities) == (result, ())


@pytest.mark.parametrize(
    "end",
    [
        "1-0 2. d4",
        "1-0 O-O",
        "1-0 null",
        "1 - 0 e4",
        "1-0 FF 1. d4",
        "- 0",
        "1 -",
        "White resigns",
        "1-0 " + "a" * 61,
    ],
)
def test_what_is_not_a_result(end: str) -> None:
    """Moves after a result, half a result, and words without one are not guessed at."""
    assert isinstance(parse(pgn(end)), Unreadable)


def test_an_evaluation_is_not_a_result() -> None:
    """``+-`` after the moves is what an annotator thinks of the position."""
    game = parse(pgn("+-"))
    assert isinstance(game, Game)
    assert (game.result, [one.code for one in game.oddities]) == ("*", [Odd.NO_END])


def test_the_tag_says_unfinished() -> None:
    """A tag ``*`` counts, as it does before PGN's own form, and both are noted."""
    game = parse(pgn("1-0 FF", "*"))
    assert isinstance(game, Game)
    assert (game.result, {one.code for one in game.oddities}) == ("*", {Odd.RESULT_DIFFERS, Odd.RESULT_FORM})


def test_only_the_end_is_looked_at() -> None:
    """A comment that speaks of a result stays a comment, and the fault before the end is told."""
    assert read_movetext("1. e4 {1 - 0 would be nice} e5 1 - 0").spoken == "1 - 0"
    fault = parse(pgn("1 - 0", moves="1. e4 nonsense e5"))
    assert isinstance(fault, Unreadable)
    assert "nonsense" in fault.reason


def test_a_long_text_takes_no_longer() -> None:
    """Only so much of the end is looked at: what stands far before it is not a result."""
    assert spoken("1-0 " + " " * 1000 + "FF") is None
    assert spoken("1 - 0" + " " * 100) is not None


@pytest.mark.parametrize(
    ("movetext", "edited", "unusual"),
    [
        ("1. e4 1 - 0", "1. e4 0-1", "1. e4 1 - 0"),
        ("1. e4 1-0 FF", "1. e4 0-1", "1. e4 1-0"),
        ("1. e4 {1-0} ½ agreed\n", "1. e4 {1-0} 0-1\n", "1. e4 {1-0} 1/2-1/2\n"),
        ("1. e4 +-", "1. e4 +-", "1. e4 +-"),
        ("1. e4 ; 1 - 0", "1. e4 ; 1 - 0", "1. e4 ; 1 - 0"),
    ],
)
def test_an_edited_result(movetext: str, edited: str, unusual: str) -> None:
    """An edited game says one result: what was written after its moves goes, an annotator's sign stays."""
    raw = f'[Result "1-0"]\n\n{movetext}'.encode()
    assert with_tags(raw, {"Result": "0-1"}) == f'[Result "0-1"]\n\n{edited}'.encode()
    assert with_tags(raw, {"Result": "won"}) == f'[Result "won"]\n\n{unusual}'.encode()
    assert isinstance(parse(with_tags(raw, {"Result": "0-1"})), Game)


def test_tags_alone_keep_the_result() -> None:
    """What is kept of a game without its moves ends in the usual form of its result."""
    assert without_moves(pgn("0 - 1 (time)")).endswith(b"\n\n0-1\n")
