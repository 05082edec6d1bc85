"""The bytes of tellings, and of unreadable games, as they are stored."""

import zlib

from daemon.archive.errors import Damaged


def unpack(packed: bytes, what: str) -> bytes:
    """The bytes of *what*.

    Raises:
        Damaged: they are not those that were stored.
    """
    try:
        return zlib.decompress(packed)
    except zlib.error as error:
        raise Damaged(
            f"the bytes of {what} are damaged ({error}); `gamekeeper verify` says whether more is, and `gamekeeper restore "
            "FILE` brings back a backup in which they are sound"
        ) from error
