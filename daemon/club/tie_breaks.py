"""FIDE's tie-breaks of a club tournament: extra numbers in a Keizer table, the order in one by points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.club.points_table import is_round_robin
from core.club.tie_breaks import NEWEST, RULES, TieBreakError, rules_on, standings
from core.club.trf_days import days_of
from daemon.club.errors import ClubError
from daemon.club.season import Season
from daemon.club.tournament_record import record_of


@dataclass(frozen=True, slots=True)
class Ties:
    """Tie-breaks after a round.

    Attributes:
        rules: by which edition of FIDE's rules, in words.
        values: what each member has, by label and code; None for what only compares those who are equal.
        places: the place by points and these tie-breaks, by label.
    """

    rules: str
    values: Mapping[str, Mapping[str, float | None]]
    places: Mapping[str, int]


def ties(season: Season, number: int, codes: Sequence[str], day: date | None = None) -> Ties:
    """The tie-breaks after a round, by the rules of the day on which the tournament began.

    Args:
        season: the tournament.
        number: of the round.
        codes: FIDE's: "BH/C1", "SB".
        day: it began on, if the tournament does not say.

    Raises:
        ClubError: a code is unknown, or cannot be worked out.
    """
    try:
        document = season.report
        labels = {entry.number: entry.player.id for entry in record_of(season).entries}
        rules = rules_on(day or min(days_of(document), default=None))
        robin = is_round_robin(document)
        cut = replace(
            document, players=tuple(replace(one, turns=one.turns[:number]) for one in document.players)
        )
        places = standings(cut, codes, round_robin=robin, rules=rules)
    except TieBreakError as error:
        raise ClubError(str(error)) from error
    except ValueError as error:
        raise ClubError(f"no tie-breaks can be worked out: {error}") from error
    return Ties(
        RULES[NEWEST if robin else rules],
        {labels[one.number]: {code: dict(one.values).get(code) for code in codes} for one in places},
        {labels[one.number]: one.rank for one in places},
    )
