"""Reads tokens from private files or systemd's credentials; they are never in the configuration itself."""

import os
import stat
from pathlib import Path

from daemon import visible_paths
from daemon.config.values import WrongValue

_LONGEST = 4096


class NotOurs(WrongValue):
    """A token file that this user may not read; another user, who runs the daemon, may."""


def file_of(name: str, token_file: Path | None) -> Path | None:
    """The file with the token of *name* (``api``, ``lichess``), None if there is none.

    systemd's credential ``<name>_token`` comes first: a unit that passes it means it.
    """
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if folder:
        credential = Path(folder) / f"{name}_token"
        if visible_paths.is_file(credential):
            return credential
    return token_file


def read(file: Path) -> str:
    """The token in *file*.

    Raises:
        WrongValue: there is no such file, others can read it, or it contains no token.
    """
    try:
        with file.open("rb") as stream:
            _refuse_open_file(file, os.fstat(stream.fileno()))
            content = stream.read(_LONGEST + 1)
    except PermissionError as error:
        what = f"this user may not read the token file {file}"
        raise NotOurs(what, "let the user who runs gamekeeper read it, or leave token_file out") from error
    except OSError as error:
        what = f"the token file {file} cannot be read: {error.strerror}"
        raise WrongValue(what, "write only the token into it, or leave token_file out") from error
    return _token(file, content)


def _refuse_open_file(file: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise WrongValue(f"the token file {file} is not a file", "name the file that holds the token")
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if credentials and file.is_relative_to(credentials):
        return  # systemd keeps that folder to the service alone
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise WrongValue(f"the token file {file} is open to other users", f"chmod 600 {file}")


def _token(file: Path, content: bytes) -> str:
    text = content.decode("ascii", errors="replace").strip()
    if not text:
        raise WrongValue(f"the token file {file} is empty", "write only the token into it")
    if len(content) > _LONGEST or not all(" " < sign <= "~" for sign in text):
        raise WrongValue(
            f"the token file {file} does not hold one token", "write only the token, on one line"
        )
    return text
