"""Named sets of rules: each is valid, says who plays so, and gives the numbers that its club or program published."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.pairing_settings import PairingSettings
from core.club.presets import BY_NAME, PRESETS
from core.club.setting_texts import from_texts
from tests.core.club import keizer_examples
from tests.core.club.keizer_sums import faults
from tests.core.club.notation import evenings
from tests.core.club.random_tournaments import tournament

KEIZER = {one.name for one in fields(KeizerSettings)}


def rules(name):
    """The settings of the table of a preset."""
    return from_texts(KeizerSettings, {n: v for n, v in BY_NAME[name].settings.items() if n in KEIZER})


def lines(table):
    """A table as (id, points)."""
    return [(row.player, row.points) for row in table.rows]


@pytest.mark.parametrize("name", BY_NAME)
def test_every_preset_is_valid(name):
    """Each makes settings without a remark, says something else than the others, and says who plays so."""
    preset = BY_NAME[name]
    pairing = {n: v for n, v in preset.settings.items() if n not in KEIZER}
    assert rules(name).remarks == ()
    assert from_texts(PairingSettings, pairing)
    assert len(preset.clubs) > 20
    assert sum(other.settings == preset.settings for other in PRESETS) == 1


@pytest.mark.parametrize("name", BY_NAME)
def test_every_preset_makes_tables_that_add_up(name):
    """Random evenings with everything in them."""
    for number in range(20):
        players, rounds, _ = tournament(number)
        its = replace(rules(name), base=None if rules(name).base is None else Fraction(100))
        assert [faults(table, its) for table in standings(players, rounds, its)] == [[]] * (len(rounds) + 1)


def test_the_first_preset_is_what_is_usual():
    """A tournament without a preset is one in eight o'clock mode."""
    assert rules("eight-oclock") == KeizerSettings()


def test_keizerforclubs():
    """Its test tournament: every table that it stored or published."""
    tables = standings(keizer_examples.E1_PLAYERS, keizer_examples.E1_ROUNDS, rules("keizerforclubs"))
    assert [lines(table) for table in tables[1:]] == [
        keizer_examples.as_table(line) for line in keizer_examples.E1_TABLES
    ]


def test_freekeizer():
    """The settings for which the oracle, with the program's rounding, has the numbers that the program printed."""
    assert replace(
        rules("freekeizer"), base=Fraction(17), short_notice=keizer_examples.FREEKEIZER.short_notice
    ) == (replace(keizer_examples.FREEKEIZER, base=Fraction(17)))


@pytest.mark.parametrize(
    ("name", "example"),
    [("caissa", "E3 single pass"), ("haren", "E2 fixpoint"), ("schlapp", "E4 single pass")],
)
def test_published_tables(name, example):
    """What the club published after one round: all of its numbers."""
    count, base, line, _, expected = keizer_examples.ONE_ROUND[example]
    players = keizer_examples.seeded(count)
    table = standings(players, evenings(line), rules(name))[1]
    assert lines(table) == keizer_examples.as_table(expected)
    assert table.rows[0].next_value == base
