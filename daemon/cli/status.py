"""`gamekeeper status`: what the archive holds, and where each site and account stands."""

from typing import TYPE_CHECKING

import click

from daemon.cli.asking import api_options, ask
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_RUNNING = {True: "runs", False: "does not run", None: "does not run on this machine"}


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


def _print(found: "shapes.Status", where: str, silent: str | None) -> None:
    from daemon.cli.printing import print_facts, print_table

    print_facts(
        [
            ("archive", where),
            ("daemon", _RUNNING[found["running"]]),
            *((name, number) for name, number in found["archive"].items() if isinstance(number, int)),
        ]
    )
    if silent is not None:
        click.echo(f"\n{silent}")
    if found["sites"]:
        click.echo()
        print_table(
            ("site", "state", "until", "accounts", "due", "last success", "error"),
            [_site(site) for site in found["sites"]],
        )
    for title, listed in (("account", found["accounts"]), ("event", found["events"])):
        if listed:
            click.echo()
            print_table(
                (title, "state", "games", "last success", "next due", "failures", "error"),
                [_account(account) for account in listed],
            )


def _site(site: "shapes.Site") -> tuple[str | int | None, ...]:
    return (
        site["site"],
        site["state"].replace("_", " "),
        site["until"],
        site["accounts"],
        site["backlog"],
        site["last_success"],
        site["error"],
    )


def _account(account: "shapes.Account") -> tuple[str | int | None, ...]:
    return (
        account["account"],
        account["state"].replace("_", " ") if account["configured"] else "not configured",
        account["games"],
        account["last_success"],
        account["next_due"],
        account["failures"],
        account["error"],
    )
