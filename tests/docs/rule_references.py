"""References to the numbered rules, found in comments, docstrings and documents."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

PAGES = ("names", "sites", "club")
_NUMBER = r"[KVTRAPBGE][1-9]\d?"
_ITEM = rf"(?:§[A-C]?\d+(?:\.\d+)?|(?:traps?|rows?) \d+|{_NUMBER}(?!\w))"
_LIKELY = r"(?:[RA][1-9]\d?|K(?:[1-9]|1[01])|T(?:[1-9]|1[0-7])|P(?:[1-9]|1\d)|V[1-5]|B[1-5]|G1|E[1-6])"
_JOIN = r"(?:, (?:and )?| and | to )"
REFERENCE = re.compile(rf"\b(names|sites|club) ({_ITEM}(?:{_JOIN}(?:{_ITEM}|\d+\b))*)")
BARE = re.compile(
    rf"""(?<![\w`./§-])(?:
    {_LIKELY}(?![\w/]|\ (?:landscape|paper|is\ \d+\ mm))
    | (?<!RFC\ 9110\ )§\ ?[A-C\d]
    | \b[Tt]raps?\ \d
    | \b(?:RULES|CONTRACTS|DESIGN|FAULTS|HOUSE|FOUND|CHOICES)\b
    )""",
    re.VERBOSE,
)
"""What looks like a reference and names no page."""


def prose_of(file: Path) -> Iterator[tuple[int, str]]:
    """Line numbers and texts: a Python file's comments and docstrings, a document without its code. None where nothing looks like a rule."""
    text = file.read_text(encoding="utf-8")
    if not (BARE.search(text) or REFERENCE.search(text)):
        return
    if file.suffix == ".py":
        yield from _written(text)
        return
    bare = re.sub(
        r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    yield from enumerate(bare.splitlines(), start=1)


def _written(text: str) -> Iterator[tuple[int, str]]:
    """Comments, and strings that are a line of their own."""
    begins = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins):
            yield token.start[0], token.string
        if token.type not in {tokenize.NL, tokenize.COMMENT}:
            begins = token.type in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def references(text: str) -> Iterator[tuple[str, str]]:
    """The page and the anchor of each rule that a text cites: ("names", "r27"), ("sites", "trap-12")."""
    for page, items in REFERENCE.findall(" ".join(text.split())):
        kind = ""
        for item in re.split(_JOIN, items):
            kind = next((word for word in ("trap", "row") if item.startswith(word)), kind)
            yield page, anchor(f"{kind} {item}" if item.isdigit() else item)


def anchor(item: str) -> str:
    """The anchor of a rule: "R27" is r27, "§1.4" is s1-4, "§A4" is sa4, "traps 12" is trap-12."""
    if word := re.fullmatch(r"(trap|row)s? (\d+)", item):
        return f"{word[1]}-{word[2]}"
    return item.lower().replace("§", "s").replace(".", "-")


def bare(text: str) -> list[str]:
    """What in a text looks like a reference and does not say its page."""
    alone = REFERENCE.sub("", " ".join(text.split()))
    return [found[0] for found in BARE.finditer(re.sub(r"`[^`]*`|\"[^\"]{1,12}\"", "", alone))]
