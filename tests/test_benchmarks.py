"""The benchmarks run, and print ratios. How large these are is for people to read: machines are noisy."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["benchmarks.pgn", "10"],
        ["benchmarks.outcomes", "20"],
        ["benchmarks.intake", "200"],
        ["benchmarks.reimport", "50"],
        ["benchmarks.api", "100", "--requests", "5"],
        ["benchmarks.queries", "300", "--times", "1", "--plans"],
        ["benchmarks.first_sync", "300"],
        ["benchmarks.quiet_accounts", "1", "3"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_benchmark_runs(arguments: list[str]) -> None:
    """Each benchmark ends well on a small number of games, with numbers in what it prints."""
    ended = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=200, check=False, cwd=ROOT
    )

    assert ended.returncode == 0, ended.stderr
    assert any(character.isdigit() for character in ended.stdout)
