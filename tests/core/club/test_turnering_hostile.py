"""turnering.txt: whole files, hostile files, huge files."""

import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.club.findings import errors
from core.club.turnering import check, read, write
from tests.core.club.club_data import DATA
from tests.examples import FUZZING

# --- whole files


@pytest.mark.parametrize(
    ("name", "players"), [("league", 66), ("first_event", 17), ("later_event", 15), ("sample", 4)]
)
def test_whole_files_are_good(name, players):
    """Files as FESA's raters have them give no findings, and come back when they are written."""
    found = read((DATA / f"{name}_turnering.txt").read_bytes())
    assert (len(found.table.rows), found.findings) == (players, ())
    assert read(write(found.table)).table == found.table


# --- hostile files


@given(st.binary(max_size=300))
@example(b"")
@example(b"\0" * 50)
@example(b"[\n[[[]]]\n1 [[[\n]]]1 [a][b][c]d]e[")
def test_no_bytes_make_it_fail(data):
    """Anything is read, and what is not a results file has errors."""
    assert isinstance(read(data).findings, tuple)


pieces = st.sampled_from(
    [
        "1 ",
        "2 ",
        "[",
        "]",
        "[A]",
        "[a]",
        "[2+]",
        "[1-]",
        "+",
        "-",
        "=",
        "&",
        "#",
        " ",
        "\n",
        "N ",
        "(-2p)",
        ";",
    ]
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_no_arrangement_of_its_parts_makes_it_fail(text):
    """Any order of brackets, marks and numbers is read; what has no errors can be written."""
    found = read(("[Open]\n[2024-01-06]\n" + text).encode())
    if not errors(found.findings):
        assert read(write(found.table)).table == found.table


@pytest.mark.parametrize(
    "line",
    [
        "1" * 90_000,
        "1 [" + "x" * 90_000,
        "1 " + "[" * 90_000,
        "1 [A][a][" + "2+ " * 30_000 + "]",
        "1 [A][a][" + " " * 90_000 + "2" + " " * 5_000 + "]",
        " " * 90_000 + "x [A][a][2+]",
        "1 [A][a][2+(" + " " * 90_000 + "]",
        "1 [A][a][2+]" + "9" * 90_000,
        "x" * 2_000_000,
    ],
)
def test_long_lines(line):
    """A line of any length is read."""
    assert errors(check(f"[Open]\n[2024-01-06]\n{line}\n".encode()))


def rows_of(count):
    """A good file of so many players in pairs."""
    pairs = range(1, count, 2)
    rows = (f"{n} [L{n}][F][{n + 1}+ 0-]\n{n + 1} [L{n + 1}][F][{n}- 0-]\n" for n in pairs)
    return ("[Open]\n[2024-01-06]\n" + "".join(rows)).encode()


@pytest.mark.slow
def test_a_very_long_file():
    """A good file of a hundred thousand players, or a million, is read without findings."""
    assert check(rows_of(1_000_000 if FUZZING else 100_000)) == ()


@pytest.mark.slow
def test_memory_grows_with_the_file_only():
    """Twice the players take about twice the memory."""
    peaks = []
    for count in (4_000, 8_000):
        data = rows_of(count)
        tracemalloc.start()
        read(data)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0]
