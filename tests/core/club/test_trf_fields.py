"""The fields of a report beside its results: each fault is told with its line and what to do."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.trf import OtherLine, write
from core.club.trf_checks import check
from core.club.trf_reader import read
from tests.core.club.random_reports import report
from tests.core.club.trf_files import SMALL
from tests.examples import examples

ROSSI, BIANCHI, VERDI, RUSSO, FERRARI = range(16, 21)


def found(*changes, today=None):
    """The findings after some texts were replaced: line, note, message."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return [(one.line, one.note, one.message) for one in check(text.encode(), today=today)]


def only(line, said, *changes, note=False, today=None):
    """One finding, on this line, that says this."""
    (one,) = found(*changes, today=today)
    assert one[:2] == (line, note), one
    assert said in one[2], one


@pytest.mark.parametrize(
    ("line", "said", "change"),
    [
        # Days that are none.
        (4, 'there is no day "2024/13/45"', ("042 2026/01/15", "042 2024/13/45")),
        (5, 'there is no day "2026-02-30"', ("052 2026/01/16", "052 2026-02-30")),
        (5, "is before the beginning", ("052 2026/01/16", "052 2025/12/31")),
        (12, 'there is no day "26/01/32"', ("26/01/15  26/01/16", "26/01/15  26/01/32")),
        (BIANCHI, "is not a date of birth", ("1975/06/25", "1975/13/45")),
        (BIANCHI, "born on 2026/02/01, after the tournament has begun", ("1975/06/25", "2026/02/01")),
        (BIANCHI, "born in 2027, after the tournament has begun", ("1975/06/25", "2027      ")),
        # Players.
        (VERDI, "there is no name", ("Verdi, Ugo", "          ")),
        (VERDI, "there is a tab", ("Verdi, Ugo ", "Verdi, Ugo\t")),
        (FERRARI, "has the rank 2, too", ("2.0    1", "2.0    2")),
        (BIANCHI, "Rossi, Mario has the same FIDE id", ("2345678", "1234567")),
        # Teams, forbidden pairs, byes asked for.
        (21, "there is no player 9", ("    1    2\n", "    1    9\n")),
        (21, "player 1 is in the team 1 Team One already", ("    1    2\n", "    1    1\n")),
        (22, "is in the team 1 Team One already", ("XXP", f"013 {'Team Two':<32}    3    2\nXXP")),
        (21, '"x" is not a starting number', ("    1    2\n", "    1    x\n")),
        (22, "there is no player 7", ("XXP 1 5", "XXP 1 7")),
        (22, '"x" is not a starting number', ("XXP 1 5", "XXP 1 5 x")),
        (22, "there is no player 8", ("XXP 1 5", "260 001 003    1    8")),
        (22, "there is no player 8", ("XXP 1 5", "240 H 003    8")),
        (22, "is not understood", ("XXP 1 5", "240 X 003    1")),
        # Rounds and colours.
        (13, '"abc" is not a number of rounds', ("XXR 3", "XXR abc")),
        (13, '"0" is not a number of rounds', ("XXR 3", "XXR 0")),
        (13, '"99999" is not a number of rounds', ("XXR 3", "142 99999")),
        (14, '"red" is not a colour', ("XXC white1", "152 red")),
        (14, "has no blank after the code", ("XXC white1", "XXCwhite1")),
    ],
)  # fmt: skip
def test_what_readers_refuse(line, said, change):
    """An error of that line, and the only one."""
    only(line, said, change)


@pytest.mark.parametrize(
    ("line", "said", "change"),
    [
        (RUSSO, "Rossi, Mario has the rank 2, too", ("1.5    3", "1.5    2")),
        (VERDI, '"1234" is hardly a name', ("Verdi, Ugo", "1234      ")),
        (ROSSI, '"XX" is not a title of FIDE', ("GM Rossi", "XX Rossi")),
        (ROSSI, "WGM is a title of women", (" m GM Rossi", " mWGM Rossi")),
        (ROSSI, '"f" is not a sex', (" m GM Rossi", " f GM Rossi")),
        (ROSSI, '"XYZ" is not the code of a federation', ("2812 ITA", "2812 XYZ")),
        (ROSSI, 'the federation "ita" is not written in three capital letters', ("2812 ITA", "2812 ita")),
        (ROSSI, "9812 is hardly a rating", ("2812 ITA", "9812 ITA")),
        (ROSSI, "12 is hardly a rating", ("2812 ITA", "  12 ITA")),
        (FERRARI, "rank 77 of 5 players", ("2.0    1", "2.0   77")),
        (BIANCHI, "born in 1875", ("1975/06/25", "1875/06/25")),
        (FERRARI, "3 Verdi, Ugo has the same name, and neither has a FIDE id", ("Ferrari, Pia", "Verdi, Ugo  ")),
        (3, '"Italy" is not the code of a federation', ("032 ITA", "032 Italy")),
        (6, "the number of players is 7 here, but the file has 5", ("062 5", "062 7")),
        (6, '"five" is not a number of players', ("062 5", "062 five")),
        (6, "the number of rated players is 9 here, but the file has 5 players", ("062 5", "072 9")),
        (6, "the number of teams is 3 here, but the file has 1", ("062 5", "082 3")),
        (2, "the line is there twice", ("022 Nowhere", "012 Another")),
        (12, "a date for round 4 of 3", ("26/01/15  26/01/16", "26/01/15  26/01/16  26/01/16  26/01/16")),
        (12, "round 2 on 2026-01-17 is outside the days", ("26/01/15  26/01/16", "26/01/15  26/01/17")),
        (12, 'round 2: there is no day "tomorrow"', ("26/01/15  26/01/16", "26/01/15  tomorrow")),
        (14, '"green1" is not a first colour', ("XXC white1", "XXC green1")),
        (14, '"three" is not a system of points', ("XXC white1", "162 three")),
        (22, "a forbidden pair needs two players", ("XXP 1 5", "XXP 1")),
        (22, "round 9 of 3", ("XXP 1 5", "240 H 009    1")),
    ],
)  # fmt: skip
def test_what_readers_pass_over(line, said, change):
    """A note of that line, and the only one: the file is good."""
    only(line, said, change, note=True)


