"""`gamekeeper search`: finds players by the beginnings of the words of their names."""

from itertools import chain

import click

from daemon.cli.context import Context, pass_context
from daemon.cli.source_choice import api_options, ask


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), help="Print at most this many (default: all).")
@api_options
@pass_context
def command(
    context: Context,
    query: tuple[str, ...],
    limit: int | None,
) -> None:
    """Find players: each word of QUERY is the beginning of a word of the name, in any order.

    Names that begin with the whole QUERY come first.
    """
    from daemon.cli.columns import Column
    from daemon.cli.output import print_table

    pages = ask(context).players(" ".join(query), limit)
    found = list(chain.from_iterable(pages))
    if context.json:
        context.emit({"items": found, "next": None})
        return
    if not found:
        context.note("no player found")
        return
    rows = [(one["id"], one["name"], one["kind"], one["fide_id"], one["games"]) for one in found]
    print_table(("id", "name", Column("kind", 2), Column("FIDE id", 1), "games"), rows)
