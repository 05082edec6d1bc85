"""The systemd unit fits the program."""

import shutil
import subprocess
from pathlib import Path

import pytest

from daemon.cli import exits
from daemon.config.models import Api

UNIT = Path(__file__).parents[2] / "packaging" / "systemd" / "gamekeeper.service"
LINES = UNIT.read_text(encoding="utf-8").splitlines()


def value(name: str) -> str:
    [line] = [line for line in LINES if line.startswith(f"{name}=")]
    return line.split("=", 1)[1]


def test_the_unit_knows_exit_status_port_and_start() -> None:
    """What the program does and what the unit expects are the same."""
    assert value("RestartPreventExitStatus") == str(exits.UNUSABLE)
    assert value("SocketBindAllow") == f"tcp:{Api().listen.port}"
    assert value("Type") == "notify"
    assert value("ExecStart") == "/opt/gamekeeper/bin/gamekeeper run --config /etc/gamekeeper/gamekeeper.toml"


def test_every_group_of_lines_is_explained() -> None:
    """A comment stands above each group; comments never stand behind a value, where systemd would read them."""
    before = ""
    for line in LINES:
        if not before and line:
            assert line.startswith(("#", "[")), line
        assert line.startswith("#") or "#" not in line
        before = line


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd-analyze")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    """No unknown key, no wrong value, and it is as closed as it is said to be."""
    unit = tmp_path / "gamekeeper.service"
    unit.write_text("\n".join(LINES).replace("/opt/gamekeeper/bin/gamekeeper", "/bin/true"))
    checked = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    closed = ["systemd-analyze", "security", "--offline=true", "--threshold=12", "--no-pager", str(unit)]
    assert subprocess.run(closed, capture_output=True, check=False).returncode == 0
