"""The absence bonus: what it is worth, and the properties that it is made for (club B1 to B5); limits of paid absences."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.club.absences import Absences, bonus_share
from core.club.keizer import standings
from core.club.keizer_settings import EARLIER, KeizerSettings
from core.club.ranks import final_ranking, ranked
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from tests.core.club.notation import evenings, field, points
from tests.core.club.random_tournaments import rounds as random_rounds
from tests.examples import examples

SETTINGS = KeizerSettings()
KINDS = st.sampled_from([AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB])
FRACTIONS = st.fractions(min_value=0, max_value=2, max_denominator=12)


def bonus(
    number, rating_value, own_value, rules=SETTINGS, reason=AbsenceReason.EXCUSED, weaker=Fraction(1, 2)
):
    """What a first absence in round *number* brings to a player with these two value numbers.

    *weaker* is the share of the others with a lower rating.
    """
    paid = Absences(Competitor("a", 1), rules, weaker).paid(number, reason)
    return paid.factor * (paid.rating_share * rating_value + (1 - paid.rating_share) * own_value)


@pytest.mark.parametrize(
    ("planned", "expected"),
    [(7, "14 11.833 9.667 7.5 5 2.5 0"), (9, "14 11.833 9.667 7.5 7.5 7.5 5 2.5 0")],
)
def test_published_values_of_the_bonus(planned, expected):
    """The worked values for rating value 28 and own value 15, in the middle of the field."""
    rules = KeizerSettings(planned_rounds=planned, bonus_end=3)
    values = [
        f"{float(bonus(number, 28, 15, rules)):.3f}".rstrip("0").rstrip(".")
        for number in range(1, planned + 1)
    ]
    assert values == expected.split()


def test_b1_depends_on_rating_round_and_own_value():
    """Changing one of the three alone changes the bonus of an early or middle round (club B1)."""
    assert bonus(2, 28, 15) != bonus(2, 27, 15)
    assert bonus(2, 28, 15) != bonus(2, 28, 16)
    assert len({bonus(number, 28, 15) for number in (1, 2, 3, 4, 6, 7)}) == 6
    assert bonus(1, 28, 15) == bonus(1, 28, 1), "in round 1 only the rating counts"
    assert bonus(4, 28, 15) == bonus(4, 1, 15), "after the early rounds the value number is the own one"
    assert bonus(4, 28, 15, weaker=Fraction(1, 3)) < bonus(4, 28, 15), "and the share still goes by rating"


def test_the_bonus_grows_from_the_weakest_to_the_strongest():
    """The share is a quarter of the value number at the bottom, half of it in the middle, three quarters at the top."""
    shares = [bonus_share(Fraction(weaker, 4), SETTINGS) for weaker in range(5)]
    assert shares == [Fraction(2, 8), Fraction(3, 8), Fraction(4, 8), Fraction(5, 8), Fraction(6, 8)]


def test_the_earlier_bonus_can_be_chosen():
    """Without a spread the share is the same for everybody, as tournaments created earlier have it."""
    assert EARLIER.bonus_spread == 0
    assert {bonus_share(Fraction(weaker, 4), EARLIER) for weaker in range(5)} == {Fraction(1, 2)}


def test_the_share_goes_by_the_place_by_rating():
    """In a field of five the second misses a round at three eighths more than the last but one."""
    table = standings(field(5), evenings("1e 2e 3e 4e 5e"), KeizerSettings(planned_rounds=9))[-1]
    shares = {row.player: row.credits[0].factor for row in table.rows}
    assert shares == {str(n): Fraction(6 - n + 1, 8) for n in range(1, 6)}


def test_the_only_player_has_the_middle_share():
    """With nobody else there is nobody weaker and nobody stronger."""
    table = standings(field(1), evenings("1e"), KeizerSettings(planned_rounds=9))[-1]
    assert table.rows[0].credits[0].factor == Fraction(1, 2)


def test_b1_in_a_table():
    """The order of ratings alone changes what an absentee of round 2 gets, with the same results and start order."""
    rounds = evenings("1:2= 3:4=\n1:2= 3e 4e")
    seeded = [Competitor(str(n), 2000 - n, seed=n) for n in range(1, 5)]
    other = [replace(player, rating=2500) if player.id == "3" else player for player in seeded]
    rules = replace(SETTINGS, valuation="lagged")
    assert points(standings(seeded, rounds, rules)[2])["3"] < points(standings(other, rounds, rules)[2])["3"]


@given(
    planned=st.integers(1, 12),
    later=st.integers(0, 5),
    a=FRACTIONS,
    f=FRACTIONS,
    reason=KINDS,
    values=st.tuples(st.integers(0, 99), st.integers(0, 99)),
)
def test_b3_b5_nothing_from_the_last_round_on(planned, later, a, f, reason, values):
    """In the last planned round and all after it an absence of any kind is worth nothing (club B3, B5)."""
    rules = KeizerSettings(
        planned_rounds=planned,
        bonus_base=a,
        bonus_club=f,
        bonus_unexcused=Fraction(1),
        bonus_excused=Fraction(1),
    )
    assert bonus(planned + later, *values, rules, reason) == 0


def _last_round(number, chance, valuation, own_value):
    """A field with T-1 random rounds, and the rules of a tournament of T rounds with club G1 on."""
    players = field(chance.randint(3, 9))
    rounds = random_rounds(chance, players, number - 1)
    return players, rounds, KeizerSettings(planned_rounds=number, valuation=valuation, own_value=own_value)


def _first_two(table, rules):
    """The first two of those who have played; before round 1 of all."""
    first = ranked(table, replace(rules, planned_rounds=99))[:2]
    assume(len(first) == 2)
    return first


def _fades(number, own_value):
    # While the own value still fades, a table is not comparable with the one before.
    return own_value == "fading" and number < 6


LAST_ROUNDS = {
    "seed": st.integers(0, 10**6),
    "number": st.integers(1, 8),
    "valuation": st.sampled_from(["fixpoint", "lagged", "frozen"]),
    "own_value": st.sampled_from(["current", "start", "none", "fading"]),
}


@examples(150, deadline=None)
@given(**LAST_ROUNDS, loss=st.sampled_from([Fraction(0), Fraction(1, 6)]))
def test_b3_playing_is_no_disadvantage_in_the_last_round(seed, number, valuation, own_value, loss):
    """A player who plays the last round and loses has at least what they would have by staying away (club B3)."""
    chance = random.Random(seed)
    players, rounds, rules = _last_round(number, chance, valuation, own_value)
    rules = replace(rules, loss=loss)
    one, other = chance.sample([player.id for player in players], 2)
    plays = TournamentRound((ClubGame(one, other, GameResult.BLACK),))
    stays = TournamentRound(
        (), (Away(one, chance.choice([AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB])),)
    )
    with_game = points(standings(players, [*rounds, plays], rules)[-1])[one]
    assert with_game >= points(standings(players, [*rounds, stays], rules)[-1])[one]


@examples(100, deadline=None)
@given(**LAST_ROUNDS)
def test_b4_a_narrow_leader_who_stays_away_is_caught(seed, number, valuation, own_value):
    """With club G1 the second overtakes by beating anybody whose value number is more than the lead (club B4)."""
    assume(not _fades(number, own_value))
    chance = random.Random(seed)
    players, rounds, rules = _last_round(number, chance, valuation, own_value)
    before = standings(players, rounds, rules)[-1]
    leader, second = _first_two(before, rules)
    beaten = chance.choice([row for row in before.rows if row not in (leader, second)])
    assume(leader.points - second.points < beaten.value)
    rest = [Away(row.player, AbsenceReason.EXCUSED) for row in before.rows if row not in (second, beaten)]
    last = TournamentRound((ClubGame(second.player, beaten.player, GameResult.WHITE),), tuple(rest))
    after = standings(players, [*rounds, last], rules)[-1]
    assert after.held
    assert points(after)[second.player] - points(after)[leader.player] == (
        second.points + beaten.value - leader.points
    )
    with_games = [row.player for row in final_ranking(after, 1)[0]]
    assert leader.player not in with_games[: with_games.index(second.player)]


@pytest.mark.parametrize("seed", [457, 821])
def test_b4_needs_the_guard(seed):
    """Without club G1 all is valued again: here a leader who stays away is not caught, and with club G1 they are."""
    players, rounds, rules = _last_round(7, random.Random(seed), "fixpoint", "current")
    rules = replace(rules, bonus_spread=Fraction(0), bonus_end=3, newcomers="points")
    before = standings(players, rounds, rules)[-1]
    leader, second = before.rows[:2]
    beaten = before.rows[-1]
    assert leader.points - second.points < beaten.value
    last = TournamentRound(
        (ClubGame(second.player, beaten.player, GameResult.WHITE),),
        (Away(leader.player, AbsenceReason.EXCUSED),),
    )
    ahead = {}
    for guard in ("held", "normal"):
        after = points(standings(players, [*rounds, last], replace(rules, last_round=guard))[-1])
        ahead[guard] = after[second.player] > after[leader.player]
    assert ahead == {"held": True, "normal": False}


def test_held_only_in_the_last_planned_round():
    """One more round than planned is valued as usual again (club B5, P19)."""
    tables = standings(
        field(4), evenings("1:2+ 3:4+\n1:3- 2:4+\n1:4- 2:3+"), KeizerSettings(planned_rounds=2)
    )
    assert [table.held for table in tables] == [False, False, True, False]
    assert {row.player: row.value for row in tables[2].rows} == {
        row.player: row.value for row in tables[1].rows
    }


PLAIN = KeizerSettings(
    absence="fraction", excused=Fraction(1, 2), unexcused=Fraction(1, 8), club_duty=Fraction(2, 3)
)


def _factors(text, **changes):
    """The shares that player 1 is paid with, round by round."""
    table = standings(field(3), evenings(text), replace(PLAIN, **changes))[-1]
    row = next(row for row in table.rows if row.player == "1")
    return [credit.factor for credit in row.credits]


def test_limit_of_paid_absences():
    """After so many absences the next is worth nothing, whether they followed each other or not (club K7)."""
    assert _factors("1e\n1:2-\n1u\n1e", paid_absences=2) == [Fraction(1, 2), 0, Fraction(1, 8), 0]


def test_excused_counts_as_unexcused_beyond_the_limit():
    """What is beyond the limit can be worth an absence without notice instead."""
    factors = _factors("1e\n1e\n1e", paid_absences=1, beyond_limit="unexcused")
    assert factors == [Fraction(1, 2), Fraction(1, 8), Fraction(1, 8)]


def test_club_duty_is_exempt_from_limits():
    """Club duty is paid always and does not count, unless the club says so."""
    text = "1c\n1e\n1c"
    assert _factors(text, paid_absences=1) == [Fraction(2, 3), Fraction(1, 2), Fraction(2, 3)]
    assert _factors(text, paid_absences=1, limited_club_duty=True) == [Fraction(2, 3), 0, 0]


def test_each_further_absence_is_halved():
    """The second absence counts half, the third a quarter; byes do not take part in it."""
    factors = _factors("1e\n1b\n1e\n1u", halved_absences=True)
    assert factors == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 32)]


def test_paid_only_after_the_first_game():
    """An absence before the first game at the board is worth nothing; a forfeit is no such game."""
    factors = _factors("1e\n1:2>\n1e\n1:3=\n1e", paid_after_first_game=True)
    assert factors == [0, 1, 0, Fraction(1, 2), Fraction(1, 2)]


def test_who_is_not_named_stayed_away_without_notice():
    """A round that does not mention a player is an absence without notice."""
    assert _factors("2:3+") == [Fraction(1, 8)]


@pytest.mark.parametrize(
    ("late", "share"), [("excused", Fraction(1, 2)), ("unexcused", Fraction(1, 8)), ("nothing", 0)]
)
def test_rounds_before_joining(late, share):
    """Who joins in round 2 has for round 1 what the club decides: as if excused, without notice, or nothing."""
    players = [*field(3), Competitor("9", 1234, joined=2)]
    table = standings(players, evenings("1:2+"), replace(PLAIN, late_entry=late))[-1]
    row = next(row for row in table.rows if row.player == "9")
    assert sum(credit.factor for credit in row.credits) == share
