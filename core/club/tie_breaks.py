"""FIDE's tie-breaks (handbook C.07) of a tournament report. The arithmetic is tiebreak-core's."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import tiebreak_core
from tiebreak_core import GameRecord, PlayerTiebreakData, TiebreakError

from core.club.trf import BYE, DRAWN, PLAYED, WON, Document, TrfPlayer, Turn

USUAL: Final = ("BH/C1", "BH", "SB", "PS")
"""Buchholz without the lowest, Buchholz, Sonneborn-Berger, progressive scores."""
_RULES: Final = "fide-2026"
_NOBODY: Final = -1
_COLOURS: Final = {"w": "white", "b": "black", "-": "white"}


class TieBreakError(ValueError):
    """A tie-break is unknown, or the tournament is not fit for it; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A player in the standings."""

    rank: int
    number: int
    """His starting number."""
    points: Fraction
    values: tuple[tuple[str, float], ...]
    """Each tie-break with its value, in the order asked for; those that only compare players have none."""


def standings(
    document: Document, tie_breaks: Sequence[str] = USUAL, *, round_robin: bool = False
) -> tuple[Place, ...]:
    """The standings after the rounds that the document has, best first.

    Points are 1, 1/2 and 0; a bye by the pairing program (U) counts 1. Who is still equal in the end stands in the
    order of the starting numbers.

    Args:
        document: A report without contradictions (`core.club.trf_checks`).
        tie_breaks: FIDE's codes, such as "BH/C1", "SB", "DE".
        round_robin: Does everybody play everybody? Then a forfeited game counts as one (C.07, 15.2).

    Raises:
        TieBreakError: see there.
    """
    codes = _codes(tie_breaks)
    rounds = document.played_rounds
    mode = "round_robin" if round_robin else "swiss"
    try:
        players = {player.number: _data(player, document, rounds) for player in document.players}
        ranked = tiebreak_core.rank_descriptors_strict(
            players,
            list(tie_breaks),
            total_rounds=rounds,
            deterministic_keys={number: number for number in players},
            ruleset=_RULES,
            mode=mode,
            pairing_numbers={number: number for number in players},
        )
    except TiebreakError as error:
        raise TieBreakError(str(error)) from None
    return tuple(
        Place(
            rank,
            one.player_id,
            Fraction(one.points),
            tuple((codes[name], value) for name, value in one.values.items()),
        )
        for rank, one in enumerate(ranked.players, start=1)
    )


def _codes(tie_breaks: Sequence[str]) -> dict[str, str]:
    """FIDE's codes by the names that the library has for them."""
    codes: dict[str, str] = {}
    for code in tie_breaks:
        try:
            name = tiebreak_core.canonical_id(tiebreak_core.parse_descriptor(code))
        except TiebreakError as error:
            raise TieBreakError(str(error)) from None
        if name in codes:
            # The library keeps one value for both, and would rank by the second.
            raise TieBreakError(f"{codes[name]} and {code} cannot be used together")
        codes[name] = code
    return codes


def _data(player: TrfPlayer, document: Document, rounds: int) -> PlayerTiebreakData:
    ratings = {one.number: one.rating or 0 for one in document.players}
    missing = (Turn(),) * (rounds - len(player.turns))
    games = [_record(turn, number, ratings) for number, turn in enumerate((*player.turns, *missing), start=1)]
    return PlayerTiebreakData(player.number, player.rating or 0, sum(game.score for game in games), games)


def _record(turn: Turn, number: int, ratings: dict[int, int]) -> GameRecord:
    score = 1.0 if turn.result in WON or turn.result == BYE else 0.5 if turn.result in DRAWN else 0.0
    kind = _kind(turn)
    opponent = turn.opponent if kind in {"played", "forfeit_win", "forfeit_loss"} else 0
    return GameRecord(
        opponent_id=opponent or _NOBODY,
        opponent_rating=ratings.get(opponent, 0),
        score=score,
        color=_COLOURS[turn.colour],
        round_number=number,
        kind=kind,
    )


def _kind(turn: Turn) -> str:
    if turn.opponent and turn.result in PLAYED:
        return "played"
    if turn.result in {BYE, "F"}:
        return "pairing_bye"
    if turn.opponent and turn.result in {"+", "-"}:
        return "forfeit_win" if turn.result == "+" else "forfeit_loss"
    return "requested_bye"
