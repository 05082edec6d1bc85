"""Looks that do not fail where one may not look, and who the data folder's files belong to."""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon import ownership, visible_paths
from daemon.ownership import Owner

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hidden() -> Iterator[Path]:
    """A file in a folder that this user, who is somebody else meanwhile if we are root, may not enter."""
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name) / "closed"
        closed.mkdir()
        (closed / "file").write_text("")
        Path(name).chmod(0o755)
        before = os.geteuid()
        closed.chmod(0o700 if before == 0 else 0)
        if before == 0:
            os.seteuid(65_534)
        try:
            yield closed / "file"
        finally:
            os.seteuid(before)
            closed.chmod(0o700)


def test_what_may_not_be_seen_is_not_there(hidden: Path) -> None:
    """No look fails, and it can be told from what is not there for anybody."""
    assert not visible_paths.exists(hidden)
    assert not visible_paths.is_file(hidden)
    assert not visible_paths.is_dir(hidden / "below")
    assert visible_paths.is_hidden(hidden)
    assert not visible_paths.is_hidden(hidden.parent.parent / "nothing")
    assert visible_paths.is_dir(hidden.parent)
    assert ownership.problems(hidden) == []


def test_commands_and_configuration_look_so() -> None:
    """No module that every user runs looks with pathlib, which fails there."""
    looks = re.compile(r"\.(?:exists|is_dir|is_file)\(")
    for folder in ("cli", "config"):
        for path in (ROOT / "daemon" / folder).rglob("*.py"):
            if path.name != "output_files.py":  # writes files where the user says, and may fail there
                assert not looks.search(path.read_text().replace("visible_paths.", "visible_paths")), path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_strangers_in_the_data_folder(tmp_path: Path) -> None:
    """Ours of another owner are told with what mends it; PGN files may be anybody's."""
    (tmp_path / "backups").mkdir()
    ours = ["gamekeeper.sqlite", "gamekeeper.sqlite-wal", "a b.lock", "backups/gamekeeper-1.sqlite"]
    for name in (*ours, "club.pgn", "gamekeeper.toml"):
        (tmp_path / name).write_text("")
    for path in (tmp_path, tmp_path / "backups", tmp_path / "a b.lock"):
        os.chown(path, 61_234, 61_235)
    found = [str(path.relative_to(tmp_path)) for path, _ in ownership.strangers(tmp_path)]
    assert found == [ours[0], ours[1], ours[3]]
    (said,) = ownership.problems(tmp_path)
    assert "belong to root instead of 61234" in said
    assert f"sudo chown -h 61234:61235 {tmp_path}/gamekeeper.sqlite " in said
    assert Owner.of(tmp_path).groups == [61_235]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_link_of_a_stranger_leads_nowhere(tmp_path: Path) -> None:
    """It is told like a file, by the owner of the link itself."""
    os.chown(tmp_path, 61_234, 61_235)
    (tmp_path / "gone.lock").symlink_to(tmp_path / "nothing")
    (said,) = ownership.problems(tmp_path)
    assert said.startswith(f"gone.lock in {tmp_path} belongs to root instead of 61234")
