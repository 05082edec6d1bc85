"""`gamekeeper club import`: imports a tournament from a results file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.plurals import count_of
from daemon.cli.club.common import reported, season, yes_option
from daemon.cli.club.results_files import kind_of, read_file
from daemon.cli.club.spelling_options import list_option, read_given_list, spell
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.club.tournament_import import ImportPlan


@click.command()
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option("--short", help="The short name that commands and file names use (default: the file's name).")
@click.option("--keizer", is_flag=True, help="Go on as a Keizer tournament, whatever system the file has.")
@click.option("--dry-run", is_flag=True, help="Only say what would be created.")
@list_option
@yes_option
@pass_context
def command(
    context: Context,
    /,
    file: Path,
    short: str | None,
    rating_list: Path | None,
    *,
    keizer: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Create a tournament from a results file: its members, rounds, results, and everything else in it.

    FILE is a FIDE tournament report (TRF), a turnering.txt, or a result table as FESA publishes it; "-" is
    standard input. You are shown what would be created, and asked to confirm. The file itself is kept: `club
    export` writes it again, with what has changed since.
    """
    from daemon.club.tournament_import import found_from, plan

    name = "standard input" if str(file) == "-" else file.name
    if short is None and str(file) == "-":
        raise click.UsageError("a tournament from standard input needs a short name: --short NAME")
    data, known = read_file(file), read_given_list(rating_list)
    planned = reported(plan, kind_of(data), name, data, keizer=keizer)
    if not context.json:
        _show(planned)
    if dry_run:
        if context.json:
            context.emit(_as_json(planned))
        return
    if not yes:
        click.confirm("Create this tournament?", abort=True, err=True)
    slug = reported(found_from, context.archive(), planned, short or file.stem, now_ms=now_ms())
    if known is not None:
        spell(context, slug, known)
    if context.json:
        from daemon.club.views import whole

        context.emit(whole(season(context, slug)[1]))
    else:
        click.echo(f"{slug} is created; its table: gamekeeper club standings {slug}")


def _show(planned: "ImportPlan") -> None:
    from daemon.cli.output import printable
    from daemon.club.tournament_import import counts

    heading = planned.record.heading
    days = " to ".join(str(day) for day in dict.fromkeys((heading.first_day, heading.last_day)) if day)
    where = ", ".join(part for part in (heading.name, heading.city, heading.federation, days) if part)
    click.echo(printable(where))
    system = "Keizer" if planned.record.kind == "keizer" else "by points"
    rounds = count_of(heading.planned_rounds or 0, "round")
    click.echo(f"{counts(planned.record)}, {rounds} planned; table: {system}")
    for note in planned.notes:
        click.echo(printable(f"note: {note}"))


def _as_json(planned: "ImportPlan") -> dict[str, object]:
    record = planned.record
    return {
        "name": record.heading.name,
        "kind": record.kind,
        "players": len(record.entries),
        "rounds": len(record.rounds),
        "planned_rounds": record.heading.planned_rounds,
        "games": sum(len(one.games) for one in record.rounds),
        "notes": list(planned.notes),
    }
