"""What FESA wants to know of a tournament, and when (club T16).

It is announced two weeks before, and sent in within two weeks after.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

TWO_WEEKS: Final = timedelta(days=14)
_YES: Final = frozenset(("yes", "y", "true", "1", "ja"))
_NO: Final = frozenset(("no", "n", "false", "0", "nein", ""))


def read_fesa(text: str) -> str:
    """Whether FESA rates a tournament, as stored: "yes" or "".

    Raises:
        ValueError: it is neither yes nor no.
    """
    word = text.strip().casefold()
    if word not in _YES | _NO:
        raise ValueError(f'fesa is yes or no, not "{text}"')
    return "yes" if word in _YES else ""


def read_first_day(text: str) -> str:
    """The first day, as stored: "2026-12-20", or "".

    Raises:
        ValueError: it is not a day.
    """
    if not text.strip():
        return ""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise ValueError(f'begins is a day, 2026-12-20, not "{text}"') from None


def announcing(begins: date | None, today: date) -> str:
    """The reminder to announce a tournament, for when it is created or gets its day."""
    if begins is None:
        earliest = today + TWO_WEEKS
        return f"for FESA's rating: announce it two weeks before it begins; today, for {earliest} or later"
    due = begins - TWO_WEEKS
    if today <= due:
        return f"for FESA's rating: it begins {begins}, announce it by {due}"
    return (
        f"for FESA's rating: it begins {begins} and had to be announced by {due}; later ones may not be rated"
    )


def sending_in(ends: date) -> str:
    """The reminder to send in the results, for when the last round is paired."""
    return f"for FESA's rating: send the results in by {ends + TWO_WEEKS}"


def reminders(
    begins: date | None, *, paired: int, planned: int, day: date | None, today: date
) -> Iterator[str]:
    """Reminders for a director who has just paired a round.

    Args:
        begins: The first day, where it is known.
        paired: The number of the round.
        planned: How many rounds are planned.
        day: The day on which the round is played.
        today: Today.
    """
    if paired == 1 and day is not None and begins != day:
        yield announcing(day, today)
    if paired >= planned and day is not None:
        yield sending_in(day)
