"""docs/names.md: every row of its tables is what core does."""

import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from core.names import classify, display
from core.players import PlayerKey, Profile, identify, why_mine
from core.search import matches, matches_fide_id, matches_text, suggest

TEXT: Final = (Path(__file__).parents[2] / "docs/names.md").read_text()
CODE: Final = re.compile(r"`([^`]+)`")


def _section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _rows(title: str) -> list[list[str]]:
    """The rows of the section's table after its heading."""
    lines = [line for line in _section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _names(cell: str) -> list[str]:
    return CODE.findall(cell)


def _written(text: str) -> tuple[str, str | None, bool]:
    """Name, FIDE id, and is the game an online one."""
    (name,) = _names(text)
    found = re.search(r"\+ id (\d+)", text)
    return name, found[1] if found else None, "(online)" in text


def test_the_tables_are_there() -> None:
    """None of the tables is empty: otherwise nothing below would be checked."""
    counts = {title: len(_rows(title)) for title in re.findall(r"^## (.+)$", TEXT, re.MULTILINE)}
    assert {title: count for title, count in counts.items() if count} == {
        "The two rules in short": 5,
        "An example": 8,
        "Which games are yours?": 7,
        "Finding players": 20,
        "Finding tournaments, places, teams and openings": 7,
    }


def test_the_kinds_of_name() -> None:
    """The names that are called nicknames are some, and those of persons too."""
    nicknames, persons = re.findall(r"^- .*$", _section("Two kinds of name"), re.MULTILINE)
    examples = _names(nicknames.partition(": ")[2])
    assert [classify(name) for name in examples] == ["nickname"] * 3
    assert [classify(name) for name in _names(persons)] == ["person"] * 3
    assert {classify(name) for name in ("?", "")} == {"unknown"}


def _with_an_id() -> bool:
    same = identify("Rossi, Mario", "1234567") == identify("anybody", "1234567")
    found = matches("ros", "Rossi, Mario") and matches_fide_id("1234567", "1234567")
    return same and found and not matches_fide_id("123456", "1234567")


def _a_person() -> bool:
    orders = {identify(" ".join(words) + ".") for words in permutations(["Anna", "De", "Rossi"])}
    shorter = identify("De Rossi, A.") in orders
    found = all(matches(query, "De Rossi, Anna") for query in ("ann ros", "ros d", "rossi"))
    return len(orders) == 1 and not shorter and found and not matches("ossi", "De Rossi, Anna")


def _a_nickname() -> bool:
    one = identify("rossi-mario")
    others = [identify(name) for name in ("mario-rossi", "rossi_mario", "rossi-mari", "rossimario")]
    return one not in others and matches("ross", "rossi-mario") and not matches("mario", "rossi-mario")


def _does_not_count() -> bool:
    person = len({identify(name) for name in ("Öberg, Erik", "OBERG  ERIK", "öberg. erik!")})
    nickname = len({identify(name) for name in ("ab-c", "AB-C", "ab_c", "abc")})
    found = all(matches(query, "Öberg, Erik") for query in ("OBE", "öbe", "obe."))
    return (person, nickname, found) == (1, 3, True)


def _in_doubt() -> bool:
    return identify("Rossi, M.") != identify("Rossi, Mario") and matches("m rossi", "Rossi, Mario")


IN_SHORT: Final[dict[str, Callable[[], bool]]] = {
    "with a FIDE id": _with_an_id,
    "a person's name": _a_person,
    "a nickname": _a_nickname,
    "does not count": _does_not_count,
    "if in doubt": _in_doubt,
}


def test_every_row_in_short_is_known() -> None:
    """A row that is added needs a check."""
    assert {row[0] for row in _rows("The two rules in short")} == set(IN_SHORT)


@pytest.mark.parametrize("row", IN_SHORT)
def test_the_rules_in_short(row: str) -> None:
    """Both columns of the row are so."""
    assert IN_SHORT[row]()


def test_the_sentences_below_the_rules() -> None:
    """Nothing is shortened or translated, and a word that stands twice counts twice."""
    assert identify("Mueller, Karl") != identify("Müller, Karl")
    assert identify("Garcia Garcia") != identify("Garcia.")
    assert identify("GM Rossi, Mario") != identify("Rossi, Mario")
    assert identify("Rossi, Mario", "1234567") != identify("Rossi, Mario")


def test_the_example() -> None:
    """One game after another goes to the player, and is shown, as the table says."""
    numbers: dict[PlayerKey, int] = {}
    shown: dict[PlayerKey, str] = {}
    for written, goes_to, shown_as in _rows("An example"):
        name, fide_id, online = _written(written)
        key = identify(name, fide_id)
        new = key not in numbers
        number = numbers.setdefault(key, len(numbers) + 1)
        shown.setdefault(key, display(name, online=online))
        assert goes_to == f"player {number}" + (", new" if new else ""), written
        assert _names(shown_as) == [shown[key]], written


def test_which_games_are_yours() -> None:
    """For each name of each row the configuration of the text gives that answer."""
    section = _section("Which games are yours?")
    said = dict(re.findall(r'`(first_name|last_name) = "(\w+)"`', section))
    aliases = re.findall(r'"([^"]+)"', re.findall(r"aliases = \[(.+?)\]", section)[0])
    profile = Profile(**said, aliases=aliases, fide_id=re.findall(r"fide_id = (\d+)", section)[0])
    for names, answer in _rows("Which games are yours?"):
        for one in names.split(" · "):
            name, fide_id, _ = _written(one)
            why = why_mine(name, fide_id, profile)
            assert answer == ("no" if why is None else f"yes ({why})"), one


@pytest.mark.parametrize("row", _rows("Finding players"), ids=lambda row: row[0])
def test_finding_players(row: list[str]) -> None:
    """What is typed finds just these of the players of the text, in this order."""
    players = _names(_section("Finding players").partition("with the players")[2].partition("|")[0])
    assert len(players) == 15
    (typed,) = _names(row[0])
    assert suggest(typed, players) == _names(row[1])
    assert bool(_names(row[1])) == (row[1] != "nobody")


@pytest.mark.parametrize(
    "row", _rows("Finding tournaments, places, teams and openings"), ids=lambda row: row[0]
)
def test_finding_texts(row: list[str]) -> None:
    """What is typed finds just these."""
    section = _section("Finding tournaments, places, teams and openings")
    texts = _names(section.partition("\nThe same rule")[2].partition("|")[0])
    assert len(texts) == 4
    (typed,) = _names(row[0])
    assert [text for text in texts if matches_text(typed, text)] == _names(row[1])
