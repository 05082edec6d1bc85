"""When a part of an event is asked for again."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from fetchers.http.responses import Validators
from fetchers.parts import FINAL, LONGEST_MS, SETTLED_MS, Visit, quiet_s

HOUR = 3_600_000
MOMENTS = st.integers(0, 1 << 45)


def _asked_hourly(visit: Visit, hours: int) -> list[int]:
    """The hours at which a part that never changes is asked for."""
    asked = []
    for hour in range(hours):
        if visit.is_due(hour * HOUR):
            asked.append(hour)
            visit = visit.visited(hour * HOUR, digest="same").settled()
    return asked


def test_the_longer_quiet_the_more_seldom() -> None:
    """Often at first, then after a quarter of the time that it has been quiet, and at last never."""
    asked = _asked_hourly(Visit(), 24 * 200)

    assert asked[:8] == [0, 1, 2, 3, 4, 5, 7, 9]
    assert len(asked) < 45
    assert asked[-1] < 24 * 120


def test_a_change_makes_it_new() -> None:
    """What has changed is asked for at once again."""
    quiet = Visit(checked=100 * HOUR, changed=0, digest="a")
    assert not quiet.is_due(110 * HOUR)

    assert quiet.visited(125 * HOUR, digest="b").is_due(125 * HOUR)
    assert quiet.visited(125 * HOUR).is_due(125 * HOUR), "without a digest nobody can tell"
    assert not quiet.visited(125 * HOUR, digest="a").is_due(126 * HOUR)


def test_what_is_old_when_first_seen_is_old() -> None:
    """The first answer may tell since when it is so."""
    first = Visit().visited(1000 * HOUR, since=0)

    assert first.due_at() == 1250 * HOUR
    assert Visit().visited(SETTLED_MS, since=0).settled() == FINAL
    assert Visit().visited(SETTLED_MS, since=0, busy=True).settled().busy
    assert Visit().visited(5, since=9).changed == 5, "a moment to come counts as now"


def test_while_games_are_played() -> None:
    """Then how often is the site's business."""
    busy = Visit(checked=100 * HOUR, changed=0, busy=True)

    assert busy.is_due(100 * HOUR)
    assert not busy.is_due(105 * HOUR, 6 * HOUR)
    assert busy.is_due(106 * HOUR, 6 * HOUR)


def test_a_clock_that_was_wrong() -> None:
    """What was asked in the year 2062 is asked again in 2026, unless it is final."""
    assert Visit(checked=1 << 45, changed=0).is_due(HOUR)
    assert not FINAL.is_due(HOUR)


def test_how_long_all_is_quiet() -> None:
    """Until the first part is due; None where that is now; a month where none ever is."""
    assert quiet_s([5000, 3000, None], 1000) == 2.0
    assert quiet_s([5000, 0], 1000) is None
    assert quiet_s([None], 0) == quiet_s([10 * LONGEST_MS], 0) == timedelta(days=30).total_seconds()


@given(
    st.builds(
        Visit,
        checked=MOMENTS,
        changed=MOMENTS,
        validators=st.builds(
            Validators,
            etag=st.none() | st.just('W/"a"'),
            last_modified=st.none() | st.just("Thursday, 17-Oct-2024 22:34:57 GMT+0000"),
        ),
        digest=st.none() | st.just("0a"),
        busy=st.booleans(),
    )
)
def test_a_cursor_keeps_it(visit: Visit) -> None:
    """As it was written, so it is read; what nobody needs any more is not kept."""
    again = Visit.read(visit.as_dict())

    assert again == visit or (visit.checked == 0 and again.checked is None)
    assert Visit.read(FINAL.as_dict()) == FINAL