def test_dates_of_rounds_that_go_back():
    """Told once, beside what is outside the days of the tournament."""
    changes = (("26/01/15  26/01/16", "26/01/16  26/01/15"),)
    only(12, "round 2 on 2026-01-15 is before round 1 on 2026-01-16", *changes, note=True)


def test_nobody_is_born_after_today():
    """Where the file does not say when the tournament was."""
    changes = (("042 2026/01/15\n", ""), ("1975/06/25", "2019/06/25"))
    only(BIANCHI - 1, "born on 2019/06/25, after today", *changes, today=date(2019, 1, 1))
    assert found(*changes, today=date(2020, 1, 1)) == []


@pytest.mark.parametrize("result", ["1", "0", "=", "W", "D", "L"])
def test_a_result_against_nobody(result):
    """It is an error of that round; a forfeit, a bye and an absence have no opponent."""
    change = ("0000 - F", f"0000 - {result}")
    assert (FERRARI, False, f'"{result}" is a result against nobody') in found(change)
    for bye in "+-UHZ":
        assert not any("against nobody" in said for _, _, said in found(("0000 - F", f"0000 - {bye}")))
    only(FERRARI, 'a colour ("w") without an opponent', ("0000 - F", "0000 w F"), note=True)


def test_colours_on_one_side_only():
    """An error where a game was played, a note where it was not; no colours at all are only not known."""
    only(ROSSI, "only one of them and 2 Bianchi, Anna has a colour", ("0001 b 0", "0001 - 0"))
    only(ROSSI, "neither of them", ("0002 w 1", "0002 - 1"), ("0001 b 0", "0001 - 0"), note=True)
    only(ROSSI, "only one of them", ("0002 w 1", "0002 w +"), ("0001 b 0", "0001 - -"), note=True)
    assert found(("0002 w 1", "0002 - +"), ("0001 b 0", "0001 - -")) == []


RULER = "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1  2222 2 2"


@pytest.mark.parametrize(
    "line", [RULER, "-----------------", "Results of the open", "   1 2 3", "9", "999 what", "\t\tx", "GER"]
)
def test_lines_that_say_nothing_in_a_report(line):
    """Rulers, text and unknown codes are a note, kept as they are, and written again in their place."""
    text = SMALL.replace("XXC", f"{line}\nXXC")
    reading = read(text.encode())
    notes = [one for one in check(text.encode()) if one.line == 14]
    assert [one.note for one in notes] == ([] if line == "GER" else [True])
    assert write(reading.document) == text.encode()


def test_lines_of_national_ratings_and_extensions():
    """Codes of federations, JaVaFo and bbpPairings are known."""
    lines = [
        "GER    1      Rossi, Mario                      2300",
        "BBW 1.0",
        "XXS 1 1",
        "250 1.0 0.0 001 002 001 003",
    ]
    for line in lines:
        text = SMALL.replace("XXP", f"{line}\nXXP")
        assert [one for one in check(text.encode()) if one.line == 22] == []


@pytest.mark.parametrize(
    ("change", "line", "signs"),
    [
        (("90 min + 30", "90 min – 30"), 11, '"-"'),
        (("Verdi, Ugo", "D’Elia, Ugo"[:10]), VERDI, '"\'"'),
        (("0000 - F", "0000 – F"), FERRARI, '"-"'),
        (("0002 w 1  0004 b =", "0002 w 1  0004 b ½"), None, ""),
        (("1963/04/13", "1963–04–13"), ROSSI, '"-"'),
    ],
)
def test_typographic_signs(change, line, signs):
    """They are understood, and a note says what to write."""
    text = SMALL.replace(*change)
    notes = [one for one in check(text.encode()) if one.note]
    assert [one for one in check(text.encode()) if not one.note] == []
    assert [(one.line, one.mend) for one in notes] == ([(line, f"write {signs}")] if line else [])
    assert read(text.encode()).document.players[4].turns == read(SMALL.encode()).document.players[4].turns


@given(st.integers(0, 10**9))
@examples(60)
def test_no_contradiction_is_seen_where_there_is_none(number):
    """Reports made of all that the format has are good."""
    assert [str(one) for one in check(write(report(number))) if not one.note] == []


def test_a_line_without_code_cannot_look_like_one():
    """What would be read as something else is not written."""
    with pytest.raises(ValueError, match="not a code"):
        write(report(1).__class__((OtherLine("", "012 Open"),)))
