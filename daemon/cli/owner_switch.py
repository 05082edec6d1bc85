"""A command run by root acts as the owner of the data folder, so that what it writes there is theirs."""

import encodings
import importlib
import os
import pkgutil
import sys
import warnings
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from daemon import visible_paths
from daemon.ownership import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_ROOT: Final = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def owner_to_become(data_dir: Path, archive: Path | None, *, system: bool) -> Owner | None:
    """The owner that this process has to become before it uses *data_dir*.

    None if it is not root, or the folder is root's.

    *archive* is the archive's file, if it is one; *system*: whether this is the configuration of the system's
    daemon.

    Raises:
        ReadOnly: the owner of the files is not known.
    """
    from daemon.archive.errors import ReadOnly

    if os.geteuid() != 0:
        return None
    there = next(path for path in (data_dir, *data_dir.parents) if visible_paths.exists(path))
    owner = Owner.of(there)
    if owner.uid == 0:
        if there != data_dir and system:
            raise ReadOnly(
                f"the data folder {data_dir} is not there yet, so its owner is not known; start the service "
                f"once, or make it: install -d -m 700 -o gamekeeper -g gamekeeper {data_dir}"
            )
        if archive is not None and visible_paths.exists(archive) and Owner.of(archive).uid != 0:
            of = Owner.of(archive)
            raise ReadOnly(
                f"the archive belongs to {of.name} and its folder {data_dir} to root; correct it with: "
                f"sudo chown {of.for_chown()} {data_dir}"
            )
        return None
    return owner


def become(owner: Owner, data_dir: Path) -> None:
    """Be *owner* from now on, with their groups and their home, without return.

    Raises:
        ReadOnly: this root may not do that.
    """
    from daemon.archive.errors import ReadOnly

    if not _can_run_program(owner):
        load_everything()
    try:
        os.setgroups(owner.groups)
        os.setgid(owner.groups[0])
        os.setuid(owner.uid)
    except OSError as error:
        raise ReadOnly(
            f"root may not act as {owner.name}, the owner of {data_dir} ({error.strerror}); run it as that user"
        ) from error
    for name in _OF_ROOT:
        os.environ.pop(name, None)
    os.environ["HOME"] = owner.home or str(data_dir)
    os.environ["USER"] = os.environ["LOGNAME"] = owner.name
    temporary = os.environ.get("TMPDIR")
    if temporary and not os.access(temporary, os.W_OK | os.X_OK):
        del os.environ["TMPDIR"]


def _can_run_program(owner: Owner) -> bool:
    """Whether *owner* may run this Python, and read what it still has to load."""
    with _for_a_moment(owner):
        return os.access(sys.executable, os.X_OK, effective_ids=True) and all(
            os.access(path, os.R_OK, effective_ids=True)
            for path in (os.__file__, __file__, sys.modules["click"].__file__ or "")
        )


@contextmanager
def _for_a_moment(owner: Owner) -> "Iterator[None]":
    groups = os.getgroups()
    os.setgroups(owner.groups)
    os.setegid(owner.groups[0])
    os.seteuid(owner.uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


_LATER: Final = ("alembic.command", "alembic.config", "alembic.ddl.sqlite", "alembic.script", "rich.progress")
"""Modules that libraries load on demand."""

_NEVER: Final = frozenset(
    {"antigravity", "this", "idlelib", "tkinter", "turtle", "turtledemo", "test", "lib2to3"}
)
"""Modules of Python that do something on import, or are programs."""


def load_everything() -> None:
    """Load what would be loaded on demand: its next user may not be able to read the program, or Python."""
    import core
    import daemon
    import fetchers

    for package in (core, fetchers, daemon):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations." not in module.name:
                importlib.import_module(module.name)
    for name in _LATER:
        importlib.import_module(name)
    with warnings.catch_warnings(action="ignore"):  # of modules that a later Python will not have
        codecs = (f"encodings.{module.name}" for module in pkgutil.iter_modules(encodings.__path__))
        for name in (*sorted(sys.stdlib_module_names - _NEVER), *codecs):
            with suppress(ImportError):  # made for another system, or left out of this Python
                importlib.import_module(name)


def hold_given(given: Iterable[str]) -> None:
    """Open the files given to the command in advance.

    Raises:
        ReadOnly: too many files for one process.
    """
    from daemon.archive.errors import ReadOnly
    from daemon.imports import file_search

    try:
        file_search.hold(given)
    except OSError as error:
        raise ReadOnly(
            f"these are more files than root can open before it acts as the owner of the data folder ({error.strerror}); "
            "name fewer at a time, or put them where that owner may read them"
        ) from error
