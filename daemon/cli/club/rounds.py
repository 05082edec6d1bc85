"""`gamekeeper club rounds`: lists the rounds."""

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import click

from daemon.cli.club.common import season, tournament_argument
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.club.season import Season
    from daemon.club.shapes import RoundSummary


@click.command()
@tournament_argument
@pass_context
def command(context: Context, tournament: str) -> None:
    """List the rounds: when they were played, how many boards have a result, and which games are open.

    `club result VM --round N` shows one of them with its boards.
    """
    from daemon.club.views import rounds

    row = season(context, tournament)[1]
    found = rounds(row)
    if context.json:
        context.emit({"items": found, "next": None})
        return
    if not found:
        context.note("no round is paired yet")
        return
    _print_rounds(row, found)
    _print_open_games(row)


def _print_rounds(row: "Season", found: "Sequence[RoundSummary]") -> None:
    from daemon.cli.output import print_table

    columns = (
        "round",
        Column("day", 2),
        "state",
        "boards",
        "results",
        Column("postponed", 3),
        Column("absent", 1),
    )
    shown = ("n", "day", "state", "boards", "results")
    rows = [
        (*itemgetter(*shown)(one), one["postponed"] or None, len(round_.absences))
        for one, round_ in zip(found, row.rounds, strict=True)
    ]
    print_table(columns, rows)


def _print_open_games(row: "Season") -> None:
    from daemon.cli.output import printable
    from daemon.club.results import outcome

    for round_, board in row.open_games:
        click.echo(printable(f"{row.board_sentence(round_, board)}: {outcome(board)}"))
