"""`gamekeeper club settings`: rules in plain words."""

import json

import pytest
from click.testing import CliRunner

from daemon.cli import main
from daemon.cli.club.standings import _credit

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
    assert 'there is no setting "bie"; did you mean bye' in club("settings", "w", "bie", code=1)


def test_a_rule_with_a_value_is_not_shown_but_told_how_to_set(club):
    """Who writes a change where a name belongs is told the option."""
    assert "--set bye=1/2" in club("settings", "w", "bye=1/2", code=2)


def test_presets_are_listed_and_taken(club):
    """Each kind of club by name; what is set beside it counts more; an unknown one names those there are."""
    assert "team-players\n  clubs whose teams come first" in club("settings", "--presets")
    one = json.loads(club("new", "K", "--preset", "KeizerForClubs", "--set", "bye=1", "--json"))
    assert (one["settings"]["club_duty"], one["settings"]["bye"]) == ("7/10", "1")
    assert one["pairing_settings"]["rematch_reading"] == "between"
    assert "keizerforclubs" in club("new", "L", "--preset", "dutch", code=2)
    changed = club("settings", "w", "--preset", "caissa", "--set", "base=60")
    assert "base: - → 60" in changed
    assert "bye" not in changed


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
    assert "external draw" in club("present", "w", "--external", "Rossi=½")


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        ({}, "round 2 win against no. 1 Rossi 8 × 1 = 8"),
        ({"factor": "1/3", "points": "8/3"}, "round 2 win against no. 1 Rossi 8 × 1/3 = 8/3"),
        ({"of": "own", "factor": "3/4", "points": "6"}, "round 2 win against no. 1 Rossi 8 (own) × 0.75 = 6"),
        ({"fixed": "20", "factor": "0", "points": "20"}, "round 2 win against no. 1 Rossi 20 points"),
        (
            {
                "opponent": None,
                "kind": "excused",
                "rating_share": "1",
                "rating_value": "8",
                "factor": "1/2",
                "points": "4",
            },
            "round 2 excused 8 (by rating) × 0.5 = 4",
        ),
        (
            {"opponent": None, "kind": "excused", "rating_share": "2/3", "rating_value": "9", "points": "8"},
            "round 2 excused (2/3 × 9 by rating + 1/3 × 6) × 1 = 8",
        ),
    ],
)
def test_details_are_exact(changes, printed):
    """Every number in the details can be followed: no rounding, and whose value it is."""
    credit = {
        "round": 2,
        "kind": "win",
        "opponent": "Rossi",
        "of": "opponent",
        "value": "8",
        "rating_share": "0",
    }
    credit |= {"rating_value": "0", "factor": "1", "fixed": "0", "points": "8"}
    assert _credit({**credit, **changes}, {"Rossi": "no. 1 Rossi"}) == printed
