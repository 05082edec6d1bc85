"""Opening PGN files: plain, compressed, zipped, broken."""

import bz2
import gzip
import io
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.game import Game, Unreadable
from core.pgn.reader import read
from daemon.imports.pgn_files import FileError, PgnStream, open_pgn

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAME = b'[Event "A"]\n[White "Rossi"]\n[Black "Bianchi"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def contents(path: Path | str, **options: Any) -> dict[str, bytes]:
    return {source.name: whole(source) for source in open_pgn(path, **options)}


def whole(source: PgnStream) -> bytes:
    return b"".join(iter(lambda: source.stream.read(50_000), b""))


def collect(path: Path, found: list[Game | Unreadable]) -> None:
    """Read into *found*, which keeps what came before a failure."""
    for source in open_pgn(path):
        for each in read(source.stream):
            found.append(each)  # noqa: PERF402 - `extend` keeps nothing of an iterator that fails


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("x.pgn", bytes),
        ("x.pgn.gz", gzip.compress),
        ("x.pgn.bz2", bz2.compress),
        ("x.pgn.zst", zstd.compress),
        ("odd-name", gzip.compress),
        ("wrong-name.gz", bytes),
    ],
)
def test_kinds(tmp_path, name, pack):
    """The first bytes decide what a file is; several compressed parts in a row are one text."""
    path = write(tmp_path, name, pack(GAME * 3) + pack(GAME))
    assert contents(path) == {str(path): GAME * 4}


def test_zip(tmp_path):
    """Each PGN member is a source of its own with a nested name; other members are left alone."""
    data = zipped({"a.pgn": GAME, "read.me": b"x", "sub/B.PGN": GAME * 2, "c.pgn.gz": gzip.compress(GAME)})
    path = write(tmp_path, "x.zip", data)
    assert contents(path) == {f"{path}/a.pgn": GAME, f"{path}/sub/B.PGN": GAME * 2, f"{path}/c.pgn.gz": GAME}


def test_zip_without_pgn(tmp_path):
    """It is said, not passed over."""
    with pytest.raises(FileError, match="no PGN file"):
        contents(write(tmp_path, "x.zip", zipped({"read.me": b"x"})))


def test_standard_input(monkeypatch, tmp_path):
    """`-`, compressed as well; a zip archive cannot be read from a pipe."""
    reader, writer = os.pipe()
    os.write(writer, gzip.compress(GAME))
    os.close(writer)
    with os.fdopen(reader) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert contents("-") == {"-": GAME}
    reader, writer = os.pipe()
    os.write(writer, zipped({"a.pgn": GAME}))
    os.close(writer)
    with os.fdopen(reader, encoding="latin-1") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(FileError, match="standard input"):
            contents("-")


@pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("zst", zstd.compress)]
)
def test_cut_off(tmp_path, suffix, pack):
    """A truncated file gives what it has, game by game, and then says that it is cut off."""
    noise = b"".join(b"{ %d }\n" % (number * 7919 % 100_003) for number in range(40_000))
    packed = pack(GAME * 5 + b'[Event "B"]\n\n1. d4\n' + noise + b"*\n")
    path = write(tmp_path, f"x.pgn.{suffix}", packed[: len(packed) * 9 // 10])
    found: list[Game | Unreadable] = []
    with pytest.raises(FileError, match=r"x\.pgn.*cut off"):
        collect(path, found)
    # bzip2 packs in blocks of 900 kB: what is cut off is the only one.
    expected = [] if suffix == "bz2" else [Game] * 5 + [Unreadable]
    assert [type(each) for each in found] == expected


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("zst", zstd.compress)])
def test_damaged(tmp_path, suffix, pack):
    """Bytes that changed on the disk are found."""
    packed = bytearray(pack(GAME * 50))
    packed[-6] ^= 0xFF
    path = write(tmp_path, f"x.pgn.{suffix}", bytes(packed))
    with pytest.raises(FileError, match=r"x\.pgn.*(damaged|cut off)"):
        contents(path)


