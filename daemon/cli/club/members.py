"""`gamekeeper club members`: who takes part."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from daemon.cli.club.confirming import now_ms, season, told, tournament_argument
from daemon.cli.club.results_files import read_file
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.cli.given import GivenPath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from daemon.archive.club_rows import MemberRow
    from daemon.club.members import NewMember


@click.group()
def command() -> None:
    """List and add the members of a tournament."""


@command.command("list")
@tournament_argument
@pass_context
def list_(context: Context, tournament: str) -> None:
    """List the members, the highest rating first."""
    from daemon.club.founding import advice

    row = season(context, tournament)[1]
    _print(context, sorted(row.members, key=lambda one: -(one.rating or 0)))
    for one in advice(row):
        context.note(one)


def _print(context: Context, members: "Sequence[MemberRow]") -> None:
    from daemon.archive.reading.club import member
    from daemon.cli.printing import print_table

    if context.json:
        context.emit({"items": [member(one) for one in members], "next": None})
        return
    if not members:
        context.note("there are no members yet")
        return
    rows = [
        (
            one.n,
            one.label,
            one.rating,
            one.fide_id,
            one.category,
            ", ".join(one.handles) or None,
            _since(one),
        )
        for one in members
    ]
    columns = (
        "no.",
        "name",
        "rating",
        Column("FIDE id", 3),
        Column("category", 4),
        Column("plays online as", 1),
        Column("note", 2),
    )
    print_table(columns, rows)


def _since(member: "MemberRow") -> str | None:
    said = [f"from round {member.joined}"] if member.joined > 1 else []
    if member.withdrawn is not None:
        said.append(f"withdrawn before round {member.withdrawn}")
    return ", ".join(said) or None


@command.command()
@tournament_argument
@click.argument("name")
@click.argument("rating", type=click.IntRange(1, 9999))
@click.option("--fide-id", help="Then this is the player, whatever the name.")
@click.option("--category", help="U18, women, … : each has its own places.")
@click.option(
    "--handle", "handles", multiple=True, metavar="SITE:NAME", help="Plays online as: lichess:mrossi90."
)
@pass_context
def add(
    context: Context,
    /,
    tournament: str,
    name: str,
    rating: int,
    handles: tuple[str, ...],
    **more: str | None,
) -> None:
    """Add one member: a player of the archive, by name ("Rossi, Mario") or FIDE id. No two have one rating."""
    from daemon.club.members import NewMember

    new = NewMember(name, rating, more["fide_id"], more["category"], handles)
    _add(context, tournament, [new])


@command.command("import")
@tournament_argument
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@pass_context
def import_(context: Context, tournament: str, file: Path) -> None:
    """Add the members of a CSV file, all of them or none.

    Its first line names the columns: name, rating, and if wanted fide_id, category, handles (divided by blanks).
    """
    from daemon.club.csv_members import read_members

    _add(context, tournament, told(read_members, read_file(file)))


def _add(context: Context, tournament: str, new: "list[NewMember]") -> None:
    from daemon.club.members import add_members

    added = told(add_members, context.archive(), tournament, new, now_ms=now_ms())
    _print(context, added)
