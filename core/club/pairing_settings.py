"""What clubs decide differently about who plays whom."""

from dataclasses import dataclass

from core.club.setting import PAIRING, at_least, number_of, refuse_wrong, setting


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """The pairing rules of one tournament, stored with it (`setting_texts`). ValueError names all that is wrong."""

    # P10
    rematch_min_gap: int = setting(
        3,
        PAIRING,
        number_of(
            "Two may meet again after 1 round, counted by rematch_reading.",
            "Two may meet again after {} rounds, counted by rematch_reading.",
            "Two may meet again at once.",
        ),
        "more: large fields; fewer: six players or less",
        at_least(0),
    )
    rematch_reading: str = setting(
        "distance",
        PAIRING,
        {
            "distance": "So many rounds later: with 3 in rounds 1 and 4.",
            "between": "With so many rounds between: with 3 in rounds 1 and 5.",
        },
        "between: KeizerForClubs",
    )
    # P11
    max_rank_shift: int = setting(
        4,
        PAIRING,
        number_of(
            "Up to 1 place apart somebody new is preferred to a second meeting of neighbours.",
            "Up to {} places apart somebody new is preferred to a second meeting of neighbours.",
            "Neighbours meet again as soon as they may.",
        ),
        "less: where the top is to meet again; more: where everybody is to meet many",
        at_least(0),
    )
    # P12
    repeat_factor: int = setting(
        2,
        PAIRING,
        {
            "1": "Each further meeting weighs as much as the second.",
            "{}": "Each further meeting weighs {} times as much as the one before.",
        },
        "3: where the same pair three times a season is too much",
        at_least(1),
    )

    def __post_init__(self) -> None:
        refuse_wrong(self)

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
