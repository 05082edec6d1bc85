"""`make demo` shows what it promises."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_demo_shows_downloads_an_import_a_duplicate_and_answers() -> None:
    """It runs offline, finds the game that three places tell of, and the sites have nothing to complain of."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.demo"],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=ROOT,
    )

    assert ended.returncode == 0, ended.stderr
    assert "now has three tellings" in ended.stdout
    assert "lichess_export.pgn" in ended.stdout
    assert "lichess:mrossi90 and lichess:laurabianchi" in ended.stdout
    assert "unknown token 'Nxe9'" in ended.stdout
    assert "api/v1/dossiers" in ended.stdout
    assert "0 breaches of their rules" in ended.stdout
