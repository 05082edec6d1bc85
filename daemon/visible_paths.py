"""Looks at the file system that never fail: what this user may not see does not exist for them.

`pathlib` raises PermissionError for a path in a folder that one may not enter (before Python 3.14); a command
of another user than the daemon's has to go on, and ask the daemon.
"""

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether something has this name, as far as this user can see."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises


def is_file(path: Path) -> bool:
    """Whether there is a file of this name, as far as this user can see."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises


def is_dir(path: Path) -> bool:
    """Whether there is a folder of this name, as far as this user can see."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises


def is_hidden(path: Path) -> bool:
    """Whether this user cannot even see if something has this name."""
    try:
        path.lstat()
    except PermissionError:
        return True
    except OSError:
        return False
    return False
