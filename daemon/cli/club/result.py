"""`gamekeeper club result`: the results of the boards."""

from collections.abc import Sequence
from datetime import datetime

import click

from daemon.cli.club.common import asked, reported, season, tournament_argument, yes_option
from daemon.cli.club.round_output import print_round
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


# Results such as "-+" look like options.
@click.command(context_settings={"ignore_unknown_options": True})
@tournament_argument
@click.argument("given", nargs=-1, metavar="[BOARD RESULT]…")
@click.option("--round", "number", type=click.IntRange(1), help="An earlier round (default: the last one).")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d", "%d.%m.%Y"]),
    help="With postponed: the day on which they play.",
)
@yes_option
@pass_context
def command(
    context: Context,
    tournament: str,
    given: tuple[str, ...],
    number: int | None,
    until: datetime | None,
    *,
    yes: bool,
) -> None:
    """Enter results: 1-0, 0-1, 1/2; 1-0f or 0-1f if one side did not come, 0-0f if both did not; or postponed.

    The table of the round is made when every board has a result or is postponed. A postponed game is entered
    later with --round. Without results the boards are shown. An existing result is replaced after a question;
    then all later tables are made again, and the pairings stay.
    """
    from daemon.club.results import enter, read_entry

    if len(given) % 2:
        raise click.UsageError("after each board comes its result: 1 1-0 2 1/2")
    if given:
        context.archive()  # what writes brings an older archive to this version first
    archive, row = season(context, tournament)
    if not given:
        if not row.listed:
            raise click.ClickException("no round is paired yet")
        print_round(context, row, _number(number, row.listed[-1].n))
        return
    entries = {
        _board(board): reported(read_entry, text, until.date() if until else None)
        for board, text in zip(given[::2], given[1::2], strict=True)
    }
    _refuse_doubles(given[::2])
    if until is not None and all(entry.result is not None for entry in entries.values()):
        raise click.UsageError("--until is for postponed games: 4 postponed --until 2026-11-17")
    entered = asked(
        lambda version: enter(
            archive, tournament, entries, number=number, now_ms=now_ms(), confirmed=version
        ),
        yes=yes,
    )
    print_round(context, season(context, tournament)[1], entered.n)


def _number(wanted: int | None, last: int) -> int:
    if wanted is not None and wanted > last:
        raise click.ClickException(f"round {wanted} is not paired")
    return wanted or last


def _board(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise click.UsageError(f'"{text}" is not a board')
    return int(text)


def _refuse_doubles(boards: Sequence[str]) -> None:
    if len({int(board) for board in boards}) < len(boards):
        raise click.UsageError("a board is given twice")
