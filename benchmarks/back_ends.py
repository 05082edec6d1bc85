"""Is an archive that the compiled core has made the same, row by row, as one that Python alone has made?

    python -m benchmarks.back_ends [PGN] [--games N] [--made] [--folder F]

The file is imported twice into new archives, once with GAMEKEEPER_COMPILED=never, and every value of every table is compared, but
for times of the clock and compressed bytes, of which there is a digest. Then `gamekeeper verify` looks at the first one. It
ends with an error if a value differs.
"""

import argparse
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from benchmarks.peers import OURS, Contender, chosen, contenders
from benchmarks.process_tree import run
from core.compiled import NEVER

OF_THE_CLOCK: Final = frozenset({"added_at", "fetched_at", "imported_at", "modified_ns", "seen_at"})
COMPRESSED: Final = frozenset({"pgn"})
OTHER_TABLES: Final = frozenset({"rounds", "settings", "alembic_version"})
"""Tables about the work itself."""
_SHOWN: Final = 5


def tables(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of each table that are compared."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
    )
    return {
        name: [
            column
            for _, column, *_ in connection.execute(f'PRAGMA table_info("{name}")')
            if column not in OF_THE_CLOCK | COMPRESSED
        ]
        for (name,) in names.fetchall()
        if name not in OTHER_TABLES
    }


def rows(connection: sqlite3.Connection, table: str, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, in one order."""
    named = ", ".join(f'"{column}"' for column in columns)
    return connection.execute(f'SELECT {named} FROM "{table}" ORDER BY {named}')


def differences(one: Path, other: Path) -> tuple[Counter[str], list[str]]:
    """How many rows each table has, and what differs."""
    counts, found = Counter[str](), list[str]()
    with closing(sqlite3.connect(one)) as first, closing(sqlite3.connect(other)) as second:
        compared = tables(first)
        if compared != tables(second):
            found.append("the tables themselves")
        for table, columns in compared.items():
            for mine, theirs in zip_longest(rows(first, table, columns), rows(second, table, columns)):
                counts[table] += 1
                if mine != theirs and len(found) < _SHOWN:
                    found.append(f"{table}: {_unlike(columns, mine, theirs)}")
    return counts, found


def _unlike(columns: list[str], mine: tuple[Any, ...] | None, theirs: tuple[Any, ...] | None) -> str:
    if mine is None or theirs is None:
        return f"a row more: {mine or theirs}"
    pairs = zip(columns, mine, theirs, strict=True)
    return ", ".join(f"{name} {a!r} / {b!r}" for name, a, b in pairs if a != b or name == "id")


def imported(ours: Contender, pgn: Path, folder: Path, **environment: str) -> Path:
    """The archive of a new import."""
    folder.mkdir()
    spent = run(ours.command(pgn, folder), environment=environment)
    said = json.loads(spent.printed)
    games, each = said["read"], spent.cpu / said["read"] * 1e6
    print(f"{folder.name:9} {games:,} games read, {said['new']:,} new; {each:.0f} µs of processor time each")
    return next(folder.glob("*.sqlite"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pgn", nargs="?", type=Path, help="games to import")
    parser.add_argument("--games", type=int, default=150_000, help="at most so many, about")
    parser.add_argument("--made", action="store_true", help="with games that are made up")
    parser.add_argument("--folder", type=Path, help="where the archives go (a temporary folder)")
    options = parser.parse_args()
    ours = next(one for one in contenders() if one.name == OURS)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        corpus = chosen(options, folder)
        compiled = imported(ours, corpus.path, folder / "compiled")
        python = imported(ours, corpus.path, folder / "Python", GAMEKEEPER_COMPILED=NEVER)
        counts, found = differences(compiled, python)
        print(", ".join(f"{table} {count:,}" for table, count in counts.items() if count))
        gamekeeper = Path(sys.executable).with_name("gamekeeper")
        run([gamekeeper, "verify", "--config", compiled.with_name("gamekeeper.toml")])
    if found:
        raise SystemExit("\n".join(["the archives differ:", *found]))
    print("the archives are the same, and verify finds nothing")


if __name__ == "__main__":
    main()
