"""All settings of a Keizer tournament, each with a sound default and its allowed values."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.club.absence_settings import MOST, AbsenceSettings
from core.club.setting import FIELD, FORFEITS, at_least, points, refuse_wrong, setting, up_to, worth


@dataclass(frozen=True, slots=True)
class KeizerSettings(AbsenceSettings):
    """The rules of one tournament, all of them stored with it (`setting_texts`). Fractions are exact.

    The rules that a setting decides stand above it (club §A1 to §A5). ValueError names all that is wrong.
    """

    # Games that were not played (club K8)
    forfeit_win: Fraction = setting(
        Fraction(1),
        FORFEITS,
        worth("A forfeit win", "the value named below"),
        "1/2: where it is to be worth what a bye is",
        up_to(MOST),
    )
    forfeit_win_of: str = setting(
        "opponent",
        FORFEITS,
        {
            "opponent": "A forfeit win is a share of the opponent's value.",
            "own": "A forfeit win is a share of the own value.",
        },
        "own: where it is not to matter who stayed away",
    )
    forfeit_loss: Fraction = setting(
        Fraction(0),
        FORFEITS,
        worth("A forfeit loss", "the opponent's value"),
        "as much as loss: where not coming is losing",
        up_to(MOST),
    )
    double_forfeit: Fraction | None = setting(
        None,
        FORFEITS,
        {"": "Where neither came, each has what a forfeit loss is worth."}
        | worth("A game to which neither came", "the own value of each"),
        "1/3: where two who agree not to play are taken for excused",
        up_to(MOST),
    )
    # club K9
    withdrawn: str = setting(
        "removed",
        FIELD,
        {
            "removed": "Players who withdraw are no longer ranked, in any round.",
            "kept": "Players who withdraw stay in the table.",
        },
        "kept: where places are not to move when somebody leaves",
    )
    withdrawn_win: Fraction = setting(
        Fraction(3, 4),
        FIELD,
        worth("A win against somebody who has withdrawn", "the own value"),
        "1: where nobody is to lose by it",
        up_to(MOST),
        needs=("withdrawn", "removed"),
    )
    late_entry: str = setting(
        "excused",
        FIELD,
        {
            "excused": "Rounds before somebody joined count as excused.",
            "unexcused": "Rounds before somebody joined count as missed without a word.",
            "nothing": "Rounds before somebody joined are worth nothing.",
        },
        "nothing: where late members are to start from below",
        needs=("late_entry_points", ""),
    )
    late_entry_points: Fraction | None = setting(
        None,
        FIELD,
        points("Each round before somebody joined", "late_entry"),
        "where late members are to have what a weak start would have brought",
        at_least(0),
    )

    newcomers: str = setting(
        "rating",
        FIELD,
        {
            "rating": "Players who have not played yet are paired by rating, and have no rank.",
            "points": "Players who have not played yet are paired by points, and have no rank.",
        },
        "points: who wants the table that other programs make",
    )

    def __post_init__(self) -> None:
        refuse_wrong(self)

    @property
    def games_needed(self) -> int:
        """How many games are needed to be ranked at the end.

        Usually two thirds of the planned rounds, rounded up.
        """
        return -(-2 * self.planned_rounds // 3) if self.minimum_games is None else self.minimum_games

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a director should think about: allowed, but rarely meant."""
        found = []
        if self.loss_points is None and self.loss >= self.draw:
            found.append(
                f"a loss ({self.loss}) is worth as much as a draw ({self.draw}) or more: raise draw, or lower loss"
            )
        if self.absence == "fraction" and self.unexcused > self.excused and self.excused_points is None:
            found.append(
                f"an absence without a word ({self.unexcused}) is worth more than an excused one ({self.excused})"
            )
        if self.absence == "fraction" and self.excused > self.bye and self.bye_points is None:
            found.append(f"an excused absence ({self.excused}) is worth more than a bye ({self.bye})")
        return tuple(found)


EARLIER: Final = KeizerSettings(bonus_spread=Fraction(0), newcomers="points")
"""The values for tournaments that were created before a setting existed."""
