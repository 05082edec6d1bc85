"""FIDE's tie-breaks (handbook C.07) for a tournament report, computed by tiebreak-core."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, Literal

import tiebreak_core
from tiebreak_core import GameRecord, PlayerTiebreakData, StandingsResult, TiebreakError

from core.club.trf import BYE, DRAWN, PLAYED, WON, Document, TrfPlayer, TrfTurn

USUAL: Final = ("BH/C1", "BH", "SB", "PS")
"""Buchholz without the lowest, Buchholz, Sonneborn-Berger, progressive scores."""
Rules = Literal["fide-2024", "fide-2026"]
"""An edition of C.07: of 1 August 2024, or of 1 March 2026."""
NEWEST: Final[Rules] = "fide-2026"
RULES: Final[Mapping[Rules, str]] = {
    "fide-2024": "FIDE's tie-breaks C.07 as of 2024-08-01",
    "fide-2026": "FIDE's tie-breaks C.07 as of 2026-03-01",
}
_SINCE_2026: Final = date(2026, 3, 1)
PLAIN_WORDS: Final[Mapping[str, str]] = {
    "BH": "Buchholz: the points of the opponents",
    "BH/C1": "Buchholz without the weakest opponent (C2: the two weakest, …)",
    "BH/M1": "Buchholz without the weakest and the strongest (M2: two of each, …)",
    "FB": "Fore Buchholz: as if all games of the last round were drawn",
    "AOB": "average Buchholz of the opponents",
    "SB": "Sonneborn-Berger: points of the beaten, half of those drawn against",
    "PS": "progressive: points after each round, added (PS/C1: not the first)",
    "DE": "direct encounter: the games among those who are equal",
    "KS": "Koya: points against opponents with at least half the points",
    "WIN": "rounds won, also without a game",
    "WON": "games won at the board",
    "BPG": "games with Black",
    "BWG": "games won with Black",
    "REP": "rounds that the player chose to play",
    "STD": "standard points: a point for each round better than the opponent's",
    "ARO": "average rating of the opponents (ARO/C1: without the lowest)",
    "TPR": "performance rating",
    "PTP": "perfect performance: the lowest rating that expects the score",
    "APRO": "average performance of the opponents",
    "APPO": "average perfect performance of the opponents",
    "TPN": "the starting number, the lowest first",
    "RTNG": "the rating, the highest first",
}
"""FIDE's codes for single players, in plain words."""
_ONLY_NAMED: Final = {
    "WIN": "wins",
    "WON": "won",
    "BPG": "games_black",
    "BWG": "wins_black",
    "REP": "rounds_elected",
    "STD": "std",
    "TPR": "tpr",
    "PTP": "ptp",
    "APRO": "apro",
    "APPO": "appo",
}
"""Codes that tiebreak-core 1.2 knows only by its own names."""
_NAMED_CUTS: Final = 2
_NOBODY: Final = -1
_COLOURS: Final = {"w": "white", "b": "black", "-": "white"}


class TieBreakError(ValueError):
    """A tie-break is unknown, or does not suit the tournament; the text says which and why."""


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player in the standings."""

    rank: int
    number: int
    """Their starting number."""
    points: Fraction
    values: tuple[tuple[str, float], ...]
    """Each tie-break with its value, in the order asked for; those that only compare players have none."""


def rules_on(day: date | None) -> Rules:
    """The edition by which a tournament that begins on *day* is ranked; the newest if no day is known."""
    return "fide-2024" if day is not None and day < _SINCE_2026 else NEWEST


def codes_of(text: str) -> tuple[str, ...]:
    """The codes of a list with commas or blanks, in capitals: "bh/c1, SB" gives BH/C1 and SB."""
    return tuple(text.replace(",", " ").replace(";", " ").upper().split())


def standings(
    document: Document,
    tie_breaks: Sequence[str] = USUAL,
    *,
    round_robin: bool = False,
    rules: Rules = NEWEST,
) -> tuple[RankedPlayer, ...]:
    """The standings after the rounds that the document has, best first.

    Points are 1, 1/2 and 0; a bye by the pairing program (U) counts 1. Players who are still equal keep the
    order of the starting numbers.

    Args:
        document: A report without contradictions (`core.club.trf_checks`).
        tie_breaks: FIDE's codes, such as "BH/C1", "SB", "DE".
        round_robin: Whether everybody plays everybody. Then a forfeited game counts as one (C.07, 15.2),
            always by the newest rules: those of 2024 are known for Swiss tournaments only.
        rules: The edition.

    Raises:
        TieBreakError: see there.
    """
    rules = NEWEST if round_robin else rules
    names = _names(tie_breaks, rules)
    rounds = document.played_rounds
    try:
        players = {player.number: _data(player, document, rounds) for player in document.players}
        ranked = _ranked(players, names, rounds, rules, "round_robin" if round_robin else "swiss")
    except TiebreakError as error:
        raise TieBreakError(str(error)) from None
    codes = {name: code for code, name in names.items()}
    return tuple(
        RankedPlayer(
            rank,
            one.player_id,
            Fraction(one.points),
            tuple((codes[name], value) for name, value in one.values.items() if name in codes),
        )
        for rank, one in enumerate(ranked.players, start=1)
    )


def _ranked(
    players: Mapping[int, PlayerTiebreakData], names: Mapping[str, str], rounds: int, rules: Rules, mode: str
) -> StandingsResult:
    """Rank by the library's names if they suffice, else by the codes with their modifiers."""
    numbers = {number: number for number in players}
    if rules == "fide-2024":
        return tiebreak_core.rank_standings_strict(
            players, list(names.values()), total_rounds=rounds, deterministic_keys=numbers, ruleset=rules
        )
    if not any(map(_modified, names)):
        return tiebreak_core.rank_standings_strict(
            players,
            list(names.values()),
            total_rounds=rounds,
            deterministic_keys=numbers,
            ruleset=rules,
            mode=mode,
            pairing_numbers=numbers,
        )
    ranked: StandingsResult = tiebreak_core.rank_descriptors_strict(
        players,
        list(names),
        total_rounds=rounds,
        deterministic_keys=numbers,
        ruleset=rules,
        mode=mode,
        pairing_numbers=numbers,
    )
    return ranked


