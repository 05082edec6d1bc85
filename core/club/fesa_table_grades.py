"""Checks the promotions of a published table against the rules (club R13, R14).

A table does not say how many rated games a player had before, nor how many of them count towards the next
grade. So all possible numbers are tried: what none of them gives is an error, what only some give is a note.
"""

from collections.abc import Iterator
from typing import Final

from core.club import grades
from core.club.crosstable import games
from core.club.fesa_table import Published, PublishedRow
from core.club.findings import FileFinding
from core.club.grades import Grade
from core.club.promotion import ESTABLISHED, NO_SERIES, PROVISIONAL, GradeStanding, Series, after_event

_MANY: Final = 100
"""A number of rated games that stands for "established for long"."""


def check(published: Published) -> list[FileFinding]:
    """Promotions that the numbers do not allow, that are missing, or that the table cannot confirm."""
    played = games(published.table)
    found = [_of_row(one, len(its)) for one, its in zip(published.rows, played, strict=True) if its]
    return [*(one for one in found if one is not None), *_of_strangers(published)]


def _of_strangers(published: Published) -> Iterator[FileFinding]:
    names = {one.row.last for one in published.rows}
    for name, grade in published.promotions.items():
        if name not in names:
            yield FileFinding(
                "R13",
                f"{name} is promoted to {grade} and has no row",
                "write the name as in the row",
                note=True,
            )


def _of_row(one: PublishedRow, played: int) -> FileFinding | None:
    if one.performance:
        return _of_newcomer(one, played) if one.promoted else None
    if one.change is None:
        return None
    if one.promoted is not None and not _is_above(one.promoted, one.grade):
        return _error(
            one, f"promoted to {one.promoted}, though they have {one.grade} already", "look at the grade"
        )
    outcome = one.promoted or one.grade
    established = _after(one, played, _MANY, NO_SERIES)
    if outcome == established:
        return None
    young = {_after(one, played, total, NO_SERIES) for total in _young_totals(played)}
    counted = {_after(one, played, _MANY, series) for series in _series(one)}
    if outcome not in young | counted:
        return _impossible(one, {established, *young, *counted})
    if outcome in counted:
        why = "with games above the bounds of that grade in earlier events, which the table does not tell"
    else:
        why = f"with fewer than {ESTABLISHED} rated games before, which the table does not tell"
    said = f"promoted to {one.promoted}" if one.promoted else f"not promoted to {established}"
    return _note(one, f"{said}: right only {why}")


def _is_above(one: Grade, other: Grade | None) -> bool:
    if other is None:
        return True
    return one.step is not None and other.step is not None and one.step > other.step


def _after(one: PublishedRow, played: int, total: int, series: Series) -> Grade | None:
    before = GradeStanding(one.grade, series)
    return after_event(before, before=one.rating, after=one.after, games=played, total=total).grade


def _young_totals(played: int) -> range:
    """Possible numbers of rated games after the event, for players who were not established before it."""
    return range(max(PROVISIONAL, played + 1), ESTABLISHED + played)


def _series(one: PublishedRow) -> Iterator[Series]:
    """The series that a player can have brought along. The last game before was played at today's rating."""
    step = grades.next_step(one.grade)
    if step is None or one.rating < grades.lower(step):
        return
    by_lower, by_middle = (needed or 1 for needed in grades.series_needed(step))
    if one.rating < grades.middle(step):
        yield from (Series(count, 0, seen) for count in range(by_lower) for seen in (False, True))
        return
    yield from (
        Series(max(lower, middle), middle, middle_seen=True)
        for lower in range(by_lower)
        for middle in range(by_middle)
    )


def _impossible(one: PublishedRow, possible: set[Grade | None]) -> FileFinding:
    steps = [grade.step for grade in possible if grade is not None and grade.step is not None]
    rise = f"{one.rating} → {one.after}"
    if one.promoted is None:
        least = grades.at(min(steps))
        return _error(one, f"not promoted, though {rise} makes {least} at least", "look at the promotions")
    step = one.promoted.step
    begins = "" if step is None else f"; {one.promoted} begins at {grades.lower(step)}"
    if not steps or (step is not None and step > max(steps)):
        return _error(
            one, f"promoted to {one.promoted}, which {rise} does not allow{begins}", "look at the grade"
        )
    return _error(
        one, f"promoted to {one.promoted}, though {rise} makes {grades.at(min(steps))}", "look at the grade"
    )


def _of_newcomer(one: PublishedRow, played: int) -> FileFinding:
    """A player who is rated by performance: fewer than nine games give no grade."""
    possible = {
        after_event(GradeStanding(one.grade), before=None, after=one.after, games=total, total=total).grade
        for total in range(max(PROVISIONAL, played), _MANY)
    }
    if one.promoted in possible:
        return _note(one, f"promoted to {one.promoted}: right only with {PROVISIONAL} rated games or more")
    message = f"promoted to {one.promoted}, which a rating of {one.after} by performance does not allow"
    return _error(one, message, "look at the grade")


def _error(one: PublishedRow, message: str, mend: str) -> FileFinding:
    return FileFinding(
        "R13", message, f"{mend}, and at the change of the rating", one.row.line, one.row.label
    )


def _note(one: PublishedRow, message: str) -> FileFinding:
    return FileFinding(
        "R13", message, "compare it with the rating list", one.row.line, one.row.label, note=True
    )
