"""Ids as they are typed: numbers that both databases can store."""

from typing import Any, Final

import click

GREATEST: Final = 2**63 - 1
"""The greatest possible id."""


class _IdType(click.IntRange):
    """A number from 1 on. Other texts get a plain error: somebody may have typed a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            int(value)
        except ValueError:
            self.fail(f"{value!r} is not a number; the lists have the number in the column ID", param, ctx)
        return super().convert(value, param, ctx)


ID: Final = _IdType(min=1, max=GREATEST)
