"""The days of a tournament in results files."""

from datetime import date

import pytest

from core.club.days import Days, read_published, read_range


def days(first, last):
    """Days from ISO dates."""
    return Days(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-04-20/21", days("2024-04-20", "2024-04-21")),
        ("2024-08-31/09-01", days("2024-08-31", "2024-09-01")),
        ("2024-12-31/2025-01-01", days("2024-12-31", "2025-01-01")),
        ("2024-04-20", days("2024-04-20", "2024-04-20")),
        ("2024-13-45", '"2024-13-45" is not a day of the calendar'),
        ("2024-04-21/20", "it ends 2024-04-20, before it begins 2024-04-21"),
        ("20 April", '"20 April" is not a date'),
    ],
)
def test_days_as_fesa_publishes_them(text, wanted):
    """One day, days of a month, of two months, of two years; else what is wrong."""
    assert read_published(text) == wanted


@pytest.mark.parametrize("text", ["٢٠٢٤-٠١-٠٦", "2024-01-06" * 50, "2024-01-06 to 2024-01-07", "\0"])
def test_other_texts_are_no_days(text):
    """Digits of other scripts, long texts and words are refused with a sentence."""
    assert isinstance(read_range(text), str)
