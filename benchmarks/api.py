"""What a page and an export of the API cost, against the same rows by plain sqlite3.

    python -m benchmarks.api [GAMES] [--requests N] [--folder F]

The server runs in this process and a client in another one; what is counted is the server's CPU time, which a busy
machine changes least. Plain sqlite3 runs the same look-ups in the same process and makes JSON of the rows, without
HTTP: compare the ratios, not the numbers. Of an export the extra memory that it takes is printed: that must not grow
with the number of games.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.intake import club_games
from core.players import Profile
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import Archive, open_archive
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.games.compression import decompress
from daemon.archive.games.files import file_row
from daemon.archive.games.prepared import prepare
from daemon.archive.take_in import FilePiece, Telling, take_in
from daemon.config.values import Listen

GAMES = """
    SELECT g.id, g.date, g.result, g.white_name, g.black_name, g.white_rating, g.black_rating, g.eco, g.round,
           g.ply_count, w.id, w.name, w.fide_id, b.id, b.name, b.fide_id, e.text, s.text
    FROM games g
    JOIN players w ON w.id = g.white_id
    JOIN players b ON b.id = g.black_id
    LEFT JOIN texts e ON e.id = g.event_id
    LEFT JOIN texts s ON s.id = g.site_id
    WHERE {where}
    ORDER BY g.date DESC, g.id DESC LIMIT 50"""

TELLINGS = """
    SELECT t.game_id, t.n, t.site, t.native_id, t.url, t.fetched_at, f.path
    FROM tellings t LEFT JOIN files f ON f.id = t.file_id
    WHERE t.game_id IN ({marks}) ORDER BY t.game_id, t.n"""

PLAYERS = """
    SELECT p.id, p.name, p.kind, p.fide_id, p.verbatim,
           (SELECT count(*) FROM games WHERE white_id = p.id) + (SELECT count(*) FROM games WHERE black_id = p.id)
    FROM players p
    WHERE p.id IN (SELECT player_id FROM player_words WHERE word >= 'rossi12' AND word < 'rossi13')
      AND p.id IN (SELECT player_id FROM player_words WHERE word >= 'ma' AND word < 'mb')
    ORDER BY p.folded LIMIT 50"""

ROSSI = """
    {side} IN (SELECT player_id FROM player_words WHERE word >= 'rossi123' AND word < 'rossi124')"""

Plain = Callable[[], bytes]

CLIENT = """
import http.client, sys
port, times, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
connection = http.client.HTTPConnection("127.0.0.1", port)
for _ in range(times):
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, body
"""


READER = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("GET", sys.argv[2])
answer = connection.getresponse()
assert answer.status == 200
size = 0
while block := answer.read(1 << 16):
    size += len(block)
print(size)
"""

PACKED = """
    SELECT t.pgn FROM tellings t JOIN games g ON g.id = t.game_id
    WHERE t.n = (SELECT min(n) FROM tellings WHERE game_id = g.id) ORDER BY g.id"""


def filled(archive: Archive, count: int, batch: int = 5000) -> None:
    """Let the archive hold *count* made-up games."""
    archive.migrate()
    with archive.writing() as connection:
        file = file_row(connection, "benchmark.pgn")
    tellings: list[Telling] = []
    for place, game in enumerate(club_games(count)):
        tellings.append(Telling(prepare(game), FilePiece(file.id, place)))
        if len(tellings) == batch:
            take_in(archive, tellings, now_ms=0)
            tellings.clear()
    take_in(archive, tellings, now_ms=0)


