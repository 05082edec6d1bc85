"""Whole tournaments by chance: paired by the program, won as the ratings make it likely, with members who stay away."""

import random
from dataclasses import dataclass

from core.club.earnings import claims
from core.club.pairing import pair
from core.club.start_order import StartField
from core.club.tournament import AbsenceReason, ClubGame, GameResult, TournamentRound
from core.club.value_numbers import fixpoint, once, sheet
from tests.core.club.notation import field


def evening(order, rounds, absent, chance, strength):
    """The next round as it is paired, with results as the ratings make them likely."""
    paired = pair(order, rounds, absent=absent).evening(dict.fromkeys(absent, AbsenceReason.EXCUSED))
    games = []
    for game in paired.games:
        expected = 1 / (1 + 10 ** ((strength[game.black] - strength[game.white]) / 400))
        draw = 0.6 * min(expected, 1 - expected)
        drawn = chance.random()
        white = drawn < expected - draw / 2
        result = (
            GameResult.WHITE
            if white
            else GameResult.DRAW
            if drawn < expected + draw / 2
            else GameResult.BLACK
        )
        games.append(ClubGame(game.white, game.black, result))
    return TournamentRound(tuple(games), paired.away)


class Tables:
    """The order of one table after the other: quicker than all tables each time (a test compares them)."""

    def __init__(self, players, rules):
        self.players, self.rules = players, rules
        self.field = StartField.of(players, rules)
        self.last = None

    def order(self, rounds):
        """The ids in the order of the table after these rounds, one more than before."""
        number, numbers = len(rounds), self.field.index
        earned = sheet(self.field, claims(self.players, rounds, self.rules), number)
        waiting = set(numbers.values()) if self.rules.newcomers == "rating" else set()
        waiting -= {
            numbers[side] for one in rounds for game in one.games for side in (game.white, game.black)
        }
        if number == self.rules.planned_rounds:
            self.last = once(earned, self.last.values, number)
        else:
            self.last = fixpoint(self.field, earned, number, waiting)
        return [self.field.ids[player] for player in self.field.ranking(self.last.points, waiting)]


@dataclass(frozen=True)
class Season:
    """A simulated tournament: the ids in the order of each table, their points in it, and which rounds each missed."""

    players: list
    rounds: list
    orders: list
    points: list
    missed: dict


def season(seed, rules, missing, *, members, points=50):
    """A tournament of *members*, each *points* weaker than the one before.

    *missing(chance, rank)* are the rounds that the member of this rating rank misses; the ids are the rating ranks.
    """
    chance = random.Random(seed)
    players = field(members, first=2100, step=-points)
    strength = {player.id: player.rating for player in players}
    missed = {player.id: frozenset(missing(chance, int(player.id))) for player in players}
    tables, rounds, orders, points_ = Tables(players, rules), [], [list(strength)], [{}]
    for at in range(1, rules.planned_rounds + 1):
        absent = [player for player in missed if at in missed[player]]
        rounds.append(evening(orders[-1], rounds, absent, chance, strength))
        orders.append(tables.order(rounds))
        points_.append(dict(zip(strength, tables.last.points, strict=True)))
    return Season(players, rounds, orders, points_, missed)
