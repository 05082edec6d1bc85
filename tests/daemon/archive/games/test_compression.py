"""The bytes of games as they are stored: small, seen when damaged, and readable for ever."""

import struct
import sys
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.dictionary_games import made_games
from daemon.archive.games import compression
from daemon.archive.games.compression import NewerError, PackedError, compress, decompress, dictionary

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAMES = list(made_games(40, seed=3))
NOTED = [game for game in GAMES if b"[%" in game]
PLAIN = [game for game in GAMES if b"[%" not in game]


@given(st.binary(max_size=3000), st.booleans())
def test_whatever_is_stored_comes_back(raw: bytes, noted: bool) -> None:
    """Any bytes do, with clocks and without; so do those that an earlier version has stored."""
    raw += b"{[%clk 0:01:00]}" * noted
    assert decompress(compress(raw)) == raw
    assert decompress(zlib.compress(raw)) == raw


def test_the_longest_games() -> None:
    """A game of eight megabytes, of one letter or of noise, is stored and read."""
    for raw in (
        b"e" * (8 << 20),
        b"".join(blake2b(bytes([i % 251, i >> 8])).digest() for i in range(1 << 16)) * 2,
    ):
        assert decompress(compress(raw)) == raw


def test_threads_do_not_mix_their_games() -> None:
    """Each thread's games come back."""
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(decompress, pool.map(compress, GAMES * 20))) == GAMES * 20


@pytest.mark.parametrize(("games", "number"), [(PLAIN, 1), (NOTED, 2)], ids=["plain", "clocks"])
def test_a_dictionary_for_each_kind(games: list[bytes], number: int) -> None:
    """A frame names the dictionary of its kind of game, and how long the game is; it is much smaller than by zlib."""
    packed = [compress(game) for game in games]
    infos = [zstd.get_frame_info(one) for one in packed]
    assert {info.dictionary_id for info in infos} == {number}
    assert [info.decompressed_size for info in infos] == [len(game) for game in games]
    assert sum(map(len, packed)) < 0.9 * sum(len(zlib.compress(game)) for game in games)


def test_dictionaries_never_change() -> None:
    """Archives hold games that can be read with these alone: a better one gets another number."""
    digests = {
        number: blake2b(dictionary(number).dict_content, digest_size=8).hexdigest() for number in (1, 2)
    }
    assert digests == {1: "f3bf01504f0b0516", 2: "288c4a8ebc30ea51"}
    assert [dictionary(number).dict_id for number in (1, 2)] == [1, 2]


STORED = {
    1: "28b52ffd250161e5000020312d300a087c00de9add860b40d538480aae4f2072fc53d826f820e5ca7d6c",
    2: "28b52ffd2502665d01004341049394b2953820190fc6c1d4883823239f2d08fc6c72a64eed9b046e818aa3e82bf48470ecd898841d9c091286",
}
"""Frames as this version wrote them, with their dictionaries' numbers."""
SAID = {
    1: b'[White "Rossi, Mario"]\n[Black "Bianchi, Anna"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n',
    2: b'[White "rossi"]\n[Black "bianchi"]\n[Result "1-0"]\n\n1. e4 {[%clk 0:03:00]} 1... e5 {[%clk 0:02:59]} 1-0\n',
}


@pytest.mark.parametrize("number", STORED)
def test_what_was_stored_once(number: int) -> None:
    """Frames that an archive holds since these dictionaries came are read by every later version."""
    packed = bytes.fromhex(STORED[number])
    assert zstd.get_frame_info(packed).dictionary_id == number
    assert decompress(packed) == SAID[number]


@given(st.sampled_from(GAMES[:6]), st.data())
def test_damage_is_seen(game: bytes, data: st.DataObject) -> None:
    """A frame that was cut, or has another byte or one more, is never read as another game."""
    packed = compress(game)
    at = data.draw(st.integers(0, len(packed) - 1))
    bent = packed[:at] + bytes([packed[at] ^ data.draw(st.integers(1, 255))]) + packed[at + 1 :]
    for one in (packed[:at], packed + b"\0", bent):
        with suppress(PackedError):
            assert decompress(one) == game  # one bit of the header says nothing


@given(st.binary(max_size=200))
def test_what_is_not_packed_at_all(data: bytes) -> None:
    """Any other bytes, too, are refused with a sentence, whatever they begin with."""
    for one in (data, b"\x28\xb5\x2f\xfd" + data, b"\x78\x9c" + data):
        with pytest.raises(PackedError, match=r"\w"):
            decompress(one)


def test_a_dictionary_of_a_later_version() -> None:
    """The message says that a newer gamekeeper is needed, and the number of the dictionary."""
    other = zstd.ZstdDict(_numbered(77))
    packed = zstd.compress(GAMES[0], zstd_dict=other)
    with pytest.raises(
        NewerError, match=r"a newer gamekeeper has written them \(with dictionary 77\); update"
    ):
        decompress(packed)


def _numbered(number: int) -> bytes:
    content = dictionary(1).dict_content
    return content[:4] + struct.pack("<I", number) + content[8:]


RUNS = 1 << 14
"""Blocks that each say "128 KB of the same byte": 2 GB in 64 KB."""


def _bomb(claimed: int, *, window: int = 0x58) -> bytes:
    """A frame with dictionary 1 that says it holds *claimed* bytes, and holds 2 GB."""
    head = b"\x28\xb5\x2f\xfd\xc1" + bytes([window, 1]) + struct.pack("<Q", claimed)
    run = struct.pack("<I", 1 << 1 | (1 << 17) << 3)[:3] + b"e"
    return head + run * RUNS + b"\x01\x00\x00"


@pytest.mark.parametrize(
    "packed",
    [
        _bomb(RUNS << 17),
        _bomb(1 << 60),
        _bomb(1000),
        _bomb(1000, window=0x98),
        zlib.compress(bytes(64 << 20))[:-2],
    ],
    ids=["honest", "far more", "far less", "large window", "zlib"],
)
def test_a_bomb(packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that unpack to very much more than is ever stored are refused, and take little memory until then."""
    monkeypatch.setattr(compression, "MOST", 1 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(PackedError):
            decompress(packed)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
