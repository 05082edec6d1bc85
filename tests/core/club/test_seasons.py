"""Whole seasons by chance: twenty members, nine evenings, and what must hold on every one of them."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.manual_pairs import Manual, ManualPairs
from core.club.pairing import pair
from core.club.pairing_history import History
from core.club.pairing_settings import PairingSettings
from core.club.ranks import final_ranking
from core.club.tournament import AbsenceReason, ClubGame, Competitor, GameResult, TournamentRound
from tests.core.club.keizer_sums import faults
from tests.examples import FUZZING, examples

RESULTS = [
    GameResult.WHITE,
    GameResult.BLACK,
    GameResult.DRAW,
    GameResult.WHITE_FORFEIT,
    GameResult.BLACK_FORFEIT,
]


class Evening:
    """What a director meets on one evening: who is absent, and what the director sets by hand."""

    def __init__(self, chance, order, absent_share):
        reasons = [AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB]
        self.absent = {player: chance.choice(reasons) for player in order if chance.random() < absent_share}
        present = [player for player in order if player not in self.absent]
        chance.shuffle(present)
        self.manual = ()
        if len(present) >= 4 and chance.random() < 0.3:
            self.manual = (
                Manual(present[0], present[1], white=chance.choice([None, present[0], present[1]])),
            )


def _with_results(chance, evening):
    return TournamentRound(
        tuple(replace(game, result=chance.choice(RESULTS)) for game in evening.games), evening.away
    )


def _check_complete(pairing, present):
    """Everybody present once, nobody twice (club P14)."""
    seen = [side for board in pairing.boards for side in (board.white, board.black)]
    seen += [pairing.bye.player] if pairing.bye else []
    assert sorted(seen) == sorted(present)
    assert (pairing.bye is not None) == (len(present) % 2 == 1)


def _check_manual(pairing, manual):
    """What was set stays, and only that is called so (club P4)."""
    by_hand = {
        frozenset((board.white, board.black)): board.white for board in pairing.boards if board.by_hand
    }
    assert by_hand.keys() == {frozenset((each.one, each.other)) for each in manual}
    for each in manual:
        assert each.white in {None, by_hand[frozenset((each.one, each.other))]}


def _white_by_the_rules(better, other, rounds):
    """Who has white by club P6 to P9, read off the rounds."""
    games = [(n, g) for n, each in enumerate(rounds) for g in each.games if g.result.played]
    last = [game for _, game in games if {game.white, game.black} == {better, other}]
    if last:
        return last[-1].black
    share = {}
    black_last = {}
    for player in (better, other):
        own = [(n, g) for n, g in games if player in (g.white, g.black)]
        share[player] = sum(g.white == player for _, g in own) / len(own) if own else 0.5
        black_last[player] = any(n == len(rounds) - 1 and g.black == player for n, g in own)
    if share[better] != share[other]:
        return better if share[better] < share[other] else other
    return other if black_last[other] and not black_last[better] else better


def _check_colours(pairing, order, rounds, manual):
    fixed = {frozenset((each.one, each.other)) for each in manual if each.white is not None}
    for board in pairing.boards:
        if frozenset((board.white, board.black)) not in fixed:
            better, other = sorted((board.white, board.black), key=order.index)
            assert board.white == _white_by_the_rules(better, other, rounds)


def _check_bye(pairing, present, rounds, manual):
    """Nobody has a bye more while somebody present who could have it has fewer (club P13)."""
    if pairing.bye:
        byes = History.of(rounds).byes
        paired = {player for each in manual for player in (each.one, each.other)}
        assert all(byes[pairing.bye.player] <= byes[player] for player in present if player not in paired)


def _check_early(pairing, rounds, rules, manual):
    """A meeting that is too early is told in a note, and there is none without (club P10)."""
    history = History.of(rounds)
    early = 0
    for board in pairing.boards:
        met = history.of_pair(board.white, board.black)
        early += bool(met) and rules.too_early(len(rounds) + 1 - met[-1].round) > 0
    assert sum("earlier than allowed" in note for note in pairing.notes) == early


def _season(chance, members, evenings, absent_share, rules, keizer):
    players = [Competitor(f"m{number}", 2200 - 37 * number) for number in range(members)]
    order, rounds = [player.id for player in players], []
    for _ in range(evenings):
        plan = Evening(chance, order, absent_share)
        present = [player for player in order if player not in plan.absent]
        if not present:
            continue
        hand = ManualPairs(plan.manual)
        pairing = pair(order, rounds, absent=plan.absent, by_hand=hand, settings=rules)
        assert pairing == pair(order, rounds, absent=reversed(plan.absent), by_hand=hand, settings=rules)
        _check_complete(pairing, present)
        _check_manual(pairing, plan.manual)
        _check_colours(pairing, order, rounds, plan.manual)
        _check_bye(pairing, present, rounds, plan.manual)
        _check_early(pairing, rounds, rules, plan.manual)
        assert all(board.why and board.why_colours for board in pairing.boards)
        rounds.append(_with_results(chance, pairing.evening(plan.absent)))
        table = standings(players, rounds, keizer)[-1]
        assert faults(table, keizer) == []
        order = list(table.order)
    return players, rounds


PAIRING_RULES = st.builds(
    PairingSettings,
    rematch_min_gap=st.integers(0, 4),
    rematch_reading=st.sampled_from(["distance", "between"]),
    max_rank_shift=st.integers(0, 6),
    repeat_factor=st.integers(1, 3),
)


@pytest.mark.slow
@examples(8, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    valuation=st.sampled_from(["fixpoint", "lagged", "frozen"]),
    rules=PAIRING_RULES,
)
def test_a_season_of_twenty_members(seed, valuation, rules):
    """Nine evenings with ten to fourteen of twenty there: every evening is paired by all rules, every table adds up."""
    chance = random.Random(seed)
    keizer = KeizerSettings(planned_rounds=9, valuation=valuation, minimum_games=6)
    players, rounds = _season(chance, 20, 9, 0.4, rules, keizer)
    last = standings(players, rounds, keizer)[-1]
    inside, outside = final_ranking(last, keizer.minimum_games)
    assert len(inside) + len(outside) == 20
    games = Counter(s for each in rounds for g in each.games if g.result.played for s in (g.white, g.black))
    assert {row.player: row.games for row in last.rows} == {player.id: games[player.id] for player in players}


@examples(30, deadline=None)
@given(seed=st.integers(0, 10**6), members=st.integers(1, 7), rules=PAIRING_RULES)
def test_a_season_of_few(seed, members, rules):
    """Even where everybody has met everybody, each evening has its complete pairing."""
    chance = random.Random(seed)
    _season(chance, members, 8, chance.choice([0, 0.2]), rules, KeizerSettings())


@pytest.mark.parametrize("members", [5, 6, 7])
def test_byes_go_round(members):
    """Where all come always, the numbers of byes never differ by more than one."""
    chance = random.Random(members)
    order, rounds = [f"m{number}" for number in range(members)], []
    for _ in range(2 * members + 1):
        rounds.append(_with_results(chance, pair(order, rounds).evening({})))
        byes = History.of(rounds).byes
        assert max(byes[player] for player in order) - min(byes[player] for player in order) <= 1
        chance.shuffle(order)


@pytest.mark.slow
def test_hundreds_of_players():
    """They are paired completely, after rounds that forbid many pairs."""
    chance = random.Random(298)
    order, rounds = [f"m{number}" for number in range(298 if FUZZING else 150)], []
    for _ in range(4):
        absent = chance.sample(order, 19)
        pairing = pair(order, rounds, absent=absent)
        _check_complete(pairing, [player for player in order if player not in absent])
        rounds.append(_with_results(chance, pairing.evening(dict.fromkeys(absent, AbsenceReason.EXCUSED))))
    met = Counter(frozenset((game.white, game.black)) for each in rounds for game in each.games if game.met)
    assert max(met.values()) <= 2


@pytest.mark.slow
def test_forty_players_twenty_rounds():
    """A long season of a large club is computed to the last table, and every table adds up."""
    chance = random.Random(40)
    players = [Competitor(f"m{number}", 2500 - number) for number in range(40)]
    rounds = []
    for _ in range(20):
        there = chance.sample([player.id for player in players], 34)
        games = zip(there[::2], there[1::2], strict=True)
        rounds.append(
            TournamentRound(tuple(ClubGame(white, black, chance.choice(RESULTS)) for white, black in games))
        )
    tables = standings(players, rounds)
    assert len(tables) == 21
    assert [fault for table in tables for fault in faults(table)] == []
