"""`gamekeeper club crosstable`: everybody against everybody."""

from typing import TYPE_CHECKING

import click

from daemon.cli.club.confirming import season, tournament_argument
from daemon.cli.columns import Cell
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.archive.reading import club_shapes


@click.command()
@tournament_argument
@click.option("--round", "number", type=click.IntRange(0), help="After this round (default: the last).")
@pass_context
def command(context: Context, tournament: str, number: int | None) -> None:
    """Print the cross table in the order of the standings; "1w3" is won with White in round 3.

    Where it is wider than the terminal, the other columns follow below.
    """
    from daemon.archive.reading.club import cross_table
    from daemon.cli.printing import fitting, print_table

    found = cross_table(season(context, tournament)[1], number)
    if found is None:
        raise click.ClickException(f"there is no table after round {number} yet")
    if context.json:
        context.emit(found)
        return
    places = [str(row["place"]) for row in found["items"]]
    rows = [[_cell(row, at) for at in range(len(places))] for row in found["items"]]
    names = [(row["place"], row["member"]["name"]) for row in found["items"]]
    done = 0
    while done < len(places):
        left: list[tuple[Cell, ...]] = [(*name, *row[done:]) for name, row in zip(names, rows, strict=True)]
        beside = max(fitting(("", "name", *places[done:]), left) - 2, 1)
        if done:
            click.echo()
        print_table(("", "name", *places[done : done + beside]), [row[: beside + 2] for row in left])
        done += beside


def _cell(row: "club_shapes.CrossRow", at: int) -> str:
    if at == row["place"] - 1:
        return "×"
    return " ".join(f"{one['result']}{one['colour'][0]}{one['round']}" for one in row["cells"][at]) or "."
