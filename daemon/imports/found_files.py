"""What a search for PGN files finds: files, and what cannot be read."""

import os
from dataclasses import dataclass
from pathlib import Path

from daemon.paths import shown


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes and time in nanoseconds since 1970, by which changes of a file are seen."""

    size: int
    modified_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """The stamp in what `os.stat` says."""
        return cls(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to be read; *inside* is the folder it was found in, None if it was named itself.

    *stamp* is None for standard input.
    """

    path: str
    stamp: Stamp | None
    inside: Path | None = None


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file or folder that was not read, or not to its end.

    Attributes:
        path: As the system knows it.
        message: For people; it names the file.
        passing: It may be readable soon although it has not changed.
    """

    path: str
    message: str
    passing: bool = False

    @property
    def file(self) -> str:
        """The path as it is shown."""
        return shown(self.path)
