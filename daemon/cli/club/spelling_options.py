"""Names as FESA's rating list spells them, stored with the members."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from daemon.cli.club.common import reported, season
from daemon.cli.context import Context
from daemon.cli.file_arguments import GivenPath
from daemon.clock import now_ms

if TYPE_CHECKING:
    from core.club.fesa_rating_list import RatingList
    from daemon.archive.club.rows import MemberRow

_F = TypeVar("_F", bound=Callable[..., object])


def list_option(function: _F) -> _F:
    """The option that names the rating list: *rating_list*."""
    return click.option(
        "--list",
        "rating_list",
        type=GivenPath(path_type=Path, exists=True, dir_okay=False),
        metavar="LIST",
        help="FESA's rating list: names are spelled as it has them, and that is remembered.",
    )(function)


def read_given_list(rating_list: Path | None) -> "RatingList | None":
    """The list that was named, if one was.

    Raises:
        click.ClickException: it cannot be read as one.
    """
    from daemon.cli.club.rate_fesa import read_rating_list

    return None if rating_list is None else read_rating_list(rating_list)


def spell(
    context: Context, tournament: str, known: "RatingList", ids: Collection[int] | None = None
) -> "list[MemberRow]":
    """Store the spellings of the list with these members, or with all.

    Members who are not in the list are reported.
    """
    from daemon.club.turnering_file import details_of, remember, spellings_in

    archive, row = season(context, tournament)
    wanted = {one.id for one in row.members} if ids is None else set(ids)
    found = {one: name for one, name in spellings_in(row, known).items() if one in wanted}
    if found:
        reported(remember, archive, tournament, found, now_ms=now_ms())
    now = [one for one in season(context, tournament)[1].members if one.id in wanted]
    for one in now:
        if details_of(one).spelling.name not in known and not one.newcomer:
            context.note(
                f"no. {one.n} {one.name} is not in the rating list: `club player edit {tournament} {one.n}` takes "
                "--spelled, or --new"
            )
    return now
