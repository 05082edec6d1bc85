"""What packagers take: man pages, the container's file."""

import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from daemon.cli import COMMANDS
from daemon.config.models import Api

ROOT = Path(__file__).parents[2]
CONTAINER = (ROOT / "packaging" / "Containerfile").read_text()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The man pages."""
    spec = importlib.util.spec_from_file_location("man_pages", ROOT / "packaging" / "man_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder: Path = tmp_path_factory.mktemp("man")
    module.write(folder)
    return folder


def test_every_command_has_a_page(pages: Path) -> None:
    """With its options, and the first page names all of them."""
    first = (pages / "gamekeeper.1").read_text()
    for name in COMMANDS:
        assert "--config" in (pages / f"gamekeeper-{name}.1").read_text().replace("\\-", "-")
        assert name in first.replace("\\-", "-")
    assert (pages / "gamekeeper-club-pair.1").exists()


@pytest.mark.skipif(shutil.which("groff") is None, reason="this machine has no groff")
def test_pages_can_be_shown(pages: Path) -> None:
    """Groff has nothing to complain of."""
    some = [pages / f"gamekeeper{name}.1" for name in ("", "-export", "-club-pair")]
    ended = subprocess.run(
        ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", *map(str, some)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_container_has_what_the_build_needs() -> None:
    """Every file that it copies is there, and they are all that the project's build reads."""
    copied = {
        word
        for line in re.findall(r"^COPY (?!--)(.*)", CONTAINER, re.MULTILINE)
        for word in line.split()[:-1]
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        project["project"]["readme"],
        *project["project"]["license-files"],
        *wheel["packages"],
        "pyproject.toml",
        "hatch_build.py",
    }
    assert {Path(name) for name in copied} == {
        *map(Path, needed),
        *(Path(one).parent for one in wheel["shared-scripts"]),
    }
    assert all((ROOT / name).exists() for name in copied)


def test_the_container_knows_port_and_route() -> None:
    """It asks for its health where the API answers."""
    assert f"EXPOSE {Api().listen.port}" in CONTAINER
    assert f"127.0.0.1:{Api().listen.port}/api/v1/health" in CONTAINER
