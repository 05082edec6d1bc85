"""What the usual bonus does to a whole tournament: simulated ones, with members who come late or stay away."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from statistics import mean

import pytest

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.manual_pairs import ManualPairs
from core.club.pairing import pair
from core.club.start_order import ladder
from core.club.tournament import AbsenceReason, Away, ClubGame, GameResult, TournamentRound
from tests.core.club.simulated import season
from tests.examples import FUZZING

pytestmark = pytest.mark.slow

ROUNDS = 7
RULES = KeizerSettings(planned_rounds=ROUNDS)
EARLIER = replace(RULES, bonus_spread=Fraction(0), bonus_end=3, newcomers="points")
MEMBERS = 12
SEASONS = 200
AT_MOST = 3
"""Places beside the rating, on the average (club B2)."""


def late(number):
    """Who misses so many rounds at first."""
    return lambda _, rounds: range(1, number + 1)


def gone(number):
    """Who misses so many rounds at last."""
    return lambda _, rounds: range(rounds - number + 1, rounds + 1)


def between(number):
    """Who plays the first and the last round and misses so many between, by chance."""
    return lambda chance, rounds: chance.sample(range(2, rounds), number)


def comes(share):
    """Who comes to this share of the evenings, by chance."""
    return lambda chance, rounds: [at for at in range(1, rounds + 1) if chance.random() > share]


HABITS = {
    "late by 1": late(1),
    "late by 2": late(2),
    "late by 4": late(4),
    "gone for 1": gone(1),
    "gone for 2": gone(2),
    "gone for 4": gone(4),
    "between 2": between(2),
    "between 4": between(4),
    "comes to half": comes(0.5),
    "comes often": comes(0.8),
}


def _habit(seed, rank):
    """Each habit goes round: every rating rank has every habit in every tenth season."""
    return list(HABITS)[(seed + 3 * rank) % len(HABITS)]


def _seasons(rules, number=SEASONS, members=MEMBERS, points=50):
    def missing(seed):
        return lambda chance, rank: HABITS[_habit(seed, rank)](chance, rules.planned_rounds)

    return [season(seed, rules, missing(seed), members=members, points=points) for seed in range(number)]


@pytest.fixture(scope="module")
def seasons():
    """Two hundred tournaments by the usual rules, in which everybody has one of the habits."""
    return _seasons(RULES)


def _beside(seasons, key):
    """By how many places members end below their rating rank (above it: negative), on the average for each key."""
    found = defaultdict(list)
    for seed, one in enumerate(seasons):
        for place, player in enumerate(one.orders[-1], start=1):
            found[key(seed, int(player))].append(place - int(player))
    return {key: mean(places) for key, places in found.items()}


def _too_far(beside, at_most=AT_MOST):
    return {key: places for key, places in beside.items() if abs(places) > at_most}


def test_everybody_ends_by_their_rating(seasons):
    """Whatever the habits: each rating rank ends within three places of itself on the average (club B2)."""
    beside = _beside(seasons, lambda seed, rank: rank)
    assert len(beside) == MEMBERS
    assert _too_far(beside) == {}


def test_no_habit_lifts_or_sinks_anybody(seasons):
    """Late, gone at the end, away between: the strong, the middle and the weak end within three places (club B2)."""
    beside = _beside(seasons, lambda seed, rank: (_habit(seed, rank), (rank - 1) // (MEMBERS // 3)))
    assert len(beside) == 3 * len(HABITS)
    assert _too_far(beside) == {}


def test_a_latecomer_is_paired_by_rating(seasons):
    """Who comes for the first time stands where the rating puts them, and meets somebody by their strength (club B2)."""
    met = defaultdict(list)
    for seed, one in enumerate(seasons):
        for number, habit in ((2, "late by 2"), (4, "late by 4")):
            for player in one.missed:
                if _habit(seed, int(player)) == habit:
                    assert one.orders[number].index(player) + 1 == int(player)
                    met[habit] += [
                        abs(int(game.opponent(player)) - int(player))
                        for game in one.rounds[number].games
                        if player in (game.white, game.black)
                    ]
    assert {habit: mean(apart) <= AT_MOST for habit, apart in met.items()} == {
        "late by 2": True,
        "late by 4": True,
    }


def test_half_for_everybody_lifts_the_weak():
    """The bonus of earlier versions puts a weak latecomer into the middle of the table: that is why it was changed."""
    lifted = []
    for seed in range(10):
        away = range(1, seed % 2 + 3)
        one = season(seed, EARLIER, _only("18", away), members=20)
        lifted.append(one.orders[len(away)].index("18") + 1 - 18)
    assert mean(lifted) < -AT_MOST


def _only(player, rounds):
    return lambda _, rank: rounds if str(rank) == player else ()


def test_the_quick_tables_are_the_tables(seasons):
    """The simulation computes each table alone: in the same order as the program does."""
    for one in seasons[:3]:
        tables = standings(one.players, one.rounds, RULES)
        assert [list(table.order) for table in tables] == one.orders


def _narrow(one, leaders, last):
    """Who leads before so many last rounds, and who is next; None where the lead is not below the lowest value number."""
    number = ROUNDS - last
    points, played = one.points[number], {side for each in one.rounds[:number] for side in _sides(each)}
    *away, second = [player for player in one.orders[number] if player in played][: leaders + 1]
    lowest = ladder(MEMBERS, RULES)[-1]
    return (away, second) if points[away[0]] - points[second] < lowest else None


def _sides(evening):
    return [side for game in evening.games for side in (game.white, game.black)]


def _stay_away(one, away, second, last):
    """The order at the end, when these stay *away* from so many last rounds and the *second* wins each."""
    rounds, order = list(one.rounds[: ROUNDS - last]), one.orders[ROUNDS - last]
    for _ in range(last):
        paired = pair(order, rounds, absent=away, by_hand=_no_bye(order, away, second))
        evening = paired.evening(dict.fromkeys(away, AbsenceReason.EXCUSED))
        games = [
            replace(game, result=GameResult.BLACK if second == game.black else GameResult.WHITE)
            for game in evening.games
        ]
        rounds.append(TournamentRound(tuple(games), evening.away))
        order = standings(one.players, rounds, RULES)[-1].order
    return order


def _no_bye(order, away, second):
    """With an odd number the last has the bye: the second plays."""
    there = [player for player in order if player not in away]
    return ManualPairs(
        bye=next(player for player in reversed(there) if player != second) if len(there) % 2 else None
    )


@pytest.mark.parametrize(("leaders", "last"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_leaders_who_stay_away_at_the_end_are_caught(seasons, leaders, last):
    """One or two who lead by less than the lowest value number, and stay away from the last or the last two rounds (club B4).

    The next one who wins goes past all of them.
    """
    found = [(one, narrow) for one in seasons if (narrow := _narrow(one, leaders, last))]
    assert len(found) > 2
    for one, (away, second) in found[:8]:
        order = _stay_away(one, away, second, last)
        assert all(order.index(second) < order.index(player) for player in away)


def test_a_leader_is_caught_in_a_round_beyond_those_planned_if_it_is_planned_then(seasons):
    """One more round, planned before it: the guard holds for it, so points count as in the table before."""
    more = replace(RULES, planned_rounds=ROUNDS + 1)
    for one in seasons[:10]:
        before = standings(one.players, one.rounds, more)[-1]
        leader, second, third = [row for row in before.rows if row.games][:3]
        last = TournamentRound(
            (ClubGame(second.player, third.player, GameResult.WHITE),),
            (Away(leader.player, AbsenceReason.EXCUSED),),
        )
        after = {row.player: row.points for row in standings(one.players, [*one.rounds, last], more)[-1].rows}
        assert after[leader.player] == leader.points
        assert after[second.player] == second.points + third.value


@pytest.mark.parametrize(("members", "rounds", "points"), [(20, 9, 50), (8, 7, 50), (30, 11, 40)])
def test_other_fields(members, rounds, points):
    """Fields of other sizes: each habit, for the strong, the middle and the weak; of thirty three in twenty places (club B2)."""
    number = {20: 50, 8: 60, 30: 20}[members] * (4 if FUZZING else 1)
    found = _seasons(replace(RULES, planned_rounds=rounds), number, members, points)
    third = -(-members // 3)
    beside = _beside(found, lambda seed, rank: (_habit(seed, rank), (rank - 1) // third))
    assert _too_far(beside, AT_MOST * max(1, members / 20)) == {}
