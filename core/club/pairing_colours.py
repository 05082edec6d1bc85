"""Who has White (club P6 to P9), and why."""

from collections.abc import Callable
from dataclasses import dataclass

from core.club.pairing_history import History
from core.plurals import count_of


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one board; *why* is a sentence."""

    white: str
    black: str
    why: str


def colours(better: str, other: str, history: History, name: Callable[[str], str] = str) -> Colours:
    """The colours of two players, of whom *better* is higher in the table.

    *name* writes them in the sentence.
    """
    met = history.of_pair(better, other)
    if met:
        last = met[-1]
        white = other if last.white == better else better
        return _with_white(white, better, other, f"reversed against their game in round {last.round}")
    shares = history.white_share(better), history.white_share(other)
    if shares[0] != shares[1]:
        white = better if shares[0] < shares[1] else other
        rest = other if white == better else better
        return _with_white(
            white, better, other, f"{_whites(white, history, name)}, {_whites(rest, history, name)}"
        )
    had_black = [player for player in (better, other) if player in history.black_last]
    if len(had_black) == 1:
        why = f"equal shares of white; only {name(had_black[0])} had black in the last round"
        return _with_white(had_black[0], better, other, why)
    return _with_white(better, better, other, f"nothing decides between them; {name(better)} is higher")


def _with_white(white: str, better: str, other: str, why: str) -> Colours:
    return Colours(white, other if white == better else better, why)


def _whites(player: str, history: History, name: Callable[[str], str]) -> str:
    games = history.games[player]
    if not games:
        return f"{name(player)} has no games yet, which counts as a half"
    return f"{name(player)} had white in {history.whites[player]} of {count_of(games, 'game')}"
