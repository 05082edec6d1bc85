"""A number agrees with its noun, and no message puts a number before a plural by itself."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from core.plurals import agreeing, count_of

ROOT: Final = Path(__file__).parents[2]
NOUNS: Final = frozenset(
    [
        "accounts",
        "boards",
        "brackets",
        "bytes",
        "characters",
        "digits",
        "dossiers",
        "errors",
        "files",
        "findings",
        "games",
        "groups",
        "ids",
        "lines",
        "members",
        "months",
        "others",
        "pairs",
        "parts",
        "places",
        "players",
        "plies",
        "points",
        "ratings",
        "requests",
        "results",
        "rounds",
        "rows",
        "tags",
        "tellings",
        "times",
        "words",
    ]
)
ADJECTIVES: Final = frozenset(
    [
        "earlier",
        "further",
        "more",
        "new",
        "of",
        "open",
        "other",
        "possible",
        "rated",
        "the",
        "their",
        "these",
        "unchanged",
    ]
)
NEVER_ONE: Final = {
    ("core/club/chess_rating_list.py", "len(found)"): "more than one",
    ("core/club/dwz_rating.py", "len(played)"): "at least five",
    ("core/club/fesa_table_fields.py", "counts[row.name]"): "more than one",
    ("core/club/setting.py", "VALUE"): "a place for a text; one point has its own sentence",
    ("core/club/tournament.py", "times"): "more than one",
    ("core/club/trf.py", "width"): "the width of a column",
    ("core/club/trf_checks.py", "len(players)"): "more than one",
    ("core/club/trf_reader.py", "len(self.text)"): "longer than any line may be",
    ("core/club/turnering_reader.py", "len(line)"): "longer than any line may be",
    ("core/edits.py", "len(text)"): "longer than any text may be",
    ("core/pgn/reader.py", "limits.max_bytes"): "a bound",
    ("core/pgn/tags.py", "max_tags"): "a bound",
    ("daemon/archive/games/prepared.py", "len(text)"): "longer than any text may be",
    ("daemon/archive/reading/search/asked_values.py", "self.longest"): "a bound",
    ("daemon/cli/game.py", "len(its)"): "more than one",
    ("daemon/club/online_results.py", "len(games)"): "more than one",
    ("fetchers/http/bodies.py", "longest"): "a bound",
    ("fetchers/http/bodies.py", "most"): "a bound",
    ("fetchers/http/bodies.py", "self._longest"): "a bound",
}
"""Numbers that are greater than one, with the reason."""


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (21, "21 games"), (-1, "-1 games")]
)
def test_a_number_and_its_noun(number: int, text: str) -> None:
    """One is a single thing; none, and all other numbers, are several."""
    assert count_of(number, "game") == text


def test_a_plural_of_its_own() -> None:
    """A noun that does more than take an *s* says what it does."""
    assert [count_of(number, "ply", "plies") for number in (1, 2)] == ["1 ply", "2 plies"]
    assert agreeing(3, "match", "matches") == "matches"


def _counted(source: str) -> Iterator[str]:
    """The expressions that a text puts before a plural; not where another text is there for one."""
    tree = ast.parse(source)
    chosen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp) and ast.unparse(node.test).endswith("== 1")
        for inner in ast.walk(node.orelse)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in chosen:
            for number, text in zip(node.values, node.values[1:], strict=False):
                if isinstance(number, ast.FormattedValue) and _is_plural(text):
                    yield ast.unparse(number.value)


def _is_plural(after: ast.expr) -> bool:
    text = str(after.value) if isinstance(after, ast.Constant) else ""
    words = iter(text.split() if text.startswith(" ") else ())
    noun = next((word for word in words if word not in ADJECTIVES), "")
    return noun.rstrip(",.;:?)") in NOUNS


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('f"{number} games"', ["number"]),
        ('f"and {len(rest)} more files, so"', ["len(rest)"]),
        ('"1 game" if number == 1 else f"{number} games"', []),
        ('f"{number} of them"', []),
        ('f"{name}games"', []),
    ],
)
def test_what_is_looked_for(source: str, found: list[str]) -> None:
    """A number right before a plural, but not where one has its own text."""
    assert list(_counted(source)) == found


def test_no_text_counts_by_itself() -> None:
    """A number that may be one has a noun that agrees with it; see `core.plurals`."""
    files = [file for room in ("core", "fetchers", "daemon") for file in sorted((ROOT / room).rglob("*.py"))]
    found = {
        (file.relative_to(ROOT).as_posix(), one)
        for file in files
        for one in _counted(file.read_text(encoding="utf-8"))
        if not one.startswith("count_of(") and (one == "VALUE" or not one.rpartition(".")[2].isupper())
    }
    assert found == set(NEVER_ONE)
