"""The daemon builds what an import beside it has left out and cannot build any more."""

import time

from daemon.archive.archive import Archive, open_archive
from daemon.archive.database import indexes
from daemon.service.indexes import indexes_thread


def test_thread(sqlite_archive: Archive) -> None:
    """While an import runs it leaves them; at the next look after that they are built."""
    with sqlite_archive.writing() as connection:
        indexes.drop(connection)
    thread = indexes_thread(sqlite_archive)
    with open_archive(sqlite_archive.where) as other, other.importing():
        assert thread._look() is False
        assert sqlite_archive.lacks_indexes()
    thread.start()
    until = time.monotonic() + 60
    while sqlite_archive.lacks_indexes():
        assert time.monotonic() < until
        time.sleep(0.01)
    thread.close()
