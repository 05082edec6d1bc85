"""What the packages import is what the project says that it needs."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("core", "fetchers", "daemon")
AROUND = ("tests", "benchmarks", "packaging")

NOWHERE = {"_typeshed", "compression", "hatch_build"}
"""Type checkers have the first, Python has the second since 3.14, and the third is ours, beside the packages."""

NOT_BY_STATEMENT = {"pysqlite3"}
"""Imported by its name, where it is there."""

REPLACED_INSIDE = {"fastapi", "h11", "httpcore", "httpx", "httpx-sse", "starlette", "uvicorn"}
"""Whose classes we subclass, or whose states we read: another series may work otherwise."""


def canonical(name: str) -> str:
    """The name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(*lists: Iterable[object]) -> dict[str, str]:
    """Requirements by the names of their distributions. (What includes another group is not one.)"""
    texts = [one for each in lists for one in each if isinstance(one, str)]
    return {canonical(re.split(r"[^\w.-]", one)[0]): one for one in texts}


RUNTIME = requirements(PROJECT["project"]["dependencies"])
TESTING = requirements(
    PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"].values(),
    PROJECT["dependency-groups"]["test"],
)


def imported(file: Path) -> Iterator[str]:
    """The first names of the modules that *file* imports, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def distributions(*folders: str) -> dict[str, set[str]]:
    """The distributions that the modules in *folders* import, each with the files that do."""
    known = packages_distributions()
    found: dict[str, set[str]] = {}
    for folder in folders:
        for file in (ROOT / folder).rglob("*.py"):
            for name in set(imported(file)) - sys.stdlib_module_names - {*PACKAGES, *AROUND} - NOWHERE:
                for one in known.get(name, [name]):
                    found.setdefault(canonical(one), set()).add(str(file.relative_to(ROOT)))
    return found


@pytest.mark.parametrize(("folders", "declared"), [(PACKAGES, RUNTIME), (AROUND, TESTING)])
def test_what_is_imported_is_declared(folders: tuple[str, ...], declared: dict[str, str]) -> None:
    """What comes with another dependency today may not come with it tomorrow."""
    missing = {name: files for name, files in distributions(*folders).items() if name not in declared}
    assert missing == {}


def test_what_is_declared_is_imported() -> None:
    """Nothing is installed that the program does not use."""
    assert RUNTIME.keys() - distributions(*PACKAGES) == NOT_BY_STATEMENT


def test_what_is_replaced_inside_has_an_upper_bound() -> None:
    """A new series of it is taken when our tests have passed with it."""
    assert {name for name in REPLACED_INSIDE if "<" not in RUNTIME[name]} == set()
