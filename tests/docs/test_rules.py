"""The numbered rules in docs/rules, and whatever cites them."""

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "docs/rules"


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


@pytest.mark.parametrize("page", ["names", "sites", "club"])
def test_a_number_is_one_rule(page: str) -> None:
    """No anchor is there twice, and each stands before its own number."""
    text = (RULES / f"{page}.md").read_text()
    anchors = _anchors(page)
    assert len(anchors) == len(set(anchors))
    for anchor, after in re.findall(r'<a id="([^"]+)"></a>\s*(?:#+ )?(?:\*\*)?([\w.]+)', text):
        number = anchor.removeprefix("trap-").removeprefix("row-").removeprefix("s").replace("-", ".")
        assert after.removesuffix(".").lower() == number, anchor
