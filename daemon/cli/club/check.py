"""`gamekeeper club check`: whether a results file is as its rating organisation wants it."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daemon.cli import exits
from daemon.cli.club.results_files import kind_of, read_file
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath

if TYPE_CHECKING:
    from core.club.findings import FileFinding


@click.command()
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--list",
    "rating_list",
    type=GivenPath(path_type=Path, exists=True, dir_okay=False),
    metavar="LIST",
    help="A rating list (CSV, or as FESA's program prints it): the names have to be in it.",
)
@pass_context
def command(context: Context, file: Path, rating_list: Path | None) -> None:
    """Check a results file, one line for each finding.

    FILE is a turnering.txt, a FIDE tournament report (TRF), or a result table as FESA publishes it; "-" is standard
    input. Notes are not errors.
    """
    from core.club.findings import errors

    data = read_file(file)
    found = _check(data, rating_list)
    bad = errors(found)
    if context.json:
        findings = [one.as_json() for one in found]
        context.emit({"file": str(file), "kind": kind_of(data), "ok": not bad, "findings": findings})
    else:
        for one in found:
            click.echo(f"{file}: {one}")
        if not bad:
            click.echo("ok")
    if bad:
        click.get_current_context().exit(exits.PROBLEMS)


def _check(data: bytes, rating_list: Path | None) -> "tuple[FileFinding, ...]":
    from core.club import fesa_table_checks, trf_checks, turnering

    kind = kind_of(data)
    # The computer's own day: results are due in whole days, and nobody is born after it.
    today = date.today()  # noqa: DTZ011 - see above
    if kind == "trf":
        return trf_checks.check(data, today=today)
    if kind == "published":
        return fesa_table_checks.check(data)
    known = None
    if rating_list is not None:
        from daemon.cli.club.rate_fesa import read_rating_list

        known = read_rating_list(rating_list)
    return turnering.check(data, known=known, today=today)
