"""Buchholz, Sonneborn-Berger and progressive scores, written from the text of C.07 (articles 7 to 9, 14 and 16).

It shares nothing with tiebreak-core. An unplayed round counts as a game against a dummy that ends with the player's own
points (16.4); since 2026 these are limited: by the scheduled opponent's for a forfeit, else by half a point a round.
"""

from fractions import Fraction

HALF = Fraction(1, 2)
WORTH = {"1": 1, "=": HALF, "0": 0, "+": 1, "-": 0, "U": 1, "F": 1, "H": HALF, "Z": 0}
PLAYED = "10="
CHOSEN = "HZ"
"""Byes that a player asked for."""


def own_points(turns):
    """What the rounds brought."""
    return sum((Fraction(WORTH[turn.result]) for turn in turns), Fraction(0))


def is_back(turns, place):
    """Did the player take part in a later round (16.2.3)?"""
    return any(turn.result in "10=U+F" for turn in turns[place + 1 :])


def for_opponents(turns):
    """The points with which the player counts for opponents: byes asked for at the end are draws (16.3)."""
    return sum(
        (
            HALF if turn.result in CHOSEN and not is_back(turns, place) else Fraction(WORTH[turn.result])
            for place, turn in enumerate(turns)
        ),
        Fraction(0),
    )


def contributions(document, player, *, capped):
    """(what the opponent or dummy has, the own score, is it a voluntary unplayed round) for each round."""
    lines = {one.number: one.turns for one in document.players}
    rounds = document.played_rounds
    for turn in player.turns:
        score = Fraction(WORTH[turn.result])
        if turn.opponent and turn.result in PLAYED:
            yield for_opponents(lines[turn.opponent]), score, False
            continue
        dummy = own_points(player.turns)
        if capped:
            limit = for_opponents(lines[turn.opponent]) if turn.opponent else HALF * rounds
            dummy = min(dummy, limit)
        yield dummy, score, turn.result in "HZ-"


def buchholz(document, player, *, capped, cut=0):
    """BH, BH/C1, …: voluntary unplayed rounds are cut first (16.5)."""
    left = list(contributions(document, player, capped=capped))
    for _ in range(min(cut, len(left) - 1)):
        chosen = [one for one in left if one[2]] or left
        left.remove(min(chosen, key=lambda one: one[0]))
    return sum((one[0] for one in left), Fraction(0))


def sonneborn_berger(document, player, *, capped):
    """SB."""
    its = contributions(document, player, capped=capped)
    return sum((points * score for points, score, _ in its), Fraction(0))


def progressive(player):
    """PS."""
    return sum((own_points(player.turns[: end + 1]) for end in range(len(player.turns))), Fraction(0))
