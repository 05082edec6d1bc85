"""Where a round over a lichess account begins."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fetchers.lichess.progress import EARLIEST_MS, MOST_STRETCHES, OVERLAP_MS, StreamProgress, Stretch

NEWEST = 1_700_000_000_000
running = st.dictionaries(
    st.text("abcdefgh0123", min_size=8, max_size=8), st.integers(EARLIEST_MS, NEWEST), max_size=40
)


def test_an_account_never_asked_is_asked_for_everything() -> None:
    """One stretch without bounds."""
    assert StreamProgress.read({}).stretches() == [Stretch(None, None)]


@given(running)
def test_every_running_game_and_all_that_is_new_is_asked_for(games: dict[str, int]) -> None:
    """Each running game lies inside one of few stretches; the last one is open and begins a day back."""
    stretches = StreamProgress.read({"newest": NEWEST, "running": games}).stretches()

    assert len(stretches) <= MOST_STRETCHES + 1
    assert stretches[-1].until is None
    assert stretches[-1].since == NEWEST - OVERLAP_MS - 1
    for native_id, start in games.items():
        holding = [s for s in stretches if (s.since or 0) < start and (s.until is None or start < s.until)]
        assert holding
        assert start >= NEWEST - OVERLAP_MS or any(native_id in s.waited_for for s in holding)


@given(running)
def test_stretches_go_forward_and_do_not_overlap(games: dict[str, int]) -> None:
    """No time is asked for twice."""
    stretches = StreamProgress.read({"newest": NEWEST, "running": games}).stretches()

    for before, after in pairwise(stretches):
        assert before.until is not None
        assert before.until <= (after.since or 0) + 1


@given(running)
def test_the_cursor_is_what_was_read(games: dict[str, int]) -> None:
    """Progress to cursor and back loses nothing."""
    cursor = {"newest": NEWEST} | ({"running": games} if games else {})

    assert StreamProgress.read(cursor).cursor() == cursor


def test_games_far_apart_are_asked_for_one_by_one() -> None:
    """Not the months between them."""
    day = OVERLAP_MS
    begun = {"aaaaaaaa": NEWEST - 300 * day, "bbbbbbbb": NEWEST - 100 * day}
    first, second, _ = StreamProgress.read({"newest": NEWEST, "running": begun}).stretches()

    assert (first.since, first.until) == (NEWEST - 300 * day - 1, NEWEST - 300 * day + 1)
    assert (second.since, second.until) == (NEWEST - 100 * day - 1, NEWEST - 100 * day + 1)


def test_games_of_one_moment_are_in_one_stretch() -> None:
    """A simul begins many games at once."""
    begun = {"aaaaaaaa": NEWEST - 9 * OVERLAP_MS, "bbbbbbbb": NEWEST - 9 * OVERLAP_MS}
    stretches = StreamProgress.read({"newest": NEWEST, "running": begun}).stretches()

    assert len(stretches) == 2
    assert stretches[0].waited_for == {"aaaaaaaa", "bbbbbbbb"}


def test_a_start_before_the_earliest_is_no_bound() -> None:
    """The site takes no smaller `since`; without one it tells from the first game on."""
    (only,) = StreamProgress.read({"newest": EARLIEST_MS + 5}).stretches()

    assert only.since is None
