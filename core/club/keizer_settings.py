"""Every choice that clubs make differently in a Keizer tournament, with a sound default and what is allowed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "valuation": ("fixpoint", "lagged", "frozen"),
    "own_value": ("current", "start", "none", "fading"),
    "rounding": ("half_even", "half_up", "floor"),
    "absence": ("bonus", "fraction"),
    "last_round": ("held", "normal"),
    "withdrawn": ("removed", "kept"),
    "beyond_limit": ("nothing", "unexcused"),
    "late_entry": ("excused", "unexcused", "nothing"),
    "ties": ("start", "rating", "name"),
}
_FROM_0_TO_1: Final = (
    "bye",
    "excused",
    "unexcused",
    "bonus_excused",
    "bonus_unexcused",
    "forfeit_win",
    "forfeit_loss",
    "withdrawn_win",
)
_LEAST: Final[Mapping[str, int]] = {
    "club_duty": 0,
    "bonus_base": 0,
    "bonus_club": 0,
    "paid_absences": 0,
    "minimum_games": 0,
    "planned_rounds": 1,
    "bonus_early": 1,
    "bonus_end": 1,
}


@dataclass(frozen=True, slots=True)
class KeizerSettings:
    """The rules of one tournament, all of them stored with it (`setting_texts`). Fractions are exact.

    The marks (K…, V…, A4, G1) are those of the rules that a setting decides. ValueError names all that is wrong.
    """

    # fixpoint: valued again until the ranking repeats; lagged: by the table before; frozen: once and for all (V1).
    valuation: str = "fixpoint"
    # Added once to each table: the current value number, that of the start, none, or fading until round 5 (K5).
    own_value: str = "current"
    # The highest value number; without it *ratio*, highest to lowest, decides, rounded by *rounding* (K2, K3).
    base: Fraction | None = None
    ratio: Fraction = Fraction(3)
    rounding: str = "half_even"
    step: Fraction = Fraction(1)
    # Share of the opponent's value for a loss; less than a draw is worth (K4).
    loss: Fraction = Fraction(0)
    # Share of the own value for a forced bye (K6).
    bye: Fraction = Fraction(1, 2)
    # bonus: by rating, round and own value (A4), with the bonus_ settings; fraction: a share of the own value (K6).
    absence: str = "bonus"
    excused: Fraction = Fraction(1, 3)
    unexcused: Fraction = Fraction(0)
    club_duty: Fraction = Fraction(2, 3)
    # a, m, l and the three f of A4, and T. More than the planned rounds can be played.
    bonus_base: Fraction = Fraction(1, 2)
    bonus_early: int = 3
    bonus_end: int = 3
    bonus_excused: Fraction = Fraction(1)
    bonus_unexcused: Fraction = Fraction(0)
    bonus_club: Fraction = Fraction(1)
    planned_rounds: int = 7
    # held: the table after the last planned round uses the value numbers of the table before it (G1). A narrow leader
    # who stays away is then caught for certain (B4), unless an own value still fades in that round.
    last_round: str = "held"
    # Shares of the opponent's value for games that were not played (K8).
    forfeit_win: Fraction = Fraction(1)
    forfeit_loss: Fraction = Fraction(0)
    # removed: all rounds are ranked without him, and a win against him is a share of the own value; kept (K9).
    withdrawn: str = "removed"
    withdrawn_win: Fraction = Fraction(3, 4)
    # How many absences are paid, all of them without a number; what further ones are worth (K7).
    paid_absences: int | None = None
    beyond_limit: str = "nothing"
    # Each further absence is worth half of the one before.
    halved_absences: bool = False
    paid_after_first_game: bool = False
    limited_club_duty: bool = False
    # What the rounds before a player joined are taken for.
    late_entry: str = "excused"
    # Who stands first with equal points (K11).
    ties: str = "start"
    # How many games it takes to stand in the final ranking (P15).
    minimum_games: int = 0

    def __post_init__(self) -> None:
        wrong = list(_wrong(self))
        if wrong:
            raise ValueError("; ".join(wrong))


def _wrong(settings: KeizerSettings) -> Iterator[str]:
    for name, allowed in CHOICES.items():
        if getattr(settings, name) not in allowed:
            yield f"{name} must be one of {', '.join(allowed)}, not {getattr(settings, name)!r}"
    for name in _FROM_0_TO_1:
        if not 0 <= getattr(settings, name) <= 1:
            yield f"{name} must be from 0 to 1, not {getattr(settings, name)}"
    for name, least in _LEAST.items():
        value = getattr(settings, name)
        if value is not None and value < least:
            yield f"{name} must be at least {least}, not {value}"
    if not 0 <= settings.loss < Fraction(1, 2):
        yield f"loss must be at least 0 and less than 1/2, not {settings.loss}"
    yield from _wrong_values(settings)


def _wrong_values(settings: KeizerSettings) -> Iterator[str]:
    if settings.ratio <= 1:
        yield f"ratio must be more than 1, not {settings.ratio}"
    if settings.step <= 0:
        yield f"step must be more than 0, not {settings.step}"
    if settings.base is not None and settings.base <= 0:
        yield f"base must be more than 0, not {settings.base}"
