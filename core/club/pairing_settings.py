"""What clubs decide differently about who plays whom."""

from dataclasses import dataclass
from typing import Final

READINGS: Final = ("distance", "between")


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """The pairing rules of one tournament, stored with it (`setting_texts`). ValueError names all that is wrong."""

    # When two may meet again (P10). distance: as many rounds later, 3 is rounds 1 and 4; between: as many between.
    rematch_min_gap: int = 3
    rematch_reading: str = "distance"
    # Up to this many places apart another opponent is preferred to a second meeting of neighbours (P11).
    max_rank_shift: int = 4
    # How much more each further meeting weighs (P12).
    repeat_factor: int = 2

    def __post_init__(self) -> None:
        least = {"rematch_min_gap": 0, "max_rank_shift": 0, "repeat_factor": 1}
        wrong = [
            f"{name} must be at least {low}, not {getattr(self, name)}"
            for name, low in least.items()
            if getattr(self, name) < low
        ]
        if self.rematch_reading not in READINGS:
            wrong.append(
                f"rematch_reading must be one of {', '.join(READINGS)}, not {self.rematch_reading!r}"
            )
        if wrong:
            raise ValueError("; ".join(wrong))

    def too_early(self, rounds_later: int) -> int:
        """By how many rounds a rematch so many rounds after the last meeting is too early; 0 when it is allowed."""
        needed = self.rematch_min_gap + (self.rematch_reading == "between")
        return max(0, needed - rounds_later)

    def rematch_cost(self, meetings: int) -> int:
        """What it costs to meet again, in squares of places, for two who met so many times.

        Neighbours who meet a second time cost more than two players *max_rank_shift* places apart who have not met,
        and less than two who are one place farther apart.
        """
        if not meetings:
            return 0
        growth: int = self.repeat_factor ** (meetings - 1)
        return self.max_rank_shift * (self.max_rank_shift + 1) * growth
