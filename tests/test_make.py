"""What `make` and CI promise of the Pythons that gamekeeper runs on."""

import os
import platform
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

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


def test_another_python_makes_the_environment_again(tmp_path: Path) -> None:
    """The environment of one version is not taken for that of another."""
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / ".runtime-3.12.1").touch()
    same = run("make", "-n", "setup", f"PYTHON={fake_python(tmp_path, '3.12.1')}", f"VENV={venv}").stdout
    other = run("make", "-n", "setup", f"PYTHON={fake_python(tmp_path, '3.13.0')}", f"VENV={venv}").stdout
    assert "pip install" not in same
    assert "-m venv --clear" in other
