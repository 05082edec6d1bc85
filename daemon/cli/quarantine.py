"""`gamekeeper quarantine`: games that could not be read."""

import sys
from typing import TYPE_CHECKING

import click

from daemon.cli import exits
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.archive.reading import shapes


@click.group()
def command() -> None:
    """List, show, retry and drop games that could not be read."""


@command.command("list")
@click.option("--limit", type=click.IntRange(min=1), help="Print so many at most (default: all).")
@pass_context
def list_(context: Context, limit: int | None) -> None:
    """List the games that could not be read, newest first, each with the reason."""
    from daemon.archive.reading.quarantine import list_quarantined
    from daemon.archive.reading.walking import all_of
    from daemon.cli.printing import print_table

    archive = context.archive()
    found = list(
        all_of(archive, lambda conn, size, cursor: list_quarantined(conn, limit=size, cursor=cursor), limit)
    )
    if context.json:
        context.emit({"items": found, "next": None})
    elif not found:
        context.note("every game could be read")
    else:
        rows = [(one["id"], one["source"], one["place"], one["size"], one["reason"]) for one in found]
        print_table(("id", "source", "place", "bytes", "reason"), rows)


@command.command()
@click.argument("item_id", metavar="ID", type=click.IntRange(min=1))
@click.option("--raw", is_flag=True, help="Print nothing but the game, byte for byte as it came.")
@pass_context
def show(context: Context, item_id: int, *, raw: bool) -> None:
    """Show one of them with its reason."""
    from daemon.archive.reading import quarantine

    with context.archive().reading() as conn:
        found = quarantine.quarantined(conn, item_id)
        content = quarantine.raw(conn, item_id)
    if found is None or content is None:
        raise click.UsageError(f"there is no game {item_id} in quarantine")
    if raw:
        sys.stdout.buffer.write(content)
    elif context.json:
        context.emit(found)
    else:
        _show(found, content)


def _show(found: "shapes.Quarantined", content: bytes) -> None:
    from daemon.cli.printing import print_facts, printable

    print_facts((name, value) for name, value in found.items() if isinstance(value, str | int))
    click.echo()
    for line in content.decode("utf-8", "replace").splitlines():
        click.echo(printable(line))


@command.command()
@click.argument("item_ids", metavar="[ID]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--all", "everything", is_flag=True, help="All of them.")
@pass_context
def retry(context: Context, item_ids: tuple[int, ...], *, everything: bool) -> None:
    """Read games in quarantine again, and take in those that can be read now."""
    from daemon.requarantine import retry_all, retry_some

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
@click.argument("item_ids", metavar="ID...", nargs=-1, required=True, type=click.IntRange(min=1))
@pass_context
def drop(context: Context, item_ids: tuple[int, ...]) -> None:
    """Take games out of quarantine for good. They come again if their source is read again."""
    from daemon.archive.quarantine import drop as drop_items

    with context.archive().writing() as conn:
        dropped = drop_items(conn, item_ids)
    if context.json:
        context.emit({"dropped": dropped})
    else:
        click.echo(f"dropped {dropped}")
    if dropped < len(set(item_ids)):
        click.get_current_context().exit(exits.PROBLEMS)
