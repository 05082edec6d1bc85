"""What shogi clubs store of a member: nation, grade, MacMahon points, spelling, new to rated tournaments."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from core import names
from core.club.grades import read_grade
from core.club.nations import read_nation
from core.club.spelling import read_spelling
from daemon.archive.club.rows import MemberRow
from daemon.club.errors import ClubError

FIELDS: Final = ("nation", "grade", "macmahon", "spelled", "newcomer")
_POINTS: Final = re.compile(r"(\d{1,2})(?:[.,](\d)|(½))?|½|1/2")


@dataclass(frozen=True, slots=True)
class ShogiFacts:
    """What is to be stored, as it is typed; None changes nothing, an empty text removes it."""

    nation: str | None = None
    grade: str | None = None
    macmahon: str | None = None
    spelled: str | None = None
    newcomer: bool | None = None


def applied(member: MemberRow, facts: ShogiFacts) -> MemberRow:
    """The member with these facts.

    Raises:
        ClubError: one of them cannot be so.
    """
    try:
        return replace(
            member,
            nation=_given(facts.nation, member.nation, read_nation),
            grade=_given(facts.grade, member.grade, _grade),
            macmahon=_given(facts.macmahon, member.macmahon, _macmahon),
            spelled=_given(facts.spelled, member.spelled, _spelled),
            newcomer=member.newcomer if facts.newcomer is None else facts.newcomer,
        )
    except ValueError as error:
        raise ClubError(f"{member.label or member.name}: {error}") from error


def _given(text: str | None, now: str | None, read: Callable[[str], str]) -> str | None:
    if text is None:
        return now
    return read(text) if text.strip() else None


def values(member: MemberRow) -> dict[str, object]:
    """These facts as they are stored."""
    return {name: getattr(member, name) for name in FIELDS}


def _grade(text: str) -> str:
    found = read_grade(names.clean(text))
    if found is None:
        raise ValueError(f'"{text.strip()[:20]}" is not a grade: 3 Dan, 12 Kyu')
    return str(found)


def _macmahon(text: str) -> str:
    shown = text.strip()
    found = _POINTS.fullmatch(shown)
    if found is None:
        raise ValueError(f'"{shown[:20]}" is not a number of MacMahon points: 2, or 2.5')
    half = Fraction(1, 2) if shown.endswith(("½", "1/2")) else Fraction(0)
    return str(int(found[1] or 0) + Fraction(int(found[2] or 0), 10) + half)


def _spelled(text: str) -> str:
    return str(read_spelling(text))
