"""How many games that the archive does not have may be in files, by their sizes alone."""

from collections.abc import Callable, Iterable
from typing import Final

from daemon.archive.games.files import FileRow
from daemon.imports.found_files import FileProblem, FoundFile
from daemon.imports.pgn_files import COMPRESSED_SUFFIXES

_BYTES: Final = 800
"""Of a game: 590 to 760 in collections of games over the board; several times as many with clocks or comments."""

_SQUEEZED: Final = 4
"""How many times as large the text of a compressed file is."""


def new_games(
    found: Iterable[FoundFile | FileProblem],
    known: Callable[[str], FileRow | None],
    *,
    encoding: str | None,
) -> int:
    """How many games may be new in these files; 0 if some that are stored may have to be written again.

    Of a file that is known, only what is longer than at its last import counts. Of standard input, nothing is known.
    """
    total = 0
    for item in found:
        if isinstance(item, FileProblem) or item.stamp is None:
            continue
        before = known(item.path)
        if before is not None and encoding not in {None, before.encoding}:
            return 0  # as whose names may be others in this encoding
        size = max(0, item.stamp.size - (before.size or 0 if before else 0))
        total += size * (_SQUEEZED if item.path.endswith(COMPRESSED_SUFFIXES) else 1)
    return total // _BYTES