def plain_sqlite(path: Path) -> Mapping[str, tuple[str, Plain]]:
    """By name: what is asked of the API, and the same by plain sqlite3."""
    connection = sqlite_driver().connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    def games(where: str) -> bytes:
        rows = connection.execute(GAMES.format(where=where)).fetchall()
        marks = ", ".join("?" * len(rows))
        telling_rows = connection.execute(TELLINGS.format(marks=marks), [row[0] for row in rows]).fetchall()
        assert rows
        return json.dumps([rows, telling_rows]).encode()

    def players() -> bytes:
        rows = connection.execute(PLAYERS).fetchall()
        assert rows
        return json.dumps(rows).encode()

    either = " OR ".join(ROSSI.format(side=side) for side in ("g.white_id", "g.black_id"))
    return {
        "newest games": ("/api/v1/games", lambda: games("g.date < '?'")),
        "games of a year": ("/api/v1/games?to=2005", lambda: games("g.date < '2005.99.99'")),
        "field above the list": ("/api/v1/games?q=rossi123", lambda: games(either)),
        "players by two words": ("/api/v1/players?q=rossi12%20ma", players),
    }


def server_ms(port: int, path: str, times: int) -> float:
    """Milliseconds of CPU time that this process spends on one request of a client in another one."""
    client = [sys.executable, "-c", CLIENT, str(port)]
    subprocess.run([*client, str(max(times // 10, 1)), path], check=True)
    started = time.process_time()
    subprocess.run([*client, str(times), path], check=True)
    return (time.process_time() - started) / times * 1000


def plain_ms(plain: Plain, times: int) -> float:
    """The same for one plain query."""
    plain()
    started = time.process_time()
    for _ in range(times):
        plain()
    return (time.process_time() - started) / times * 1000


@dataclass(frozen=True, slots=True)
class Exported:
    """One export: bytes, seconds of this process, and bytes of memory that it took on top."""

    size: int
    seconds: float
    memory: int


def exported(port: int, path: str) -> Exported:
    """What an export that a client in another process reads costs this one."""
    before = highest = resident()
    started = time.process_time()
    client = subprocess.Popen([sys.executable, "-c", READER, str(port), path], stdout=subprocess.PIPE)
    with client:
        while client.poll() is None:
            highest = max(highest, resident())
            time.sleep(0.02)
        assert client.stdout is not None
        size = int(client.stdout.read())
    return Exported(size, time.process_time() - started, highest - before)


def resident() -> int:
    """Bytes of memory of this process (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def plain_export_seconds(path: Path) -> float:
    """Seconds to read and unpack every game's PGN by plain sqlite3."""
    connection = sqlite_driver().connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    started = time.process_time()
    for (packed,) in connection.execute(PACKED):
        decompress(packed)
    return time.process_time() - started


def print_exports(port: int, path: Path, games: int) -> None:
    """A line for each format."""
    plain = plain_export_seconds(path)
    print(f"\n{'export':24}{'games/s':>8}{'MB/s':>8}{'MB more':>8}{'ratio':>8}")
    for form in ("pgn", "ndjson", "csv"):
        one = exported(port, f"/api/v1/games.{form}")
        rate, speed = games / one.seconds, one.size / one.seconds / 1e6
        print(f"{form:24}{rate:8.0f}{speed:8.1f}{one.memory / 1e6:8.1f}{one.seconds / plain:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="where the database goes (a temporary folder)")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=options.folder) as folder,
        open_archive(Path(folder) / "archive.sqlite") as archive,
    ):
        filled(archive, options.games)
        server = Server(create_app(archive, Profile(), version="benchmark"), Listen("127.0.0.1", 0))
        server.start()
        try:
            print(f"{options.games} games, {options.requests} requests each; CPU ms a request")
            print(f"{'':24}{'API':>8}{'plain':>8}{'ratio':>8}")
            for name, (path, plain) in plain_sqlite(Path(folder) / "archive.sqlite").items():
                api = server_ms(server.addresses[0][1], path, options.requests)
                raw = plain_ms(plain, options.requests)
                print(f"{name:24}{api:8.2f}{raw:8.2f}{api / raw:8.1f}")
            print_exports(server.addresses[0][1], Path(folder) / "archive.sqlite", options.games)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
