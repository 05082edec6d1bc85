"""How long does the API take to answer while near doubles are searched for, against the same without?

    python -m benchmarks.doubles_search [GAMES] [--questions N] [--rounds N] [--archive FILE]

The same questions, from a client in a process of its own: with no search, with one in a thread of the API's process, and with
one in a process of its own, in turns. All games wait to be looked at before each. ``--archive`` is one of
`benchmarks.large_archive`; it is copied.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.large_archive import make
from benchmarks.queries import ME
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import Archive, open_archive
from daemon.archive.edits import double_search
from daemon.archive.games.doubles_due import all_due
from daemon.config.values import Listen
from daemon.edits.doubles import doubles_thread

WAYS: Final = ("none", "thread", "process")

CLIENT: Final = """
import http.client, json, sys, time
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
spent = []
for number in range(int(sys.argv[2])):
    path = ("games", "players?q=ros", f"games/{number + 1}", "me/games")[number % 4]
    began = time.perf_counter()
    connection.request("GET", f"/api/v1/{path}")
    answer = connection.getresponse()
    body = answer.read()
    spent.append(time.perf_counter() - began)
    assert answer.status == 200, body
    time.sleep(0.01)
print(json.dumps(spent))
"""


@contextmanager
def searching(archive: Archive, path: Path, way: str) -> Iterator[None]:
    """Search in this way meanwhile; all games are to be looked at."""
    with archive.writing() as connection:
        all_due(connection)
    thread = doubles_thread(archive, str(path) if way == "process" else None)
    if way == "none":
        yield
        return
    thread.start()
    time.sleep(2.0)  # the process starts
    try:
        yield
        with archive.reading() as connection:
            assert double_search.waiting(connection, 1), (
                "the search was done before the questions: more games are needed"
            )
    finally:
        thread.close()


def answers(port: int, questions: int) -> list[float]:
    """Seconds that each answer took."""
    command = [sys.executable, "-c", CLIENT, str(port), str(questions)]
    found: list[float] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=300_000)
    parser.add_argument("--questions", type=int, default=400, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--archive", type=Path, help="an archive of so many games")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.sqlite"
        if options.archive is None:
            make(path, options.games)
        else:
            shutil.copy(options.archive, path)
        with open_archive(path) as archive:
            archive.migrate()
            server = Server(create_app(archive, ME, version="benchmark"), Listen("127.0.0.1", 0))
            server.start()
            spent: dict[str, list[float]] = {way: [] for way in WAYS}
            for _ in range(options.rounds):
                for way in WAYS:
                    with searching(archive, path, way):
                        spent[way] += answers(server.addresses[0][1], options.questions)
            server.stop()
    _show(spent)


def _show(spent: dict[str, list[float]]) -> None:
    print(f"{'search':10}{'p50 ms':>9}{'p99 ms':>9}{'ratio of p99':>14}")
    least = sorted(spent["none"])
    for way, seconds in spent.items():
        ordered = sorted(seconds)
        p50, p99 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.99))
        print(f"{way:10}{p50 * 1000:9.1f}{p99 * 1000:9.1f}{p99 / least[int(len(least) * 0.99)]:14.2f}")


if __name__ == "__main__":
    main()
