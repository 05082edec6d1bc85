"""The bytes of tellings, of games that could not be read, and of moves, as they are stored."""

from core import move_bytes
from daemon.archive.errors import Damaged
from daemon.archive.games.compression import NewerError, PackedError, decompress


def unpack(packed: bytes, what: str) -> bytes:
    """The bytes of *what*.

    Raises:
        Damaged: they are not those that were stored, or a newer version has stored them.
    """
    try:
        return decompress(packed)
    except NewerError as error:
        raise Damaged(f"the bytes of {what} cannot be unpacked: {error}") from error
    except PackedError as error:
        raise _damaged("bytes", what, error) from error


def unpack_moves(packed: bytes, what: str) -> tuple[str, ...]:
    """The moves of *what*, in UCI.

    Raises:
        Damaged: they are not those that were stored.
    """
    try:
        return move_bytes.unpack(packed)
    except ValueError as error:
        raise _damaged("moves", what, error) from error


def _damaged(which: str, what: str, error: Exception) -> Damaged:
    return Damaged(
        f"the {which} of {what} are damaged ({error}); `gamekeeper verify` says whether more is, and `gamekeeper restore "
        "FILE` brings back a backup in which they are sound"
    )
