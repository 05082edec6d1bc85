"""No pattern repeats a group by a quantifier with a second ``+``: CPython before 3.11.5 gets such ones wrong."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "fetchers", "daemon")
SOURCES = sorted(
    path for folder in (*PACKAGES, "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")
)
WRITTEN = re.compile(r"(?<!\\)(?:\\\\)*\)\s*(?:[*+?]|\{\d*,?\d*\})\+")


def possessive_groups(pattern: str | bytes, flags: int = 0) -> list[object]:
    """What *pattern* repeats in that way and is more than one character, as `re` has parsed it."""
    found: list[object] = []

    def walk(tree: Any) -> None:
        if isinstance(tree, _parser.SubPattern | list | tuple):
            for part in tree:
                walk(part)
        if isinstance(tree, tuple) and tree and tree[0] is _constants.POSSESSIVE_REPEAT:
            found.extend([tree] if not _compiler._simple(tree[1][2]) else [])

    walk(_parser.parse(pattern, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags))
    return found


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Every pattern of a module, alone or in a table."""
    for package in PACKAGES:
        top = importlib.import_module(package)
        for module in pkgutil.walk_packages(top.__path__, f"{package}."):
            if "migrations" not in module.name:
                for name, value in vars(importlib.import_module(module.name)).items():
                    yield from ((f"{module.name}.{name}", one) for one in inside(value))


def inside(value: object, depth: int = 3) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict | list | tuple | set | frozenset):
        for one in value.values() if isinstance(value, dict) else value:
            yield from inside(one, depth - 1)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if WRITTEN.search(text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            value = node.value
            yield node.lineno, value if isinstance(value, str) else value.decode("latin-1")


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        (r"(?:ab)*+", 1),
        (rb"(?:a++|b)*+c", 1),
        (r"x(?:(\d)\s)?+", 1),
        (r"(?>(?:a++|b)*)[^x]*+\d{2}+", 0),
        (rb"(?:[ab])*+", 0),
    ],
)
def test_possessive_groups_are_told_from_characters(pattern: str | bytes, wrong: int) -> None:
    """Only a repeated group is matched wrongly by old interpreters; a repeated character or class is not."""
    assert len(possessive_groups(pattern)) == wrong


def test_no_pattern_of_the_program_repeats_a_group_possessively() -> None:
    """Every pattern that a module has compiled matches alike on all promised interpreters."""
    checked = dict(patterns())
    assert len(checked) > 100
    assert {
        name: one.pattern for name, one in checked.items() if possessive_groups(one.pattern, one.flags)
    } == {}


def test_no_source_text_repeats_a_group_possessively() -> None:
    """No text in any source does so either: patterns that are compiled in a function or put together are found too."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in SOURCES
        if path != Path(__file__).resolve()
        for line, text in texts(path)
        if WRITTEN.search(text)
    ]
    assert wrong == []
