"""Files that commands write, through the process that stays root."""

import os
from pathlib import Path

import pytest

from daemon.cli import output_files


@pytest.mark.parametrize("broken", [ValueError, MemoryError, SystemExit])
def test_the_process_that_stays_root_never_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: type[BaseException]
) -> None:
    """Whatever fails in it ends it; the command is told so, and is itself the only one that goes on."""

    def breaking(_path: Path, *, name: str | None, force: bool) -> None:
        raise broken(name, force)

    ours = os.getpid()
    output_files.stay_root_for(tmp_path / "games.pgn")
    try:
        assert os.getpid() == ours
    finally:
        output_files.end()
    with monkeypatch.context() as patched:
        patched.setattr(output_files, "_serve", lambda *_: breaking(tmp_path, name=None, force=False))
        output_files.stay_root_for(tmp_path / "games.pgn")
    try:
        with (
            pytest.raises(OSError, match=r"has ended|Broken pipe|reset"),
            output_files.placed(tmp_path / "games.pgn", force=False),
        ):
            pass
    finally:
        output_files.end()
    assert os.getpid() == ours
    assert list(tmp_path.iterdir()) == []
