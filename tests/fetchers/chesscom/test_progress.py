"""Which months of a chess.com account are asked for."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.epoch import milliseconds
from fetchers.chesscom.progress import MOST_RECHECKS, Month, MonthProgress, ReadMonth
from fetchers.http.responses import Validators

NOW = datetime(2024, 7, 15, 12, tzinfo=UTC)
months = st.builds(Month, st.integers(2007, 2024), st.integers(1, 12))


def names(found: list[Month]) -> list[str]:
    return [str(month) for month in found]


def checked(at: datetime, **more: Any) -> ReadMonth:
    return ReadMonth(checked=milliseconds(at), **more)


def progress(**known: ReadMonth) -> MonthProgress:
    """Months as ``m2024_05=…``."""
    state = MonthProgress({})
    for name, value in known.items():
        year, month = name.removeprefix("m").split("_")
        state.keep(Month(int(year), int(month)), value)
    return state


def test_the_current_and_the_previous_month_are_always_asked_for() -> None:
    """Also when the list lacks them, as it may be a day late (sites trap 33)."""
    assert names(MonthProgress({}).due(set(), NOW, full=False)) == ["2024/06", "2024/07"]


def test_in_january_the_previous_month_is_of_last_year() -> None:
    """A calendar matter."""
    january = datetime(2024, 1, 1, 0, 5, tzinfo=UTC)

    assert names(MonthProgress({}).due(set(), january, full=False)) == ["2023/12", "2024/01"]


def test_months_are_those_of_utc() -> None:
    """At two in the morning of the first of July in Berlin it is still June (sites trap 35)."""
    berlin = datetime.fromisoformat("2024-07-01T01:30:00+02:00")

    assert Month.of(berlin) == Month(2024, 6)


def test_listed_months_that_are_unknown_are_asked_for_in_order() -> None:
    """Only the listed ones, but all of them."""
    listed = {Month(year, 3) for year in range(2010, 2024)} | {Month(2012, 1)}

    due = MonthProgress({}).due(listed, NOW, full=False)

    assert due == sorted(listed | {Month(2024, 6), Month(2024, 7)})


def test_settled_months_are_left_in_peace() -> None:
    """A month that was read well after its end is not asked for again so soon."""
    state = progress(m2024_03=checked(NOW - timedelta(days=20)))

    assert Month(2024, 3) not in state.due({Month(2024, 3)}, NOW, full=False)


def test_a_month_read_before_its_end_is_asked_for_again() -> None:
    """What came after the fifteenth must not be missed, however long nobody asked."""
    state = progress(
        m2024_03=checked(datetime(2024, 3, 15, tzinfo=UTC)),
        m2024_04=checked(datetime(2024, 5, 2, tzinfo=UTC)),
    )

    due = state.due({Month(2024, 3), Month(2024, 4)}, NOW, full=False)

    assert {Month(2024, 3), Month(2024, 4)} <= set(due)


def test_settled_months_are_asked_whether_they_changed_few_at_a_time() -> None:
    """Accuracies come later. The longest unasked ones first, three a round (sites trap 31)."""
    old = NOW - timedelta(days=200)
    state = progress(**{f"m2023_{n:02}": checked(old + timedelta(days=n)) for n in range(1, 13)})

    due = state.due({Month(2023, n) for n in range(1, 13)}, datetime(2024, 7, 15, tzinfo=UTC), full=False)

    assert names(due) == ["2023/01", "2023/02", "2023/03", "2024/06", "2024/07"]
    assert MOST_RECHECKS == 3


def test_a_listed_month_that_came_empty_is_asked_for_sooner() -> None:
    """The list says that there are games; so the answer was a slip of the site."""
    state = progress(
        m2023_05=checked(NOW - timedelta(days=2), empty=True), m2023_06=checked(NOW - timedelta(days=2))
    )

    due = state.due({Month(2023, 5), Month(2023, 6)}, NOW, full=False)

    assert names(due) == ["2023/05", "2024/06", "2024/07"]


def test_a_month_that_is_gone_is_never_asked_for_again() -> None:
    """410, also in a full round, also while it is the current one (sites trap 52)."""
    state = progress(m2024_07=ReadMonth(gone=True), m2020_01=ReadMonth(gone=True))

    for full in (False, True):
        assert {Month(2024, 7), Month(2020, 1)}.isdisjoint(state.due({Month(2020, 1)}, NOW, full=full))


def test_a_full_round_asks_for_every_month() -> None:
    """Known or not."""
    state = progress(m2023_05=checked(NOW))

    assert Month(2023, 5) in state.due({Month(2023, 5)}, NOW, full=True)


@given(st.sets(months), st.dictionaries(months, st.integers(0, 16 * 366), max_size=20))
def test_no_unknown_month_is_ever_passed_over(listed: set[Month], known: dict[Month, int]) -> None:
    """A listed month is asked for, or was read whole after its end; nothing else is, but for the recent two."""
    asked = {month: NOW - timedelta(days=days) for month, days in known.items()}
    state = MonthProgress({})
    for month, at in asked.items():
        state.keep(month, checked(at))
    due = state.due(listed, NOW, full=False)

    assert due == sorted(set(due))
    assert set(due) <= listed | {Month(2024, 6), Month(2024, 7)}
    for month in listed - set(due):
        assert Month.of(asked[month] - timedelta(days=1)) > month


def test_the_cursor_keeps_validators_byte_for_byte() -> None:
    """Through JSON and back."""
    odd = ReadMonth(
        Validators(etag='W/"5"', last_modified="Thursday, 17-Oct-2024 22:34:57 GMT+0000"), checked=7
    )
    state = MonthProgress(progress(m2024_05=odd, m2024_04=ReadMonth(gone=True, checked=5)).cursor())

    assert state.known(Month(2024, 5)) == odd
    assert state.known(Month(2024, 4)) == ReadMonth(gone=True, checked=5)


def test_months_of_links() -> None:
    """From the list's addresses, whatever the host."""
    assert Month.from_link("https://api.chess.com/pub/player/x/games/2014/01") == Month(2014, 1)
    assert Month.from_link("https://api.chess.com/pub/player/x/games/2014/13") is None
    assert Month.from_link("https://api.chess.com/pub/player/x/games/live/600/0") is None
