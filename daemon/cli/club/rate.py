"""`gamekeeper club rate`: what a shogi tournament changes in ratings and grades."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from daemon.cli import exits
from daemon.cli.club.results_files import kind_of, read_file
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.cli.given import GivenPath

if TYPE_CHECKING:
    from core.club.crosstable import Table
    from core.club.fesa import Event, Rated
    from core.club.rating_list import RatingList

UNVERIFIED: Final = (
    "unverified: FESA's rules on demotion, on players who have not played for long, and of single countries "
    "are not known here and not applied"
)
NOT_SETTLED: Final = (
    "the ratings do not settle: they kept changing from pass to pass, and these are one of the passes"
)


@click.command()
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--list",
    "rating_list",
    required=True,
    type=GivenPath(path_type=Path, exists=True, dir_okay=False),
    metavar="LIST",
    help="The rating list before the tournament: CSV, or as FESA's program prints it.",
)
@pass_context
def command(context: Context, file: Path, rating_list: Path) -> None:
    """Print each player's FESA rating and grade before and after a tournament.

    FILE is a turnering.txt without errors; "-" is standard input. The first line of a CSV names its columns: name (last
    and first name as in FILE), rating, games; also grade, bonus (how many of the 100 games with bonus are used), stored
    (the earlier games of a player with fewer than nine: "(1740 0)(1315 1)"), prior_grade (a recognised grade from
    before the first tournament), above_lower, above_middle and middle_seen (games towards the next grade).
    """
    from core.club import fesa
    from core.club.crosstable import entrants

    known = read_rating_list(rating_list)
    table = _read(file)
    event = fesa.rate(entrants(table, known.players))
    if context.json:
        context.emit(_as_json(table, event, known))
    else:
        _print(table, event, known)


def read_rating_list(path: Path) -> "RatingList":
    """The rating list of a file.

    Raises:
        click.ClickException: it cannot be read as one.
    """
    from core.club.rating_list import RatingListError, read_list

    try:
        return read_list(read_file(path))
    except RatingListError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _read(file: Path) -> "Table":
    """The tournament of a turnering.txt; its errors are printed, and the command ends."""
    from core.club import turnering
    from core.club.findings import errors

    data = read_file(file)
    kind = kind_of(data)
    if kind != "turnering":
        what = {"trf": "a FIDE tournament report", "published": "a table that is rated already"}[kind]
        raise click.ClickException(f"{file} is {what}: only a turnering.txt can be rated")
    reading = turnering.read(data)
    bad = errors(reading.findings)
    for one in bad:
        click.echo(f"{file}: {one}", err=True)
    if bad:
        click.echo("mend the file first", err=True)
        click.get_current_context().exit(exits.PROBLEMS)
    return reading.table


def _remarks(rated: "Rated", known: "RatingList") -> list[str]:
    new = [] if rated.name in known else ["not in the list: rated as new"]
    return [*new, *rated.remarks]


def _said(event: "Event") -> list[str]:
    return [*([] if event.settled else [NOT_SETTLED]), UNVERIFIED]


def _as_json(table: "Table", event: "Event", known: "RatingList") -> dict[str, object]:
    players = [
        {
            "number": row.number,
            "name": one.name,
            "before": {"rating": one.before, "grade": _text(one.grade_before), "games": one.games_before},
            "after": {"rating": one.after, "grade": _text(one.grade), "games": one.games_after},
            "change": one.change,
            "status": one.status,
            "method": one.method,
            "bonus": one.bonus_used,
            "stored": "".join(f"({game.opponent:g} {game.score:g})" for game in one.stored),
            "above_lower": one.series.above_lower,
            "above_middle": one.series.above_middle,
            "middle_seen": one.series.middle_seen,
            "remarks": _remarks(one, known),
        }
        for row, one in zip(table.rows, event.players, strict=True)
    ]
    return {
        "tournament": table.name,
        "date": str(table.end) if table.end else None,
        "settled": event.settled,
        "players": players,
        "remarks": _said(event),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _print(table: "Table", event: "Event", known: "RatingList") -> None:
    from daemon.cli.printing import print_table

    head = (
        Column("nr", 5),
        "name",
        "before",
        "after",
        Column("change", 1),
        Column("grade before", 3),
        Column("grade after", 2),
        Column("games", 6),
        Column("remarks", 4, least=16, wraps=True),
    )
    rows = [
        (
            row.number,
            one.name,
            one.before,
            one.after,
            None if one.change is None else f"{one.change:+d}",
            _text(one.grade_before),
            _text(one.grade),
            f"{one.games_before} + {one.games_after - one.games_before}",
            "; ".join(_remarks(one, known)) or None,
        )
        for row, one in zip(table.rows, event.players, strict=True)
    ]
    print_table(head, rows)
    for line in _said(event):
        click.echo(line)
