"""One check of everything in an archive, in constant memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from daemon.archive.archive import Archive
from daemon.archive.database.indexes import MISSING
from daemon.archive.errors import Damaged
from daemon.archive.tables.main import games, players, quarantine, tellings, texts
from daemon.archive.verify import edits, references
from daemon.archive.verify.findings import Finding
from daemon.archive.verify.games import check_games, check_quarantine, check_tellings
from daemon.archive.verify.players import check_names, check_players, check_texts

COUNTED = (players, texts, games, tellings, quarantine)


@dataclass(slots=True)
class VerifyProgress:
    """How far the check is.

    Attributes:
        stage: What is being checked.
        done: Rows that were checked; *total*: all there are, 0 while the database checks itself.
    """

    stage: str = "database"
    done: int = 0
    total: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def verify(
    archive: Archive,
    *,
    report: Callable[[VerifyProgress], None] = lambda _: None,
    progress: VerifyProgress | None = None,
) -> Iterator[Finding]:
    """Check everything, and yield findings as they are found. *progress* is kept up to date."""
    progress = progress or VerifyProgress()
    report(progress)
    try:
        unsound = False
        for fault in archive.check(thorough=True):
            index_only = _is_of_index(fault)
            unsound = unsound or not index_only
            yield Finding("database", fault, "indexes" if index_only else None)
        if not unsound:
            yield from _rows(archive, progress, report)
    except Damaged as error:
        yield Finding("database", str(error))


def _is_of_index(fault: str) -> bool:
    """Whether only an index is missing or disagrees with its table, by SQLite's words for it."""
    return (
        fault.startswith(MISSING)
        or "missing from index" in fault
        or "entries in index" in fault
        or "non-unique entry" in fault
    )


def _rows(
    archive: Archive, progress: VerifyProgress, report: Callable[[VerifyProgress], None]
) -> Iterator[Finding]:
    with archive.reading() as connection:
        for table in COUNTED:
            count = connection.scalar(select(func.count()).select_from(table)) or 0
            progress.counts[table.name] = count
            progress.total += count
    for stage, check in _stages(archive):
        progress.stage = stage
        report(progress)
        for found in check:
            if isinstance(found, Finding):
                yield found
            else:
                progress.done += found
                report(progress)


def _stages(archive: Archive) -> Iterator[tuple[str, Iterator[int | Finding]]]:
    yield "links", _in_one(archive, references.dangling)
    yield "links", _in_one(archive, references.elsewhere)
    yield "links", _in_one(archive, references.given_twice)
    yield "players", _in_one(archive, check_players)
    yield "players", _in_one(archive, check_names)
    yield "texts", _in_one(archive, check_texts)
    yield "games", check_games(archive)
    yield "edits", _in_one(archive, edits.check_source_games)
    yield "tellings", check_tellings(archive)
    yield "quarantine", check_quarantine(archive)


def _in_one(
    archive: Archive, check: Callable[[Connection], Iterator[int | Finding]]
) -> Iterator[int | Finding]:
    """A check in one transaction: it counts rows, which must not change meanwhile."""
    with archive.reading() as connection:
        yield from check(connection)
