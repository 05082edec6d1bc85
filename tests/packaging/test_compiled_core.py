"""The program is packed and installed with what is written in C, and without it where there is no compiler."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NEEDED = (
    "core",
    "fetchers",
    "daemon",
    "packaging",
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "LICENSE",
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, without anything that was built."""
    folder = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.ext")
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def pack(
    checkout: Path, target: Path, kind: str = "wheel", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Build a wheel or a source distribution as pip does, with what is installed here."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in {"GAMEKEEPER_COMPILED", "CC", "CFLAGS"}
    }
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)],
        capture_output=True, text=True, check=False, cwd=checkout, env=clean | environment, timeout=200,
    )  # fmt: skip


def wheel_in(folder: Path) -> tuple[str, set[str]]:
    """The name of the one wheel, and of the files that matter in it."""
    (wheel,) = folder.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    return wheel.name, {name for name in names if "native" in name or name.endswith((".so", ".ext", ".c"))}


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_wheel_has_what_is_compiled(checkout: Path, tmp_path: Path) -> None:
    """The core and the extension of SQLite, for this Python and this machine, without their sources."""
    built = pack(checkout, tmp_path, GAMEKEEPER_COMPILED="require")
    assert built.returncode == 0, built.stderr
    name, files = wheel_in(tmp_path)
    assert files == {
        f"core/_native{sysconfig.get_config_var('EXT_SUFFIX')}",
        "daemon/archive/database/_packed_rows.ext",
    }
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in name
    assert "-any" not in name


def test_without_a_compiler_python_does_all(checkout: Path, tmp_path: Path) -> None:
    """The installation works, and says what it does without."""
    built = pack(checkout, tmp_path, CC="/nowhere/cc")
    assert built.returncode == 0, built.stderr
    assert "without the compiled core" in built.stdout + built.stderr
    assert "without packed rows" in built.stdout + built.stderr
    name, files = wheel_in(tmp_path)
    assert name.endswith("-py3-none-any.whl")
    assert files == set()


def test_a_compiled_core_that_is_required_must_compile(checkout: Path, tmp_path: Path) -> None:
    """With GAMEKEEPER_COMPILED=require a failing compilation is an error, in CI for instance."""
    built = pack(checkout, tmp_path, CC="/nowhere/cc", GAMEKEEPER_COMPILED="require")
    assert built.returncode != 0
    assert not list(tmp_path.glob("*.whl"))


def test_never_is_never(checkout: Path, tmp_path: Path) -> None:
    """With GAMEKEEPER_COMPILED=never the compiler is not asked."""
    built = pack(checkout, tmp_path, CC="/nowhere/cc", GAMEKEEPER_COMPILED="never")
    assert (built.returncode, "without" in built.stdout + built.stderr) == (0, False)
    assert wheel_in(tmp_path)[1] == set()


def test_a_source_distribution_has_the_sources(checkout: Path, tmp_path: Path) -> None:
    """Whatever a wheel is built of, and nothing that was built."""
    assert pack(checkout, tmp_path, "sdist").returncode == 0
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    for folder in ("core/native", "daemon/archive/database/native"):
        assert {str(file.relative_to(ROOT)) for file in (ROOT / folder).iterdir()} <= names
    assert "hatch_build.py" in names
    assert not any(name.endswith((".so", ".ext")) for name in names)
