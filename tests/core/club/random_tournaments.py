"""Tournaments made by chance from a number: small, and with everything that can happen on an evening."""

import random
from dataclasses import replace
from fractions import Fraction

from core.club.keizer_settings import KeizerSettings
from core.club.setting import settings_of
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound

SHARES = [
    Fraction(0),
    Fraction(1, 6),
    Fraction(1, 3),
    Fraction("0.35"),
    Fraction(1, 2),
    Fraction(2, 3),
    Fraction(1),
]
MORE = [*SHARES, Fraction(7, 6), Fraction(2)]
POINTS = [None, None, None, Fraction(0), Fraction(1), Fraction(15, 2), Fraction(20)]
CHOICES = {
    name: tuple(one.says)
    for name, one in settings_of(KeizerSettings).items()
    if one.allowed is None and set(one.says) != {"yes", "no"}
}
RESULTS = [*[GameResult.WHITE, GameResult.BLACK] * 4, *[GameResult.DRAW] * 3, *GameResult, None]


def settings(chance, players):
    """Settings of which any can be anything."""
    shares = {
        name: chance.choice(SHARES)
        for name in (
            *("bonus_base", "bonus_excused", "bonus_short_notice", "bonus_unexcused", "bonus_club"),
            *("draw", "last_rounds_share"),
        )
    }
    shares |= {
        name: chance.choice(MORE)
        for name in (
            *("bye", "excused", "short_notice", "unexcused", "club_duty"),
            *("external_win", "external_draw", "external_loss"),
            *("forfeit_win", "forfeit_loss", "withdrawn_win"),
        )
    }
    fixed = {
        name: chance.choice(POINTS)
        for name in settings_of(KeizerSettings)
        if name.endswith("_points") and chance.random() < 0.4
    }
    switches = {
        name: chance.random() < 0.3
        for name in ("halved_absences", "paid_after_first_game", "limited_club_duty", "external_counts")
    }
    choices = {name: chance.choice(allowed) for name, allowed in CHOICES.items()}
    return KeizerSettings(
        **shares,
        **fixed,
        **switches,
        **choices,
        base=chance.choice([None, None, Fraction(players), Fraction(3 * players), Fraction(4 * players, 3)]),
        ratio=chance.choice([Fraction(2), Fraction(3), Fraction(7, 2)]),
        loss=chance.choice([Fraction(0), Fraction(1, 6), Fraction(1, 20), Fraction(2, 3)]),
        double_forfeit=chance.choice([None, None, Fraction(0), Fraction(1, 3)]),
        last_rounds=chance.choice([0, 0, 1, 3]),
        bonus_spread=chance.choice([Fraction(0), Fraction(1), Fraction(5, 3), Fraction(2)]),
        bonus_early=chance.randint(1, 4),
        bonus_end=chance.randint(1, 4),
        planned_rounds=chance.randint(1, 8),
        paid_absences=chance.choice([None, None, 0, 1, 2]),
    )


def players(chance, count):
    """A field with late entries, withdrawals, sometimes an order of its own, and names in another order."""
    ratings = chance.sample(range(1000, 2400), count)
    seeds = chance.sample(range(1, 100), count) if chance.random() < 0.3 else [None] * count
    names = [f"Rossi {chance.randint(0, 3)}" for _ in range(count)]
    field = [
        Competitor(f"m{n}", ratings[n], names[n], seeds[n], joined=chance.choice([1, 1, 1, 1, 2, 4]))
        for n in range(count)
    ]
    field = [replace(p, terms=terms(chance)) if chance.random() < 0.2 else p for p in field]
    return [
        replace(p, withdrawn=p.joined + chance.randint(0, 5)) if chance.random() < 0.1 else p for p in field
    ]


def terms(chance):
    """What can be another for one player alone."""
    return (
        ("excused", chance.choice(MORE)),
        ("excused_points", chance.choice(POINTS)),
        ("paid_absences", chance.choice([None, 0, 3])),
    )


USUAL = [AbsenceReason.BYE, AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB]


def rounds(chance, field, number, reasons=USUAL):
    """So many evenings of this field; who has no game has one of these reasons."""
    made = []
    for at in range(1, number + 1):
        there = [p.id for p in field if p.joined <= at and (p.withdrawn is None or at < p.withdrawn)]
        chance.shuffle(there)
        playing = len(there) - chance.randint(0, min(3, len(there)))
        pairs = list(zip(there[0:playing:2], there[1:playing:2], strict=False))
        rest = there[2 * len(pairs) :]
        made.append(
            TournamentRound(
                tuple(ClubGame(white, black, chance.choice(RESULTS)) for white, black in pairs),
                tuple(Away(player, chance.choice(reasons)) for player in rest if chance.random() < 0.9),
            )
        )
    return made


def tournament(number):
    """Players, rounds and settings number *number*."""
    chance = random.Random(number)
    field = players(chance, chance.randint(2, 9))
    return (
        field,
        rounds(chance, field, chance.randint(0, 8), list(AbsenceReason)),
        settings(chance, len(field)),
    )
