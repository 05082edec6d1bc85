"""The exit codes of all commands, and the error message of one that fails."""

import sys
import traceback
from typing import Final

import click

from daemon.cli import colours
from daemon.errors import UnusableError, UserError
from fetchers.errors import FetchError

PROBLEMS: Final = 1
"""Done with problems, or not done. (2 is click's own: the command line is wrong.)"""
UNUSABLE: Final = 78
"""The configuration or the state cannot be used (EX_CONFIG); systemd does not restart after it."""


def code_of(error: Exception) -> int:
    """The exit code for an error that ended a command."""
    return UNUSABLE if isinstance(error, UnusableError) else PROBLEMS


def print_error(error: Exception, *, debug: bool) -> None:
    """Say on standard error what went wrong: one sentence, and the traceback if it is wanted."""
    if debug:
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    elif _is_for_the_user(error):
        click.echo("\n".join((f"{_name()}: {_sentence(error)}", *getattr(error, "__notes__", ()))), err=True)
    else:
        what = f"{_name()}: internal error: {type(error).__name__}: {error}"
        click.echo(f"{what}\n(run it again with --debug and report what it prints)", err=True)


def _name() -> str:
    return colours.painted("gamekeeper", colours.BAD, sys.stderr)


def _is_for_the_user(error: Exception) -> bool:
    """Whether its text was written for the user."""
    return isinstance(error, UserError | FetchError | OSError)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
