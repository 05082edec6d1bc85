"""What every command gets: the configuration, the archive, and output."""

import json
import logging
import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.config import Config


class Closable(Protocol):
    """Something that can be closed."""

    def close(self) -> None:
        """Close it."""
        ...


_C = TypeVar("_C", bound=Closable)


@dataclass(slots=True)
class Context:
    """One run of one command. The common options fill it, before or after the command's name."""

    config_path: Path | None = None
    json: bool = False
    verbosity: int = 0
    """-1: errors only; 0: warnings; 1: progress; 2: everything, with tracebacks."""
    api: str | None = None
    """The API that a reading command asks."""
    token_file: Path | None = None
    given: list[str] = field(default_factory=list)
    """Paths on the command line that the command reads."""
    output: Path | None = None
    """The file, or the folder of the file, that the command writes."""
    _config: "Config | None" = None
    _archive: "Archive | None" = None
    _migrated: bool = False
    _open: ExitStack = field(default_factory=ExitStack)

    def config(self) -> "Config":
        """The configuration, read once.

        Raises:
            ConfigErrors: there is none, or it has errors.
        """
        from daemon.config import Config

        if self._config is None:
            self.start_logs(logging.WARNING)
            self._config = Config.load(self.config_path)
        return self._config

    def archive(self) -> "Archive":
        """The archive of the configuration, for a command that writes.

        Migrated once, and closed with the command.

        Raises:
            ArchiveError: it cannot be used, or its folder cannot be made (no space, no permission).
        """
        archive = self._opened()
        if not self._migrated:
            archive.migrate()
            self._migrated = True
        return archive

    def archive_to_read(self, *, keys_of_ours: bool = False) -> "Archive":
        """The archive of the configuration, for a command that only reads; it is never migrated.

        Raises:
            ArchiveError: it cannot be used, or would have to be migrated first.
        """
        archive = self._opened()
        if not self._migrated:
            archive.require_readable(keys_of_ours=keys_of_ours)
        return archive

    def _opened(self) -> "Archive":
        from daemon.archive.archive import open_archive

        if self._archive is None:
            config = self.config()
            self.act_as_owner()
            make_data_dir(config.data_dir)
            self._archive = open_archive(config.database_url(), backup_folder=config.backup_folder())
            self._open.callback(self._archive.close)
        return self._archive

    def act_as_owner(self) -> None:
        """If we are root, become the owner of the data folder before using it, once the given files are open.

        Raises:
            ReadOnly: the owner is not known, or root may not act as them.
        """
        from daemon.cli import output_files, owner_switch

        config = self.config()
        archive = None if config.daemon.database else Path(config.database_url())
        owner = owner_switch.owner_to_become(config.data_dir, archive, system=config.is_of_the_system)
        if owner is None:
            return
        owner_switch.hold_given(self.given)
        if self.output is not None:
            output_files.stay_root_for(self.output)
        owner_switch.become(owner, config.data_dir)

    def closing(self, opened: _C) -> _C:
        """*opened*, to be closed with the command."""
        self._open.callback(opened.close)
        return opened

    def start_logs(self, usual: int) -> None:
        """Log to standard error from the level *usual* on, or more or less by -v and -q."""
        from daemon import logs

        if self.verbosity:
            usual = {-1: logging.ERROR, 1: logging.INFO}.get(max(self.verbosity, -1), logging.DEBUG)
        logs.configure(usual)

    def emit(self, value: object) -> None:
        """Print *value* as JSON on standard output."""
        from daemon.paths import storable

        click.echo(json.dumps(storable(value), ensure_ascii=False, indent=2))

    def note(self, text: str) -> None:
        """Print a note on standard error, unless --quiet."""
        if self.verbosity >= 0:
            click.echo(text, err=True)

    @property
    def debug(self) -> bool:
        """Are tracebacks wanted?"""
        return self.verbosity >= 2

    def close(self) -> None:
        """Close what was opened."""
        from daemon.cli import output_files
        from daemon.imports import held_files

        self._open.close()
        output_files.end()
        held_files.release()


def make_data_dir(folder: Path) -> None:
    """Make the data folder; if there is one, check that it can be written to.

    SQLite's own message would only be that it cannot open its file.

    Raises:
        ReadOnly: it cannot be made or written to.
    """
    from daemon.archive.errors import ReadOnly

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise ReadOnly(f"{folder} is a file, and data_dir has to be a folder") from error
    except OSError as error:
        raise ReadOnly(
            f"the folder {folder} (data_dir) cannot be made: {error.strerror}{_way(folder)}"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        what = f"nothing can be written to {folder} (data_dir): no permission, or a read-only disk"
        raise ReadOnly(f"{what}{_way(folder)}")


def _way(folder: Path) -> str:
    """What a user can do who is not the owner of the data folder."""
    from daemon import visible_paths
    from daemon.ownership import Owner

    if visible_paths.is_hidden(folder):
        return "; only its owner may look there: `sudo gamekeeper …` acts as them"
    if not visible_paths.exists(folder) or Owner.of(folder).uid == os.geteuid():
        return ""
    return f"; it belongs to {Owner.of(folder).name}: `sudo gamekeeper …` acts as them"


pass_context = click.make_pass_decorator(Context)
"""Hands the `Context` to a command as its first argument."""
