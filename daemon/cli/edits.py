"""`gamekeeper edits`: what was edited, and undoing it."""

from typing import TYPE_CHECKING

import click

from core.edits import EditError
from daemon import clock
from daemon.cli.columns import CellValue, Column
from daemon.cli.context import Context, pass_context
from daemon.cli.ids import ID
from daemon.cli.moments import moment
from daemon.cli.output import printable
from daemon.cli.source_choice import api_options, ask

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_COLUMNS = ("id", Column("at", 3), "what", Column("field", 1), "before", "after", Column("undone", 2))


@click.group(invoke_without_command=True)
@click.option("--limit", type=click.IntRange(min=1), help="Print at most this many (default: all).")
@api_options
@click.pass_context
def command(ctx: click.Context, limit: int | None) -> None:
    """List all edits, newest first; `undo` reverts one of them."""
    if ctx.invoked_subcommand is None:
        _list(ctx.ensure_object(Context), limit)
    elif ctx.ensure_object(Context).api is not None:
        raise click.UsageError("--api is for the list: nothing is changed over the API")


def _list(context: Context, limit: int | None) -> None:
    from daemon.cli.output import print_table

    found = list(ask(context).edits(limit))
    if context.json:
        context.emit({"items": found, "next": None})
    elif not found:
        context.note("nothing was edited")
    else:
        print_table(_COLUMNS, [_line(one) for one in found])


def _line(one: "shapes.Edit") -> tuple[CellValue, ...]:
    field = None if one["field"] is None else one["field"].replace("_", " ")
    return (
        one["id"],
        moment(one["at"]),
        _what(one),
        field,
        one["before"],
        one["after"],
        moment(one["undone_at"]),
    )


def _what(one: "shapes.Edit") -> str:
    if one["kind"] in {"same", "different"}:
        return f"games {one['game_id']} and {one['other_id']} are {one['kind']}"
    return f"game {one['game_id']}" if one["kind"] == "game" else f"player {one['player_id']}"


@command.command()
@click.argument("edit_ids", metavar="ID...", nargs=-1, required=True, type=ID)
@click.option("--batch", is_flag=True, help="Also all other edits of the same command.")
@pass_context
def undo(context: Context, edit_ids: tuple[int, ...], *, batch: bool) -> None:
    """Undo edits: games and players are as if they had never been made.

    Games that an edit merged are split again, each with its own tellings.
    """
    from daemon.edits import door

    now_ms = clock.now_ms()
    try:
        undone = door.undo(context.archive(), edit_ids, now_ms=now_ms, whole=batch)
    except EditError as error:
        raise click.ClickException(printable(str(error))) from None
    if context.json:
        context.emit({"undone": undone})
    else:
        click.echo(f"undone: {', '.join(map(str, undone))}")
