"""The tests are laid out as the program is: a module's tests lie in the folder of its room and bear its name."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "fetchers", "daemon")
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.stem)
def test_every_test_states_its_fact(file: Path) -> None:
    """Every function of a test module that is a test has a docstring."""
    tests = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef))
    assert [one.name for one in tests if one.name.startswith("test_") and not ast.get_docstring(one)] == []
