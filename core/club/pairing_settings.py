"""Settings for who plays whom."""

from dataclasses import dataclass

from core.club.setting import PAIRING, at_least, number_of, refuse_wrong, setting, yes_no


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """The pairing rules of one tournament, stored with it (`setting_texts`).

    Raises ValueError, which names all that is wrong.
    """

    # club P10
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
    # club P11
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
    # club P12
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

    max_meetings: int | None = setting(
        None,
        PAIRING,
        number_of("Two meet once at most.", "Two meet at most {} times.")
        | {"": "Two may meet as often as the rounds allow."},
        "1 or 2: large fields, or where everybody is to meet many",
        at_least(1),
    )
    once_per_half: bool = setting(
        False,
        PAIRING,
        yes_no(
            yes="Two meet at most once in each half of the planned rounds.",
            no="Two may meet twice in one half of the season.",
        ),
        "yes: clubs that play a season in two halves",
    )
    first_round: str = setting(
        "table",
        PAIRING,
        {
            "table": "In round 1 the first plays the second, the third the fourth, as always.",
            "halves": "In round 1 the upper half plays the lower half.",
            "random": "Round 1 is drawn by lot.",
        },
        "random: where the same two would meet every autumn; halves: where beginners are to meet the best",
    )
    groups: str = setting(
        "meet",
        PAIRING,
        {
            "meet": "Members of one group meet each other first, once each.",
            "apart": "Groups do not matter for the pairing.",
        },
        "apart: where a group is only a table of its own",
    )

    def __post_init__(self) -> None:
        refuse_wrong(self)

    def too_early(self, rounds_later: int) -> int:
        """By how many rounds a rematch so many rounds after the last meeting is too early.

        0 if it is allowed.
        """
        needed = self.rematch_min_gap + (self.rematch_reading == "between")
        return max(0, needed - rounds_later)

    def too_often(self, meetings: int) -> int:
        """By how many meetings one more would be too many; 0 if it is allowed."""
        return 0 if self.max_meetings is None else max(0, meetings + 1 - self.max_meetings)

    def rematch_cost(self, meetings: int) -> int:
        """The cost of meeting again, in squares of places, for two who have met so many times.

        Neighbours who meet a second time cost more than two players *max_rank_shift* places apart who have
        not met, and less than two who are one place farther apart.
        """
        if not meetings:
            return 0
        growth: int = self.repeat_factor ** (meetings - 1)
        return self.max_rank_shift * (self.max_rank_shift + 1) * growth
