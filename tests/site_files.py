"""Made-up files and answers in the shapes of the sites', for tests of everything that reads them.

Players, ids, dates and moves are invented; keys, tags, their order, headers and line ends are those of real answers.
"""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
PGN_FILES = sorted((DATA / "pgn").iterdir())


def file_of(name: str) -> bytes:
    """The bytes of a file, by its path under tests/data: "lichess/study.pgn"."""
    return (DATA / name).read_bytes()


def json_of(name: str) -> Any:
    """What a JSON file holds."""
    return json.loads(file_of(name))
