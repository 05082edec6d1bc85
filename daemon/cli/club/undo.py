"""`gamekeeper club undo`: one step back."""

import click

from daemon.cli.club.confirming import asked, now_ms, tournament_argument, yes_option
from daemon.cli.context import Context, pass_context


@click.command()
@tournament_argument
@yes_option
@pass_context
def command(context: Context, tournament: str, *, yes: bool) -> None:
    """Take back the last step: the table, then the pairing list, then what was set before it, and so on.

    Only the last one can be taken back. It is asked first, and `club log` tells it.
    """
    from daemon.cli.printing import printable
    from daemon.club.closing import undo

    archive = context.archive()
    undone = asked(lambda version: undo(archive, tournament, now_ms=now_ms(), confirmed=version), yes=yes)
    if context.json:
        context.emit({"undone": undone.what, "round": undone.round, "told": undone.told})
    else:
        click.echo(printable(undone.told))
