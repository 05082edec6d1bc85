"""Plain English: words that a text of this project does not use, each with what to write instead.

``python -m tests.words`` prints each one that it finds in messages, docstrings, comments and documents; `make lint`
calls it. British spelling, *they* for people. A text that needs such a word is an exception, with its reason.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_AMERICAN: Final = (
    r"colors?|colored|colorless|centers?|centered|gray|behaviors?|neighbors?|neighboring|favorites?"
    r"|honor(?:s|ed)?|catalogs?|canceled|canceling|labeled|labeling|modeled|traveled|fulfill"
    r"|(?:recogn|organ|normal|real|optim|initial|final|serial|general|summar|minim|maxim|capital|custom|priorit)"
    r"iz(?:e|es|ed|ing|ation)|analyz(?:e|es|ed|ing)"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of words, and what to write instead."""

    words: re.Pattern[str]
    instead: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """An exception: a part of a text in *file* that may stay, with the reason."""

    file: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """A word that should not be in a text; *line* counts from 1."""

    file: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        """As ruff writes its findings, with what to do."""
        return f'{self.file}:{self.line}: "{self.word}": {self.instead}'


def _rule(words: str, instead: str) -> Rule:
    return Rule(re.compile(words, re.IGNORECASE), instead)


RULES: Final = (
    _rule(r"(?<!there )\b(?:is|are) no (?!longer\b|more\b|such\b)[a-z]+", '"is not a …", or "there is no …"'),
    _rule(r"\banew\b", '"again"'),
    _rule(r"\b(?:he|his|him|himself|she|hers?|herself)\b", '"they", "their", "them"'),
    _rule(r"(?<!rules )(?<!left )\bbehind\b(?! a (?:reverse )?proxy)", '"after", for order'),
    _rule(r"\bstands? (?:in|there|at|on|beside)\b", '"is", or what it does'),
    _rule(r"\bwhoever\b", '"a player who …", "those who …"'),
    _rule(r"\bas good as\b", "the difference, or nothing"),
    _rule(r"\bnothing more\b", '"only"'),
    _rule(r"\bmanieth\b", '"the number of … in …"'),
    _rule(r"\baround in circles\b", '"too many …"'),
    _rule(r"\b(?:taken|took|takes?|taking) away\b", '"remove", "delete"'),
    _rule(r"\bbegun again\b", '"started again"'),
    _rule(r"(?-i:\blast first\b)", '"newest first"'),
    _rule(r"\bfound(?:s|ed)\b", '"create", of a tournament'),
    _rule(r"\b(?:has|have) not (?:the|an?|any|as|so)\b", '"does not have", "lacks"'),
    _rule(
        r"(?<![\d.,–-])(?<!round )\b1 (?:games|players|rounds|boards|members|files|accounts|requests|tellings|days|hours|minutes"
        r"|seconds|months|years|points|moves|plies|edits|pairs)\b",
        "the singular",
    ),
    _rule(rf"\b(?:{_AMERICAN})\b", "British spelling"),
)
"""A test shows what each of them finds, and what it leaves alone."""

ALLOWED: Final = (
    Allowed("daemon/archive/database/row_counts.py", "PRAGMA optimize=", "SQLite's own word"),
    Allowed("daemon/archive/database/row_counts.py", "ANALYZE sqlite_schema", "SQLite's own word"),
    Allowed("docs/rules/sites.md", "rated, perfType, color or analysed", "lichess's own parameters"),
    Allowed("docs/rules/sites.md", "perfType, color (sente, gote)", "lishogi's own parameters"),
    Allowed("docs/install.md", "systemd-analyze", "the name of a command"),
    Allowed("tests/daemon/club/test_files.py", "print-color-adjust: exact", "a property of CSS"),
    Allowed("tests/daemon/config/test_toml_positions.py", "[daemon] # behind", "it checks that word's place"),
    Allowed("tests/daemon/service/test_unit.py", "systemd-analyze", "the name of a command"),
    Allowed(
        "tests/daemon/sync/test_sync_round_lichess.py", "perfType, color or analysed", "lichess's parameters"
    ),
    Allowed(
        "tests/fetchers/site_emulator/emulator.py", "(perfType, color, analysed)", "lichess's parameters"
    ),
    Allowed(
        "tests/fetchers/site_emulator/test_lichess.py", "perfType, color or analysed", "lichess's parameters"
    ),
    Allowed("tests/fetchers/site_emulator/test_lichess.py", "filter color", "lichess's parameter"),
)
"""An exception that nothing needs any more is a finding of its own."""

_CODE: Final = re.compile(r"``[^`]*``|`[^`]*`|https?://\S+")
SOURCES: Final = ("core", "fetchers", "daemon", "tests", "benchmarks", "packaging")
_OWN: Final = ("tests/words.py", "tests/test_words.py")
"""They have the words of the list themselves."""
DOCUMENTS: Final = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "config.example.toml")


def files() -> Iterator[Path]:
    """Every file whose texts are looked at. The migrations stay as they were."""
    own = [ROOT / file for file in _OWN]
    for folder in SOURCES:
        found = sorted((ROOT / folder).rglob("*.py"))
        yield from (file for file in found if "versions" not in file.parts and file not in own)
    yield from sorted(
        file for file in (ROOT / "packaging").rglob("*") if file.is_file() and file.suffix != ".py"
    )
    yield from (ROOT / name for name in DOCUMENTS)
    yield from sorted((ROOT / "docs").rglob("*.md"))


@cache
def texts(file: Path) -> Sequence[tuple[int, str]]:
    """The prose of a file, with the line on which each piece of it begins."""
    source = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return (*_strings(source), *_comments(source))
    return (*enumerate(source.splitlines(), 1),)


def _strings(source: str) -> Iterator[tuple[int, str]]:
    """Strings with a blank: one without is a key or a name, no sentence. Fields of a text are left out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            for at, line in enumerate(node.value.split("\n")):
                yield node.lineno + at, line


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def look(text: str) -> Iterator[tuple[str, str]]:
    """Each word of *text* that is in the list, and what to write instead. Code between backticks is left out."""
    prose = _CODE.sub("", text)
    for rule in RULES:
        yield from ((found[0], rule.instead) for found in rule.words.finditer(prose))


def check(allowed: Sequence[Allowed] = ALLOWED) -> Iterator[Found]:
    """Everything that is found, and every exception that nothing needs."""
    used: set[Allowed] = set()
    for path in files():
        file = path.relative_to(ROOT).as_posix()
        here = [one for one in allowed if one.file == file]
        for line, text in texts(path):
            used |= {one for one in here if one.text in text and any(look(one.text))}
            kept = _without(text, here)
            yield from (Found(file, line, word, instead) for word, instead in look(kept))
    for one in allowed:
        if one not in used:
            yield Found(one.file, 1, one.text, "no longer needed as an exception (tests/words.py)")


def _without(text: str, allowed: Sequence[Allowed]) -> str:
    for one in allowed:
        text = text.replace(one.text, "")
    return text


def main() -> None:
    """Print the findings; exit with 1 if there are any."""
    found = list(check())
    for one in found:
        print(one)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
