"""`gamekeeper club list`: lists the tournaments."""

import click

from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.cli.source_choice import api_options, ask


@click.command("list")
@api_options
@pass_context
def command(context: Context) -> None:
    """List the tournaments, newest first."""
    from daemon.cli.output import print_table

    found = ask(context).tournaments()
    if context.json:
        context.emit({"items": found, "next": None})
    elif not found:
        context.note("there is no tournament yet: gamekeeper club new NAME")
    else:
        rows = [
            (
                one["slug"],
                one["name"],
                one["member_count"],
                f"{one['rounds_complete']} of {one['planned_rounds']}",
                f"round {one['playing']}" if one["playing"] else None,
            )
            for one in found
        ]
        columns = ("tournament", "name", Column("members", 3), Column("rounds", 1), Column("being played", 2))
        print_table(columns, rows)
