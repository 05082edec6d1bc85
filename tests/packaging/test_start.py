"""The command's start, which belongs to none of the packages."""

import subprocess
import sys
from pathlib import Path

import pytest

from daemon.cli.exits import UNUSABLE

ROOT = Path(__file__).parents[2]
START = ROOT / "packaging" / "bin" / "gamekeeper"
PACKAGES = ("core", "fetchers", "daemon")


@pytest.fixture(name="own")
def _own(tmp_path: Path) -> Path:
    """A folder with our packages, as an installation has them."""
    for name in PACKAGES:
        (tmp_path / "own" / name).mkdir(parents=True)
        text = (ROOT / name / "__init__.py").read_text()
        (tmp_path / "own" / name / "__init__.py").write_text(text)
    return tmp_path / "own"


def start(*path: Path) -> subprocess.CompletedProcess[str]:
    """The command with these folders before all others; no package is loaded unless all are ours."""
    return subprocess.run(
        [sys.executable, "-S", str(START), "status"],
        env={"PYTHONPATH": ":".join(map(str, path))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_a_foreign_package_is_told_in_one_sentence(own: Path, tmp_path: Path, name: str) -> None:
    """python-daemon's `daemon`, say, before ours: which it is, where it lies, and what to do; no traceback."""
    (tmp_path / "foreign" / name).mkdir(parents=True)
    (tmp_path / "foreign" / name / "__init__.py").write_text("from .daemon import DaemonContext\n")
    ended = start(tmp_path / "foreign", own)
    assert ended.returncode == UNUSABLE
    assert ended.stderr.count("\n") == 1
    assert (
        f"the package {name} in {tmp_path}/foreign/{name}/__init__.py belongs to another program"
        in ended.stderr
    )
    assert "environment of its own" in ended.stderr


def test_a_package_that_was_overwritten(own: Path) -> None:
    """Another program that was installed over ours has left its own beginning there."""
    (own / "daemon" / "__init__.py").write_text("from .daemon import DaemonContext\n")
    assert "the package daemon in" in start(own).stderr


def test_a_folder_of_that_name(own: Path) -> None:
    """A folder without a package, or none at all, is told, too."""
    (own / "core" / "__init__.py").unlink()
    assert "the package core in" in start(own).stderr
    (own / "core").rmdir()
    assert "its package core is missing" in start(own).stderr


def test_our_own_are_started() -> None:
    """With our packages it is the program."""
    ended = subprocess.run(
        [sys.executable, str(START), "--help"],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout.split()[:2]) == (0, ["Usage:", "gamekeeper"])
