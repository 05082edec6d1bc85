"""The tests need nothing that lies beside the checkout, so that green means the same everywhere."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent


def test_no_test_looks_beside_the_checkout() -> None:
    """No path that a test derives from its own place leads out of the repository."""
    for file in TESTS.rglob("*.py"):
        depth = len(file.relative_to(ROOT).parents) - 1
        climbed = [int(one) for one in re.findall(r"__file__\)[^\n]*\.parents\[(\d+)\]", file.read_text())]
        assert all(one <= depth for one in climbed), file
