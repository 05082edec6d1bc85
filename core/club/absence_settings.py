"""Settings for rounds without a game: byes, absences, games for the club elsewhere."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.club.setting import AWAY, BONUS, at_least, number_of, points, setting, up_to, worth, yes_no
from core.club.table_settings import TableSettings

_SHARES: Final = ("absence", "fraction")
_BONUS: Final = ("absence", "bonus")
_OWN: Final = "the own value"
MOST: Final = 3
"""The highest share; a greater number was meant as points."""


@dataclass(frozen=True, slots=True)
class AbsenceSettings(TableSettings):
    """Rounds without a game (club K6, K7, §A4)."""

    bye: Fraction = setting(
        Fraction(1, 2),
        AWAY,
        worth("A bye", _OWN),
        "2/3 (FreeKeizer, Bornse DV); 1 or more: where nobody is to lose by an odd number",
        up_to(MOST),
        needs=("bye_points", ""),
    )
    bye_points: Fraction | None = setting(
        None, AWAY, points("A bye", "its share"), "where a bye is worth the same for everybody", at_least(0)
    )
    absence: str = setting(
        "bonus",
        AWAY,
        {
            "bonus": "An absence is worth a bonus by rating, round and own value.",
            "fraction": "An absence is worth a share of the own value.",
        },
        "fraction: who wants to check it by hand, as in most programs",
    )
    excused: Fraction = setting(
        Fraction(1, 3),
        AWAY,
        worth("An excused absence", _OWN),
        "0.35 (KeizerForClubs); 1/6 (Bornse DV); 1/2 and more: clubs of shift workers",
        up_to(MOST),
        needs=_SHARES,
    )
    excused_points: Fraction | None = setting(
        None,
        AWAY,
        points("An excused absence", "its share or bonus"),
        "where an absence is worth the same for everybody",
        at_least(0),
    )
    short_notice: Fraction = setting(
        Fraction(1, 6),
        AWAY,
        worth("An excuse at short notice", _OWN),
        "as much as excused: where any word is enough; 0: where the pairing list is made before",
        up_to(MOST),
        needs=_SHARES,
    )
    short_notice_points: Fraction | None = setting(
        None,
        AWAY,
        points("An excuse at short notice", "its share or bonus"),
        "where an absence is worth the same for everybody",
        at_least(0),
    )
    unexcused: Fraction = setting(
        Fraction(0),
        AWAY,
        worth("An absence without a word", _OWN),
        "0.05 (KeizerForClubs); as much as excused: where nobody asks why",
        up_to(MOST),
        needs=_SHARES,
    )
    unexcused_points: Fraction | None = setting(
        None,
        AWAY,
        points("An absence without a word", "its share or bonus"),
        "where an absence is worth the same for everybody",
        at_least(0),
    )
    club_duty: Fraction = setting(
        Fraction(2, 3),
        AWAY,
        worth("Club duty", _OWN),
        "0.7 (KeizerForClubs); 1: if members who work for the club are to lose nothing",
        at_least(0),
        needs=_SHARES,
    )
    club_duty_points: Fraction | None = setting(
        None,
        AWAY,
        points("Club duty", "its share or bonus"),
        "where duty is worth the same for everybody",
        at_least(0),
    )
    external_win: Fraction = setting(
        Fraction(1),
        AWAY,
        worth("A win for the club elsewhere", _OWN),
        "7/6: where teams come first (with 5/6 for a draw and 1/2 for a loss)",
        up_to(MOST),
    )
    external_draw: Fraction = setting(
        Fraction(1, 2),
        AWAY,
        worth("A draw for the club elsewhere", _OWN),
        "5/6, see external_win",
        up_to(MOST),
    )
    external_loss: Fraction = setting(
        Fraction(0),
        AWAY,
        worth("A loss for the club elsewhere", _OWN),
        "1/3 or 1/2: where nobody is to lose by playing for the club",
        up_to(MOST),
    )
    external_counts: bool = setting(
        False,
        AWAY,
        yes_no(
            yes="A game for the club elsewhere counts for minimum_games.",
            no="A game for the club elsewhere does not count for minimum_games.",
        ),
        "yes: where team players miss many evenings",
    )
    last_rounds: int = setting(
        0,
        AWAY,
        number_of(
            "In the last planned round absences are worth less.",
            "In the last {} planned rounds absences are worth less.",
            "Absences are worth the same in all rounds (a bonus ends by itself).",
        ),
        "2 or 3: where the last evenings decide and all are to come",
        at_least(0),
    )
    last_rounds_share: Fraction = setting(
        Fraction(1, 2),
        AWAY,
        {
            "0": "In those last rounds an absence is worth nothing.",
            "1": "In those last rounds an absence is worth what it is worth before.",
            "{}": "In those last rounds an absence is worth {} of what it is worth before.",
        },
        "0: where nobody is to win by staying away",
        up_to(1),
    )
    # club K7
    paid_absences: int | None = setting(
        None,
        AWAY,
        {
            "": "All absences are paid.",
            "0": "No absence is paid.",
            "1": "1 absence is paid.",
            "{}": "{} absences are paid.",
        },
        "5 (FreeKeizer), 8 or 10 (Bornse DV): where coming is expected",
        at_least(0),
    )
    beyond_limit: str = setting(
        "nothing",
        AWAY,
        {
            "nothing": "Absences beyond the paid ones are worth nothing.",
            "unexcused": "Absences beyond the paid ones count as without a word.",
        },
        "unexcused: where even those are worth something",
    )
    halved_absences: bool = setting(
        False,
        AWAY,
        yes_no(
            yes="Each further absence is worth half of the one before.",
            no="Each absence is worth the same, however many there were.",
        ),
        "yes: instead of a limit",
    )
    paid_after_first_game: bool = setting(
        False,
        AWAY,
        yes_no(
            yes="Absences before the first game are worth nothing.",
            no="Absences before the first game are worth as much as later ones.",
        ),
        "yes: where members are on the list who may never come (FreeKeizer)",
    )
    limited_club_duty: bool = setting(
        False,
        AWAY,
        yes_no(
            yes="Club duty counts among the paid absences.",
            no="Club duty and games elsewhere do not count among the paid absences.",
        ),
        "yes: where an absence is an absence (FreeKeizer)",
    )
    # a, m, l and the f of club §A4
    bonus_base: Fraction = setting(
        Fraction(1, 2),
        BONUS,
        worth("The whole bonus of a member in the middle of the field", "the value"),
        "less: where most members come every week",
        at_least(0),
        needs=_BONUS,
    )
    bonus_spread: Fraction = setting(
        Fraction(1),
        BONUS,
        {
            "0": "The bonus is the same share for the strong and for the weak.",
            "1": "The strongest have one and a half times that bonus, the weakest half of it.",
            "{}": "From the weakest to the strongest the bonus grows by {} times what it is in the middle.",
        },
        "0: the bonus of earlier versions, which lifts weak members who stay away",
        up_to(2),
        needs=_BONUS,
    )
    bonus_early: int = setting(
        3,
        BONUS,
        number_of(
            "In the first round the bonus goes by rating.",
            "In the first {} rounds the bonus goes by rating too, less each time.",
        ),
        "more: where strong members often begin late",
        at_least(1),
        needs=_BONUS,
    )
    bonus_end: int = setting(
        2,
        BONUS,
        number_of(
            "In the last planned round there is no bonus.",
            "In the last {} planned rounds the bonus fades, to nothing in the last.",
        ),
        "more: where the end is to be played by all",
        at_least(1),
        needs=_BONUS,
    )
    bonus_excused: Fraction = setting(
        Fraction(1),
        BONUS,
        worth("An excused absence", "the bonus"),
        "less: a club that wants all to come",
        up_to(1),
        needs=_BONUS,
    )
    bonus_short_notice: Fraction = setting(
        Fraction(1, 2),
        BONUS,
        worth("An excuse at short notice", "the bonus"),
        "1: where any word is enough",
        up_to(1),
        needs=_BONUS,
    )
    bonus_unexcused: Fraction = setting(
        Fraction(0),
        BONUS,
        worth("An absence without a word", "the bonus"),
        "1: where nobody asks why",
        up_to(1),
        needs=_BONUS,
    )
    bonus_club: Fraction = setting(
        Fraction(1),
        BONUS,
        worth("Club duty", "the bonus"),
        "more than 1: if members who work for the club are to lose nothing",
        at_least(0),
        needs=_BONUS,
    )
