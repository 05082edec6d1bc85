"""`gamekeeper status`: what the archive holds, and where each site and account stands."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from daemon.cli import colours, exits
from daemon.cli.asking import api_options, ask
from daemon.cli.columns import Cell, Column
from daemon.cli.context import Context, pass_context
from daemon.cli.moments import moment

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_RUNNING = {True: "runs", False: "does not run", None: "does not run on this machine"}
_ERROR = Column("error", 1, least=16, style=colours.of_error)


@click.command()
@api_options
@pass_context
def command(context: Context) -> None:
    """Show what the archive holds, whether the daemon runs, and where each site and account stands."""
    source = ask(context)
    found = source.status()
    if context.json:
        context.emit(found)
    else:
        silent = context.config().nobody_asked if context.api is None else None
        _print(found, source.where, silent)
    if found["errors"]:
        click.get_current_context().exit(exits.PROBLEMS)


def _print(found: "shapes.Status", where: str, silent: str | None) -> None:
    from daemon.cli.printing import print_facts

    print_facts(
        [
            ("archive", where),
            ("daemon", _RUNNING[found["running"]]),
            *((name, number) for name, number in found["archive"].items() if isinstance(number, int)),
        ]
    )
    for error in found["errors"]:
        click.echo(f"\nerror: {error}")
    if silent is not None:
        click.echo(f"\n{silent}")
    _print_sites(found["sites"])
    _print_accounts("account", found["accounts"])
    _print_accounts("event", found["events"])


def _print_sites(sites: "list[shapes.Site]") -> None:
    from daemon.cli.printing import print_table

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
    _print_errors((site["site"], site["error"]) for site in sites)


def _print_accounts(title: str, accounts: "list[shapes.Account]") -> None:
    from daemon.cli.printing import print_table

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
    _print_errors((account["account"], account["error"]) for account in accounts)


def _print_errors(errors: Iterable[tuple[str, str | None]]) -> None:
    """The errors whole, on a terminal: in the table they are cut."""
    from daemon.cli.printing import printable

    if sys.stdout.isatty():
        for what, error in errors:
            if error is not None:
                click.echo(
                    printable(f"{what}: ") + colours.painted(printable(error), colours.BAD, sys.stdout)
                )


def _site(site: "shapes.Site") -> tuple[Cell, ...]:
    return (
        site["site"],
        site["state"].replace("_", " "),
        moment(site["until"]),
        site["accounts"],
        site["backlog"],
        moment(site["last_success"]),
        site["error"],
    )


def _account(account: "shapes.Account") -> tuple[Cell, ...]:
    return (
        account["account"],
        account["state"].replace("_", " ") if account["configured"] else "not configured",
        account["games"],
        moment(account["last_success"]),
        moment(account["next_due"]),
        account["failures"],
        account["error"],
    )
