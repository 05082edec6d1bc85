"""`gamekeeper status`: what the archive contains, and the state of each site and account."""

import sys
import textwrap
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from daemon.cli import colours, exits
from daemon.cli.columns import CellValue, Column
from daemon.cli.context import Context, pass_context
from daemon.cli.machine_status import Beside, look, worries
from daemon.cli.moments import moment
from daemon.cli.source_choice import api_options, ask
from daemon.cli.sources import FromArchive

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_RUNNING = {True: "runs", False: "not running", None: "not running on this machine"}
_ERROR = Column("error", 1, least=16, style=colours.of_error)


@click.command()
@api_options
@pass_context
def command(context: Context) -> None:
    """Show what the archive contains, whether the daemon runs, and the state of each site and account."""
    source = ask(context)
    found = source.status()
    beside = look(context) if isinstance(source, FromArchive) else None
    if context.json:
        context.emit(found if beside is None else {**found, "beside": beside})
    else:
        silent = context.config().nobody_asked if context.api is None else None
        _print(found, source.where, silent, beside)
    if found["errors"]:
        click.get_current_context().exit(exits.PROBLEMS)


def _print(found: "shapes.Status", where: str, silent: str | None, beside: Beside | None) -> None:
    from daemon.cli.output import print_facts, printable

    print_facts(
        [
            ("archive", where),
            ("daemon", _RUNNING[found["running"]]),
            *((name, number) for name, number in found["archive"].items() if isinstance(number, int)),
            *([] if beside is None else _facts(beside)),
        ]
    )
    for error in found["errors"]:
        click.echo(f"\nerror: {error}")
    if silent is not None:
        click.echo(f"\n{silent}")
    _print_sites(found["sites"])
    _print_accounts("account", found["accounts"])
    _print_accounts("event", found["events"])
    if beside is not None:
        _print_folders(beside)
    shown = worries(found, beside)
    if shown:
        click.echo("\nto look at:")
    elif not found["errors"] and silent is None:
        click.echo(f"\n{colours.painted('all well', colours.GOOD, sys.stdout)}")
    for worry in shown:
        click.echo(_wrapped(printable(worry)))


def _wrapped(text: str) -> str:
    """The whole sentence, in lines that fit the terminal, or in one line elsewhere."""
    if not sys.stdout.isatty():
        return f"  {text}"
    return textwrap.fill(text, get_terminal_size().columns, initial_indent="  ", subsequent_indent="    ")


def _facts(beside: Beside) -> list[tuple[str, CellValue]]:
    size, backups = beside["bytes"], beside["backups"]
    shown: list[tuple[str, CellValue]] = [("size", None if size is None else f"{size / 1e6:.1f} MB")]
    if backups is not None:
        shown.append(("last backup", moment(backups["last"]) if backups["last"] else "none"))
        shown.append(("next backup", moment(backups["next"]) if backups["next"] else "none on schedule"))
    return shown


def _print_folders(beside: Beside) -> None:
    from daemon.cli.output import print_table

    folders = beside["folders"]
    if folders:
        click.echo()
        columns = ("folder", Column("files", 1), Column("last read", 2))
        print_table(columns, [(one["path"], one["files"], moment(one["last_read"])) for one in folders])


def _print_sites(sites: "list[shapes.Site]") -> None:
    from daemon.cli.output import print_table

    if not sites:
        return
    click.echo()
    print_table(
        (
            "site",
            Column("state", style=colours.of_state),
            Column("until", 2),
            Column("accounts", 4),
            Column("due", 3),
            Column("last success", 5),
            _ERROR,
        ),
        [_site(site) for site in sites],
    )


def _print_accounts(title: str, accounts: "list[shapes.Account]") -> None:
    from daemon.cli.output import print_table

    if not accounts:
        return
    click.echo()
    print_table(
        (
            title,
            Column("state", style=colours.of_state),
            Column("games", 2),
            Column("last success", 4),
            Column("next due", 3),
            Column("failures", 5, style=colours.of_error),
            _ERROR,
        ),
        [_account(account) for account in accounts],
    )


def _site(site: "shapes.Site") -> tuple[CellValue, ...]:
    return (
        site["site"],
        site["state"].replace("_", " "),
        moment(site["until"]),
        site["accounts"],
        site["backlog"],
        moment(site["last_success"]),
        site["error"],
    )


def _account(account: "shapes.Account") -> tuple[CellValue, ...]:
    return (
        account["account"],
        account["state"].replace("_", " ") if account["configured"] else "not configured",
        account["games"],
        moment(account["last_success"]),
        moment(account["next_due"]),
        account["failures"],
        account["error"],
    )
