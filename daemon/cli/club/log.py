"""`gamekeeper club log`: what was done."""

import click

from daemon.cli.club.confirming import season, tournament_argument
from daemon.cli.context import Context, pass_context


@click.command()
@tournament_argument
@pass_context
def command(context: Context, tournament: str) -> None:
    """List everything that was done in a tournament, the last first."""
    from daemon.archive.reading.club import events
    from daemon.cli.printing import print_table

    archive, row = season(context, tournament)
    with archive.reading() as conn:
        found = events(conn, row)
    if context.json:
        context.emit({"items": found, "next": None})
    else:
        print_table(
            ("no.", "when", "command", "what"),
            [(one["n"], one["at"], one["what"], one["told"]) for one in found],
        )
