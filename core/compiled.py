"""The compiled core, our own module in C: it does what Python does here, many times as fast.

It never decides. It reads games that are written as nearly all are; whatever is unusual, doubtful or wrong it
leaves to Python. It is built when the program is installed, if there is a C compiler; the program works without
it. The variable GAMEKEEPER_COMPILED says ``never`` where Python is to do all.
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar, cast

NEVER: Final = "never"
"""The value of GAMEKEEPER_COMPILED with which the compiled core is neither built nor used."""

Tags = tuple[tuple[str, str], ...]
StartT = TypeVar("StartT", bound=tuple[str, bool, object])


class Native(Protocol):
    """What the compiled core can do (`core/native/module.c`). None leaves the game to Python, and is never an error."""

    KNOWN_TAGS: tuple[str, ...]
    """The tags that have a usual spelling."""

    def read(
        self,
        raw: bytes,
        start_of: Callable[[Tags], StartT | None],
        decode: Callable[[bytes], str | None] | None,
        /,
    ) -> tuple[Tags, StartT | None, tuple[str, ...], tuple[int, ...], str | None, bool, bool] | None:
        """Tags, start, moves, castlings, end, comments and variations of a game.

        Where its tags may mean another start than the usual one, *start_of* gives the position in normal form,
        whether castlings are written as in Chess960, and anything more; this is the start that is returned. *decode* gives the text
        of a value that is not UTF-8.
        """

    def split(self, block: bytes, at: int, last: bool, longest: int, /) -> tuple[tuple[int, ...], bool]:
        """The ends of games in *block*, and whether Python has to look at the next one.

        The first begins at index *at*. The last goes on beyond *block*, if that is not the *last*. None is longer
        than *longest*.
        """

    def opening(self, moves: tuple[str, ...], deepest: int, numbers: bytes, keys: bytes, /) -> int | None:
        """The place in *keys* of the last known position among those after the first *deepest* moves; -1 for none.

        *keys* are numbers of positions in order, *numbers* what `core.openings` makes these of.
        """

    def line(
        self,
        memos: tuple[dict[Any, Any], ...],
        ask: Callable[[int, Any], object],
        kinds: bytes,
        numbers: bytes,
        keys: bytes,
        deepest: int,
        raw: bytes,
        /,
    ) -> tuple[bytes, bytes, bytes, bool] | None:
        """The columns of a game's row as they are packed for a large intake, and three more things about it.

        These are the bytes that `core.sameness.key` hashes, the places that the columns refer to, and whether there are
        comments. What the values of tags mean is asked once for each, by the number of its memo and the value, and is kept
        there (`daemon.archive.games.packed_lines`); None leaves all such games to Python. *kinds* says of each of
        `KNOWN_TAGS` what it matters for; the rest is the book of openings.
        """

    def pack(self, moves: tuple[str, ...], /) -> bytes | None:
        """As `core.move_bytes.pack`."""

    def unpack(self, packed: bytes, /) -> tuple[str, ...] | None:
        """As `core.move_bytes.unpack`."""


def _load() -> tuple[Native | None, str | None]:
    """The compiled core, or why it is not used."""
    if os.environ.get("GAMEKEEPER_COMPILED") == NEVER:
        return None, f"GAMEKEEPER_COMPILED says {NEVER}"
    try:
        found = import_module("core._native")
    except ImportError as error:
        return None, str(error)
    if _older_than_sources(str(found.__file__)):
        return None, "the compiled core is older than its sources: install the program again (make setup)"
    return cast("Native", found), None


def _older_than_sources(built: str) -> bool:
    """Whether sources beside it have changed since it was built, as in a checkout that was updated."""
    sources = os.path.join(os.path.dirname(built), "native")  # noqa: PTH118, PTH120 - core has no pathlib
    if not os.path.isdir(sources):  # noqa: PTH112
        return False
    with os.scandir(sources) as found:
        return max((file.stat().st_mtime for file in found), default=0.0) > os.stat(built).st_mtime  # noqa: PTH116


NATIVE, WHY_NOT = _load()
