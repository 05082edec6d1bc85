"""How the bytes of games are compressed: Zstandard frames with a dictionary of ours, from `benchmarks.dictionary`.

Every frame names its dictionary, so a dictionary never changes; a better one would be another file with another number.
Rows of earlier versions are zlib, and stay so: the first bytes say which it is.
"""

import sys
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Final, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL: Final = 3
MOST: Final = 256 << 20
"""The longest bytes that are unpacked: so long is the longest answer of a site that is read."""

DICTIONARIES: Final = {1: "plain.zdict", 2: "noted.zdict"}
"""The dictionaries that there are, by their numbers: for games without, and with, a clock after each move."""
_PLAIN: Final = 1
_NOTED: Final = 2
_NOTE: Final = b"[%"
_FRAME: Final = b"\x28\xb5\x2f\xfd"

_OPTIONS: Final[dict[int, int]] = {
    zstd.CompressionParameter.compression_level: LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,  # as zlib has one: damage is seen by everybody who reads
}
_LIMITS: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}
"""Above that of any frame of ours, so that no frame takes much memory before it gives anything."""


@dataclass(frozen=True, slots=True)
class _Packers:
    """Compressors; each thread has its own, so that none waits for another, and one that forks leaves no lock held."""

    plain: Callable[[bytes], bytes]
    noted: Callable[[bytes], bytes]


class _OfThread(threading.local):
    packers: _Packers


_OF_THREAD: Final = _OfThread()


class PackedError(ValueError):
    """These bytes are not what `compress` returned."""


class NewerError(PackedError):
    """These bytes need a dictionary that this version does not have."""


def compress(raw: bytes) -> bytes:
    """The bytes as they are stored."""
    try:
        packers = _OF_THREAD.packers
    except AttributeError:
        packers = _OF_THREAD.packers = _Packers(_packer(_PLAIN), _packer(_NOTED))
    return packers.noted(raw) if _NOTE in raw else packers.plain(raw)


def decompress(packed: bytes) -> bytes:
    """What was compressed, now or by an earlier version.

    Raises:
        PackedError: it is damaged.
        NewerError: a newer version has written it.
    """
    return _of_frame(packed) if packed.startswith(_FRAME) else _of_zlib(packed)


def _of_frame(packed: bytes) -> bytes:
    try:
        info = zstd.get_frame_info(packed)
        size = cast("int | None", info.decompressed_size)  # it is optional, whatever its types say
        if size is None or size > MOST:
            raise PackedError("they claim to be longer than anything that is stored")
        reader = zstd.ZstdDecompressor(dictionary(info.dictionary_id), _LIMITS)
        # One byte more than there may be, so that the end is met.
        raw = reader.decompress(packed, size + 1)
    except zstd.ZstdError as error:
        raise PackedError(str(error)) from error
    if not reader.eof or reader.unused_data:
        raise PackedError("their end is not where it should be")
    return raw


def _of_zlib(packed: bytes) -> bytes:
    reader = zlib.decompressobj()
    try:
        raw = reader.decompress(packed, MOST)
    except zlib.error as error:
        raise PackedError(str(error)) from error
    if not reader.eof or reader.unused_data:
        raise PackedError("their end is not where it should be")
    return raw


def dictionary(number: int) -> zstd.ZstdDict:
    """The dictionary of this number, read on first use.

    Raises:
        NewerError: there is none.
    """
    if number not in DICTIONARIES:
        raise NewerError(f"a newer gamekeeper has written them (with dictionary {number}); update gamekeeper")
    return _dictionary(number)


@cache
def _dictionary(number: int) -> zstd.ZstdDict:
    return zstd.ZstdDict(files(__package__).joinpath("dictionaries", DICTIONARIES[number]).read_bytes())


def _packer(number: int) -> Callable[[bytes], bytes]:
    packer = zstd.ZstdCompressor(options=_OPTIONS, zstd_dict=dictionary(number).as_digested_dict)
    return partial(packer.compress, mode=zstd.ZstdCompressor.FLUSH_FRAME)
