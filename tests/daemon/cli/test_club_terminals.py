"""Two directors at two keyboards: real processes of `gamekeeper club` on one archive."""

import subprocess
from pathlib import Path

import pytest

from tests.daemon.cli.club_commands import director
from tests.daemon.installation import COMMAND, PATIENCE

MEMBERS = "name,rating\n" + "".join(
    f'"Player{letter}, Kim",{1900 - 50 * n}\n' for n, letter in enumerate("ABCDEFGH")
)


def test_results_typed_at_once_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one waits; with the last result the table stands, and each command is a step of its own."""
    run = director(tmp_path, monkeypatch, {"members.csv": MEMBERS})
    run("new", "Club", "--short", "vm")
    run("members", "import", "vm", "members.csv")
    run("pair", "vm")
    terminals = [
        subprocess.Popen(
            [COMMAND, "club", "result", "vm", *results],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for results in (("1", "1-0", "3", "1/2"), ("2", "0-1", "4", "1-0"))
    ]
    for one in terminals:
        _, errors = one.communicate(timeout=PATIENCE)
        assert one.returncode == 0, errors
    assert "after round 1" in run("standings", "vm").stdout
    shown = run("result", "vm").stdout
    assert [line.split()[-1] for line in shown.splitlines()[2:6]] == ["1-0", "0-1", "1/2", "1-0"]
    run("undo", "vm", "--yes")
    assert "no result yet: board" in run("result", "vm").stdout
