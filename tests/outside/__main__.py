"""Makes the record of the outside answers again: `python -m tests.outside --write`."""

import sys
import tempfile
from pathlib import Path

from tests.outside.building import record
from tests.outside.comparing import FOLDER, write


def main() -> None:
    """Write it, when that is what is wanted."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.outside --write")
    with tempfile.TemporaryDirectory(prefix="gamekeeper-outside-") as folder:
        write(record(Path(folder)))
    print(f"written: {FOLDER}")


if __name__ == "__main__":
    main()
