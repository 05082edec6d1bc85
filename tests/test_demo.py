"""`make demo` shows what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def shown(module: str) -> str:
    """What a demo prints; it must end well."""
    ended = subprocess.run(
        [sys.executable, "-m", module],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_demo_shows_downloads_an_import_a_duplicate_and_answers() -> None:
    """It runs offline, finds the game that three places tell of, and the sites have nothing to complain of."""
    printed = shown("tests.demo")

    assert "now has three tellings" in printed
    assert "lichess_export.pgn" in printed
    assert "lichess:mrossi90 and lichess:laurabianchi" in printed
    assert "unknown token 'Nxe9'" in printed
    assert "api/v1/dossiers" in printed
    assert "0 breaches of their rules" in printed


def test_the_demo_of_a_club_evening() -> None:
    """Twelve members, two absent, a board collected from a downloaded game, standings, the next pairing, an undo."""
    printed = shown("tests.demo_club")

    assert "round 1: 10 of 12 are there" in printed
    assert "Rossi, Mario – Bianchi, Laura: set by hand" in printed
    assert "mrossi90 – LauraBianchi  1-0" in printed
    assert "the table after round 1 stands" in printed
    assert "after round 1\nRANK  NAME" in printed
    assert "why:\n  1  Rossi, Mario – Neri, Anna: places 1 and 2 of 12" in printed
    assert "the pairing list of round 2 is taken back" in printed
