"""Hundreds of random tournaments (`make fuzz`: a thousand): our tables are those of a slow computation straight from the rules."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from core.club.keizer import standings
from core.club.tournament import TournamentRound
from tests.core.club.keizer_oracle import Oracle
from tests.core.club.keizer_sums import faults
from tests.core.club.notation import evenings, field
from tests.core.club.random_tournaments import tournament
from tests.examples import FUZZING

CHUNK = 50 if FUZZING else 15


def _numbers(chunk):
    return range(chunk * CHUNK, (chunk + 1) * CHUNK)


@pytest.mark.parametrize("chunk", range(20))
def test_agrees_with_the_rules_written_twice(chunk):
    """Order, points, value numbers and length of the cycle, after each round, in every setting."""
    for number in _numbers(chunk):
        players, rounds, settings = tournament(number)
        oracle = Oracle(players, rounds, settings)
        tables = standings(players, rounds, settings)
        assert [[(row.player, row.points) for row in table.rows] for table in tables] == oracle.tables, number
        assert [table.cycle for table in tables] == oracle.cycles, number
        assert [{row.player: row.value for row in table.rows} for table in tables] == oracle.used, number


def test_the_random_tournaments_have_everything():
    """Withdrawals, late entries, all valuations and cycles do occur in them: else the test would say little."""
    seen, cycles = set(), set()
    for number in range(20 * CHUNK):
        players, rounds, settings = tournament(number)
        seen |= {
            settings.valuation,
            settings.own_value,
            settings.last_round,
            settings.withdrawn,
            settings.absence,
        }
        seen |= {"late" for player in players if player.joined > 1} | {"gone" for p in players if p.withdrawn}
        if number < 6 * CHUNK:
            cycles |= {table.cycle for table in standings(players, rounds, settings)}
    assert seen >= {
        "fixpoint",
        "lagged",
        "frozen",
        "current",
        "start",
        "none",
        "fading",
        "held",
        "removed",
        "kept",
    }
    assert seen >= {"late", "gone", "bonus", "fraction"}
    assert max(cycles) > 1


@pytest.mark.parametrize("chunk", range(4))
def test_order_of_entry_does_not_matter(chunk):
    """The same players and results in any order give the same tables, though sides and lists are shuffled (club V2)."""
    for number in _numbers(chunk):
        players, rounds, settings = tournament(number)
        chance = random.Random(-number)
        mixed_players = chance.sample(players, len(players))
        mixed_rounds = [
            TournamentRound(
                tuple(chance.sample(each.games, len(each.games))),
                tuple(chance.sample(each.away, len(each.away))),
            )
            for each in rounds
        ]
        assert standings(mixed_players, mixed_rounds, settings) == standings(players, rounds, settings)


@pytest.mark.parametrize("chunk", range(4))
def test_every_table_adds_up(chunk):
    """Own value and credits are the points, exactly; a win against a player is worth the same in all rounds (club V4, V5)."""
    for number in _numbers(chunk):
        players, rounds, settings = tournament(number)
        for table in standings(players, rounds, settings):
            assert faults(table, settings) == []
            assert all(isinstance(row.points, Fraction) for row in table.rows)


def test_a_table_that_does_not_add_up_is_found():
    """The sum check finds points changed by one, and an opponent worth more in one round than in another."""
    table = standings(field(2), evenings("1:2+\n2:1-"))[-1]
    first, second = table.rows
    more = replace(first, points=first.points + 1)
    assert faults(replace(table, rows=(more, second))) == [f"1: own value and credits are not {more.points}"]
    dearer = replace(first.credits[1], value=first.credits[1].value + 1)
    rows = (replace(first, points=more.points, credits=(first.credits[0], dearer)), second)
    assert faults(replace(table, rows=rows)) == [f"1, round 2: 2 is worth {dearer.value} here"]


@pytest.mark.parametrize("chunk", range(4))
def test_later_rounds_do_not_change_earlier_tables(chunk):
    """The table after a round is what it was when that round was the last one, while the field stays the same."""
    for number in _numbers(chunk):
        players, rounds, settings = tournament(number)
        tables = standings(players, rounds, settings)
        for length in range(len(rounds)):
            assert standings(players, rounds[:length], settings) == tables[: length + 1]
