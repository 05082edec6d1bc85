"""What a disk may hold after the power was cut while a process wrote: replayed from what `recorder.c` has noted of it.

What was synced is there. Of what was written to a file since it was last synced, each sector (512 bytes) may be there or not, and
of several writes to it any one may be the last. A name that was removed may be there still.
"""

import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SECTOR: Final = 512
SOURCE: Final = Path(__file__).with_name("recorder.c")
LEFT_OUT: Final = ("-shm", ".imports", ".lock")
"""Ends of names of files that hold nothing after a start: shared memory, and locks."""


def build_recorder(folder: Path) -> Path:
    """The library that records.

    Raises:
        FileNotFoundError: there is no C compiler.
    """
    library = folder / "recorder.so"
    command = ["cc", "-O2", "-fPIC", "-shared", "-Wall", "-Werror", str(SOURCE), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True)
    return library


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that the process did with a file: write, truncate, sync, unlink."""

    kind: str
    name: str
    offset: int
    data: bytes


def read_records(path: Path, below: Path) -> Iterator[Record]:
    """What was recorded, in order."""
    content = path.read_bytes()
    at = 0
    while at < len(content):
        kind = chr(content[at])
        offset, name_size, size = (
            int.from_bytes(content[at + 1 + 8 * n : at + 9 + 8 * n], "little") for n in range(3)
        )
        at += 25
        name = content[at : at + name_size].decode()
        at += name_size
        yield Record(kind, str(Path(name).relative_to(below)), offset, content[at : at + size])
        at += size


@dataclass(slots=True)
class _File:
    """A file: what of it is on the disk for sure, and what was done with it since."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Record] = field(default_factory=list)

    def sync(self) -> None:
        for record in self.pending:
            _apply(self.durable, record)
        self.pending.clear()


class Disk:
    """The files of a folder as the records change them, beginning with what is there."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.name: _File(bytearray(path.read_bytes()))
            for path in folder.iterdir()
            if path.is_file() and not path.name.endswith(LEFT_OUT)
        }

    def take(self, record: Record) -> None:
        """Let the process do this."""
        if record.name.endswith(LEFT_OUT) or record.name.endswith("(deleted)"):
            return
        if record.kind == "s":
            if record.name in self._files:
                self._files[record.name].sync()
            return
        self._files.setdefault(record.name, _File()).pending.append(record)

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Cut the power, and write what the disk holds then into *folder*."""
        for name, file in self._files.items():
            content = _cut(file, chance)
            if content is not None:
                (folder / name).write_bytes(content)


def _cut(file: _File, chance: random.Random) -> bytes | None:
    """One of the contents that the file may have; None if it may be gone, and is."""
    gone = next((n for n, one in enumerate(file.pending) if one.kind == "u"), None)
    if gone is not None and chance.random() < 0.5:
        after = _File(bytearray(), file.pending[gone + 1 :])
        return _cut(after, chance) if after.pending else None
    content = bytearray(file.durable)
    for record in _any_order([one for one in file.pending if one.kind != "u"], chance):
        for part in _kept(record, chance):
            _apply(content, part)
    return bytes(content)


def _any_order(records: Sequence[Record], chance: random.Random) -> Sequence[Record]:
    return chance.sample(records, len(records)) if chance.random() < 0.5 else records


def _kept(record: Record, chance: random.Random) -> Iterator[Record]:
    """What of it has come to the disk: all, nothing, or some sectors."""
    what = chance.random()
    if record.kind == "t" or what < 0.4:
        if what < 0.7:
            yield record
        return
    if what < 0.7:
        return
    for start in range(0, len(record.data), SECTOR):
        if chance.random() < 0.5:
            yield Record("w", record.name, record.offset + start, record.data[start : start + SECTOR])


def _apply(content: bytearray, record: Record) -> None:
    if record.kind == "t":
        size = record.offset
        content[size:] = b"" if len(content) >= size else bytes(size - len(content))
    elif record.kind == "w":
        if len(content) < record.offset:
            content.extend(bytes(record.offset - len(content)))
        content[record.offset : record.offset + len(record.data)] = record.data
    elif record.kind == "u":
        content.clear()
