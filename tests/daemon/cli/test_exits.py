"""How commands end, and what is said of it."""

import pytest

from daemon.api.sockets import ListenError
from daemon.archive.errors import ArchiveBusy, ArchiveError
from daemon.cli import exits
from daemon.client import Refused, Unreachable
from daemon.config import ConfigErrors
from daemon.config.problems import ConfigProblem
from fetchers.errors import SiteDown

UNUSABLE = [
    ConfigErrors([ConfigProblem("c.toml", 1, 1, "no such key")]),
    ArchiveError("it is another program's"),
    ArchiveBusy("another process writes"),
    ListenError("the address is taken"),
]
FOR_THE_USER = [
    *UNUSABLE,
    Unreachable("nobody answers"),
    Refused("the token is wrong", 401),
    SiteDown("the site is down"),
    PermissionError(13, "Permission denied", "a.pgn"),
]


@pytest.mark.parametrize("error", UNUSABLE, ids=lambda error: type(error).__name__)
def test_what_another_start_does_not_help(error: Exception) -> None:
    """The configuration, the archive, or the address: systemd does not start the daemon again."""
    assert exits.code_of(error) == exits.UNUSABLE == 78


@pytest.mark.parametrize(
    "error", [*FOR_THE_USER[len(UNUSABLE) :], ValueError("x")], ids=lambda error: type(error).__name__
)
def test_other_errors_are_problems(error: Exception) -> None:
    """Whatever else went wrong may go well the next time."""
    assert exits.code_of(error) == exits.PROBLEMS == 1


@pytest.mark.parametrize("error", FOR_THE_USER, ids=lambda error: type(error).__name__)
def test_errors_for_the_user(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    """They are said in their own sentence, with what else is to be said of them."""
    error.add_note("two games are left out")
    exits.print_error(error, debug=False)
    said = "a.pgn: Permission denied" if isinstance(error, OSError) else str(error)
    assert capsys.readouterr().err == f"gamekeeper: {said}\ntwo games are left out\n"


def test_errors_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    """Any other error is one of ours, and says how it can be reported; with --debug the traceback comes."""
    exits.print_error(ValueError("x"), debug=False)
    assert "internal error: ValueError: x\n(run it again with --debug" in capsys.readouterr().err
    exits.print_error(ValueError("x"), debug=True)
    assert capsys.readouterr().err.endswith("ValueError: x\n")
