"""The outside answers of the program are those of the record: commands, HTTP, files, database, importable names.

One archive is built in a fixed way (`tests/outside`), and everything that it answers is compared with
`tests/outside/answers`; left out are only the time and place of the run and the wording of sentences. A difference
that is wanted is taken into the record by `python -m tests.outside --write`; read the difference that git then shows.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.outside.building import NOT_RUN, commands_run, leaves, record
from tests.outside.comparing import FOLDER, compared, differences

pytestmark = pytest.mark.slow

PARTS = (
    *("commands", "files", "options", "schema", "names"),
    *("api", "problems", "heads", "description", "metrics"),
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program answers now, by part."""
    return record(tmp_path_factory.mktemp("outside"))


@pytest.mark.parametrize("part", PARTS)
def test_nothing_has_changed(answers: dict[str, Any], part: str) -> None:
    """Every answer of this part is the recorded one: its values, their order, and its keys."""
    found = differences(part, answers[part])
    assert not found, f"the outside has changed:\n{found}"


def test_a_large_import_changes_no_answer(tmp_path: Path) -> None:
    """While one runs that does without indexes the API answers the same."""
    found = differences("api", record(tmp_path, importing=True)["api"])
    assert not found, f"without indexes the answers are others:\n{found}"


def test_every_part_is_compared(answers: dict[str, Any]) -> None:
    """There is no part of the record that no test reads."""
    assert sorted(PARTS) == sorted(answers) == sorted(path.stem for path in FOLDER.glob("*.json"))


def test_every_command_is_run() -> None:
    """A command that is added needs a line in the script."""
    assert set(leaves()) == commands_run() | set(NOT_RUN)


@pytest.mark.parametrize(
    ("now", "where"),
    [
        ({"a": 1, "b": [1, {"c": "x"}]}, None),
        ({"a": 1.0, "b": [1, {"c": "x"}]}, "answer / a: recorded 1, now 1.0"),
        ({"a": True, "b": [1, {"c": "x"}]}, "answer / a: recorded 1, now true"),
        (
            {"b": [1, {"c": "x"}], "a": 1},
            "answer: the order of the keys: recorded ['a', 'b'], now ['b', 'a']",
        ),
        ({"b": [1, {"c": "x"}]}, "answer / a: missing now (recorded 1)"),
        ({"a": 1, "b": [1, {"c": "x"}], "d": 2}, "answer / d: not in the record (now 2)"),
        ({"a": 1, "b": [1, {"c": "y"}]}, 'answer / b [1] / c: recorded "x", now "y"'),
        ({"a": 1, "b": [1]}, "answer / b: recorded 2 items, now 1"),
        ({"a": 1, "b": [{"c": "x"}, 1]}, 'answer / b [0]: recorded 1, now {"c": "x"}'),
    ],
)
def test_a_difference_is_seen(now: Any, where: str | None) -> None:
    """Another value, kind of number, order, or a key too many or too few is told by its place."""
    found = list(compared({"a": 1, "b": [1, {"c": "x"}]}, now, "answer"))
    assert found[:1] == ([] if where is None else [where])
