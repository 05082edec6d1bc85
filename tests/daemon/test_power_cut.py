"""The power is cut in the middle of a large import: what was stored is there, and nothing is damaged.

A real import is recorded (`recorder.c`), and what the disk may hold is made for moments at random (`power_cuts`). `CUTS=3000 pytest
tests/daemon/test_power_cut.py` (or `make faults`) cuts more often; `SEED` repeats a run.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes
from daemon.archive.errors import ArchiveError
from daemon.archive.verify.run import verify
from daemon.imports.run import import_paths
from tests.daemon.marked_import import STATE
from tests.daemon.power_cuts import Disk, Record, build_recorder, read_records
from tests.daemon.test_kill import large_pgn, rows_of

pytestmark = pytest.mark.slow

CUTS = int(os.environ.get("CUTS", "60"))
SEED = int(os.environ.get("SEED", "20261130"))
PROGRAM = Path(__file__).with_name("marked_import.py")
COMPLETED = 20
"""One of so many archives is verified in all its rows, and completed."""

State = tuple[int, ...]


@dataclass(frozen=True)
class Recorded:
    """An import: the folder before it, what was done below it, and what it imported."""

    before: Path
    records: Sequence[Record]
    pgn: Path
    after: Path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A large import of a few games into a new archive."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    place = tmp_path_factory.mktemp("power")
    data, before, pgn = place / "data", place / "before", place / "games.pgn"
    pgn.write_text(large_pgn())
    with open_archive(data / "a.sqlite") as archive:
        archive.migrate()
    shutil.copytree(data, before)
    recording = {"RECORD_BELOW": str(data), "RECORD_TO": str(place / "log")}
    ended = subprocess.run(
        [sys.executable, str(PROGRAM), str(data / "a.sqlite"), str(pgn), str(data / "marks")],
        env=os.environ
        | recording
        | {"LD_PRELOAD": str(build_recorder(place)), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    records = list(read_records(place / "log", data))
    return Recorded(before, records, pgn, data / "a.sqlite")


def state(archive: Archive) -> State:
    with archive.reading() as connection:
        return tuple(connection.exec_driver_sql(STATE).one())


def states(recorded: Recorded) -> list[State]:
    """For each moment, which of the states that were stored was the last; one more at the end."""
    with open_archive(recorded.before / "a.sqlite") as archive:
        last = state(archive)
    found = []
    for record in recorded.records:
        found.append(last)
        if record.name == "marks":
            last = tuple(map(int, record.data.split()))
    return [*found, last]


def cut_at(
    recorded: Recorded, moments: Sequence[int], folder: Path, chance: random.Random
) -> Iterator[tuple[int, Path]]:
    """For each of these moments (ascending), a folder with what the disk then holds; it is emptied for the next one."""
    disk = Disk(recorded.before)
    for start, moment in pairwise([0, *moments]):
        for record in recorded.records[start:moment]:
            disk.take(record)
        folder.mkdir()
        disk.cut(folder, chance)
        yield moment, folder / "a.sqlite"
        shutil.rmtree(folder)


def test_what_is_recorded(recorded: Recorded) -> None:
    """The log and the file are written, synced and truncated, while indexes are missing and while they are built."""
    done = {(record.kind, record.name) for record in recorded.records}
    assert done >= {(kind, name) for kind in "ws" for name in ("a.sqlite", "a.sqlite-wal")}
    there = [indexes_there for *_, indexes_there in states(recorded)]
    assert there[0] == there[-1]
    assert len(set(there)) == len(indexes.droppable(new_files=True)) + 1
    checkpoints = [
        there[n] for n, one in enumerate(recorded.records) if (one.kind, one.name) == ("s", "a.sqlite")
    ]
    assert min(checkpoints) == min(there)


def test_power_cuts(recorded: Recorded, tmp_path: Path) -> None:
    """At each moment there is a sound archive with the last transaction that was stored, or with the one under way.

    What it lacks of the games, and of the indexes, the next import completes.
    """
    chance = random.Random(f"{SEED} power")
    expected = rows_of(recorded.after)
    then = states(recorded)
    following = [next((one for one in then[n:] if one != then[n]), then[n]) for n in range(len(then))]
    moments = sorted(chance.randint(1, len(recorded.records)) for _ in range(CUTS))
    for number, (moment, path) in enumerate(cut_at(recorded, moments, tmp_path / "cut", chance)):
        where = f"seed {SEED}, cut {number} after {moment} of {len(recorded.records)}"
        with open_archive(path) as archive:
            assert archive.check() == [], where
            assert state(archive) in {then[moment], following[moment]}, where
            if number % COMPLETED == 0:
                faults = [one.fault for one in verify(archive)]
                assert all(fault.startswith(indexes.MISSING) for fault in faults), where
                archive.migrate()
                import_paths(archive, [recorded.pgn], parsers=1)
                assert list(verify(archive)) == [], where
        if number % COMPLETED == 0:
            assert rows_of(path) == expected, where


def test_a_disk_that_lies(recorded: Recorded, tmp_path: Path) -> None:
    """Where nothing that is synced is kept, archives are lost or damaged: the cuts are hard enough to show it."""
    chance = random.Random(SEED)
    lying = Recorded(
        recorded.before, [one for one in recorded.records if one.kind != "s"], recorded.pgn, recorded.after
    )
    then = states(lying)
    bad = 0
    moments = sorted(chance.randint(len(lying.records) // 2, len(lying.records)) for _ in range(20))
    for moment, path in cut_at(lying, moments, tmp_path / "cut", chance):
        try:
            with open_archive(path) as archive:
                bad += archive.check() != [] or state(archive) < then[moment]
        except ArchiveError:
            bad += 1
    assert bad > 10
