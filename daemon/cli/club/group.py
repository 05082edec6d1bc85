"""`gamekeeper club group`: groups of members who meet each other, with a table of their own."""

from typing import TYPE_CHECKING

import click

from daemon.cli.club.common import reported, season, tournament_argument
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.club import shapes
    from daemon.club.season import Season


@click.command()
@tournament_argument
@click.argument("group", required=False)
@click.option("--add", multiple=True, metavar="PLAYER", help="Is in GROUP from now on, and in no other.")
@click.option("--remove", multiple=True, metavar="PLAYER", help="Is not in GROUP any more.")
@pass_context
def command(
    context: Context, tournament: str, group: str | None, add: tuple[str, ...], remove: tuple[str, ...]
) -> None:
    """Show the table of GROUP, or of all groups; add or remove members.

    Members of a group meet each other first, once each. Its table counts those games alone: a point for a
    win, a half for a draw. The table of the tournament does not change.
    """
    from daemon.club.group_views import group_tables
    from daemon.club.own_terms import set_group

    if add or remove:
        if group is None:
            raise click.UsageError("say which group")
        reported(set_group, context.archive(), tournament, group, add, remove, now_ms=now_ms())
    row = season(context, tournament)[1]
    found = group_tables(row)
    if group is not None:
        found = [one for one in found if one["group"].casefold() == group.strip().casefold()]
    _print(context, row, found, group)


def _print(context: Context, row: "Season", found: "list[shapes.GroupTable]", group: str | None) -> None:
    if context.json:
        context.emit({"items": found, "next": None})
        return
    if not found:
        which = "no groups" if group is None else f"nobody in group {group}"
        context.note(
            f"there {'is' if group else 'are'} {which}: gamekeeper club group {row.tournament.slug} NAME --add PLAYER"
        )
    for one in found:
        _print_table(one)


def _print_table(found: "shapes.GroupTable") -> None:
    from daemon.cli.output import print_table, printable

    click.echo(printable(f"group {found['group']}, after round {found['round']}"))
    rows = [
        (
            # Who has not played has no place here either.
            place if one["games"] or one["rank"] is not None else None,
            one["member"]["n"],
            one["member"]["label"],
            f"{one['points']:g}",
            f"{one['berger']:g}",
            one["games"],
            one["rank"],
        )
        for place, one in enumerate(found["items"], start=1)
    ]
    print_table(("place", "no.", Column("name", least=20), "points", "SB", "games", "rank of all"), rows)
