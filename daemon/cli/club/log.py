"""`gamekeeper club log`: lists what was done."""

from typing import TYPE_CHECKING

import click

from daemon.cli.club.common import season, tournament_argument
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.club import shapes


@click.command()
@tournament_argument
@pass_context
def command(context: Context, tournament: str) -> None:
    """List everything that was done in a tournament, newest first."""
    from daemon.cli.moments import moment
    from daemon.cli.output import print_table
    from daemon.club.views import events

    archive, row = season(context, tournament)
    with archive.reading() as connection:
        found = events(connection, row)
    if context.json:
        context.emit({"items": found, "next": None})
    else:
        print_table(
            ("no.", Column("when", 1), Column("command", 2), Column("what", least=24, wraps=True)),
            [(one["n"], moment(one["at"]), one["what"], _sentence(one)) for one in found],
        )


def _sentence(event: "shapes.Event") -> str:
    return f"(undone) {event['told']}" if event["undone"] else event["told"]
