"""Numbers as values of options, with plain error messages: click speaks of "a valid integer range"."""

from typing import Any

import click


class NumberType(click.IntRange):
    """A whole number within two bounds, both inclusive."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number.

        Raises:
            BadParameter: it is another text, or outside the bounds.
        """
        try:
            found = int(value)
        except ValueError:
            found = None
        low, high = self.min, self.max
        if found is None or (low is not None and found < low) or (high is not None and found > high):
            self.fail(f"{str(value)!r} is not {self._allowed()}", param, ctx)
        return found

    def _allowed(self) -> str:
        if self.max is None:
            return "a whole number" if self.min is None else f"a whole number from {self.min:.0f} on"
        return f"a whole number from {self.min or 0:.0f} to {self.max:.0f}"
