"""`make demo` shows what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def test_the_demo() -> None:
    """It runs offline, to its end, and shows each thing that it is to show."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.demo"],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    archive, found, club = ended.stdout.partition("A club evening:")
    assert found
    shows_downloads_an_import_a_duplicate_and_answers(archive)
    shows_an_evening(club)
    shows_who_comes_late_and_who_leaves(club)
    shows_a_correction_that_is_taken_back_and_done_again(club)
    assert "0 breaches of their rules" in club


def shows_downloads_an_import_a_duplicate_and_answers(printed: str) -> None:
    """The game that three places tell of is found."""
    assert "now has three tellings" in printed
    assert "lichess_export.pgn" in printed
    assert "lichess:mrossi90 and lichess:laurabianchi" in printed
    assert "unknown token 'Nxe9'" in printed
    assert "api/v1/dossiers" in printed


def shows_an_evening(printed: str) -> None:
    """Twelve members, two absent, a board collected from a downloaded game, standings."""
    assert "round 1: 10 of 12 are there" in printed
    assert "Rossi, Mario – Bianchi, Laura: set by hand" in printed
    assert "mrossi90 – LauraBianchi  1-0" in printed
    assert "the table after round 1 is complete" in printed
    assert "after round 1\nRANK  NO.  NAME" in printed
    assert "why:\n  1  Rossi, Mario – Neri, Anna: places 1 and 2 of 12" in printed


def shows_who_comes_late_and_who_leaves(printed: str) -> None:
    """The list is undone for somebody who comes through the door; who has withdrawn is named below the table."""
    _, found, after = printed.partition("Riva, Dora, added since, plays from round 2 on")
    assert found
    board = next(line for line in after.splitlines() if " – Riva, Dora: " in line or "Riva, Dora – " in line)
    assert "places " in board
    assert "the table after round 2 is complete without board 6" in printed
    assert "withdrawn: no. 9 Ferri, Elio" in printed


def shows_a_correction_that_is_taken_back_and_done_again(printed: str) -> None:
    """Two rounds later it is a step like any other, and says what it was."""
    board = "round 1, board 2, Neri, Anna – Verdi, Gino"
    assert f"undone: {board}: 0-1 → 1-0" in printed
    assert f"redone: {board}: 1-0 → 0-1" in printed
