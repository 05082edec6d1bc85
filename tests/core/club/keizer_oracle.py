"""Keizer tables once more, straight from the rules: slow and simple, without anything of core but its values.

Where another program rounds on its way, *Quirks* does so too: then its published numbers are the oracle's.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from core.club.tournament import AbsenceReason, GameResult

HALF = Fraction(1, 2)


def exact(value, fraction, halvings):
    """A credit as the rules have it."""
    return value * fraction / 2**halvings


@dataclass(frozen=True)
class Quirks:
    """What another program does differently."""

    credit: Any = exact
    total: Any = Fraction


def half_points(value, fraction, halvings):
    """Each credit in whole half points, halved by cutting off (chesspairing)."""
    return Fraction(math.floor(value * fraction * 2 + HALF) >> halvings, 2)


CHESSPAIRING = Quirks(credit=half_points)
FREEKEIZER = Quirks(total=lambda number: Fraction(math.floor(number + HALF)))


class Oracle:
    """All tables of one tournament: `tables[r]` is a list of (id, points), best first; `cycles[r]` a length."""

    def __init__(self, players, rounds, settings, quirks=None):
        self.rounds, self.set, self.quirks = rounds, settings, quirks or Quirks()
        by_seed = all(player.seed is not None for player in players)
        everybody = sorted(players, key=lambda p: p.seed if by_seed else -p.rating)
        gone = [p.id for p in everybody if p.withdrawn is not None and settings.withdrawn == "removed"]
        self.players = {p.id: p for p in everybody if p.id not in gone}
        self.start = list(self.players)
        self.by_rating = sorted(self.start, key=lambda i: -self.players[i].rating)
        self.top = self._top(len(self.start))
        self.tables, self.cycles, self.used = [], [], []
        for number in range(len(rounds) + 1):
            self._table(number)

    def _top(self, n):
        if self.set.base is not None:
            return self.set.base
        x = (n - 1) * self.set.step * self.set.ratio / (self.set.ratio - 1)
        low = x.numerator // x.denominator
        rest = x - low
        if self.set.rounding == "floor" or rest < HALF:
            return Fraction(low)
        if rest > HALF or self.set.rounding == "half_up":
            return Fraction(low + 1)
        return Fraction(low + low % 2)

    def values(self, ranking):
        """Value numbers by place."""
        return {player: self.top - place * self.set.step for place, player in enumerate(ranking)}

    def _table(self, number):
        if number == 0:
            values = self.values(self.start)
            self.used.append(values)
            self.tables.append([(player, self._own(player, 0, values)) for player in self.start])
            self.cycles.append(1)
        elif self.set.valuation == "frozen":
            self._frozen(number)
        elif self.set.last_round == "held" and number == self.set.planned_rounds:
            self._keep([self.used[-1]], number)
        elif self.set.valuation == "lagged":
            self._keep([self.values([player for player, _ in self.tables[-1]])], number)
        else:
            self._keep(self._circling(number), number)

    def _circling(self, number):
        rankings = [self.start]
        while True:
            scores = self._scores(number, self.values(rankings[-1]))
            following = self._ranked(scores, number)
            if following in rankings:
                return [self.values(ranking) for ranking in rankings[rankings.index(following) :]]
            rankings.append(following)

    def _keep(self, members, number):
        scores = [self._scores(number, values) for values in members]
        mean = {player: sum(each[player] for each in scores) / len(scores) for player in self.start}
        self.used.append({player: sum(v[player] for v in members) / len(members) for player in self.start})
        self._store(mean, len(members), number)

    def _store(self, scores, cycle, number):
        self.tables.append([(player, scores[player]) for player in self._ranked(scores, number)])
        self.cycles.append(cycle)

    def _ranked(self, scores, number):
        def order(player):
            person = self.players[player]
            first = {"start": 0, "rating": -person.rating, "name": (person.name or player).casefold()}
            return (-scores[player], first[self.set.ties], self.start.index(player))

        order_ = sorted(self.start, key=order)
        if self.set.newcomers == "points":
            return order_
        new = [player for player in self.by_rating if not self._has_played(player, number)]
        rest = [player for player in order_ if player not in new]
        for player in new:  # the best first: those before them stand already
            rest.insert(self.by_rating.index(player), player)
        return rest

    def _has_played(self, player, number):
        if self._played_before(player, number + 1):
            return True
        person = self.players[player]
        end = number + 1 if person.withdrawn is None else min(number + 1, person.withdrawn)
        reasons = [self._reason(player, at) for at in range(person.joined, end)]
        return self.set.external_counts and any(reason and reason.external for reason in reasons)

    def _own(self, player, number, values):
        weights = {"current": 1, "none": 0, "start": 0, "fading": max(Fraction(0), 1 - Fraction(number, 5))}
        start = self.values(self.start)[player] if self.set.own_value == "start" else 0
        return start + weights[self.set.own_value] * values[player]

    def _scores(self, number, values):
        scores = {}
        for player in self.start:
            total = self._own(player, number, values)
            for at in range(1, number + 1):
                total = self.quirks.total(total + self.earned(player, at, values))
            scores[player] = total
        return scores

    def _frozen(self, number):
        # Round by round with the ranking before it; the own value by the ranking of what was earned.
        sums = {
            player: self._own(player, number, dict.fromkeys(self.start, Fraction(0))) for player in self.start
        }
        for at in range(1, number + 1):
            values = self.values([player for player, _ in self.tables[at - 1]])
            for player in self.start:
                sums[player] += self.earned(player, at, values)
        values = self.values(self._ranked(sums, number))
        if self.set.last_round == "held" and number == self.set.planned_rounds:
            values = self.used[-1]
        fade = {"current": 1, "fading": max(Fraction(0), 1 - Fraction(number, 5))}.get(self.set.own_value, 0)
        self.used.append(values)
        self._store({player: sums[player] + fade * values[player] for player in self.start}, 1, number)

    def earned(self, player, at, values):
        """What round *at* is worth to *player* with these value numbers."""
        for game in self.rounds[at - 1].games:
            if player in (game.white, game.black):
                return self._of_game(player, game, values)
        person = self.players[player]
        if person.withdrawn is not None and at >= person.withdrawn:
            return 0
        if at < person.joined and self._of(player, "late_entry_points") is not None:
            return self.set.late_entry_points
        reason = self._reason(player, at)
        if reason is AbsenceReason.BYE:
            if self.set.bye_points is not None:
                return self.set.bye_points
            return self.quirks.credit(values[player], self.set.bye, 0)
        return 0 if reason is None else self._absent(player, at, reason, values)

    def _of(self, player, name):
        """A setting as it is for this player."""
        return dict(self.players[player].terms).get(name, getattr(self.set, name))

    def _reason(self, player, at):
        if at < self.players[player].joined:
            late = self.set.late_entry == "nothing" or self.set.late_entry_points is not None
            return None if late else AbsenceReason(self.set.late_entry)
        if any(player in (game.white, game.black) for game in self.rounds[at - 1].games):
            return None
        named = [away.reason for away in self.rounds[at - 1].away if away.player == player]
        return named[0] if named else AbsenceReason.UNEXCUSED

    def _of_game(self, player, game, values):
        other = game.black if player == game.white else game.white
        mine = GameResult.WHITE if player == game.white else GameResult.BLACK
        mine_forfeit = GameResult.WHITE_FORFEIT if player == game.white else GameResult.BLACK_FORFEIT
        if game.result is None:
            part = Fraction(0)
        elif game.result is GameResult.DRAW:
            part = self.set.draw
        elif game.result is mine:
            part = Fraction(1)
        elif game.result in (GameResult.WHITE, GameResult.BLACK):
            if self.set.loss_points is not None:
                return self.set.loss_points
            part = self.set.loss
        elif game.result is GameResult.BOTH_ABSENT and self.set.double_forfeit is not None:
            return self.quirks.credit(values[player], self.set.double_forfeit, 0)
        elif game.result is mine_forfeit:
            part = self.set.forfeit_win
            if self.set.forfeit_win_of == "own":
                return self.quirks.credit(values[player], part, 0)
        else:
            part = self.set.forfeit_loss
        if other not in self.players:
            return self.quirks.credit(values[player], part * self.set.withdrawn_win, 0)
        return self.quirks.credit(values[other], part, 0)

    def _absent(self, player, at, reason, values):
        elsewhere = {
            AbsenceReason.CLUB,
            AbsenceReason.EXTERNAL_WIN,
            AbsenceReason.EXTERNAL_DRAW,
            AbsenceReason.EXTERNAL_LOSS,
        }
        counted = {AbsenceReason.EXCUSED, AbsenceReason.SHORT_NOTICE, AbsenceReason.UNEXCUSED}
        counted |= elsewhere if self.set.limited_club_duty else set()
        halvings = 0
        if reason in counted:
            nth = sum(self._reason(player, earlier) in counted for earlier in range(1, at + 1))
            if self.set.paid_after_first_game and not self._played_before(player, at):
                return 0
            halvings = nth - 1 if self.set.halved_absences else 0
            paid = self._of(player, "paid_absences")
            if paid is not None and nth > paid:
                if self.set.beyond_limit == "nothing":
                    return 0
                reason = AbsenceReason.UNEXCUSED
        if reason in elsewhere - {AbsenceReason.CLUB}:
            how = {"external win": self.set.external_win, "external draw": self.set.external_draw}
            return self.quirks.credit(values[player], how.get(reason.value, self.set.external_loss), halvings)
        late = reason is not AbsenceReason.CLUB and at > self.set.planned_rounds - self.set.last_rounds
        left = self.set.last_rounds_share if late and self.set.last_rounds > 0 else Fraction(1)
        points = {
            AbsenceReason.EXCUSED: self._of(player, "excused_points"),
            AbsenceReason.SHORT_NOTICE: self.set.short_notice_points,
            AbsenceReason.UNEXCUSED: self.set.unexcused_points,
        }.get(reason, self.set.club_duty_points)
        if points is not None:
            return left * points / 2**halvings
        if self.set.absence == "fraction":
            fixed = {
                AbsenceReason.EXCUSED: self._of(player, "excused"),
                AbsenceReason.SHORT_NOTICE: self.set.short_notice,
                AbsenceReason.UNEXCUSED: self.set.unexcused,
            }
            return self.quirks.credit(values[player], left * fixed.get(reason, self.set.club_duty), halvings)
        return left * self._bonus(player, at, reason, values) / 2**halvings

    def _bonus(self, player, at, reason, values):
        kinds = {
            AbsenceReason.EXCUSED: self.set.bonus_excused,
            AbsenceReason.SHORT_NOTICE: self.set.bonus_short_notice,
            AbsenceReason.UNEXCUSED: self.set.bonus_unexcused,
        }
        f = kinds.get(reason, self.set.bonus_club)
        planned, early, end = self.set.planned_rounds, self.set.bonus_early, self.set.bonus_end
        u = max(Fraction(0), 1 - Fraction(at - 1, early))
        w = min(max(Fraction(planned - at, end), Fraction(0)), Fraction(1))
        rating_value = self.values(self.by_rating)[player]
        others = len(self.start) - 1
        weaker = Fraction(others - self.by_rating.index(player), others) if others else HALF
        share = self.set.bonus_base * (1 - self.set.bonus_spread / 2 + self.set.bonus_spread * weaker)
        return f * share * w * (u * rating_value + (1 - u) * values[player])

    def _played_before(self, player, at):
        return any(
            player in (game.white, game.black)
            and game.result in (GameResult.WHITE, GameResult.BLACK, GameResult.DRAW)
            for evening in self.rounds[: at - 1]
            for game in evening.games
        )
