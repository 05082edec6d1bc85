"""What the program and its documents say is plain English."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.commands import every_command

ROOT = Path(__file__).parents[1]
SOURCES = sorted(file for part in ("core", "daemon", "fetchers") for file in (ROOT / part).rglob("*.py"))
TEXTS = [ROOT / "README.md", ROOT / "config.example.toml", *sorted((ROOT / "docs").glob("*.md"))]
GENDER = re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)
AGAIN = re.compile(r"\banew\b", re.IGNORECASE)
NO = re.compile(r"(?<!there )\b(?:is|are) no (?!longer\b|more\b|such\b)\w", re.IGNORECASE)


@cache
def messages(file: Path) -> tuple[str, ...]:
    """The texts of a module but for its docstrings; of one with fields, the text around them."""
    return tuple(_messages(file))


def _messages(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text())
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


@pytest.mark.parametrize(
    "pattern", [GENDER, AGAIN, NO], ids=["a player is they", "again", "something is not a thing"]
)
def test_messages(pattern: re.Pattern[str]) -> None:
    """No message calls a player "he", does something "anew", or says that something "is no" thing."""
    found = [
        f"{file.relative_to(ROOT)}: {text}"
        for file in SOURCES
        for text in messages(file)
        if pattern.search(text)
    ]
    assert not found


@cache
def inner(file: Path) -> tuple[str, ...]:
    """The docstrings and comments of a module."""
    return tuple(_inner(file))


def _inner(file: Path) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(file.read_text()).readline):
        if token.type == tokenize.COMMENT or (
            token.type == tokenize.STRING and token.string.startswith(('"""', 'r"""'))
        ):
            yield token.string


@pytest.mark.parametrize("pattern", [GENDER, AGAIN], ids=["a player is they", "again"])
def test_docstrings_and_comments(pattern: re.Pattern[str]) -> None:
    """Nor does what only programmers read. (The migrations stay as they were.)"""
    files = [file for file in SOURCES if "versions" not in file.parts]
    found = [
        f"{file.relative_to(ROOT)}: {text}" for file in files for text in inner(file) if pattern.search(text)
    ]
    assert not found


@pytest.mark.parametrize("pattern", [GENDER, AGAIN], ids=["a player is they", "again"])
def test_helps_and_documents(pattern: re.Pattern[str]) -> None:
    """Nor does the help of a command, nor a page for users."""
    helps = [f"{name}: {command.help}" for name, command in every_command()]
    pages = [f"{file.name}: {line}" for file in TEXTS for line in file.read_text().splitlines()]
    assert not [text for text in helps + pages if pattern.search(text)]
