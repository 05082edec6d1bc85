"""The vocabulary of what is odd about a game."""

import re

import pytest

from core.game import Game
from core.oddities import SENTENCES, Odd, Oddity
from core.pgn import reader


def test_codes_keep_their_meaning():
    """They are stored and typed by users: none is renamed, and none goes."""
    assert {code.value for code in Odd} >= {
        "no-end",
        "result-differs",
        "unusual-result",
        "repeated-tag",
        "tag-case",
        "tag-form",
        "quotes",
        "same-fide-id",
        "same-name",
        "not-a-fide-id",
        "not-a-date",
        "not-a-rating",
        "unknown-bytes",
        "from-record",
        "result-form",
    }
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in Odd)


def test_every_code_has_a_sentence():
    """A sentence that ends, and says what it is about where there is something to say."""
    assert set(SENTENCES) == set(Odd)
    assert all(re.fullmatch("[A-Z].*[.]", sentence) for sentence in SENTENCES.values())
    assert all(("{}" in sentence) == (code != Odd.NO_END) for code, sentence in SENTENCES.items())


def test_an_oddity_reads_as_a_sentence():
    """With its detail, whatever signs that holds."""
    said = str(Oddity(Odd.RESULT_DIFFERS, "{1-0} and 0-1"))
    assert said == "The tag Result and the end of the moves differ ({1-0} and 0-1); the tag counts."


@pytest.mark.parametrize(
    ("tags", "moves", "oddity"),
    [
        ('[White "A"]', "1. e4", Oddity(Odd.NO_END)),
        ('[Result "1-0"]', "1. e4 0-1", Oddity(Odd.RESULT_DIFFERS, "1-0 and 0-1")),
        ('[ECO "B00"][ECO "B01"]', "1. e4 *", Oddity(Odd.REPEATED_TAG, "ECO")),
        ('[WhiteFideId "123"][BlackFideId "0123"]', "1. e4 *", Oddity(Odd.SAME_FIDE_ID, "123")),
        ('[White "Rossi, Mario"][Black "Mario ROSSI"]', "1. e4 *", Oddity(Odd.SAME_NAME, "Rossi, Mario")),
        ('[WhiteFideId "11/01/1987"]', "1. e4 *", Oddity(Odd.NOT_A_FIDE_ID, "WhiteFideId 11/01/1987")),
        ('[Date "12.05.2024"]', "1. e4 *", Oddity(Odd.NOT_A_DATE, "12.05.2024")),
        ('[BlackElo "good"]', "1. e4 *", Oddity(Odd.NOT_A_RATING, "BlackElo good")),
        ('[Result "1-0"]', "1. e4 1 - 0", Oddity(Odd.RESULT_FORM, "1 - 0")),
        ('[Result "won"]', "1. e4", Oddity(Odd.UNUSUAL_RESULT, "won")),
        ("[ECO B00]", "1. e4 *", Oddity(Odd.TAG_FORM, "ECO")),
        ('[white "A"]', "1. e4 *", Oddity(Odd.TAG_CASE, "white")),
        ("[White “A”]", "1. e4 *", Oddity(Odd.QUOTES, "White")),
        ('[White "M\udc81ller"]', "1. e4 *", Oddity(Odd.UNKNOWN_BYTES, "White M\\x81ller")),
    ],
)
def test_what_is_odd(tags, moves, oddity):
    """The game is read, and says what is odd about it."""
    (game,) = reader.read(f'[Event "A"]{tags}\n\n{moves}\n')
    assert isinstance(game, Game)
    assert [each for each in game.oddities if each != reader.NO_END or oddity == reader.NO_END] == [oddity]


def test_what_says_nothing_is_not_odd():
    """No rating, no id, no name, no date."""
    tags = '[White "?"][Black "?"][WhiteElo "-"][BlackElo "0"][WhiteFideId "0"][BlackFideId "-"][Date "????.??.??"]'
    (game,) = reader.read(f'[Event "A"]{tags}\n\n1. e4 *\n')
    assert isinstance(game, Game)
    assert game.oddities == ()
