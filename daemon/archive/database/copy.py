"""A whole copy of a SQLite database while others write to it, checked before it counts."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from daemon.archive.database.driver_errors import Explain
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.database.files import UNFINISHED, beside, give_name, new_file, remove_database, sync_file
from daemon.archive.errors import ArchiveError, BadCopy, WorkStopped

_PAGES: Final = 4096
"""Pages between two checks whether to stop."""
_STEPS: Final = 1_000_000
"""Steps of SQLite's virtual machine between two checks whether to stop: some milliseconds."""

Stop = Callable[[], bool]


def copy_database(
    source: Path, target: Path, explain: Explain, *, stop: Stop = lambda: False
) -> Mapping[str, int]:
    """`copy_connection` of the database *source*."""
    with _explained(explain, stop):
        reader = _connect(source, "mode=ro")
    with closing(reader):
        return copy_connection(reader, target, explain, stop=stop)


def copy_connection(
    reader: Any, target: Path, explain: Explain, *, stop: Stop = lambda: False
) -> Mapping[str, int]:
    """Copy what *reader*, a driver's connection, sees to *target*, whole and checked or not at all.

    The copy is what the source was at one moment. It is one file, for its owner alone. Returns how many rows
    each table has.

    Raises:
        DiskFull, ReadOnly: no copy can be made there.
        BadCopy: what was written is not what was read.
        Damaged: the source's pages contradict each other.
        Stopped: *stop* said so.
    """
    unfinished = beside(target, UNFINISHED)
    new_file(unfinished)
    try:
        with _explained(explain, stop):
            counts = _copy(reader, unfinished, stop)
            _check(unfinished, counts, stop)
        give_name(unfinished, target)
    except BaseException:
        remove_database(unfinished)
        raise
    return counts


@contextmanager
def _explained(explain: Explain, stop: Stop) -> Iterator[None]:
    driver = sqlite_driver()
    try:
        yield
    except driver.Error as error:
        if stop():
            raise WorkStopped(
                "the copy was not finished, since gamekeeper was asked to stop; make it again later"
            ) from error
        raise explain(error) or ArchiveError(
            f"no copy could be made: {error}; `gamekeeper verify` may tell why"
        ) from error
    except OSError as error:
        raise ArchiveError(
            f"no copy could be made: {error.strerror}; make room or choose another folder"
        ) from error


def _copy(reader: Any, target: Path, stop: Stop) -> Mapping[str, int]:
    with closing(_connect(target, "mode=rw")) as writer:
        # The transaction holds the moment that is copied; writers go on beside it.
        reader.execute("BEGIN")
        counts = _counts(reader)

        def go_on(_status: int, _remaining: int, _total: int) -> None:
            if stop():
                raise WorkStopped(
                    "the copy was not finished, since gamekeeper was asked to stop; make it again later"
                )

        writer.execute("PRAGMA synchronous=OFF")  # synced once, below
        reader.backup(writer, pages=_PAGES, progress=go_on)
        reader.execute("ROLLBACK")
        # A database in WAL mode would get two more files beside it wherever it is looked at.
        writer.execute("PRAGMA journal_mode=DELETE")
    sync_file(target)
    return counts


def _check(copy: Path, counts: Mapping[str, int], stop: Stop) -> None:
    with closing(_connect(copy, "mode=ro&immutable=1")) as reader:
        reader.set_progress_handler(stop, _STEPS)
        found = [str(line) for (line,) in reader.execute("PRAGMA quick_check")]
        if found != ["ok"]:
            raise BadCopy(
                f"the copy is damaged ({found[0]}); `gamekeeper verify` tells whether the archive is"
            )
        if _counts(reader) != counts:
            raise BadCopy(
                "the copy does not have as many rows as the archive; look at the disk that it was written to"
            )


def _connect(path: Path, how: str) -> Any:
    return sqlite_driver().connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)


def _counts(reader: Any) -> Mapping[str, int]:
    names = [name for (name,) in reader.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in names}
    return {
        name: reader.execute(f"SELECT count(*) FROM {quoted[name]}").fetchone()[0]  # noqa: S608 - quoted names
        for name in names
    }
