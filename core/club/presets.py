"""Named sets of rules for kinds of clubs: how they differ from the usual settings (club K1 to K11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of settings, as texts; all others are as usual. *clubs* says which clubs play by it."""

    name: str
    clubs: str
    settings: Mapping[str, str]


_SHARES: Final = {"absence": "fraction", "last_round": "normal", "newcomers": "points"}
"""What every program except the eight o'clock one has.

Absences by shares, for all rounds and players alike.
"""

PRESETS: Final = tuple(
    Preset(name, clubs, settings)
    for name, clubs, settings in (
        (
            "eight-oclock",
            "all who are there at eight play; late and rare comers do the others no harm (the usual settings)",
            {},
        ),
        (
            "keizerforclubs",
            "clubs that come from the program KeizerForClubs and check its tables by hand",
            _SHARES
            | {
                "valuation": "lagged",
                "bye": "1/2",
                "excused": "0.35",
                "short_notice": "0.35",
                "unexcused": "0.05",
                "club_duty": "0.7",
                "ties": "rating",
                "rematch_min_gap": "2",
                "rematch_reading": "between",
            },
        ),
        (
            "freekeizer",
            "clubs that come from FreeKeizer: something for a loss, five paid absences, the own value of the start",
            _SHARES
            | {
                "valuation": "lagged",
                "own_value": "start",
                "loss": "1/6",
                "bye": "2/3",
                "excused": "1/3",
                "short_notice": "1/3",
                "unexcused": "1/3",
                "club_duty": "1/3",
                "paid_absences": "5",
                "paid_after_first_game": "yes",
                "limited_club_duty": "yes",
            },
        ),
        (
            "caissa",
            "Dutch clubs like Caïssa Amsterdam: 50 points at the top, a third of the own value for who is excused",
            _SHARES | {"valuation": "lagged", "base": "50", "excused": "1/3", "unexcused": "0"},
        ),
        (
            "haren",
            "Dutch clubs like Haren: 80 points at the top, valued until the ranking comes to rest",
            _SHARES | {"valuation": "fixpoint", "base": "80"},
        ),
        (
            "kijk-uit",
            "Dutch clubs like Kijk Uit: 100 points at the top; playing for the club is as playing against oneself",
            _SHARES
            | {
                "valuation": "lagged",
                "base": "100",
                "excused": "1/3",
                "unexcused": "0",
                "external_win": "1",
                "external_draw": "1/2",
                "external_loss": "0",
            },
        ),
        (
            "bornse-dv",
            "clubs like Bornse DV (draughts): no own value, 2/3 for a bye, 1/6 for at most eight absences",
            _SHARES
            | {
                "valuation": "lagged",
                "base": "70",
                "own_value": "none",
                "bye": "2/3",
                "excused": "1/6",
                "paid_absences": "8",
                "club_duty": "2/3",
                "external_win": "1",
                "external_draw": "1/2",
            },
        ),
        (
            "schlapp",
            "German clubs that reckon by hand after Schlapp or TSG: three times as much at the top, cut to a whole number",
            _SHARES | {"valuation": "lagged", "rounding": "floor"},
        ),
        (
            "team-players",
            "clubs whose teams come first: 7/6, 5/6 and 1/2 of the own value for games elsewhere, which count as games",
            _SHARES
            | {
                "external_win": "7/6",
                "external_draw": "5/6",
                "external_loss": "1/2",
                "external_counts": "yes",
            },
        ),
        (
            "fixed-points",
            "clubs that want the same for everybody who could not play: fixed points for byes, absences and losses",
            _SHARES
            | {
                "bye_points": "15",
                "excused_points": "10",
                "short_notice_points": "5",
                "unexcused_points": "0",
                "club_duty_points": "15",
                "loss_points": "2",
                "late_entry_points": "5",
            },
        ),
    )
)
"""All presets; the first one changes nothing."""
BY_NAME: Final[Mapping[str, Preset]] = {preset.name: preset for preset in PRESETS}
