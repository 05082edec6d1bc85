"""`gamekeeper club settings`: rules in plain words."""

import json

import pytest
from click.testing import CliRunner

from daemon.cli import main

CONFIG = '[daemon]\ndata_dir = "data"\ncontact = "test@example.org"\n'


@pytest.fixture
def club(tmp_path, monkeypatch):
    """`gamekeeper club …` in a folder with a tournament; returns what is printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "gamekeeper.toml").write_text(CONFIG)

    def run(*arguments, code=0):
        result = CliRunner().invoke(main, ["club", *arguments])
        assert result.exit_code == code, result.output
        return result.output

    run("new", "Winter", "--short", "w", "--set", "bye=2/3")
    return run


def test_rules_are_sentences_under_headings(club):
    """Every rule is a sentence with its value, at 80 columns; what was changed is marked, with the usual value."""
    printed = club("settings", "w")
    assert max(map(len, printed.splitlines())) <= 80
    assert (
        "\nNOT PLAYING\n* bye                   2/3       A bye is worth 2/3 of the own value. Usual:"
        in printed
    )
    assert "  excused               1/3       (An excused absence is worth 1/3 of the own" in printed
    assert [line for line in printed.splitlines() if line.startswith("* ")][1:] == [
        "* changed   ( ) does not count while the others are as they are"
    ]


def test_one_rule_is_explained(club):
    """What it is, what it means, who wants another, what is allowed, how to change it."""
    printed = club("settings", "w", "bye")
    assert printed.startswith("bye = 2/3 (usual: 1/2)\nA bye is worth 2/3 of the own value.\n")
    assert "FreeKeizer" in printed
    assert "It must be from 0 to 3." in printed
    assert printed.endswith("gamekeeper club settings w --set bye=VALUE\n")


def test_a_rule_that_does_not_exist_has_neighbours(club):
    """A wrong name is refused with names that are like it."""
    assert 'there is no setting "bie"; is it bye' in club("settings", "w", "bie", code=1)


def test_rules_for_programs(club):
    """`--json` has each rule with its sentence."""
    rules = {one["name"]: one for one in json.loads(club("settings", "w", "--json"))["rules"]}
    assert rules["bye"]["changed"]
    assert rules["bye"]["says"] == "A bye is worth 2/3 of the own value."
    assert json.loads(club("settings", "w", "bye", "--json")) == rules["bye"]


def test_what_is_seldom_meant_is_said(club):
    """A loss that is worth as much as a draw is allowed, and remarked each time the rules are shown."""
    club("settings", "w", "--set", "loss=1/2")
    assert "a loss (1/2) is worth as much as a draw (1/2) or more" in club("settings", "w")


def test_a_wrong_value_names_what_is_allowed(club):
    """Nothing is changed, and the message says what can be."""
    assert "loss must be from 0 to 1, not 2" in club("settings", "w", "--set", "loss=2", code=1)
    assert "it must be yes or no" in club("settings", "w", "--set", "halved_absences=maybe", code=1)


def test_games_elsewhere_and_late_excuses(club):
    """Each has its flag; a game elsewhere needs its result."""
    for name, rating in (("Rossi", 1800), ("Neri", 1700), ("Verdi", 1600)):
        club("members", "add", "w", name, str(rating))
    printed = club("present", "w", "--external", "Rossi=win", "--short-notice", "Neri")
    assert "external win" in printed
    assert "short notice" in printed
    assert "write PLAYER=win" in club("present", "w", "--external", "Rossi", code=2)
