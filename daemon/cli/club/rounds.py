"""`gamekeeper club rounds`: lists the rounds."""

import click

from daemon.cli.club.common import season, tournament_argument
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context


@click.command()
@tournament_argument
@pass_context
def command(context: Context, tournament: str) -> None:
    """List the rounds: when they were played, how many boards have a result, and which games are open.

    `club result VM --round N` shows one of them with its boards.
    """
    from daemon.cli.output import print_table, printable
    from daemon.club.results import outcome
    from daemon.club.views import rounds

    row = season(context, tournament)[1]
    found = rounds(row)
    if context.json:
        context.emit({"items": found, "next": None})
        return
    if not found:
        context.note("no round is paired yet")
        return
    columns = (
        "round",
        Column("day", 2),
        "state",
        "boards",
        "results",
        Column("postponed", 3),
        Column("absent", 1),
    )
    print_table(
        columns,
        [
            (
                one["n"],
                one["day"],
                one["state"],
                one["boards"],
                one["results"],
                one["postponed"] or None,
                away,
            )
            for one, away in zip(found, (len(round_.absences) for round_ in row.rounds), strict=True)
        ],
    )
    for round_, board in row.open_games:
        click.echo(printable(f"{row.board_sentence(round_, board)}: {outcome(board)}"))
