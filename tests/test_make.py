"""What `make` and CI promise of the Pythons that gamekeeper runs on."""

import os
import platform
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import browser

ROOT = Path(__file__).parents[1]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=100,
    )


def fake_python(folder: Path, version: str) -> Path:
    """A program that answers as a Python of that version would."""
    python = folder / f"python{version}"
    python.write_text(
        f'#!/bin/sh\ncase "$2" in *python_version*) echo {version};; *version_info*) exit 1;; esac\n'
    )
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return python


def test_ci_finds_every_supported_python_once() -> None:
    """The one that runs this test is among them; none is older than what pyproject.toml promises."""
    folder = Path(sys.executable).resolve().parent
    found = run(".ci/pythons", PATH=f"{folder}{os.pathsep}{os.environ['PATH']}").stdout.splitlines()
    versions = [line.split()[0] for line in found]
    assert platform.python_version() in versions
    assert len(versions) == len(set(versions))
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    least = tuple(int(part) for part in oldest.removeprefix(">=").split("."))
    assert all(tuple(int(part) for part in version.split(".")[:2]) >= least for version in versions)


def test_a_python_that_is_too_old_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """Before anything is made."""
    venv = tmp_path / "venv"
    refused = run("make", "setup", f"PYTHON={fake_python(tmp_path, '3.9.2')}", f"VENV={venv}")
    assert refused.returncode != 0
    assert "needs Python 3.11 or newer" in refused.stderr
    assert "make PYTHON=python3.12 setup" in refused.stderr
    assert not venv.exists()


def test_a_python_that_does_not_run_is_named(tmp_path: Path) -> None:
    """A wrong path in PYTHON=… is not a riddle of make's."""
    refused = run("make", "setup", "PYTHON=/nowhere/python3", f"VENV={tmp_path / 'venv'}")
    assert refused.returncode != 0
    assert "/nowhere/python3 does not run" in refused.stderr


def test_a_change_of_what_is_compiled_installs_again(tmp_path: Path) -> None:
    """Otherwise the tests would be about what was compiled before."""
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / ".runtime-3.12.1").touch()
    words = ["setup", f"PYTHON={fake_python(tmp_path, '3.12.1')}", f"VENV={venv}"]
    assert "pip install" not in run("make", "-n", *words).stdout
    extension = "daemon/archive/database/native/packed_rows.c"
    for name in ("core/native/board.c", "core/native/scan.h", extension, "hatch_build.py"):
        assert "pip install" in run("make", "-n", "-W", name, *words).stdout


def test_another_python_makes_the_environment_again(tmp_path: Path) -> None:
    """The environment of one version is not taken for that of another."""
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / ".runtime-3.12.1").touch()
    same = run("make", "-n", "setup", f"PYTHON={fake_python(tmp_path, '3.12.1')}", f"VENV={venv}").stdout
    other = run("make", "-n", "setup", f"PYTHON={fake_python(tmp_path, '3.13.0')}", f"VENV={venv}").stdout
    assert "pip install" not in same
    assert "-m venv --clear" in other


def program(folder: Path, name: str, script: str) -> None:
    """A program of that name, to be found in *folder*."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def make_browser(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """`make browser` where there are only these programs, by their scripts."""
    make = shutil.which("make")
    assert make is not None
    for name, script in programs.items():
        program(folder, name.replace("_", "-"), script)
    return run(make, "--no-print-directory", "browser", PATH=str(folder), MAKEFLAGS="")


@pytest.mark.parametrize("name", browser.NAMES)
def test_a_browser_that_is_there_is_enough(tmp_path: Path, name: str) -> None:
    """Every one that the tests know; nothing is installed."""
    program(tmp_path, name, "exit 3")
    done = make_browser(tmp_path, apt_get="exit 3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_root_gets_the_browser_of_debian(tmp_path: Path) -> None:
    """The lists of packages first, without what is only recommended."""
    asked = tmp_path / "asked"
    done = make_browser(tmp_path, id="echo 0", apt_get=f'echo "$@" >> {asked}')
    assert done.returncode == 0, done.stderr
    update, install = asked.read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install -y --no-install-recommends chromium")


def test_others_are_told_how_to_get_a_browser(tmp_path: Path) -> None:
    """Who is not root, and where there is no apt-get."""
    done = make_browser(tmp_path, id="echo 1000", apt_get="exit 3")
    assert done.returncode != 0
    assert "sudo apt-get install --no-install-recommends chromium" in done.stderr
    (tmp_path / "apt-get").unlink()
    assert "install Chromium as your system does" in make_browser(tmp_path).stderr


def ci(folder: Path, script: str) -> tuple[int, list[str]]:
    """How `.ci/run` ends with this script as its `make`, and with what it called it, in that order."""
    called = folder / "called"
    called.touch()
    program(
        folder,
        "make",
        f'echo "$@ {browser.WANTED}=${browser.WANTED} $GAMEKEEPER_COMPILED" >> {called}\n{script}',
    )
    path = os.pathsep.join(map(str, [folder, Path(sys.executable).parent, "/usr/bin", "/bin"]))
    done = run(".ci/run", PATH=path, **{browser.WANTED: ""})
    return done.returncode, called.read_text().splitlines()


def test_ci_installs_first_and_tests_the_default_python_last(tmp_path: Path) -> None:
    """Environments and a browser side by side, before any test; a test that finds no browser fails in the last run."""
    code, called = ci(tmp_path, "case $1 in development) sleep 0.5;; esac")
    goals = [line.split()[0] for line in called]
    others = goals.count("portable")
    assert code == 0
    assert sorted(goals[: others + 2]) == ["browser", "development", *["testing"] * others]
    assert goals[others + 2 :] == ["portable"] * others + ["test"]
    assert called[-1] == f"test PYTHON=python3 {browser.WANTED}=1 require"
    assert [line.split()[-1] for line in called].count("never") == min(others, 1)


@pytest.mark.parametrize("goal", ["development", "browser"])
def test_ci_ends_where_something_cannot_be_installed(tmp_path: Path, goal: str) -> None:
    """No test runs without it."""
    code, called = ci(tmp_path, f"test $1 != {goal}")
    assert code != 0
    assert not {"portable", "test"} & {line.split()[0] for line in called}


def test_make_lets_tests_keep_what_python_compiled() -> None:
    """Whatever the shell says: hundreds of processes of the tests would compile the same modules."""
    shown = run("make", "--no-print-directory", "--eval=shown:;@env", "shown", PYTHONDONTWRITEBYTECODE="1")
    assert "PATH=" in shown.stdout
    assert "PYTHONDONTWRITEBYTECODE" not in shown.stdout
