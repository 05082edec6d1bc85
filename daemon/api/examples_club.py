"""Examples of club tournaments in the OpenAPI description."""

from collections.abc import Mapping
from typing import Final

from daemon.club import shapes

MARIO: Final[shapes.Member] = {
    "n": 1,
    "player_id": 5,
    "name": "Rossi, Mario",
    "label": "Rossi, Mario",
    "fide_id": None,
    "rating": 1800,
    "joined": 1,
    "withdrawn": None,
    "category": None,
    "handles": ["lichess:mrossi90"],
    "nation": "IT",
    "grade": None,
    "macmahon": None,
    "spelled": None,
    "newcomer": False,
    "group": None,
    "terms": {},
}
LAURA: Final[shapes.Member] = {
    **MARIO,
    "n": 2,
    "player_id": 6,
    "name": "Bianchi, Laura",
    "label": "Bianchi, Laura",
    "fide_id": "999001238",
    "rating": 2240,
    "handles": [],
}
TOURNAMENT: Final[shapes.Tournament] = {
    "slug": "winter-2026",
    "name": "Winter 2026",
    "short_name": "W26",
    "kind": "keizer",
    "city": "Torino",
    "federation": "ITA",
    "arbiter": "Verdi, Luca",
    "time_control": "5400+30",
    "fesa": "",
    "begins": "",
    "planned_rounds": 12,
    "rounds_complete": 1,
    "playing": None,
    "member_count": 2,
    "created_at": "2026-10-01T18:00:00Z",
}
SUMMARY: Final[shapes.RoundSummary] = {
    "n": 1,
    "state": "complete",
    "day": "2026-10-06",
    "boards": 1,
    "results": 1,
    "postponed": 0,
}
PAIRING: Final[shapes.Pairing] = {
    "board": 1,
    "white": MARIO,
    "black": LAURA,
    "by_hand": False,
    "why": "neighbours in the table",
    "why_colours": "the lower one has White",
    "result": "0-1",
    "game_id": 29,
    "postponed": False,
    "postponed_to": None,
    "handicap": None,
    "handicap_giver": None,
}
ROUND: Final[shapes.ClubRound] = {
    **SUMMARY,
    "begins_at": "2026-10-06T19:00:00Z",
    "ends_at": None,
    "pairings": [PAIRING],
    "absences": [],
    "by_hand": [],
    "bye_by_hand": None,
    "notes": [],
}
STANDING: Final[shapes.Standing] = {
    "place": 1,
    "rank": 1,
    "category_rank": None,
    "member": LAURA,
    "points": 50.0,
    "exact": "50",
    "value": "26",
    "next_value": "26",
    "own": "26",
    "played": 1,
    "wins": 1,
    "draws": 0,
    "losses": 0,
    "byes": 0,
    "tie_breaks": {"BH": 4.5},
    "credits": [
        {
            "round": 1,
            "kind": "win",
            "opponent": "Rossi, Mario",
            "of": "opponent",
            "value": "24",
            "rating_share": "0",
            "rating_value": "0",
            "factor": "1",
            "fixed": "0",
            "points": "24",
        }
    ],
}
STANDINGS: Final[shapes.Standings] = {
    "tournament": "winter-2026",
    "round": 1,
    "final": False,
    "minimum_games": 0,
    "kind": "keizer",
    "held": False,
    "cycle": 1,
    "notes": [],
    "tie_break_rules": "FIDE's tie-breaks C.07 as of 2026-03-01",
    "items": [STANDING],
    "withdrawn": [],
}
CROSS_TABLE: Final[shapes.CrossTable] = {
    "tournament": "winter-2026",
    "round": 1,
    "items": [
        {
            "place": 1,
            "rank": 1,
            "member": LAURA,
            "cells": [[], [{"round": 1, "colour": "black", "result": "1", "played": True}]],
        },
        {
            "place": 2,
            "rank": 2,
            "member": MARIO,
            "cells": [[{"round": 1, "colour": "white", "result": "0", "played": True}], []],
        },
    ],
}
RULE: Final[shapes.Rule] = {
    "name": "bye",
    "group": "not playing",
    "value": "2/3",
    "usual": "1/2",
    "changed": True,
    "counts": True,
    "says": "A bye is worth 2/3 of the own value.",
    "allowed": "from 0 to 3",
    "clubs": "1 or more: where nobody is to lose by an odd number",
}
WHOLE: Final[shapes.WholeTournament] = {
    **TOURNAMENT,
    "settings": {"bye": "2/3"},
    "pairing_settings": {"rematch_min_gap": "3"},
    "rules": [RULE],
    "members": [MARIO, LAURA],
    "rounds": [SUMMARY],
}

CLUB: Final[Mapping[str, object]] = {
    "CrossTable": CROSS_TABLE,
    "ClubRound": ROUND,
    "Standings": STANDINGS,
    "Tournament": TOURNAMENT,
    "WholeTournament": WHOLE,
}