def _names(tie_breaks: Sequence[str], rules: Rules) -> dict[str, str]:
    """The library's name of each code."""
    names: dict[str, str] = {}
    for code in tie_breaks:
        try:
            base = tiebreak_core.parse_descriptor(code).base
            name = _ONLY_NAMED.get(base) or tiebreak_core.canonical_id(tiebreak_core.parse_descriptor(code))
        except TiebreakError as error:
            raise TieBreakError(_said(code, error)) from None
        if rules == "fide-2024" and (_modified(code) or name not in _OF_2024):
            raise TieBreakError(
                f"{code} cannot be worked out by the rules of 2024, which hold for tournaments that began before "
                f"{_SINCE_2026}: tiebreak-core knows it by those of 2026 only"
            )
        double = next((one for one, known in names.items() if known == name), None)
        if double is not None:
            # The library keeps one value for both, and would rank by the second.
            raise TieBreakError(f"{double} and {code} cannot be used together")
        names[code] = name
    with_modifier = next(filter(_modified, names), None)
    named = next((code for code, name in names.items() if name in _ONLY_NAMED.values()), None)
    if with_modifier and named:
        raise TieBreakError(
            f"{named} and {with_modifier} cannot be used together: tiebreak-core ranks by either"
        )
    return names


_OF_2024: Final = {*tiebreak_core.describe_ruleset("fide-2024").criteria, "direct_encounter"}


def _said(code: str, error: TiebreakError) -> str:
    """What is wrong with a code, and which codes there are."""
    base = code.split("/", maxsplit=1)[0].upper()
    if base in PLAIN_WORDS:
        return str(error)
    return f'"{code}" is not a tie-break: there are {", ".join(one for one in PLAIN_WORDS if "/" not in one)} ({error})'


def _modified(code: str) -> bool:
    """Whether a code has a modifier that the library's names do not express."""
    spec = tiebreak_core.parse_descriptor(code)
    far = (spec.cut or 0) > _NAMED_CUTS or (spec.median or 0) > _NAMED_CUTS
    return far or spec.forfeits_played or spec.reverse or spec.limit_halves != 0


def _data(player: TrfPlayer, document: Document, rounds: int) -> PlayerTiebreakData:
    ratings = {one.number: one.rating or 0 for one in document.players}
    missing = (TrfTurn(),) * (rounds - len(player.turns))
    # A game without a result is not played yet: there is no record of that round.
    turns = [(number, turn) for number, turn in enumerate((*player.turns, *missing), start=1) if turn.result]
    games = [_record(turn, number, ratings) for number, turn in turns]
    return PlayerTiebreakData(player.number, player.rating or 0, sum(game.score for game in games), games)


def _record(turn: TrfTurn, number: int, ratings: dict[int, int]) -> GameRecord:
    score = 1.0 if turn.result in WON or turn.result == BYE else 0.5 if turn.result in DRAWN else 0.0
    kind = _kind(turn)
    regular = kind in {"played", "forfeit_win", "forfeit_loss"}
    opponent = turn.opponent if regular else 0
    return GameRecord(
        opponent_id=opponent or _NOBODY,
        opponent_rating=ratings.get(opponent, 0),
        score=score,
        color=_COLOURS[turn.colour],
        round_number=number,
        kind=kind,
        opponent_score=1 - score if kind == "played" else None,
    )


def _kind(turn: TrfTurn) -> str:
    if turn.opponent and turn.result in PLAYED:
        return "played"
    if turn.result in {BYE, "F"}:
        return "pairing_bye"
    if turn.opponent and turn.result in {"+", "-"}:
        return "forfeit_win" if turn.result == "+" else "forfeit_loss"
    return "requested_bye"
