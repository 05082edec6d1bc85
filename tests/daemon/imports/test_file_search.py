"""Which files a path names."""

import os
import tempfile
from pathlib import Path

from daemon.imports.file_search import search
from daemon.imports.found_files import FileProblem, FoundFile


def names(path: Path) -> list[str]:
    return [str(Path(item.path).relative_to(path)) for item in search(path) if isinstance(item, FoundFile)]


def test_a_folder_gives_its_pgn_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    """With its subfolders, packed ones too, whatever the case of the ending; nothing else."""
    for name in (
        "b.pgn",
        "a/c.PGN.gz",
        "a/b/d.zip",
        "e.pgn.zst",
        "f.pgn.bz2",
        "g.txt",
        "h.gz",
        ".i.pgn",
        ".git/j.pgn",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert names(tmp_path) == ["a/b/d.zip", "a/c.PGN.gz", "b.pgn", "e.pgn.zst", "f.pgn.bz2"]


def test_links_and_pipes_in_a_folder_are_left_out(tmp_path: Path) -> None:
    """A link may lead anywhere, or in a circle; a pipe would wait for ever."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.pgn").write_bytes(b"x")
    (folder / "link.pgn").symlink_to(tmp_path / "secret.pgn")
    (folder / "circle").symlink_to(folder)
    os.mkfifo(folder / "pipe.pgn")
    (folder / "real.pgn").write_bytes(b"x")
    assert names(folder) == ["real.pgn"]


def test_what_somebody_may_wait_for_is_told(tmp_path: Path) -> None:
    """A link out of the folder, a link to nowhere and a pipe; not a link to what is found anyway, or to no PGN."""
    folder = tmp_path / "folder"
    elsewhere = tmp_path / "elsewhere"
    for path in (folder, elsewhere):
        path.mkdir()
        (path / "real.pgn").write_bytes(b"x")
    (tmp_path / "notes.txt").write_bytes(b"x")
    for name, target in (
        ("again.pgn", folder / "real.pgn"),
        ("circle", folder),
        ("folder", elsewhere),
        ("link.pgn", elsewhere / "real.pgn"),
        ("notes", tmp_path / "notes.txt"),
        ("nowhere", tmp_path / "none"),
        ("nowhere.pgn", tmp_path / "none"),
    ):
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe.pgn")
    problems = [item for item in search(folder) if isinstance(item, FileProblem)]
    unreadable = ["folder", "link.pgn", "nowhere.pgn", "pipe.pgn"]
    assert [problem.file for problem in problems] == [str(folder / name) for name in unreadable]
    assert all(problem.file in problem.message for problem in problems)


def test_what_is_named_outright_may_be_a_link(tmp_path: Path) -> None:
    """The user has named it; any ending will do."""
    (tmp_path / "games.txt").write_bytes(b"xyz")
    (tmp_path / "link").symlink_to(tmp_path / "games.txt")
    [found] = search(tmp_path / "link")
    assert isinstance(found, FoundFile)
    assert (found.path, found.stamp and found.stamp.size) == (str(tmp_path / "games.txt"), 3)


def test_what_is_not_there_or_no_file_is_a_problem(tmp_path: Path) -> None:
    """Told with its path."""
    os.mkfifo(tmp_path / "pipe.pgn")
    for path, reason in (
        (tmp_path / "none.pgn", "No such file"),
        (tmp_path / "pipe.pgn", "not a regular file"),
    ):
        [problem] = search(path)
        assert isinstance(problem, FileProblem)
        assert str(path) in problem.message
        assert reason in problem.message


def test_a_folder_that_is_closed_is_a_problem() -> None:
    """Its neighbours are found. (Root may read everything, so root becomes somebody else for a moment.)"""
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "a").mkdir(mode=0)
        (folder / "b.pgn").write_bytes(b"x")
        try:
            if before == 0:
                os.seteuid(65534)
            items = list(search(folder))
        finally:
            os.seteuid(before)
        (folder / "a").chmod(0o700)
    assert [type(item) for item in items] == [FileProblem, FoundFile]
