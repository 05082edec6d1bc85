"""How many new games files may bring, seen from their sizes."""

import pytest

from daemon.archive.games.files import FileRow
from daemon.imports.forecast import forecast
from daemon.imports.found_files import FileProblem, FoundFile, Stamp


def found(path: str, size: int) -> FoundFile:
    return FoundFile(path, Stamp(size, 1))


def row(size: int | None, encoding: str | None = None) -> FileRow:
    return FileRow(1, "known.pgn", size, 1, b"", 1, encoding)


@pytest.mark.parametrize(
    ("items", "games"),
    [
        ([], 0),
        ([found("a.pgn", 800_000)], 1000),
        ([found("a.pgn", 80_000), found("b.PGN", 80_800)], 201),
        ([found("a.pgn.gz", 80_000)], 400),
        ([found("known.pgn", 80_000)], 50),
        ([FileProblem("a.pgn", "it cannot be read"), FoundFile("-", None)], 0),
    ],
)
def test_by_size(items: list[FoundFile | FileProblem], games: int) -> None:
    """800 bytes make a game, a quarter of it where they are compressed; what is known of a file is not new."""
    known = {"known.pgn": row(40_000)}
    assert forecast(items, known.get, encoding=None).games == games


@pytest.mark.parametrize(("size", "games"), [(None, 100), (80_000, 0), (90_000, 0)])
def test_known_files(size: int | None, games: int) -> None:
    """A file whose import never ended may be new as a whole; one that has become shorter brings nothing."""
    known = {"known.pgn": row(size)}
    assert forecast([found("known.pgn", 80_000)], known.get, encoding=None).games == games


@pytest.mark.parametrize(
    ("before", "now", "games"),
    [
        (None, None, 1000),
        ("cp850", None, 1000),
        ("cp850", "cp850", 1000),
        (None, "cp850", 0),
        ("cp437", "cp850", 0),
    ],
)
def test_another_encoding(before: str | None, now: str | None, games: int) -> None:
    """In another encoding than before stored games are written again, which looks their players up by every index."""
    items = [found("known.pgn", 80_000), found("a.pgn", 800_000)]
    known = {"known.pgn": row(80_000, before)}
    assert forecast(items, known.get, encoding=now).games == games


@pytest.mark.parametrize(
    ("items", "new"),
    [
        ([found("a.pgn", 1), found("b.pgn.gz", 1)], True),
        ([found("a.pgn", 1), found("known.pgn", 1)], False),
        ([found("a.zip", 1)], False),
        ([FoundFile("-", None)], False),
    ],
)
def test_new_files(items: list[FoundFile], new: bool) -> None:
    """A file is new if the archive has no row of it; of a zip file a member may be known, and of standard input all may."""
    assert forecast(items, {"known.pgn": row(None)}.get, encoding=None).new_files is new
