"""Shared by all commands for a tournament: the clock, questions, errors."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from daemon.cli import complete
from daemon.cli.context import Context
from daemon.cli.output import printable

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.club.season import Season

_P = ParamSpec("_P")
_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., object])


def tournament_argument(function: _F) -> _F:
    """The argument that names the tournament."""
    return click.argument("tournament", shell_complete=complete.tournaments)(function)


def yes_option(function: _F) -> _F:
    """The option that answers questions."""
    return click.option("--yes", is_flag=True, help="Do not ask.")(function)


def reported(do: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """What *do* returns; a `ClubError` becomes the command's error.

    Raises:
        click.ClickException: the director cannot have that.
    """
    from daemon.club.errors import ClubError

    try:
        return do(*arguments, **named)
    except ClubError as error:
        raise refused(error) from None


def asked(do: Callable[[int | None], _T], *, yes: bool) -> _T:
    """What *do* returns. It gets the version of the tournament for which its question was answered with yes.

    Raises:
        click.Abort: the answer was no.
        click.ClickException: the director cannot do that.
    """
    from daemon.club.errors import ClubError, Confirm

    version: int | None = None
    while True:
        try:
            return do(version)
        except Confirm as question:
            if version is not None:
                click.echo("the tournament was changed meanwhile, at another terminal", err=True)
            if not yes:
                click.confirm(lines(question.question), abort=True, err=True)
            version = question.version
        except ClubError as error:
            raise refused(error) from None


def question_of(do: Callable[[], object]) -> str:
    """The question that *do* asks; nothing is changed.

    Raises:
        click.ClickException: there is nothing to ask.
    """
    from daemon.club.errors import ClubError, Confirm

    try:
        do()
    except Confirm as question:
        return question.question
    except ClubError as error:
        raise refused(error) from None
    raise AssertionError("it was done without a question")


def refused(error: Exception) -> click.ClickException:
    """The error of the club as the command's error."""
    return click.ClickException(lines(str(error)))


def lines(text: str) -> str:
    """*text* without control characters, but with its line ends."""
    return "\n".join(map(printable, text.split("\n")))


def season(context: Context, tournament: str) -> "tuple[Archive, Season]":
    """The archive, and the current tournament."""
    from daemon.club.season import read_season

    archive = context.archive_to_read()
    with archive.reading() as connection:
        return archive, reported(read_season, connection, tournament)
