"""`gamekeeper quarantine`: games that could not be read."""

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from daemon.cli import exits
from daemon.cli.context import Context, pass_context
from daemon.cli.ids import ID
from daemon.cli.source_choice import api_options, ask

if TYPE_CHECKING:
    from daemon.archive.reading import shapes
    from daemon.cli.columns import CellValue


@click.group()
def command() -> None:
    """List, show, edit, retry and drop games that could not be read."""


@command.command("list")
@click.option("--limit", type=click.IntRange(min=1), help="Print at most this many (default: all).")
@api_options
@pass_context
def list_(context: Context, limit: int | None) -> None:
    """List the games that could not be read, newest first, each with the reason."""
    from daemon.cli.columns import Column
    from daemon.cli.output import print_table

    found = list(ask(context).quarantine(limit))
    if context.json:
        context.emit({"items": found, "next": None})
    elif not found:
        context.note("every game could be read")
    else:
        columns = (
            "id",
            "source",
            Column("place", 1),
            Column("bytes", 2),
            Column("reason", least=24, wraps=True),
        )
        rows = [(one["id"], _source(one), one["place"], one["size"], one["reason"]) for one in found]
        print_table(columns, rows)


def _source(one: "shapes.Quarantined") -> "CellValue":
    """The account, or the file: a terminal has no room for its folders."""
    from daemon.cli.columns import Shown

    return Shown(one["source"], None if one["account"] is not None else PurePath(one["source"]).name)


@command.command()
@click.argument("item_id", metavar="ID", type=ID)
@click.option("--raw", is_flag=True, help="Print nothing but the game, byte for byte as it came.")
@api_options
@pass_context
def show(context: Context, item_id: int, *, raw: bool) -> None:
    """Show one of them: the reason, and its text with the place of the error marked.

    Control characters are shown as symbols (␀, ␉, …).
    """
    item = ask(context).quarantined(item_id)
    if item is None:
        raise _none(item_id)
    found, content = item
    if raw:
        sys.stdout.buffer.write(content)
    elif context.json:
        context.emit(found)
    else:
        _show(found, content)


def _none(item_id: int) -> click.UsageError:
    return click.UsageError(
        f"there is no game {item_id} in quarantine; `gamekeeper quarantine list` lists them"
    )


def _show(found: "shapes.Quarantined", content: bytes) -> None:
    from daemon.cli.output import print_facts

    facts = ((name, value) for name, value in found.items() if isinstance(value, str | int))
    print_facts((name, value) for name, value in facts if not isinstance(value, bool))
    if found["mended"]:
        click.echo("it was edited and taken in; this is how it came")
    click.echo()
    _mark(content, found["position"])


def _mark(content: bytes, position: int | None) -> None:
    from shutil import get_terminal_size

    from core.pgn.text_positions import lines, spot
    from daemon.cli.position_mark import marked

    place = None if position is None else spot(content, position)
    for line in marked(lines(content), place, get_terminal_size().columns):
        click.echo(line)


@command.command()
@click.argument("item_id", metavar="ID", type=ID)
@pass_context
def edit(context: Context, item_id: int) -> None:
    """Open one of them in $VISUAL or $EDITOR, and take it in if it can then be read.

    It becomes a game of the file or download that it was in. The original is kept, so that it does not come
    into quarantine again with the unchanged file: `show` and `show --raw` still show it.
    """
    from daemon.archive.games.quarantine import get
    from daemon.cli.quarantine_editor import edit_until_read

    archive = context.archive()
    with archive.reading() as connection:
        found = get(connection, item_id)
    if found is None:
        raise _none(item_id)
    if found.telling_id is not None:
        raise click.UsageError(
            f"game {item_id} was edited and taken in already; `gamekeeper edit` changes games"
        )
    outcomes = edit_until_read(archive, found)
    if context.json:
        context.emit({"taken_in": [outcome.game_id for outcome in outcomes]})
    else:
        for outcome in outcomes:
            click.echo(f"taken in as game {outcome.game_id} ({outcome.what})")


@command.command()
@click.argument("item_ids", metavar="[ID]...", nargs=-1, type=ID)
@click.option("--all", "everything", is_flag=True, help="All of them.")
@pass_context
def retry(context: Context, item_ids: tuple[int, ...], *, everything: bool) -> None:
    """Read games in quarantine again, and import those that can be read now."""
    from daemon.imports.retry import retry_all, retry_some

    if everything == bool(item_ids):
        raise click.UsageError("name the ids, or --all")
    archive = context.archive()
    found = retry_all(archive) if everything else retry_some(archive, item_ids)
    if context.json:
        context.emit(
            {"taken_in": found.taken_in, "still_unreadable": found.unreadable, "unknown": found.unknown}
        )
    else:
        click.echo(f"taken in {len(found.taken_in)}, still unreadable {len(found.unreadable)}")
        for unknown in found.unknown:
            context.note(f"there is no game {unknown} in quarantine")
    if found.unreadable or found.unknown:
        click.get_current_context().exit(exits.PROBLEMS)


@command.command()
@click.argument("item_ids", metavar="ID...", nargs=-1, required=True, type=ID)
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_context
def drop(context: Context, item_ids: tuple[int, ...], *, yes: bool) -> None:
    """Delete games from quarantine. They come back if their source is read again."""
    from daemon.archive.games.quarantine import drop as drop_items

    archive = context.archive()
    if not yes:
        count = len(set(item_ids))
        what = "this game" if count == 1 else f"these {count} games"
        click.confirm(f"Delete {what} from quarantine?", abort=True, err=True)
    with archive.writing() as connection:
        dropped = drop_items(connection, item_ids)
    if context.json:
        context.emit({"dropped": dropped})
    else:
        click.echo(f"dropped {dropped}")
    if dropped < len(set(item_ids)):
        click.get_current_context().exit(exits.PROBLEMS)
