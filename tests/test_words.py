"""The word list of `tests.words`: what it finds, and that the project's texts are free of it."""

from pathlib import Path

import pytest

from tests import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2024-13 is no date", "is no date"),
        ("these are no games", "are no games"),
        ("it is read anew", "anew"),
        ("the player and his rating", "his"),
        ("He has White", "He"),
        ("the text behind the name", "behind"),
        ("the name stands in the list", "stands in"),
        ("whoever plays is rated", "whoever"),
        ("cp1252 is as good as any", "as good as"),
        ("nothing more is written", "nothing more"),
        ("as its how manieth telling", "manieth"),
        ("it sends us around in circles", "around in circles"),
        ("the copy is taken away", "taken away"),
        ("the work is begun again", "begun again"),
        ("everything, last first", "last first"),
        ("the club founded it", "founded"),
        ("the token has not the scope", "has not the"),
        ("1 games found", "1 games"),
        ("the color of a piece", "color"),
        ("the name was recognized", "recognized"),
    ],
)
def test_what_is_found(text: str, found: str) -> None:
    """Each rule finds its words, and says what to write instead."""
    assert [word for word, instead in words.look(text) if instead] == [found]


@pytest.mark.parametrize(
    "text",
    [
        "there is no game",
        "the account is no longer there",
        "is no more than a minute away",
        "2024-13 is not a date",
        "this list and the others",
        "a daemon behind a reverse proxy",
        "the rules behind the tables",
        "1 game, 21 games, round 1 games",
        "`perfType` or `color` change it",
        "see https://no-color.org",
        "the colour is recognised",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    """Plain English passes, and so do code between backticks and addresses."""
    assert list(words.look(text)) == []


def test_every_rule_has_a_case() -> None:
    """Each rule finds its words in a text of the first test."""
    (mark,) = test_what_is_found.pytestmark  # type: ignore[attr-defined]  # pytest's own note of its parameters
    texts = [text for text, _ in mark.args[1]]
    assert [rule.instead for rule in words.RULES if not any(map(rule.words.search, texts))] == []


def test_prose_of_a_module(tmp_path: Path) -> None:
    """Docstrings, messages and comments are prose, by line; names, keys and the fields of a text are not."""
    file = tmp_path / "module.py"
    file.write_text('"""One.\n\nTwo words."""\nanew = "anew"\nprint(f"a {anew} b")  # a comment\n')
    assert sorted((line, text) for line, text in words.texts(file) if text.strip()) == [
        (1, "One."),
        (3, "Two words."),
        (5, " b"),
        (5, "# a comment"),
        (5, "a "),
    ]


def test_an_exception() -> None:
    """A part of a text that has a reason to stay is left out; an exception that nothing needs is a finding."""
    needless = words.Allowed("README.md", "a color that is not there", "none")
    found = list(words.check([*words.ALLOWED, needless]))
    assert [(one.file, one.word) for one in found] == [("README.md", "a color that is not there")]
    without = list(words.check(words.ALLOWED[1:]))
    assert [(one.file, one.word) for one in without] == [(words.ALLOWED[0].file, "optimize")]


def test_the_texts_of_the_project() -> None:
    """Nothing of the list is in a message, docstring, comment or document."""
    assert list(map(str, words.check())) == []
