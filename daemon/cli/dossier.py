"""`gamekeeper dossier`: the tracked opponents."""

from typing import TYPE_CHECKING, Final

import click

from daemon.cli import colours, complete, exits
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.cli.source_choice import api_options, ask

if TYPE_CHECKING:
    from daemon.archive.reading import shapes
    from daemon.sync.check import DossierFinding

_RECENT = 10


@click.group()
def command() -> None:
    """List, show, check and add dossiers."""


@command.command("list")
@api_options
@pass_context
def list_(context: Context) -> None:
    """List the dossiers in the order of the configuration."""
    from daemon.cli.output import print_table

    found = ask(context).dossiers()
    if context.json:
        context.emit({"items": found, "next": None})
    elif found:
        rows = [
            (one["slug"], one["name"], one["fide_id"], ", ".join(one["accounts"]), one["games"])
            for one in found
        ]
        print_table(("slug", "name", Column("FIDE id", 2), Column("accounts", 1), "games"), rows)
    if context.api is None:
        _note_missing(context, {one["slug"] for one in found})


def _note_missing(context: Context, known: set[str]) -> None:
    """Note which dossiers of the configuration are not in the archive yet, or that there are none."""
    missing = [one.name for one in context.config().dossiers() if one.slug not in known]
    if missing:
        names = ", ".join(missing)
        context.note(f"not in the archive until the next `gamekeeper sync` (or `run`): {names}")
    elif not known:
        context.note("there are no dossiers: write [[dossier]] into the configuration, then sync")


@command.command()
@click.argument("slug", shell_complete=complete.dossiers)
@api_options
@pass_context
def show(context: Context, slug: str) -> None:
    """Show one dossier and its newest games, and players of its name who are not in it.

    The heading of a dossier takes nobody in: names, fide_id and accounts do.
    """
    from daemon.archive.reading.search.filters import GameFilters
    from daemon.cli.output import printable

    source = ask(context)
    found = source.dossier(slug)
    if found is None:
        raise click.UsageError(f'there is no dossier "{slug}"; `gamekeeper dossier list` lists them')
    newest = [one for page in source.games(GameFilters(dossier=slug), _RECENT) for one in page]
    passed_over = source.left_out(found)
    if context.json:
        left_out = None
        if passed_over is not None:
            left_out = [{"player": one.player, "line": one.line} for one in passed_over]
        context.emit({**found, "newest": newest, "left_out": left_out})
        return
    _show(found, newest)
    for one in passed_over or ():
        click.echo(printable(str(one)))
    if passed_over is None:
        context.note("players of this name who are not in it are shown only if the archive can be read")


def _show(found: "shapes.Dossier", newest: "list[shapes.Game]") -> None:
    from daemon.cli.games_table import games_table, of_dossier
    from daemon.cli.output import print_facts

    print_facts(
        [
            ("name", found["name"]),
            ("slug", found["slug"]),
            ("FIDE id", found["fide_id"]),
            ("names", "; ".join(found["names"]) or None),
            ("accounts", ", ".join(found["accounts"]) or None),
            ("games", found["games"]),
        ]
    )
    if newest:
        click.echo()
        click.echo(games_table(newest, of_dossier(found)), nl=False)


@command.command()
@click.argument("slug", required=False, shell_complete=complete.dossiers)
@click.option("--offline", is_flag=True, help="Do not ask the sites.")
@pass_context
def check(context: Context, slug: str | None, *, offline: bool) -> None:
    """Compare the dossiers of the configuration, or one of them, with the archive and the sites.

    For each account: whether it exists, how it is shown, since when, how many games it has there and here,
    and the FIDE id that its profile links. Nothing is merged because of it.

    The sites are asked for each account, unless one has ordered a wait or is being asked by the daemon.
    """
    from daemon.cli.output import print_table
    from daemon.sync.check import check_dossiers

    if slug is not None and slug not in {one.slug for one in context.config().dossiers()}:
        raise click.UsageError(f'the configuration has no dossier "{slug}"')
    found = check_dossiers(context.config(), context.archive_to_read(), slug, offline=offline)
    if context.json:
        context.emit({"items": found, "next": None})
    else:
        rows = [(one["dossier"], one["subject"], _verdict(one), one["detail"]) for one in found]
        columns = (
            Column("dossier", 1),
            "what",
            Column("state", style=_VERDICTS.get),
            Column("result", least=24, wraps=True),
        )
        print_table(columns, rows)
    if any(one["problem"] for one in found):
        click.get_current_context().exit(exits.PROBLEMS)


_VERDICTS: Final = {"ok": colours.GOOD, "note": colours.CARE, "problem": colours.BAD}


def _verdict(one: "DossierFinding") -> str:
    if one["problem"]:
        return "problem"
    return "note" if one["subject"] == "name" else "ok"


@command.command()
@click.argument("name", nargs=-1, required=True)
@pass_context
def add(context: Context, name: tuple[str, ...]) -> None:
    """Print the TOML block for a new opponent, with suggestions from the archive, to put into the configuration.

    NAME may contain accounts, too: lichess:BianchiL, or the URL of an account's page.
    """
    from daemon.archive.reading.dossier_suggestions import handles, suggest_opponents
    from daemon.cli.dossier_block import block
    from daemon.config.models import DossierTable

    full = " ".join(name).strip()
    if not full:
        raise click.UsageError("the name is empty")
    full, named = _who(name)
    with context.archive_to_read().reading() as connection:
        found = suggest_opponents(connection, full, limit=20)
        accounts = handles(connection, found)
    slug = DossierTable(name=full).slug
    toml = block(full, found, accounts, named)
    if any(known.slug == slug for known in context.config().dossiers()):
        context.note(f'the configuration has a dossier "{slug}" already')
    if context.json:
        context.emit({"name": full, "slug": slug, "toml": toml, "suggestions": found})
    else:
        click.echo(toml, nl=False)


def _who(words: tuple[str, ...]) -> tuple[str, list[str]]:
    """The name, and the accounts among its words; without other words the first handle is the name.

    Raises:
        UsageError: a word begins like an account, but is not one.
    """
    from daemon.config.values import WrongValue, alias_account

    try:
        read = [(word, alias_account(word)) for one in words for word in one.split()]
    except WrongValue as wrong:
        hint = f" ({wrong.hint})" if wrong.hint else ""
        raise click.UsageError(f"{wrong.message}{hint}") from wrong
    accounts = [account for _, account in read if account is not None]
    name = " ".join(word for word, account in read if account is None)
    return name or accounts[0].display, [f"{one.site}:{one.display}" for one in accounts]
