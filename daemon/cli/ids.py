"""Ids as they are typed: numbers that both databases hold."""

from typing import Final

import click

GREATEST: Final = 2**63 - 1
"""The greatest id that there can be."""

ID: Final = click.IntRange(min=1, max=GREATEST)
