"""`gamekeeper sync`: downloads now."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from daemon.cli import colours, complete, exits
from daemon.cli.columns import CellValue, Column
from daemon.cli.context import Context, pass_context
from daemon.cli.moments import moment
from daemon.cli.progress import watching
from daemon.cli.signals import stopped_by_signals

if TYPE_CHECKING:
    from daemon.archive.schedule.accounts import AccountRow
    from daemon.config import Config
    from daemon.sync.sync_round import Report


_COLUMNS = (
    "account",
    Column("outcome", style=colours.of_state),
    Column("read", 4),
    "new",
    Column("added", 2),
    Column("unchanged", 5),
    Column("quarantined", 1, style=colours.of_error),
    Column("left out", 3),
    Column("due again", 6),
)


@click.command
@click.argument("accounts", metavar="[SITE:NAME]...", nargs=-1, shell_complete=complete.accounts)
@click.option(
    "--account",
    metavar="SITE:NAME",
    shell_complete=complete.accounts,
    help="Only this account of the configuration (or its page's address).",
)
@click.option(
    "--dossier", metavar="SLUG", shell_complete=complete.dossiers, help="Only the accounts of this dossier."
)
@click.option("--me", is_flag=True, help="Only your own accounts.")
@click.option("--full", is_flag=True, help="Everything again, not only what is new.")
@pass_context
def command(
    context: Context,
    /,
    accounts: tuple[str, ...],
    account: str | None,
    dossier: str | None,
    *,
    me: bool,
    full: bool,
) -> None:
    """Download new games now, due or not, of all accounts or of those named (lichess:mrossi90).

    Asking again adds nothing twice. Ctrl-C stops between two games, and what came is kept. A site that has
    asked us to wait is not asked before its time.
    """
    from daemon.service.openings import look_up
    from daemon.service.wiring import configure_archive
    from daemon.sync.sync_now import sync

    named = (*accounts, *([] if account is None else [account]))
    if sum((bool(named), dossier is not None, me)) > 1:
        raise click.UsageError("named accounts, --dossier and --me exclude each other")
    config = context.config()
    if context.verbosity == 0:
        # The command itself tells how each round ended; a log line would say it a second time.
        for name in ("daemon.sync.sync_round", "daemon.sync.glance"):
            logging.getLogger(name).setLevel(logging.ERROR)
    keys = _chosen(config, named, dossier, me=me)
    archive = context.archive()
    configure_archive(archive, config)
    look_up(archive)
    with stopped_by_signals() as stop, watching(context) as watch:
        rows = _rows(context, keys)
        reports = sync(archive, config, rows, full=full, stop=stop, watch=watch, clock=time.time)
    _print_reports(context, reports)
    if any(report.error or report.counts.quarantined for report in reports) or stop.is_set():
        click.get_current_context().exit(exits.PROBLEMS)


def _chosen(config: "Config", named: Sequence[str], dossier: str | None, *, me: bool) -> list[str]:
    """The keys of the chosen accounts.

    Raises:
        UsageError: the configuration has no such account or dossier.
    """
    configured = {one.key: one for one in config.accounts()}
    if named:
        return list(dict.fromkeys(_key(config, one) for one in named))
    if dossier is not None:
        found = [one for one in config.dossiers() if one.slug == dossier]
        if not found:
            known = ", ".join(one.slug for one in config.dossiers()) or "none"
            raise click.UsageError(f'the configuration has no dossier "{dossier}" (it has: {known})')
        return list(found[0].accounts)
    own = [key for key, one in configured.items() if one.mine]
    return own if me else [*configured, *(one.key for one in config.followed())]


def _key(config: "Config", named: str) -> str:
    """The key of an account or event of the configuration, also by its page's URL.

    Raises:
        UsageError: it has none of that name.
    """
    from daemon.config.links import without_address

    key = without_address(named.strip())
    key = key if "/" in key else key.lower()
    known = complete.followed(config)
    if key not in known:
        raise click.UsageError(
            f'the configuration has no account "{named}" (it has: {", ".join(known) or "none"})'
        )
    return key


def _rows(context: Context, keys: Sequence[str]) -> "list[AccountRow]":
    from daemon.archive.schedule.accounts import all_accounts

    with context.archive().reading() as connection:
        rows = {row.key: row for row in all_accounts(connection, active=True)}
    return [rows[key] for key in keys]


def _print_reports(context: Context, reports: "Sequence[Report]") -> None:
    if context.json:
        context.emit({"items": [_shape(report) for report in reports]})
        return
    for report in reports:
        if report.error:
            click.echo(f"{report.account}: {report.error}", err=True)
    if context.verbosity < 0:
        return
    if not reports:
        click.echo("there are no accounts in the configuration; nothing to download")
        return
    print_reports(reports)
    for line in _became_one(reports):
        click.echo(line)


def _became_one(reports: "Sequence[Report]") -> Iterator[str]:
    """Accounts with games that were merged although their site has different ids for them."""
    for report in reports:
        count = report.counts.collapsed
        if count:
            which = "1 game is" if count == 1 else f"{count} games are"
            yield (
                f"{report.account}: {which} equal to another one of the site, with another id: players, date, "
                "result, start and moves are the same, so it is one game here, with a telling for each id"
            )


def print_reports(reports: "Sequence[Report]") -> None:
    """Print how each round ended, as a table."""
    from daemon.cli.output import print_table

    print_table(_COLUMNS, [_line(report) for report in reports])


def _line(report: "Report") -> tuple[CellValue, ...]:
    counts = report.counts
    known = counts.unchanged + counts.refreshed
    outcome = report.outcome.value.replace("_", " ")
    return (
        report.account,
        outcome,
        counts.read,
        counts.new,
        counts.added,
        known,
        counts.quarantined,
        counts.left_out,
        moment(_moment(report.due_at)),
    )


def _shape(report: "Report") -> dict[str, Any]:
    return {
        "account": report.account,
        "outcome": report.outcome.value,
        **asdict(report.counts),
        "error": report.error,
        "next_due": _moment(report.due_at),
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
