"""The numbered rules in docs/rules, and whatever cites them."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.rule_references import PAGES, REFERENCE, anchor, bare, prose_of, references

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs/rules"
CODE = [
    file
    for folder in ("core", "fetchers", "daemon", "benchmarks", "tests")
    for file in (ROOT / folder).rglob("*.py")
]
DOCUMENTS = [
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
]
OLD = ROOT / "daemon/archive/migrations/versions"
"""Migrations stay as they were."""


def _anchors(page: str) -> list[str]:
    return re.findall(r'<a id="([^"]+)"></a>', (RULES / f"{page}.md").read_text())


@pytest.mark.parametrize(
    ("page", "prefix", "last"),
    [
        ("names", "r", 39),
        ("names", "a", 41),
        ("sites", "trap-", 71),
        ("sites", "row-", 19),
        ("sites", "s", 10),
        ("club", "k", 11),
        ("club", "v", 5),
        ("club", "p", 19),
        ("club", "t", 17),
        ("club", "r", 16),
        ("club", "e", 6),
        ("club", "trap-", 12),
    ],
)
def test_no_number_is_left_out(page: str, prefix: str, last: int) -> None:
    """The rules of one kind are numbered from 1 without gaps, in this order."""
    numbers = [int(one[1]) for anchor in _anchors(page) if (one := re.fullmatch(rf"{prefix}(\d+)", anchor))]
    assert numbers == list(range(1, last + 1))


@pytest.mark.parametrize("page", PAGES)
def test_a_number_is_one_rule(page: str) -> None:
    """No anchor is there twice, and each stands before its own number."""
    text = (RULES / f"{page}.md").read_text()
    anchors = _anchors(page)
    assert len(anchors) == len(set(anchors))
    for one, after in re.findall(r'<a id="([^"]+)"></a>\s*(?:#+ )?(?:\*\*)?([\w.]+)', text):
        number = one.removeprefix("trap-").removeprefix("row-").removeprefix("s").replace("-", ".")
        assert after.removesuffix(".").lower() == number, one


@cache
def _texts() -> list[tuple[str, str]]:
    """Every comment, docstring and line of a document, with its place."""
    files = [file for file in (*CODE, *DOCUMENTS) if not file.is_relative_to(OLD)]
    return [(f"{file.relative_to(ROOT)}:{line}", text) for file in files for line, text in prose_of(file)]


def test_every_reference_can_be_followed() -> None:
    """Whatever rule is cited has its anchor on the page that is named."""
    anchors = {page: set(_anchors(page)) for page in PAGES}
    cited = [(place, page, rule) for place, text in _texts() for page, rule in references(text)]

    assert [(place, page, rule) for place, page, rule in cited if rule not in anchors[page]] == []
    assert {page for _, page, _ in cited} == set(PAGES)
    assert len(cited) > 300


def test_every_reference_says_its_page() -> None:
    """No number of a rule stands alone, and nothing refers to what is not in the repository."""
    assert [(place, found) for place, text in _texts() if (found := bare(text))] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_rules_follow_each_other(page: str) -> None:
    """A number in a page of rules is of that page, unless it names another."""
    text = re.sub(
        r"`[^`\n]*`|^```.*?^```$", "", (RULES / f"{page}.md").read_text(), flags=re.MULTILINE | re.DOTALL
    )
    own = set(_anchors(page))
    alone = REFERENCE.sub("", text)
    wanted = [anchor(one) for one in re.findall(r"(?<![\w(/]#)\b[KVTRAPBGE][1-9]\d?\b(?!\d)", alone)]
    assert [one for one in wanted if not {one, f"s{one}"} & own] == []
    assert [one for one in references(text) if one[1] not in _anchors(one[0])] == []


def test_every_rule_of_a_finding_can_be_followed() -> None:
    """The rules that `gamekeeper club check` names are on the page of the club."""
    named = {
        node.value
        for file in (ROOT / "core/club").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and re.fullmatch(r"[TR]\d{1,2}", str(node.value))
    }
    assert {str(rule).lower() for rule in named} <= set(_anchors("club"))
    assert {"T1", "T6", "R13"} <= named


def test_every_trap_in_the_name_of_a_test_can_be_followed() -> None:
    """The number in the name of a trap's test is that of the sites' traps."""
    names = [one for file in CODE for one in re.findall(r"def test_trap_(\d+)_", file.read_text())]
    assert {f"trap-{int(one)}" for one in names} <= set(_anchors("sites"))
    assert len(set(names)) == 71


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("words count (names R27)", [("names", "r27")]),
        (
            "see sites §1.4, trap 12 and names A20",
            [("sites", "s1-4"), ("sites", "trap-12"), ("names", "a20")],
        ),
        ("club T3 to T8, T11", [("club", "t3"), ("club", "t8"), ("club", "t11")]),
        ("sites traps 21, 22 and 55 to 59", [("sites", f"trap-{one}") for one in (21, 22, 55, 59)]),
        ("club §A4, K6", [("club", "sa4"), ("club", "k6")]),
        ("names of rules, sites of games", []),
    ],
)
def test_what_a_reference_is(text: str, found: list[tuple[str, str]]) -> None:
    """A page and what it has: letters with numbers, sections, traps and rows, several together."""
    assert list(references(text)) == found
    assert bare(text) == []


@pytest.mark.parametrize(
    "text", ["(R27)", "RULES A20", "trap 12", "see §1.4", "as DESIGN has it", "club K3; K4"]
)
def test_what_is_not_a_reference(text: str) -> None:
    """A number without its page, and names of papers that nobody has, are found as faults."""
    assert bare(text)


@pytest.mark.parametrize("text", ["`R27`", "A4 landscape", "RFC 9110 §13.1.2", "B20 and R100", "e4", "(T-1)"])
def test_what_only_looks_like_one(text: str) -> None:
    """Code, paper sizes, standards, openings and squares are not references."""
    assert bare(text) == []
