"""FESA grades and handicaps: the scale from 20 Kyu to 7 Dan, in ratings (club R11, R12, R15)."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, Literal

GradeKind = Literal["Dan", "Kyu", "Pro"]

LOWEST_OPPONENT: Final = 400
"""A weaker opponent counts as one of this rating (club R5)."""

# Lower bounds of 20 Kyu ... 1 Kyu, 1 Dan ... 9 Dan. A grade's upper bound is the lower bound of the next.
_KYU_BOUNDS: Final = (
    *(0, 80, 160, 240, 320, 400, 480, 560, 640, 720),
    *(800, 880, 960, 1040, 1120, 1200, 1280, 1360, 1460, 1560),
)
_BOUNDS: Final = (*_KYU_BOUNDS, 1680, 1800, 1920, 2080, 2240, 2440, 2640, 2880, 3120)
_KYUS: Final = len(_KYU_BOUNDS)
_TOP: Final = _KYUS + 6
"""The step of 7 Dan, the highest grade."""

# Games above the lower bound, and in a row above the middle, that promote to a step (club R13); none: only by rating.
_SERIES: Final[tuple[tuple[int | None, int | None], ...]] = (
    *((6, 3),) * 9,  # 20 to 12 Kyu
    *((8, 4),) * 4,  # 11 to 8 Kyu
    *((10, 5),) * 3,  # 7 to 5 Kyu
    *((12, 6),) * 3,  # 4 to 2 Kyu
    *((14, 7),) * 3,  # 1 Kyu to 2 Dan
    *((16, 8),) * 2,  # 3 and 4 Dan
    (None, 10),  # 5 Dan
    *((None, None),) * 2,  # 6 and 7 Dan
)

_K_BOUNDS: Final = (720, 1040, 1280, 1560, 1920, 2240)
_K: Final = (40, 36, 32, 28, 24, 20, 16)

_ZERO_PLACE: Final = 5
"""The step of 15 Kyu, whose lower bound is 0.0 on the scale of handicaps."""

HANDICAPS: Final = {
    "m": 0.2,
    "l": 0.6,
    "b": 1.5,
    "r": 2.1,
    "rl": 2.7,
    "2p": 3.6,
    "4p": 5.0,
    "5p": 6.5,
    "6p": 8.0,
}
"""The value of each handicap, in steps of grade, since 2005."""

_GRADE: Final = re.compile(r"\s*(\d{1,2})[ .]*(dan|kyu|pro|d|k)\b", re.IGNORECASE)
_KINDS: Final[dict[str, GradeKind]] = {"d": "Dan", "k": "Kyu", "p": "Pro"}


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade as FESA writes it: "2 Dan", "14 Kyu"; a professional's is "3 Pro"."""

    level: int
    kind: GradeKind

    def __post_init__(self) -> None:
        """Refuse a grade that is not on the scale."""
        highest = {"Dan": _TOP - _KYUS + 1, "Kyu": _KYUS, "Pro": 9}[self.kind]
        if not 1 <= self.level <= highest:
            raise ValueError(f"there is no grade {self.level} {self.kind}: 1 to {highest} {self.kind} exist")

    def __str__(self) -> str:
        return f"{self.level} {self.kind}"

    @property
    def step(self) -> int | None:
        """Its number in the order of grades, from 0.

        20 Kyu is 0, 1 Kyu 19, 1 Dan 20, 7 Dan 26; a professional grade has none.
        """
        if self.kind == "Pro":
            return None
        return _KYUS - self.level if self.kind == "Kyu" else _KYUS + self.level - 1

    @property
    def rating(self) -> int:
        """The middle of its ratings (club R8, R12), or the value of a professional grade (club R15)."""
        step = self.step
        return 2540 + 30 * (self.level - 1) if step is None else middle(step)


def read_grade(text: str) -> Grade | None:
    """The grade at the beginning of *text*, or None: "2 Dan", "2 dan", "2d".

    Raises:
        ValueError: it looks like a grade, but there is no such grade.
    """
    found = _GRADE.match(text)
    return Grade(int(found[1]), _KINDS[found[2][0].lower()]) if found else None


def at(step: int) -> Grade:
    """The grade of a step."""
    return Grade(_KYUS - step, "Kyu") if step < _KYUS else Grade(step - _KYUS + 1, "Dan")


def next_step(grade: Grade | None) -> int | None:
    """The step above *grade*; without a grade the lowest; None for 7 Dan and professionals, who are not promoted."""
    if grade is None:
        return 0
    step = grade.step
    return None if step is None or step >= _TOP else step + 1


def lower(step: int) -> int:
    """The lowest rating of a step's grade, LB."""
    return _BOUNDS[step]


def middle(step: int) -> int:
    """The middle of a step's grade, MP."""
    return (_BOUNDS[step] + _BOUNDS[step + 1]) // 2


def upper(step: int) -> int:
    """The rating at which the next grade begins, UB."""
    return _BOUNDS[step + 1]


def series_needed(step: int) -> tuple[int | None, int | None]:
    """How many games promote to a step: #LB above its lower bound, or #MP in a row above its middle."""
    return _SERIES[step]


def k_factor(rating: float) -> int:
    """The greatest change of a rating by one game (club R2)."""
    return _K[bisect_right(_K_BOUNDS, rating)]


def place(rating: float) -> float:
    """A rating in steps of grade: 15 Kyu begins at 0.0, 1 Kyu at 14.0, 1 Dan at 15.0; linear in between."""
    step = min(max(bisect_right(_BOUNDS, rating) - 1, 0), len(_BOUNDS) - 2)
    low, high = _BOUNDS[step], _BOUNDS[step + 1]
    return step - _ZERO_PLACE + (rating - low) / (high - low)


def rating_at(where: float) -> int:
    """The rating at a place on the scale, rounded; below 20 Kyu it is 1."""
    step = min(int(where + _ZERO_PLACE), len(_BOUNDS) - 2)
    if where + _ZERO_PLACE < 0:
        return 1
    low, high = _BOUNDS[step], _BOUNDS[step + 1]
    return max(1, round(low + (where + _ZERO_PLACE - step) * (high - low)))


@dataclass(frozen=True, slots=True)
class Handicap:
    """A handicap as a player's row shows it: "-2p" gave it, "+2p" received it."""

    code: str
    received: bool

    def __str__(self) -> str:
        return f"{'+' if self.received else '-'}{self.code}"


def seen_as(opponent: float, my: float, handicap: Handicap | None) -> float:
    """The rating that an opponent counts with (club R5, R11).

    Args:
        opponent: Their rating after the event.
        my: Mine before the event.
        handicap: As my row shows it.
    """
    opponent = max(LOWEST_OPPONENT, opponent)
    if handicap is None:
        return opponent
    worth = HANDICAPS[handicap.code]
    if handicap.received:
        return rating_at(place(opponent) - worth)
    return opponent + my - rating_at(place(my) - worth)
