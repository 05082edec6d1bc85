"""`gamekeeper club …`: club evenings, one module per command, loaded when it is called."""

from typing import Final

import click

from daemon.cli.lazy import LazyGroup

COMMANDS: Final = {
    "check": ("daemon.cli.club.check", "Check a results file: turnering.txt, TRF, FESA's result table."),
    "rate": ("daemon.cli.club.rate", "Rate a turnering.txt as FESA does."),
}
"""The commands in the order in which --help lists them: module and one line."""


class Club(LazyGroup):
    """The group below `gamekeeper club`."""

    table = COMMANDS


@click.group(cls=Club)
def command() -> None:
    """Club evenings: results files and ratings."""
