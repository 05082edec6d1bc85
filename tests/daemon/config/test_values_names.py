"""Names of people in the configuration: what no archive could hold is a fault of the configuration."""

from pathlib import Path

import pytest

from daemon.config import Config, ConfigErrors


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Rossi " * 50, "longer than 200 characters"),
        ("ﷺ" * 30, "longer than 200 characters"),  # one sign that folds to eighteen
        ("Rossi\\u0000Mario", "NUL"),
    ],
)
def test_names_that_no_archive_holds(tmp_path: Path, name: str, fault: str) -> None:
    """Told with its line, before a database refuses it."""
    file = tmp_path / "gamekeeper.toml"
    file.write_text(f'[[dossier]]\nname = "{name}"\n', encoding="utf-8")

    with pytest.raises(ConfigErrors) as errors:
        Config.load(file)

    (problem,) = errors.value.problems
    assert problem.line == 2
    assert fault in problem.message