def test_one_damaged_member(tmp_path):
    """A damaged member of a zip archive costs itself; the others are read."""
    data = bytearray(zipped({"a.pgn": GAME * 9, "b.pgn": GAME}))
    data[60] ^= 0xFF
    path = write(tmp_path, "x.zip", bytes(data))
    sources = open_pgn(path)
    with pytest.raises(FileError, match=r"a\.pgn.*damaged"):
        whole(next(sources))
    assert whole(next(sources)) == GAME


@pytest.mark.parametrize("data", [b"PK\x03\x04rubbish", zipped({"a.pgn": GAME})[:-30]])
def test_damaged_zip(tmp_path, data):
    """Without its table of contents an archive cannot be read."""
    with pytest.raises(FileError, match="damaged zip"):
        contents(write(tmp_path, "x.zip", data))


def test_encrypted_zip(tmp_path):
    """Nobody can be asked for the password."""
    data = bytearray(zipped({"a.pgn": GAME}))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(FileError, match="encrypted"):
        contents(write(tmp_path, "x.zip", bytes(data)))


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, zstd.compress, lambda data: zipped({"a.pgn": data})]
)
def test_bomb(tmp_path, pack):
    """A small file that does not stop is given up."""
    path = write(tmp_path, "x", pack(bytes(80 << 20)))
    with pytest.raises(FileError, match="bomb"):
        contents(path)


@pytest.mark.parametrize("name", ["x.pgn.gz", "x.zip"])
def test_empty_compressed_file(tmp_path, name):
    """Nothing at all is not a compressed file; an empty PGN file just holds no game."""
    with pytest.raises(FileError, match="empty"):
        contents(write(tmp_path, name, b""))
    assert contents(write(tmp_path, "x.pgn", b"")) == {str(tmp_path / "x.pgn"): b""}


def test_what_is_no_file(tmp_path):
    """A missing file, a folder and a FIFO are refused at once; nobody waits for a writer."""
    os.mkfifo(tmp_path / "fifo.pgn")
    for name, reason in (
        ("missing", "No such file"),
        (".", "not a regular file"),
        ("fifo.pgn", "not a regular file"),
    ):
        with pytest.raises(FileError, match=reason):
            contents(tmp_path / name)


def test_links_that_lead_out(tmp_path):
    """In a watched folder a link may point inside of the folder, not out of it."""
    folder = tmp_path / "pgn"
    folder.mkdir()
    write(folder, "a.pgn", GAME)
    (folder / "in.pgn").symlink_to(folder / "a.pgn")
    (folder / "out.pgn").symlink_to(write(tmp_path, "secret", GAME))
    (folder / "nowhere.pgn").symlink_to(folder / "missing")
    assert contents(folder / "in.pgn", inside=folder) == {str(folder / "in.pgn"): GAME}
    assert contents(folder / "out.pgn") == {str(folder / "out.pgn"): GAME}
    with pytest.raises(FileError, match="leads out"):
        contents(folder / "out.pgn", inside=folder)
    with pytest.raises(FileError, match="No such file"):
        contents(folder / "nowhere.pgn", inside=folder)


def test_progress(tmp_path):
    """A source tells how much of the file as it lies there has been read."""
    path = write(tmp_path, "x.pgn.gz", gzip.compress(os.urandom(400_000)))
    (source,) = (source for source in open_pgn(path) if source.consumed() == 0)
    for source in open_pgn(path):
        assert source.size == path.stat().st_size
        source.stream.read(1)
        assert 0 < source.consumed() < source.size
        whole(source)
        assert source.consumed() == source.size


def test_nothing_stays_open(tmp_path):
    """Leaving early closes everything."""
    path = write(tmp_path, "x.zip", zipped({"a.pgn": GAME, "b.pgn": GAME}))
    sources = open_pgn(path)
    stream = next(sources).stream
    stream.read(5)
    sources.close()
    assert stream.closed
