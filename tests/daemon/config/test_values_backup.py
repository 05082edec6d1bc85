"""The table [backup] of the configuration."""

from pathlib import Path

import pytest

from daemon.config import Config, ConfigErrors


def _load(folder: Path, text: str) -> Config:
    file = folder / "gamekeeper.toml"
    file.write_text(f'[daemon]\ndata_dir = "data"\n{text}')
    return Config.load(file)


def test_what_it_says_when_it_is_not_there(tmp_path: Path) -> None:
    """No backups by the daemon; those of the command go to the data folder, and seven are kept."""
    config = _load(tmp_path, "")
    assert (config.backup.every, config.backup.keep) == (None, 7)
    assert config.backup_folder() == tmp_path / "data" / "backups"


def test_what_it_says(tmp_path: Path) -> None:
    """A duration, a number, and a folder beside the file."""
    config = _load(tmp_path, '[backup]\nevery = "1d"\nkeep = 3\nfolder = "copies"\n')
    assert (config.backup.every, config.backup.keep) == (86_400, 3)
    assert config.backup_folder() == tmp_path / "copies"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('every = "5m"', "4:1: every is too short for backups (write at least"),
        ("keep = 0", "4:1: keep: "),
        ('evry = "1d"', "did you mean every?"),
    ],
)
def test_what_is_wrong_in_it(tmp_path: Path, text: str, said: str) -> None:
    """Each fault with its line."""
    with pytest.raises(ConfigErrors) as caught:
        _load(tmp_path, f"[backup]\n{text}\n")
    assert said in str(caught.value)


def test_it_does_nothing_for_postgresql(tmp_path: Path) -> None:
    """A hint says so."""
    config = _load(tmp_path, 'database = "postgresql://keeper@db/games"\n[backup]\nevery = "1d"\n')
    assert "does nothing" in str(next(hint for hint in config.hints if "PostgreSQL" in hint.message))
