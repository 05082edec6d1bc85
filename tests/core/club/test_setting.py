"""Every setting says in plain words what it means, what is allowed and who wants another value."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from core.club.keizer import standings
from core.club.keizer_settings import KeizerSettings
from core.club.pairing_settings import PairingSettings
from core.club.setting import GROUPS, explained, settings_of, text_of
from core.club.setting_texts import from_texts
from core.club.tournament import TournamentRound
from tests.core.club.keizer_sums import faults
from tests.core.club.random_tournaments import tournament

ALL = {
    (cls, name): one for cls in (KeizerSettings, PairingSettings) for name, one in settings_of(cls).items()
}
VALUES = {
    int: [0, 1, 5],
    int | None: [None, 0, 1, 5],
    Fraction: [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 6)],
    Fraction | None: [None, Fraction(0), Fraction(1, 3), Fraction(1), Fraction(20)],
    bool: [True, False],
}


def values(cls, name):
    """Values of the setting that are allowed."""
    one = ALL[cls, name]
    if one.allowed is None and set(one.says) != {"yes", "no"}:
        return list(one.says)
    kind = next(each.type for each in fields(cls) if each.name == name)
    return [value for value in VALUES.get(kind, ["", "word"]) if one.problem(value) is None]


@pytest.mark.parametrize(("cls", "name"), ALL, ids=lambda one: one if isinstance(one, str) else "")
def test_every_value_has_a_sentence(cls, name):
    """Every allowed value makes a sentence with that value in it; who wants another is told, in a line."""
    one = ALL[cls, name]
    assert one.group in GROUPS
    assert 10 < len(one.clubs) < 140
    assert values(cls, name)
    for value in values(cls, name):
        says = one.sentence(text_of(value))
        assert not says[0].islower(), says
        assert says.endswith("."), says
        assert "{}" not in says
        assert cls(**{name: value})


@pytest.mark.parametrize(("cls", "name"), ALL, ids=lambda one: one if isinstance(one, str) else "")
def test_the_usual_value_is_allowed(cls, name):
    """The default of each setting is one that could be set."""
    assert ALL[cls, name].problem(getattr(cls(), name)) is None


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("bye", Fraction(1, 2), "A bye is worth 1/2 of the own value."),
        ("bye", Fraction(1), "A bye is worth the own value."),
        ("bye", Fraction(0), "A bye is worth nothing."),
        ("bye_points", Fraction(20), "A bye is worth 20 points for everybody."),
        ("planned_rounds", 1, "1 round is planned; more can be played."),
        ("paid_absences", None, "All absences are paid."),
        ("paid_absences", 5, "5 absences are paid."),
        ("halved_absences", True, "Each further absence is worth half of the one before."),
    ],
)
def test_sentences(name, value, says):
    """What a value means is said as people would."""
    (found,) = [one for one in explained(KeizerSettings(**{name: value})) if one.name == name]
    assert found.says == says


def test_settings_come_by_groups_and_changed_ones_are_marked():
    """All are there once, group by group; what is not as usual is marked."""
    found = explained(KeizerSettings(bye=Fraction(2, 3)), PairingSettings())
    assert [one.group for one in found] == sorted((one.group for one in found), key=GROUPS.index)
    assert sorted(one.name for one in found) == sorted(name for _, name in ALL)
    assert [one.name for one in found if one.changed] == ["bye"]


@pytest.mark.parametrize(
    ("change", "name", "counts"),
    [
        ({}, "excused", False),
        ({"absence": "fraction"}, "excused", True),
        ({"absence": "fraction"}, "bonus_base", False),
        ({"bye_points": Fraction(3)}, "bye", False),
        ({"base": Fraction(50)}, "ratio", False),
    ],
)
def test_what_does_not_count_is_said(change, name, counts):
    """A setting that changes nothing while another is as it is says so."""
    (found,) = [one for one in explained(KeizerSettings(**change)) if one.name == name]
    assert found.counts is counts


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ({"loss": Fraction(1, 2)}, "a loss"),
        ({"loss": Fraction(2, 3), "draw": Fraction(1, 2)}, "a loss"),
        ({"absence": "fraction", "unexcused": Fraction(1, 2)}, "without a word"),
        ({"absence": "fraction", "excused": Fraction(3, 4)}, "more than a bye"),
    ],
)
def test_what_is_seldom_meant_is_remarked(change, remark):
    """Values that reward what nobody wants are allowed, with a remark."""
    (found,) = KeizerSettings(**change).remarks
    assert remark in found


def test_sound_settings_have_no_remark():
    """Neither the usual values nor a high share for a loss with a higher one for a draw."""
    assert KeizerSettings().remarks == ()
    assert KeizerSettings(loss=Fraction(1, 2), draw=Fraction(3, 4)).remarks == ()


KEIZER = [name for cls, name in ALL if cls is KeizerSettings]


@pytest.mark.parametrize("name", KEIZER)
def test_every_value_makes_tables_that_add_up(name):
    """Own value and credits are the points with each value, among usual and among random settings, however entered."""
    for value in values(KeizerSettings, name):
        for number, usual in ((0, True), (2, False)):
            players, rounds, rules = tournament(number)
            changed = replace(KeizerSettings() if usual else rules, **{name: value})
            if name != "base" or value is None or value > len(players) * changed.step:
                tables = standings(players, rounds, changed)
                assert [faults(table, changed) for table in tables] == [[]] * len(tables)
                turned = standings(players[::-1], [_turned(each) for each in rounds], changed)
                assert turned == tables


def _turned(evening):
    """The same evening, entered from the last to the first."""
    return TournamentRound(evening.games[::-1], evening.away[::-1])


@pytest.mark.parametrize("cls", [KeizerSettings, PairingSettings])
def test_settings_that_were_not_stored_are_usual(cls):
    """A tournament created before there was a setting has it as usual; one that never was is named."""
    stored = {name: text_of(getattr(cls(), name)) for name in list(settings_of(cls))[:3]}
    assert from_texts(cls, stored) == cls()
    with pytest.raises(ValueError, match="there is no setting colour"):
        from_texts(cls, {**stored, "colour": "red"})
