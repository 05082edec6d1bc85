"""The sum check of a Keizer table: what the program leaves to its tests."""

from fractions import Fraction

from core.club.keizer import DEFAULTS, KeizerTable
from core.club.keizer_settings import KeizerSettings


def faults(table: KeizerTable, settings: KeizerSettings = DEFAULTS) -> list[str]:
    """The sum check (club V5): what does not add up, or has different values within one table; normally nothing.

    If rounds are frozen, an opponent has one value within a round.
    """
    found = [
        f"{row.player}: own value and credits are not {row.points}"
        for row in table.rows
        if row.own + sum(credit.points for credit in row.credits) != row.points
    ]
    worth: dict[tuple[str, int], Fraction] = {}
    for row in table.rows:
        for credit in row.credits:
            if credit.of == row.player:
                continue
            key = (credit.of, credit.round if settings.valuation == "frozen" else 0)
            if worth.setdefault(key, credit.value) != credit.value:
                found.append(f"{row.player}, round {credit.round}: {credit.of} is worth {credit.value} here")
    return found
