"""How fast does take_in store prepared games, against the same rows put in by plain sqlite3?

    python -m benchmarks.intake [GAMES] [--batch N] [--folder F] [--database URL]

Both run in one process, one after another, with the same schema and pragmas; compare the ratio, not the numbers.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
from sqlalchemy import select

from core.game import Game, PartialDate, Side
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.engine import PAGE_SIZE, sqlite_driver
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import Prepared, prepare
from daemon.archive.tables.main import metadata
from daemon.archive.take_in import FilePiece, Telling, take_in

PLIES = 80


def lines(count: int, chance: random.Random) -> list[tuple[str, ...]]:
    """Legal lines of `PLIES` plies, played at random."""
    found: list[tuple[str, ...]] = []
    while len(found) < count:
        board = chess.Board()
        while len(board.move_stack) < PLIES and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if len(board.move_stack) == PLIES:
            found.append(tuple(move.uci() for move in board.move_stack))
    return found


def club_games(count: int) -> Iterator[Game]:
    """Games over the board between a few thousand made-up people, some with an id, 80 plies each."""
    chance = random.Random(1)
    played = lines(64, random.Random(2))
    people = [
        Side(
            name=f"Rossi{chance.randrange(10**6)}, Mario {n}",
            fide_id=str(n) if n % 2 else None,
            rating=1500 + n % 900,
        )
        for n in range(1, count // 20 + 100)
    ]
    for n in range(count):
        moves = chance.choice(played)
        white, black = chance.sample(people, 2)
        date = PartialDate(1990 + n % 30, 1 + n % 12, 1 + n % 28)
        event = f"Open of Town {n // 60}"
        raw = f'[Event "{event}"]\n[White "{white.name}"]\n[Black "{black.name}"]\n\n{" ".join(moves)} 1-0\n'.encode()
        yield Game(
            white=white, black=black, date=date, result="1-0", moves=moves, event=event, site=f"Town {n // 60}",
            round=str(n % 9 + 1), eco=f"B{n % 90:02}", raw=raw,
        )  # fmt: skip


def ours(archive: Archive, games: Sequence[Prepared], batch: int) -> float:
    """Seconds for taking all of them in."""
    with archive.writing() as connection:
        file = file_row(connection, "benchmark.pgn")
    started = time.perf_counter()
    for start in range(0, len(games), batch):
        tellings = [
            Telling(prepared, FilePiece(file.id, start + n))
            for n, prepared in enumerate(games[start : start + batch])
        ]
        take_in(archive, tellings, now_ms=0)
    return time.perf_counter() - started


def plain(archive: Archive, path: Path, batch: int) -> float:
    """Seconds for the rows of *archive* into an empty archive at *path*, by the driver alone."""
    with open_archive(path) as empty:
        empty.migrate()
    driver = sqlite_driver()
    connection = driver.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-131072"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA page_size").fetchone() != (PAGE_SIZE,):
        raise AssertionError("the two databases differ")
    with archive.reading() as reading:
        rows = {
            table: [tuple(row) for row in reading.execute(select(table))] for table in metadata.sorted_tables
        }
    batches = max(1, -(-len(rows[metadata.tables["games"]]) // batch))
    started = time.perf_counter()
    for n in range(batches):
        connection.execute("BEGIN IMMEDIATE")
        for table, all_rows in rows.items():
            # Whatever games point to goes in first; games and tellings batch by batch.
            parts = batches if table.name in {"games", "tellings"} else 1
            some = all_rows[n * len(all_rows) // parts : (n + 1) * len(all_rows) // parts]
            marks = ", ".join("?" * len(table.columns))
            connection.executemany(f'INSERT OR IGNORE INTO "{table.name}" VALUES ({marks})', some)
        connection.execute("COMMIT")
    seconds = time.perf_counter() - started
    connection.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, help="where the databases go (a temporary folder)")
    parser.add_argument("--database", help="measure take_in on this PostgreSQL database instead")
    options = parser.parse_args()
    started = time.perf_counter()
    games = [prepare(game) for game in club_games(options.games)]
    print(
        f"prepared {len(games)} games: {len(games) / (time.perf_counter() - started):,.0f} games/s on one core"
    )
    with (
        tempfile.TemporaryDirectory(dir=options.folder) as folder,
        open_archive(options.database or Path(folder) / "ours.sqlite") as archive,
    ):
        archive.migrate()
        first, again = ours(archive, games, options.batch), ours(archive, games, options.batch)
        raw = None if options.database else plain(archive, Path(folder) / "plain.sqlite", options.batch)
    print(f"take_in, new games:   {len(games) / first:10,.0f} games/s")
    print(f"take_in, all known:   {len(games) / again:10,.0f} games/s")
    if raw is not None:
        print(f"plain sqlite3:        {len(games) / raw:10,.0f} games/s")
        print(f"ratio (take_in/plain): {raw / first:.2f}")


if __name__ == "__main__":
    main()
