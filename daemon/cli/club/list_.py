"""`gamekeeper club list`: the tournaments."""

import click

from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context


@click.command("list")
@pass_context
def command(context: Context) -> None:
    """List the tournaments, the newest first."""
    from daemon.archive.reading.club import list_tournaments
    from daemon.cli.printing import print_table

    with context.archive_to_read().reading() as conn:
        found = list_tournaments(conn)
    if context.json:
        context.emit(found)
    elif not found["items"]:
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
            for one in found["items"]
        ]
        columns = ("tournament", "name", Column("members", 3), Column("rounds", 1), Column("being played", 2))
        print_table(columns, rows)
