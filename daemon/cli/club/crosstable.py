"""`gamekeeper club crosstable`: shows the cross table."""

from typing import TYPE_CHECKING, Final

import click

from daemon.cli.club.common import season, tournament_argument
from daemon.cli.columns import CellValue, Column
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.club import shapes


_FIXED: Final = ("rank", "no.", Column("name", least=20))


@click.command()
@tournament_argument
@click.option("--round", "number", type=click.IntRange(0), help="After this round (default: the last).")
@pass_context
def command(context: Context, tournament: str, number: int | None) -> None:
    """Print the cross table in the order of the standings; "1w3" is won with White in round 3.

    The columns are the opponents' numbers (no.). If the table is wider than the terminal, it continues below.
    """
    from daemon.club.views import cross_table

    found = cross_table(season(context, tournament)[1], number)
    if found is None:
        raise click.ClickException(f"there is no table after round {number} yet")
    if context.json:
        context.emit(found)
    elif found["items"]:
        _show(found)
    else:
        context.note("there are no members yet")


def _show(found: "shapes.CrossTable") -> None:
    from daemon.cli.output import fitting, print_table

    heads = [str(row["member"]["n"]) for row in found["items"]]
    rows = [[_cell(row, at) for at in range(len(heads))] for row in found["items"]]
    names = [(row["rank"], row["member"]["n"], row["member"]["label"]) for row in found["items"]]
    done, fixed = 0, len(_FIXED)
    while done < len(heads):
        left: list[tuple[CellValue, ...]] = [
            (*name, *row[done:]) for name, row in zip(names, rows, strict=True)
        ]
        beside = max(fitting((*_FIXED, *heads[done:]), left) - fixed, 1)
        if done:
            click.echo()
        print_table((*_FIXED, *heads[done : done + beside]), [row[: beside + fixed] for row in left])
        done += beside


def _cell(row: "shapes.CrossRow", at: int) -> str:
    if at == row["place"] - 1:
        return "×"
    return (
        " ".join(f"{one['result'] or ''}{one['colour'][0]}{one['round']}" for one in row["cells"][at]) or "."
    )
