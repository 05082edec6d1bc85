"""Paths on the command line.

If root runs a command, they are opened before it becomes the owner of the data folder.
"""

from pathlib import Path
from typing import Any

import click

from daemon.cli.context import Context


class GivenPath(click.Path):
    """A file, or a folder of files, that the command reads."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert as click does, and remember the path."""
        path = super().convert(value, param, ctx)
        if ctx is not None and str(path) != "-":
            ctx.ensure_object(Context).given.append(str(path))
        return path


def remember_output(ctx: click.Context, _parameter: click.Parameter, value: Path | None) -> Path | None:
    """The callback of an option for the output; without it the command writes into this folder."""
    if value is None or str(value) != "-":
        ctx.ensure_object(Context).output = value or Path()
    return value
