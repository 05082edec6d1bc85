"""Days and times as values of options, with plain error messages.

Click speaks of formats such as %Y-%m-%d.
"""

from datetime import datetime
from typing import Any, Final

import click

_SAMPLES: Final = {"%Y-%m-%d": "2026-11-03", "%d.%m.%Y": "03.11.2026", "%H:%M": "19:30"}


class MomentType(click.DateTime):
    """A day or a time of day, in one of *formats* (as for `datetime.strptime`)."""

    @property
    def _is_time(self) -> bool:
        return all("%H" in one for one in self.formats)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - as click calls it
        """The placeholder for the value in the help."""
        return "TIME" if self._is_time else "DATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The value as a datetime, of which only the day, or only the time, is meaningful.

        Raises:
            BadParameter: it is not in one of the formats, or there is no such day.
        """
        try:
            found: datetime = super().convert(value, param, ctx)
        except click.BadParameter:
            what = "a time" if self._is_time else "a date"
            samples = " or ".join(_SAMPLES.get(one, one) for one in self.formats)
            self.fail(f"{str(value)!r} is not {what}: write {samples}", param, ctx)
        return found
