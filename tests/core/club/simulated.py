"""Whole tournaments by chance: paired by the program, won as the ratings make it likely, with members who stay away."""

import random
from statistics import mean

from core.club.claims import claims
from core.club.field import Field
from core.club.keizer import standings
from core.club.pairing import pair
from core.club.tournament import ClubGame, Reason, Result, Round
from core.club.valuing import fixpoint, sheet
from tests.core.club.notation import field


def evening(order, rounds, absent, chance, strength):
    """The next round as it is paired, with results as the ratings make them likely."""
    paired = pair(order, rounds, absent=absent).evening(dict.fromkeys(absent, Reason.EXCUSED))
    games = []
    for game in paired.games:
        expected = 1 / (1 + 10 ** ((strength[game.black] - strength[game.white]) / 400))
        draw = 0.6 * min(expected, 1 - expected)
        drawn = chance.random()
        white = drawn < expected - draw / 2
        result = Result.WHITE if white else Result.DRAW if drawn < expected + draw / 2 else Result.BLACK
        games.append(ClubGame(game.white, game.black, result))
    return Round(tuple(games), paired.away)


def order_after(players, rounds, rules):
    """The order of the last table alone: quicker than all tables (a test compares them)."""
    if len(rounds) == rules.planned_rounds or rules.valuation != "fixpoint" or rules.newcomers != "rating":
        return list(standings(players, rounds, rules)[-1].order)
    its = Field.of(players, rules)
    earned = claims(players, rounds, rules)
    played = {
        its.index[s] for each in rounds for g in each.games if g.result.played for s in (g.white, g.black)
    }
    waiting = frozenset(range(len(players))) - played
    valued = fixpoint(its, sheet(its, earned, len(rounds)), len(rounds), waiting)
    return [its.ids[number] for number in its.ranking(valued.points, waiting)]


def tournament(seed, rules, missing, *, members, points=50):
    """A tournament of *members*, each *points* weaker than the one before: players, rounds, orders after each round.

    *missing(chance, rank, rounds)* are the rounds that the member of this rating rank misses.
    """
    chance = random.Random(seed)
    players = field(members, first=2100, step=-points)
    strength = {player.id: player.rating for player in players}
    number = rules.planned_rounds
    away = {player.id: missing(chance, rank, number) for rank, player in enumerate(players, start=1)}
    rounds, orders = [], [[player.id for player in players]]
    for at in range(1, number + 1):
        absent = [player for player in away if at in away[player]]
        rounds.append(evening(orders[-1], rounds, absent, chance, strength))
        orders.append(order_after(players, rounds, rules))
    return players, rounds, orders, away


def now_and_then(share):
    """Who comes to this share of the evenings, by chance."""
    return lambda chance, rounds: {at for at in range(1, rounds + 1) if chance.random() > share}


def late(number):
    """Who misses so many rounds at first."""
    return lambda chance, rounds: set(range(1, number + 1))


def gone(number):
    """Who misses so many rounds at last."""
    return lambda chance, rounds: set(range(rounds - number + 1, rounds + 1))


def spread(number):
    """Who misses so many rounds in between, by chance."""
    return lambda chance, rounds: set(chance.sample(range(2, rounds), number))


def lifted(seasons, chosen=lambda rank, habit: True):
    """By how many places those *chosen* stand below their rating rank at the end, on the average (above: negative)."""
    found = [
        place - rank
        for orders, habits in seasons
        for place, player in enumerate(orders[-1], start=1)
        for rank in [int(player)]
        if chosen(rank, habits[rank])
    ]
    return mean(found)
