"""`gamekeeper club` as a director types it, in a folder of its own."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daemon.cli import main

Run = Callable[..., Result]

CONFIG = '[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'


def director(folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str]) -> Run:
    """Runs commands in *folder*, where these files are; each must end with the *code* that is expected."""
    monkeypatch.chdir(folder)
    for name, text in {"gamekeeper.toml": CONFIG, **files}.items():
        Path(name).write_text(text)

    def run(*arguments: str, code: int = 0, answer: str | None = None) -> Result:
        result = CliRunner().invoke(main, ["club", *arguments], input=answer)
        assert result.exit_code == code, result.output
        return result

    return run
