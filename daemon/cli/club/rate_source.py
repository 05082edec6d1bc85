"""The source of `club rate`: a tournament of the archive, or a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from daemon import visible_paths
from daemon.cli import exits
from daemon.cli.club.results_files import ResultsFileKind, kind_of, read_file
from daemon.cli.file_arguments import GivenPath

if TYPE_CHECKING:
    from core.club.contest import Contest
    from core.club.crosstable import Crosstable
    from daemon.cli.context import Context
    from daemon.club.season import Season


APPLIED: Final = "new ratings were taken over into this tournament"


class TournamentArgument(GivenPath):
    """An option type: the path of an existing file, else the short name of a tournament."""

    name = "what"

    def __init__(self) -> None:
        super().__init__(path_type=Path, exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of an existing file; any other value as text."""
        if value == "-" or visible_paths.is_file(Path(value)):
            return super().convert(value, param, ctx)
        return str(value)


@dataclass(frozen=True, slots=True)
class TournamentSource:
    """A tournament to rate: one of the archive (*season*), or the data of a file."""

    name: str
    season: "Season | None" = None
    data: bytes = b""
    kind: ResultsFileKind | None = None
    warnings: tuple[str, ...] = ()
    """A note to print before the rating."""

    @property
    def slug(self) -> str | None:
        """The short name of a tournament of the archive; None for a file."""
        return self.season.tournament.slug if self.season else None

    @property
    def usual_system(self) -> str | None:
        """By which system such a thing is usually rated: only FESA rates a turnering.txt."""
        return "fesa" if self.kind in {"turnering", "published"} else None

    def contest(self) -> "Contest":
        """The games and players, for a chess rating.

        Raises:
            click.ClickException: this is something else.
        """
        from daemon.cli.club.common import reported

        if self.season is not None:
            from daemon.club.rating import contest_of

            return reported(contest_of, self.season)
        if self.kind != "trf":
            raise click.ClickException(
                f"{self.name} is a table of shogi players: rate it with --fesa; --fide and --dwz take a TRF"
            )
        from core.club import trf_checks, trf_reader
        from core.club.contest import of_report

        _refuse(self.name, trf_checks.check(self.data))
        return of_report(trf_reader.read(self.data).document)

    def table(self) -> "Crosstable":
        """The table, for FESA.

        Raises:
            click.ClickException: this is something else.
        """
        from daemon.cli.club.common import reported

        if self.season is not None:
            from daemon.club.rating import table_of

            return reported(table_of, self.season)
        if self.kind != "turnering":
            what = (
                "a FIDE tournament report: --fide or --dwz rate it"
                if self.kind == "trf"
                else "a table that is rated already: `gamekeeper club check` works its changes out again"
            )
            raise click.ClickException(f"{self.name} is {what}; with --fesa a turnering.txt can be rated")
        from core.club import turnering

        reading = turnering.read(self.data)
        _refuse(self.name, reading.findings)
        return reading.table


def open_(context: "Context", what: Path | str) -> TournamentSource:
    """Open the file, or the tournament of the archive.

    Raises:
        click.ClickException: there is neither.
    """
    if isinstance(what, Path):
        data = read_file(what)
        return TournamentSource(str(what), data=data, kind=kind_of(data))
    if "/" in what or Path(what).suffix.casefold() in {".txt", ".trf", ".trfx", ".csv"}:
        raise click.ClickException(f"there is no file {what}")
    from daemon.cli.club.common import season
    from daemon.club.rating import applied_on

    archive, row = season(context, what)
    with archive.reading() as connection:
        applied = applied_on(connection, row)
    again = (f"{APPLIED} ({applied}): what is rated now begins with the new ones",) if applied else ()
    return TournamentSource(what, season=row, warnings=again)


def _refuse(name: str, findings: Any) -> None:
    """Print the errors of a file, if there are any, and end the command."""
    from core.club.findings import errors

    bad = errors(findings)
    for one in bad:
        click.echo(f"{name}: {one}", err=True)
    if bad:
        click.echo("correct the file first", err=True)
        click.get_current_context().exit(exits.PROBLEMS)
