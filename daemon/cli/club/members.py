"""`gamekeeper club members`: lists, adds and imports members."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from daemon.cli.club.common import reported, season, tournament_argument
from daemon.cli.club.results_files import read_file
from daemon.cli.club.shogi_options import shogi_facts, shogi_options
from daemon.cli.club.spelling_options import list_option, read_given_list, spell
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath
from daemon.clock import now_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.club.fesa_rating_list import RatingList
    from daemon.archive.club.rows import MemberRow
    from daemon.club.members import NewMember

SHOGI: Final = {
    "nation": "nation",
    "grade": "grade",
    "macmahon": "MacMahon",
    "spelled": "in FESA's list",
    "newcomer": "rated",
}
"""What shogi clubs store of members, with the titles of the columns; only facts that occur have a column."""


@click.group()
def command() -> None:
    """List, add and import the members of a tournament."""


@command.command("list")
@tournament_argument
@pass_context
def list_(context: Context, tournament: str) -> None:
    """List the members, highest rating first."""
    from daemon.club.foundation import advice

    row = season(context, tournament)[1]
    _print(context, sorted(row.members, key=lambda one: -(one.rating or 0)))
    for one in advice(row):
        context.note(one)


def _print(context: Context, members: "Sequence[MemberRow]") -> None:
    from daemon.cli.output import print_table
    from daemon.club.views import member

    if context.json:
        context.emit({"items": [member(one) for one in members], "next": None})
        return
    if not members:
        context.note("there are no members yet")
        return
    columns_used = [name for name in SHOGI if any(getattr(one, name) for one in members)]
    rows = [
        (
            one.n,
            one.label,
            one.rating,
            one.fide_id,
            one.category,
            ", ".join(one.handles) or None,
            *(_fact(one, name) for name in columns_used),
            _since(one),
        )
        for one in members
    ]
    columns: tuple[Column | str, ...] = (
        "no.",
        Column("name", least=20),
        "rating",
        Column("FIDE id", 3),
        Column("category", 4),
        Column("plays online as", 1),
        *(Column(SHOGI[name], 3) for name in columns_used),
        Column("note", 2),
    )
    print_table(columns, rows)


def _fact(member: "MemberRow", name: str) -> str | None:
    """A fact of shogi clubs in words."""
    from core.club.spelling import kept

    if name == "newcomer":
        return "new" if member.newcomer else None
    if name == "spelled":
        return kept(member.spelled).name if member.spelled else None
    if name == "macmahon":
        return f"{float(Fraction(member.macmahon)):g}" if member.macmahon else None
    value: str | None = getattr(member, name)
    return value


def _since(member: "MemberRow") -> str | None:
    said = [f"from round {member.joined}"] if member.joined > 1 else []
    if member.withdrawn is not None:
        said.append(f"withdrawn before round {member.withdrawn}")
    if member.in_group:
        said.append(f"group {member.in_group}")
    if member.terms:
        said.append("own terms: " + " ".join(f"{name}={value}" for name, value in member.terms.items()))
    return ", ".join(said) or None


@command.command()
@tournament_argument
@click.argument("name")
@click.argument("rating", type=click.IntRange(1, 9999))
@click.option("--fide-id", help="Their FIDE id: it says who it is, whatever the name.")
@click.option("--category", help="U18, women, …: each category has its own places.")
@click.option(
    "--handle", "handles", multiple=True, metavar="SITE:NAME", help="Plays online as: lichess:mrossi90."
)
@shogi_options
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
    """Add one member: a player of the archive, by name ("Rossi, Mario") or FIDE id.

    No two members may have the same rating.
    """
    from daemon.club.members import NewMember

    new = NewMember(name, rating, more["fide_id"], more["category"], handles, shogi=shogi_facts(more))
    _add(context, tournament, [new])


@command.command("import")
@tournament_argument
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@list_option
@pass_context
def import_(context: Context, tournament: str, file: Path, rating_list: Path | None) -> None:
    """Add the members of a CSV file: all of them, or none if there is an error.

    Its first line names the columns: name, rating, and optionally fide_id, category, handles (separated by spaces); for
    shogi clubs nation, grade, macmahon, spelled (as the rating list has the name), new (yes).
    """
    from daemon.club.members_csv import read_members

    known = read_given_list(rating_list)
    _add(context, tournament, reported(read_members, read_file(file)), known)


def _add(
    context: Context, tournament: str, new: "list[NewMember]", known: "RatingList | None" = None
) -> None:
    from daemon.club.members import add_members

    added = reported(add_members, context.archive(), tournament, new, now_ms=now_ms())
    if known is not None:
        added = spell(context, tournament, known, [one.id for one in added])
    _print(context, added)
