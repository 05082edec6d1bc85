"""`gamekeeper doubles`: pairs of games that may be one, for the user to decide."""

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from core.doubles import DOUBLE_KINDS, DoubleKind
from core.edits import EditError
from core.plurals import count_of
from daemon import clock
from daemon.cli.columns import CellValue, Column, Shown
from daemon.cli.context import Context, pass_context
from daemon.cli.ids import ID
from daemon.cli.output import printable
from daemon.cli.source_choice import api_options, ask

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.archive.reading import shapes

_COLUMNS = (
    "id",
    Column("kind", 3),
    "game",
    "other",
    Column("date", 2),
    "white",
    "black",
    Column("reason", 1, least=16, wraps=True),
)
_GAME_COLUMNS = (
    "id",
    "date",
    "white",
    "black",
    "result",
    Column("plies", 3),
    Column("event", 2),
    Column("told by", 1),
)


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Games that may be one, because they are almost the same. None are merged automatically.

    Say `same` or `different`; `gamekeeper edits undo` reverts an answer.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@command.command("list")
@click.option(
    "--kind",
    type=click.Choice(DOUBLE_KINDS),
    metavar="KIND",
    help=f"Only those of this kind: {', '.join(DOUBLE_KINDS)}.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Print at most this many (default: all).")
@api_options
@pass_context
def list_(context: Context, kind: DoubleKind | None = None, limit: int | None = None) -> None:
    """List the undecided pairs, newest first, each with the reason."""
    from daemon.cli.output import print_table
    from daemon.edits.doubles import look

    found = list(ask(context, ready=look).doubles(kind, limit))
    if context.json:
        context.emit({"items": found, "next": None})
    elif not found:
        context.note("no possible duplicates")
    else:
        print_table(_COLUMNS, [_line(one) for one in found])


def _looked_at(context: Context) -> "Archive":
    """The archive, after all new games were looked at."""
    from daemon.edits.doubles import look

    archive = context.archive()
    look(archive)
    return archive


def _line(one: "shapes.Double") -> tuple[int | str | None, ...]:
    game = one["game"]
    white, black = game["white"]["name"], game["black"]["name"]
    return (one["id"], one["kind"], game["id"], one["other"]["id"], game["date"], white, black, one["reason"])


@command.command()
@click.argument("double_id", metavar="ID", type=ID)
@api_options
@pass_context
def show(context: Context, double_id: int) -> None:
    """Show both games of a pair."""
    from daemon.cli.output import print_table
    from daemon.edits.doubles import look

    found = ask(context, ready=look).double(double_id)
    if found is None:
        raise click.UsageError(f"there is no pair {double_id} to decide; `gamekeeper doubles` lists them")
    if context.json:
        context.emit(found)
        return
    click.echo(printable(found["reason"]))
    print_table(_GAME_COLUMNS, [_game_line(game) for game in (found["game"], found["other"])])


def _game_line(game: "shapes.Game") -> tuple[CellValue, ...]:
    return (
        game["id"],
        game["date"],
        game["white"]["written"],
        game["black"]["written"],
        game["result"],
        game["ply_count"],
        game["event"],
        Shown(
            ", ".join(one["file"] or one["url"] or one["site"] or "-" for one in game["tellings"]),
            ", ".join(
                PurePath(one["file"]).name if one["file"] else one["site"] or "-" for one in game["tellings"]
            ),
        ),
    )


@command.command()
@click.argument("double_ids", metavar="ID...", nargs=-1, required=True, type=ID)
@pass_context
def same(context: Context, double_ids: tuple[int, ...]) -> None:
    """The two are one game: merge them, with all tellings.

    The tags of the older one are shown, with the moves of the longer and the result of the finished one.
    """
    from daemon.edits import doubles

    _answer(context, double_ids, doubles.same)


@command.command()
@click.argument("double_ids", metavar="ID...", nargs=-1, required=True, type=ID)
@pass_context
def different(context: Context, double_ids: tuple[int, ...]) -> None:
    """The two are different games: do not ask again."""
    from daemon.edits import doubles

    _answer(context, double_ids, doubles.different)


@command.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_context
def accept_native(context: Context, *, yes: bool) -> None:
    """Merge all games in files that name a downloaded game's id, and have the same moves, with that game."""
    from daemon.edits import doubles

    found = doubles.of_kind(_looked_at(context), "native_id")
    if not found:
        context.note("no file's game names the id of another game")
        if context.json:
            context.emit({"edits": []})
        return
    if not yes:
        click.confirm(
            f"Merge {count_of(len(found), 'pair')} of games, each into one game?", abort=True, err=True
        )
    _answer(context, [one["id"] for one in found], doubles.same)


def _answer(context: Context, double_ids: Sequence[int], answer: Callable[..., list[int]]) -> None:
    try:
        edits = answer(context.archive(), double_ids, now_ms=clock.now_ms())
    except EditError as error:
        raise click.ClickException(printable(str(error))) from None
    if context.json:
        context.emit({"edits": edits})
        return
    first, last = edits[0], edits[-1]
    click.echo(f"noted; undo with: gamekeeper edits undo {first}{'' if first == last else ' --batch'}")
