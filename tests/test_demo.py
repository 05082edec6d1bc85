"""`make demo` shows what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def printed() -> str:
    """What `make demo` prints; it must end well."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.demo"],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_downloads_an_import_a_duplicate_and_answers(printed: str) -> None:
    """It runs offline, finds the game that three places tell of, and the sites have nothing to complain of."""
    assert "now has three tellings" in printed
    assert "lichess_export.pgn" in printed
    assert "lichess:mrossi90 and lichess:laurabianchi" in printed
    assert "unknown token 'Nxe9'" in printed
    assert "api/v1/dossiers" in printed
    assert "0 breaches of their rules" in printed


def test_a_club_evening(printed: str) -> None:
    """Twelve members, two absent, a board collected from a downloaded game, standings."""
    assert "round 1: 10 of 12 are there" in printed
    assert "Rossi, Mario – Bianchi, Laura: set by hand" in printed
    assert "mrossi90 – LauraBianchi  1-0" in printed
    assert "the table after round 1 stands" in printed
    assert "after round 1\nRANK  NO.  NAME" in printed
    assert "why:\n  1  Rossi, Mario – Neri, Anna: places 1 and 2 of 12" in printed


def test_who_comes_late_plays(printed: str) -> None:
    """A pairing list is taken back for somebody who comes through the door, and they are on the next one."""
    listed, _, after = printed.partition("Riva, Dora, added since, plays from round 2 on")
    assert "Riva, Dora" not in listed.rpartition("members add")[0]
    assert "Müller, Jörg – Riva, Dora" in after


def test_who_leaves_is_not_ranked(printed: str) -> None:
    """Who has withdrawn is named below the table."""
    assert "withdrawn: no. 9 Ferri, Elio" in printed


def test_a_correction_two_rounds_later_is_taken_back_and_done_again(printed: str) -> None:
    """It is a step like any other, and says what it was."""
    wrong, right = (
        "round 1, board 2, Neri, Anna – Verdi, Gino: 1-0 → 0-1",
        "Neri, Anna – Verdi, Gino: 0-1 → 1-0",
    )
    assert f"taken back: round 1, board 2, {right}" in printed
    assert f"done again: {wrong}" in printed
    assert "the table after round 2 stands without board 6" in printed
