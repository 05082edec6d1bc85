"""Settings for the table itself: value numbers, games at the board, places."""

from dataclasses import dataclass
from fractions import Fraction

from core.club.setting import (
    RANKING,
    TABLE,
    Allowed,
    at_least,
    more_than,
    number_of,
    points,
    setting,
    up_to,
    worth,
)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Value numbers and games. The marks in the comments (K…, V…) name the rules that a setting decides."""

    planned_rounds: int = setting(
        7,
        TABLE,
        number_of("1 round is planned; more can be played.", "{} rounds are planned; more can be played."),
        "every club has its own number; about two thirds of the field is good",
        at_least(1),
    )
    # club V1
    valuation: str = setting(
        "fixpoint",
        TABLE,
        {
            "fixpoint": "All rounds are valued again and again, until the ranking comes to rest.",
            "lagged": "All rounds are valued with the places of the table before.",
            "frozen": "Each round is valued once, with the places of the table before it, and stays so.",
        },
        "lagged: who checks the table by hand (Caïssa, KeizerForClubs, FreeKeizer); frozen: whose points never change",
    )
    # club K5
    own_value: str = setting(
        "current",
        TABLE,
        {
            "current": "Everybody's own value, by the place now, is added once.",
            "start": "Everybody's own value of the start is added once.",
            "none": "The own value is not added.",
            "fading": "The own value is added once, a fifth less after each round, nothing from round 5 on.",
        },
        "none: where only what was played counts; start: where ratings are trusted (FreeKeizer)",
    )
    # club K2, K3
    base: Fraction | None = setting(
        None,
        TABLE,
        {"": "The highest value number follows from the ratio.", "{}": "The highest value number is {}."},
        "50, 70, 80, 100: where members know their numbers by heart",
        more_than(0),
    )
    ratio: Fraction = setting(
        Fraction(3),
        TABLE,
        "The highest value number is {} times the lowest.",
        "2: a flat table, in which a win over anybody counts much",
        more_than(1),
        needs=("base", ""),
    )
    rounding: str = setting(
        "half_even",
        TABLE,
        {
            "half_even": "A highest value number of 7.5 is rounded to 8, one of 10.5 to 10.",
            "half_up": "A highest value number of 7.5 is rounded up to 8.",
            "floor": "A highest value number of 7.5 is cut to 7.",
        },
        "as the program did that the club used before",
        needs=("base", ""),
    )
    step: Fraction = setting(
        Fraction(1),
        TABLE,
        {"1": "Each place is 1 less than the one above.", "{}": "Each place is {} less than the one above."},
        "1/2: large fields with a small highest number",
        more_than(0),
    )
    # club K4
    draw: Fraction = setting(
        Fraction(1, 2),
        TABLE,
        worth("A draw", "the opponent's value"),
        "more than 1/2: with a high share for a loss",
        up_to(1),
    )
    loss: Fraction = setting(
        Fraction(0),
        TABLE,
        worth("A loss", "the opponent's value"),
        "1/6: where a loss to a strong player is to count (FreeKeizer); 1/20: a small reward for strong opponents",
        up_to(1),
    )
    loss_points: Fraction | None = setting(
        None,
        TABLE,
        points("A loss at the board", "its share"),
        "where everybody who plays is to have something for it",
        at_least(0),
    )
    # club G1. A narrow leader who stays away is then caught for certain (club B4), unless an own value still fades in that round.
    last_round: str = setting(
        "held",
        TABLE,
        {
            "held": "The last planned round is counted with the value numbers of the table before it.",
            "normal": "The last planned round is valued as all others.",
        },
        "normal: who wants the table that other programs make",
    )
    start_order: str = setting(
        "rating",
        RANKING,
        {
            "rating": "Before round 1 members are ordered by rating; no two have the same.",
            "lot": "Before round 1 members are ordered by lot.",
            "table": "Before round 1 members are ordered by an earlier table; those who are not in it follow by rating.",
        },
        "table: clubs that go on from last season; lot: clubs without ratings",
    )
    lot: str = setting(
        "",
        RANKING,
        {
            "": "No lot is drawn yet.",
            "{}": "Lots are drawn from {}: drawn again from it, they are the same.",
        },
        "another word is another lot",
        Allowed("at most 40 characters", lambda text: len(text) <= 40),
    )
    # club K11
    ties: str = setting(
        "start",
        RANKING,
        {
            "start": "With equal points the order before round 1 decides.",
            "rating": "With equal points the higher rating is first.",
            "name": "With equal points names decide.",
        },
        "rating: where the first order is not by rating",
    )
    # club P15
    minimum_games: int | None = setting(
        None,
        RANKING,
        number_of(
            "1 game at the board is needed to be ranked at the end.",
            "{} games at the board are needed to be ranked at the end.",
            "All who have played are ranked at the end.",
        )
        | {"": "Games at the board in two thirds of the planned rounds are needed to be ranked at the end."},
        "0 or 1: if all who have played once are to be ranked; half of the rounds: where most members come now and then",
        at_least(0),
    )
