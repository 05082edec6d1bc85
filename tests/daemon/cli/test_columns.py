"""Which columns of a table fit, and what times look like."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.cli.columns import GAP, Column, Width, fit, wanted
from daemon.cli.moments import moment, relative, seconds

WIDTHS = st.lists(
    st.builds(
        lambda leaves, least, more: Width(leaves, least, least + more),
        st.integers(0, 5),
        st.integers(1, 30),
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=10,
)


@given(WIDTHS, st.integers(1, 200))
def test_what_stays_fits(widths: list[Width], room: int) -> None:
    """The columns never take more than there is; each has its least and at most what it wants."""
    given_widths = fit(widths, room)
    if given_widths is None:
        always = [one.least for one in widths if not one.leaves]
        assert sum(always) + GAP * (len(always) - 1) > room
        return
    assert sum(given_widths.values()) + GAP * (len(given_widths) - 1) <= room
    assert all(widths[at].least <= cells <= widths[at].whole for at, cells in given_widths.items())


@given(WIDTHS, st.integers(1, 200))
def test_columns_leave_in_their_order(widths: list[Width], room: int) -> None:
    """Whatever left had a number at least as high as all that stayed; a column of 0 never leaves."""
    staying = fit(widths, room)
    if staying is not None:
        left = [widths[at].leaves for at in range(len(widths)) if at not in staying]
        assert all(one >= widths[at].leaves for one in left for at in staying)
        assert 0 not in left


def test_room_goes_to_the_narrowest_first() -> None:
    """Two columns that cannot both be whole: the shorter one is, the longer one is cut."""
    assert fit([Width(0, 10, 12), Width(0, 10, 60)], 40) == {0: 12, 1: 26}


def test_a_column_that_says_nothing_leaves_first() -> None:
    """Zeros and gaps are the first to leave, though the column would stay longer than others."""
    empty, filled = wanted(Column("quarantined", 1), ["0", "-"]), wanted(Column("unchanged", 5), ["17"])
    assert fit([empty, filled], 12) == {1: 9}


def test_short_words_are_not_cut() -> None:
    """A date, an account or a result keeps all of its signs; a name may be cut."""
    assert wanted(Column("date"), ["2024.05.12"]).least == 10
    assert wanted(Column("account"), ["lichess:mrossi90"]).least == 16
    assert wanted(Column("white"), ["Rossi, Mario Alessandro"]).least == 10


def test_wide_signs_count_twice() -> None:
    """A Chinese name takes two cells a sign."""
    assert wanted(Column("white"), ["丁立人"]).whole == 6


@pytest.mark.parametrize(
    ("away", "text"),
    [
        (0, "now"),
        (59, "now"),
        (-59, "now"),
        (61, "in 1 min"),
        (31 * 60, "in 31 min"),
        (-90 * 60, "90 min ago"),
        (-2 * 3600, "2 h ago"),
        (47 * 3600, "in 47 h"),
        (-3 * 86400, "3 d ago"),
    ],
)
def test_how_far_away_a_time_is(away: float, text: str) -> None:
    """In the largest unit of which there are at least two."""
    assert relative(away) == text


def test_a_time_far_away_is_a_local_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets RFC 3339; a terminal the date on the clock on the wall, which may be another one."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        shown = moment("2024-05-12T20:00:00Z", now=seconds("2024-08-01T00:00:00Z"))
        assert (shown.full, shown.short) == ("2024-05-12T20:00:00Z", "2024-05-13")
        assert moment("2024-05-12T20:00:00Z", now=seconds("2024-05-12T18:00:00Z")).short == "in 2 h"
        assert moment(None).full is None
    finally:
        monkeypatch.undo()
        time.tzset()
