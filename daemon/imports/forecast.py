"""How many games that the archive does not have may be in files, by their sizes alone."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from daemon.archive.games.files import FileRow
from daemon.imports.found_files import FileProblem, FoundFile
from daemon.imports.pgn_files import COMPRESSED_SUFFIXES

_BYTES: Final = 800
"""Of a game: 590 to 760 in collections of games over the board; several times as many with clocks or comments."""

_SQUEEZED: Final = 4
"""How many times as large the text of a compressed file is."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many games may be new; *new_files*: none of the files is known, so that no telling of theirs is stored."""

    games: int = 0
    new_files: bool = False


def forecast(
    found: Iterable[FoundFile | FileProblem],
    known: Callable[[str], FileRow | None],
    *,
    encoding: str | None,
) -> Forecast:
    """What these files may bring; nothing if some games that are stored may have to be written again.

    Of a file that is known, only what is longer than at its last import counts. Of standard input, nothing is known, and of an
    archive not which of its members were imported before.
    """
    total, new_files = 0, True
    for item in found:
        if isinstance(item, FileProblem):
            continue
        before = known(item.path)
        new_files = new_files and before is None and item.stamp is not None and not item.path.endswith(".zip")
        if before is not None and encoding not in {None, before.encoding}:
            return Forecast()  # as whose names may be others in this encoding
        if item.stamp is not None:
            size = max(0, item.stamp.size - (before.size or 0 if before else 0))
            total += size * (_SQUEEZED if item.path.endswith(COMPRESSED_SUFFIXES) else 1)
    return Forecast(total // _BYTES, new_files)
