"""`gamekeeper club rate`: the changes of ratings by a tournament, by FIDE's rules, the DWZ's, or FESA's."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from daemon.cli import complete
from daemon.cli.club.rate_source import TournamentArgument
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath, remember_output

if TYPE_CHECKING:
    from daemon.cli.club.rate_result import RatedTournament
    from daemon.cli.club.rate_source import TournamentSource

_F = TypeVar("_F", bound=Callable[..., object])


def _systems(function: _F) -> _F:
    fide = click.option("--fide", "system", flag_value="fide", help="FIDE's rating (handbook B.02).")
    dwz = click.option("--dwz", "system", flag_value="dwz", help="The German DWZ.")
    fesa = click.option("--fesa", "system", flag_value="fesa", help="FESA's shogi rating and grades.")
    return fide(dwz(fesa(function)))


def _known(function: _F) -> _F:
    listed = click.option(
        "--list",
        "rating_list",
        type=GivenPath(path_type=Path, exists=True, dir_okay=False),
        metavar="LIST",
        help="What is known of the players: CSV; with --fesa also as FESA's program prints it.",
    )
    unrated = click.option(
        "--unrated",
        multiple=True,
        metavar="PLAYER",
        help="Their rating in the tournament is an estimate: they have none yet.",
    )
    day = click.option(
        "--date",
        "day",
        type=click.DateTime(["%Y-%m-%d", "%d.%m.%Y"]),
        help="The tournament's last day, by whose rules it is rated (default: the day that it names).",
    )
    return listed(unrated(day(function)))


def _what_then(function: _F) -> _F:
    details = click.option(
        "--details", is_flag=True, help="With what each game brought, to check it by hand."
    )
    write = click.option(
        "--write",
        "output",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_only_where_given,
        metavar="LIST",
        help="Write the list for the next tournament, as --list reads it.",
    )
    force = click.option("--force", is_flag=True, help="Overwrite the list if there is one.")
    take_over = click.option("--apply", "apply_", is_flag=True, help="Give the members their new ratings.")
    spread = click.option(
        "--spread",
        is_flag=True,
        help="With --apply: where two would be equal, one gets the next free rating.",
    )
    yes = click.option("--yes", is_flag=True, help="Do not ask.")
    return details(write(force(take_over(spread(yes(function))))))


def _only_where_given(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    return value if value is None else remember_output(ctx, parameter, value)


@click.command()
@click.argument("what", type=TournamentArgument(), shell_complete=complete.tournaments)
@_systems
@_known
@_what_then
@pass_context
def command(
    context: Context,
    /,
    what: Path | str,
    system: str | None,
    rating_list: Path | None,
    unrated: tuple[str, ...],
    day: datetime | None,
    output: Path | None,
    **flags: bool,
) -> None:
    """Print each player's rating before and after a tournament, and why.

    WHAT is a tournament of yours, or a file: a FIDE tournament report (TRF) for --fide and --dwz, a turnering.txt for
    --fesa; "-" is standard input. Forfeits, byes and games without a result are never rated.

    The first line of a CSV list names its columns. For --fide: name, fide_id, rating, games (rated so far), born (year
    of birth), highest (rating ever), k (where it is known), stored (games of an unrated player: "(1740 0)(1315 1/2)").
    For --dwz: name, fide_id, rating ("1526-11" or "1526"), index, born, stored. For --fesa: name (last and first name),
    rating, games; also grade, bonus (how many of the 100 games with bonus are used), stored (the earlier games of a
    player with fewer than nine), prior_grade (a recognised grade from before the first tournament), above_lower,
    above_middle and middle_seen (games towards the next grade). What is not known is assumed, with a note.
    """
    from daemon.cli.club import rate_source

    found = rate_source.open_(context, what)
    rating = _rated(found, system, rating_list, unrated, day.date() if day else None)
    if context.json:
        context.emit(rating.as_json(details=flags["details"]))
    else:
        rating.print(details=flags["details"])
    if output is not None:
        _write(context, rating, output, force=flags["force"])
    if flags["apply_"]:
        _apply(context, found.slug, rating.new_ratings(), spread=flags["spread"], yes=flags["yes"])


def _rated(
    found: "TournamentSource",
    system: str | None,
    rating_list: Path | None,
    unrated: tuple[str, ...],
    day: date | None,
) -> "RatedTournament":
    """The tournament rated by the rules that are asked for, or else by those of its kind."""
    wanted = system or found.usual_system
    if wanted is None:
        raise click.UsageError("by which rules? Say --fide, --dwz or --fesa")
    if wanted != "fesa":
        from daemon.cli.club import rate_chess

        return rate_chess.rate(found, wanted, rating_list, unrated, day)
    from daemon.cli.club import rate_fesa

    if unrated:
        raise click.UsageError(
            "--unrated is for --fide and --dwz: with --fesa players who are not in the list are new"
        )
    return rate_fesa.rate(found, rating_list, day)


def _write(context: Context, rating: "RatedTournament", output: Path, *, force: bool) -> None:
    from daemon.cli.output_files import placed

    data = rating.next_list()
    try:
        with placed(output, force=force) as (file, path):
            file.write(data)
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} exists; --force overwrites it") from error
    context.note(f"the list for the next tournament is in {path}")


def _apply(
    context: Context, slug: str | None, ratings: Mapping[str, int], *, spread: bool, yes: bool
) -> None:
    from daemon.cli.club.common import asked
    from daemon.clock import now_ms
    from daemon.club.rating import apply_ratings

    if slug is None:
        raise click.UsageError("--apply is for a tournament of yours, not for a file")
    archive = context.archive()
    applied = asked(
        lambda version: apply_ratings(
            archive, slug, ratings, spread=spread, now_ms=now_ms(), confirmed=version
        ),
        yes=yes,
    )
    for one in applied:
        context.note(f"{one.member.name}: {one.member.rating} → {one.rating}")
    if not applied:
        context.note("no member's rating has changed")
