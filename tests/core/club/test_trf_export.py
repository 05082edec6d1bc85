"""FIDE tournament reports: what is written comes back; whole and hostile files."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.club.trf import RESULTS, Document, OtherLine, TrfError, TrfPlayer, TrfTurn, write
from core.club.trf_checks import check
from core.club.trf_reader import is_trf, read
from tests.core.club.club_data import DATA

# --- writing

printable = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=10)
turns = st.builds(
    TrfTurn, st.integers(1, 9999), st.sampled_from(["w", "b"]), st.sampled_from(sorted(RESULTS - set("HFUZ")))
) | st.builds(TrfTurn, result=st.sampled_from(sorted("HFUZ")))


@st.composite
def documents(draw):
    """Reports that can be written."""
    players = [
        TrfPlayer(
            number,
            " ".join(draw(st.lists(printable.filter(bool), max_size=3))),
            tuple(draw(st.lists(turns, max_size=6))),
            draw(st.none() | st.integers(0, 198).map(lambda halves: Fraction(halves, 2))),
            draw(st.none() | st.integers(1, 9999)),
            draw(st.none() | st.integers(0, 3500)),
            draw(st.sampled_from(["", "m", "w"])),
            draw(st.sampled_from(["", "GM", "WIM"])),
            draw(st.sampled_from(["", "ITA"])),
            draw(st.sampled_from(["", "1234567"])),
            draw(st.sampled_from(["", "1999/12/31", "1999"])),
        )
        for number in range(1, draw(st.integers(1, 6)))
    ]
    texts = st.tuples(st.sampled_from(["012", "022", "122", "142", "###", "XXP"]), printable)
    before, after = (tuple(OtherLine(*one) for one in draw(st.lists(texts, max_size=4))) for _ in range(2))
    return Document(before, tuple(players), after if players else ())


@given(documents())
def test_what_is_written_comes_back(document):
    """Written and read again, a report is the same, and written again the same bytes."""
    data = write(document)
    found = read(data)
    assert found.document == document
    assert found.findings == ()
    assert write(found.document) == data


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x" * 34},
        {"name": "a\nb"},
        {"number": 10_000},
        {"rating": 12_345},
        {"points": Fraction(1000)},
        {"title": "WWGM"},
        {"turns": (TrfTurn(10_000, "w", "1"),)},
        {"turns": (TrfTurn(2, "w", "X"),)},
    ],
)
def test_what_does_not_fit(change):
    """A value that does not fit into its columns is refused, not cut."""
    with pytest.raises(TrfError):
        write(Document(players=(replace(TrfPlayer(1, "Rossi"), **change),)))


@pytest.mark.parametrize(
    "field",
    [OtherLine("12", "x"), OtherLine("0123", "x"), OtherLine("012", "a\nb"), OtherLine("012", "a\rb")],
)
def test_lines_that_cannot_be_written(field):
    """A code has three characters, a text one line."""
    with pytest.raises(TrfError):
        write(Document((field,)))


# --- whole files, and hostile ones

# Players, rounds that were played, rounds.
WHOLE = {
    "next_round": (6, 3, 3),
    "absent_player": (5, 1, 3),
    "large_CR_line_ends": (60, 14, 15),
    "byes_and_titles": (5, 2, 3),
    "site_export": (13, 10, 10),
}


@pytest.mark.parametrize(("name", "counts"), WHOLE.items())
def test_whole_reports(name, counts):
    """Reports of several programs' kinds are read without errors, and come back when they are written."""
    data = (DATA / f"{name}.trf").read_bytes()
    found = read(data)
    document = found.document
    assert (len(document.players), document.played_rounds, document.rounds) == counts
    assert found.findings == ()
    assert not any(not one.note for one in check(data))
    for end in ("\n", "\r", "\r\n"):
        assert read(write(document, line_end=end)).document == document
    assert is_trf(data)


def test_what_is_a_report():
    """Other files are none."""
    assert not is_trf(b"[Open]\n[2024-01-06]\n1 [A][a][2+]\n12 [B][b][1-]\n")
    assert not is_trf(b"")
    assert not is_trf(bytes(range(256)) * 100)


def test_a_line_without_end():
    """A line that no tournament needs is an error, and the others are read."""
    data = b"001    1 " + b" " * 30_000 + b"x\n001    2      A\n"
    found = read(data)
    assert [player.number for player in found.document.players] == [2]
    assert [one.line for one in found.findings] == [1]


@given(st.binary(max_size=400))
@example(b"001")
@example(b"001 " + b"9" * 5000)
@example(b"001    1" + b" " * 19_000 + b"x")
@example("001    ² x\n001    1 ".encode() + b"\xb2" * 200)
def test_no_bytes_make_it_fail(data):
    """Anything is read and checked."""
    assert isinstance(check(data), tuple)
    document = read(data).document
    assert all(player.number >= 0 for player in document.players)


@pytest.mark.slow
def test_a_hundred_thousand_players():
    """A huge report is read in one go; a million lines take ten times as long."""
    line = "001 {:4}      x                                                                  0.0       0000 - Z\n"
    data = "".join(line.format(number % 9999 + 1) for number in range(100_000)).encode()
    assert len(read(data).document.players) == 100_000
