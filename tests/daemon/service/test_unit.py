"""The systemd unit fits the program."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from daemon.cli import exits
from daemon.config.models import Api

PACKAGING = Path(__file__).parents[3] / "packaging"
UNIT = PACKAGING / "systemd" / "gamekeeper.service"
USER_UNIT = PACKAGING / "systemd" / "user" / "gamekeeper.service"
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


def test_the_user_is_a_fixed_one() -> None:
    """The unit, the user that is made for it and the folder that is made for them name the same one."""
    assert not [line for line in LINES if line.startswith("DynamicUser=")]
    (user,) = _rows("sysusers.d")
    (folder,) = _rows("tmpfiles.d")
    assert user[:2] == ["u", value("User")]
    assert user[-1] == folder[1] == f"/var/lib/{value('StateDirectory')}"
    assert folder[2:5] == [value("StateDirectoryMode"), value("User"), value("Group")]


def _rows(kind: str) -> list[list[str]]:
    lines = (PACKAGING / kind / "gamekeeper.conf").read_text(encoding="utf-8").splitlines()
    return [shlex.split(line) for line in lines if not line.startswith("#")]


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("systemd-sysusers") is None, reason="needs root and systemd"
)
def test_systemd_makes_user_and_folder(tmp_path: Path) -> None:
    """In an empty system, both are there afterwards, and the folder is the user's alone."""
    (tmp_path / "etc").mkdir()
    for command in (["systemd-sysusers"], ["systemd-tmpfiles", "--create"]):
        kind = command[0].removeprefix("systemd-") + ".d"
        file = PACKAGING / kind / "gamekeeper.conf"
        subprocess.run([*command, f"--root={tmp_path}", str(file)], check=True, capture_output=True)
    (entry,) = (tmp_path / "etc" / "passwd").read_text().splitlines()
    made = (tmp_path / "var" / "lib" / "gamekeeper").stat()
    assert (made.st_mode & 0o777, made.st_uid) == (0o700, int(entry.split(":")[2]))
    assert entry.startswith("gamekeeper:")


def test_the_units_agree() -> None:
    """Where the user's unit has a line of the system's, both say the same, but for where things lie and how it starts."""
    user_lines = [line for line in USER_UNIT.read_text(encoding="utf-8").splitlines() if "=" in line]
    own = ("#", "ExecStart=", "WantedBy=")
    assert {line for line in user_lines if not line.startswith(own)} <= set(LINES)
    assert any(line.startswith("ExecStart=%h/.local/bin/gamekeeper run") for line in user_lines)


@pytest.mark.parametrize("unit", [UNIT, USER_UNIT], ids=["system", "user"])
def test_every_group_of_lines_is_explained(unit: Path) -> None:
    """A comment is above each group; comments never follow a value, where systemd would read them."""
    before = ""
    for line in unit.read_text(encoding="utf-8").splitlines():
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


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd-analyze")
def test_systemd_understands_the_users_unit(tmp_path: Path) -> None:
    """No unknown key and no wrong value for the manager of a user."""
    unit = tmp_path / "gamekeeper.service"
    unit.write_text(USER_UNIT.read_text(encoding="utf-8").replace("%h/.local/bin/gamekeeper", "/bin/true"))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(unit)],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
