"""Checks a published table against the rules: its changes, its promotions, its points."""

from core.club import fesa_table_grades
from core.club.fesa_table import Published, bonus_games, read
from core.club.fesa_table_fields import check_fields
from core.club.findings import FileFinding


def check(data: bytes) -> tuple[FileFinding, ...]:
    """Changes and promotions that do not follow from the results; as notes, what the table cannot decide.

    Points that do not add up are a note too, because no rating depends on them.
    """
    published = read(data)
    found = [
        *published.findings,
        *check_fields(published.table, published.days),
        *_changes(published),
        *fesa_table_grades.check(published),
        *_sums(published),
    ]
    return tuple(sorted(found, key=lambda one: (one.line or 0, one.round or 0)))


def _changes(published: Published) -> list[FileFinding]:
    return [
        FileFinding(
            "R5",
            f"the results do not make the change {one.change:+d}",
            "look at the results and at the ratings of their opponents",
            one.row.line,
            one.row.label,
        )
        for place, one in enumerate(published.rows)
        if one.change is not None and not one.performance and not bonus_games(published, place)
    ]


def _sums(published: Published) -> list[FileFinding]:
    return [
        FileFinding(
            "T13",
            f"the points are {float(row.points):g}, but the results make {float(row.total):g}",
            "points are MacMahon + 1 for + and 0+, ½ for = and 0=",
            row.line,
            row.label,
            note=True,
        )
        for row in (one.row for one in published.rows)
        if row.points is not None and row.points != row.total
    ]
