"""Reads the vectors in `tests/core/vectors/`: the rules for player names as cases."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "vectors"


def vectors(name: str) -> dict[str, Any]:
    """All of one file, ``fold`` for ``fold.json``."""
    return json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
