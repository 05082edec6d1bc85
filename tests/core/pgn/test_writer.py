"""PGN that goes out: other tags on the same moves, and games that stay apart."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.game import Game
from core.pgn import reader
from core.pgn.encodings import decode
from core.pgn.tags import read_tags
from core.pgn.writer import standing_alone, tag, with_tags
from tests.core.pgn.test_reader_fuzz import anything
from tests.examples import examples
from tests.site_files import PGN_FILES

ANNOTATED = (
    b'[Event "Club \\"Torre\\""]\r\n[Site "Roma"]\r\n[White "Rossi, Mario"]\r\n[Black "Bianchi"]\r\n[Result "1-0"]\r\n\r\n'
    b'{Perch\xe9?} 1. e4! {[%clk 0:03:00] [White "no tag"]} e5 (1... c5 2. Nf3 $1 {Open}) 2. Nf3 ; to the end\r\n1-0\r\n'
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def game(raw: bytes) -> Game:
    found = reader.parse(raw)
    assert isinstance(found, Game), found
    return found


def facts(found: Game) -> Game:
    """The game without what a text between others may have otherwise. A side of no name is ``?``."""
    white, black = (replace(side, name=side.name or "?") for side in (found.white, found.black))
    return replace(found, raw=b"", oddities=(), tags=(), white=white, black=black)


def meant(value: str) -> str:
    """What of a value a line of PGN can hold."""
    ((_, kept),) = read_tags(tag("A", value), 9).tags
    return kept


def test_a_tag_is_escaped():
    """Quotes and backslashes are escaped; a line break is a blank, and what is not text is left out."""
    assert tag("White", 'O"Neil \\ Co') == '[White "O\\"Neil \\\\ Co"]'
    assert tag("Event", "a\r\n b\x00\ud800") == '[Event "a b"]'
    with pytest.raises(ValueError, match="not a name of a tag"):
        tag("Ev ent", "x")


@given(texts)
@example('\\"')
@example('x"]\n[White "y')
def test_a_value_comes_back(value):
    """Whatever is written into a tag is read from it; only line breaks become blanks, and other controls vanish."""
    found = game(with_tags(ANNOTATED, {"White": value, "Opening": value}))
    kept = meant(value)
    assert (found.tags[2], found.tags[-1]) == (("White", kept), ("Opening", kept))
    if all(sign >= " " for sign in value):
        assert kept == value


@given(st.dictionaries(st.sampled_from(["Event", "White", "Black", "Round", "Opening"]), texts | st.none()))
def test_other_tags_and_the_movetext_stay(changed):
    """Only the tags that are changed differ: the moves, comments, variations and signs stay byte for byte."""
    text = decode(ANNOTATED)
    written = with_tags(ANNOTATED, changed)
    assert written.endswith(text[text.index("\r\n\r\n{Perch") :].encode())
    before, after = dict(game(ANNOTATED).tags), dict(game(written).tags)
    expected = {name: value for name, value in before.items() if name not in changed}
    expected |= {name: meant(value) for name, value in changed.items() if value is not None}
    assert after == expected
    assert game(written).moves == game(ANNOTATED).moves


@pytest.mark.parametrize(
    ("movetext", "changed"),
    [
        ("1. e4 {1-0} 1-0\r\n\x1a", "1. e4 {1-0} 0-1\r\n\x1a"),
        ("1-0", "0-1"),
        ("1. e4 (1. d4)1-0", "1. e4 (1. d4)0-1"),
        ("1. e4 ; and White won 1-0", "1. e4 ; and White won 1-0"),
        ("1. e4 *\n% 1-0", "1. e4 *\n% 1-0"),
        ("1. e4 {1-0}", "1. e4 {1-0}"),
        ("1. e4", "1. e4"),
    ],
)
def test_another_result(movetext, changed):
    """Another result is also written at the end of the moves, if one was there; in comments all stays."""
    text = f'[Result "1-0"]\n\n{movetext}'.encode()
    assert with_tags(text, {"Result": "0-1"}) == f'[Result "0-1"]\n\n{changed}'.encode()
    assert with_tags(text, {"Result": "won"}) == f'[Result "won"]\n\n{movetext}'.encode()


def test_nothing_changed_is_the_same_text():
    """Without changes only the encoding may be another one: what goes out is UTF-8."""
    assert with_tags(ANNOTATED, {}) == decode(ANNOTATED).encode()


def test_a_tag_that_stood_twice():
    """A changed tag stands once, where its first one stood: other programs may take the last one."""
    raw = b'[White "A"]\n[Black "B"]\n[White "C"]\n[Result "*"]\n\n*\n'
    assert with_tags(raw, {"White": "D"}) == b'[White "D"]\n[Black "B"]\n[Result "*"]\n\n*\n'
    assert with_tags(raw, {"White": None}) == b'[Black "B"]\n[Result "*"]\n\n*\n'
    assert with_tags(b"{First}\n" + raw, {"White": None}).startswith(b'{First}\n[Black "B"]\n[Result')


def test_tags_for_moves_without_any():
    """Moves alone get the tags before them."""
    assert with_tags(b"1. e4 *\n", {"White": "A"}) == b'[White "A"]\n\n1. e4 *\n'


@pytest.mark.parametrize(
    ("raw", "alone"),
    [
        (b"1. e4 e5 1-0", b'[Result "1-0"]\n\n1. e4 e5 1-0\n'),
        (b'{Of 1990} [White "A"] 1. e4 *\n\n\x1a', b'[White "A"]\n\n{Of 1990}\n1. e4 *\n'),
        (b'[White "Mu\xf1oz"]\n1. e4 *', '[White "Muñoz"]\n\n1. e4 *\n'.encode()),
        (b'[White "A"]\n[Result "1/2"]\n\n', b'[White "A"]\n[Result "1/2"]\n\n1/2-1/2\n'),
    ],
)
def test_standing_alone(raw, alone):
    """A game without tags, with comments before them, without an end, or in another encoding can be in a file."""
    assert standing_alone(raw).endswith(alone)


@given(st.lists(anything, max_size=4))
@examples(500)
def test_games_stay_apart(datas):
    """Whatever games were read, written one after the other they are read as the same games."""
    games = [found for data in datas for found in reader.read(data) if isinstance(found, Game)]
    again = list(reader.read(b"\n".join(standing_alone(one.raw) for one in games)))
    assert [facts(one) for one in again] == [facts(one) for one in games]


@pytest.mark.parametrize("path", PGN_FILES, ids=lambda path: path.name)
def test_games_of_whole_files_stay_apart(path):
    """The games of files of sites and programs, each written alone, are read as they were."""
    games = [found for found in reader.read(path.read_bytes()) if isinstance(found, Game)]
    again = list(reader.read(b"\n".join(standing_alone(one.raw) for one in games)))
    assert [facts(one) for one in again] == [facts(one) for one in games]
    assert [one.tags for one in again] == [one.tags for one in games]
