"""What FESA wants to be told of a tournament, and when."""

from datetime import date

import pytest

from core.club.announcement import announcing, read_fesa, read_first_day, reminders

TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        (None, "2026-12-15 or later"),
        (date(2026, 12, 20), "announce it by 2026-12-06"),
        (date(2026, 12, 15), "announce it by 2026-12-01"),
        (date(2026, 12, 14), "had to be announced by 2026-11-30"),
    ],
)
def test_it_is_announced_two_weeks_before(begins, said):
    """The last day for it, or that it is over; without a first day the earliest one that can still be announced."""
    assert said in announcing(begins, TODAY)


def test_rounds_that_are_paired():
    """The first one reminds of the announcement unless its day was known, the last one of the results."""
    day = date(2026, 12, 8)
    first = list(reminders(None, paired=1, planned=3, day=day, today=TODAY))
    assert ["announced by 2026-11-24" in one for one in first] == [True]
    assert list(reminders(day, paired=1, planned=3, day=day, today=TODAY)) == []
    assert list(reminders(None, paired=2, planned=3, day=day, today=TODAY)) == []
    assert "by 2026-12-22" in "".join(reminders(None, paired=3, planned=3, day=day, today=TODAY))


def test_what_is_typed():
    """Yes and no in usual words, days as dates; anything else is refused."""
    assert [read_fesa(one) for one in ("yes", "Ja", "no", "")] == ["yes", "yes", "", ""]
    assert [read_first_day(one) for one in (" 2026-12-20 ", "")] == ["2026-12-20", ""]
    for read, text in ((read_fesa, "perhaps"), (read_first_day, "2026-13-45"), (read_first_day, "20.12.")):
        with pytest.raises(ValueError, match=r"not \""):
            read(text)
