"""How much memory does a daemon take that has answered many questions about a large archive?

    python -m benchmarks.daemon_memory [GAMES] [--questions N] [--clients N] [--archive FILE]

A real `gamekeeper run`, with processes that it starts for itself. The questions are mixed: lists of games by all kinds of
filters, players, suggestions, single games, dossiers, counts; so many clients ask at once, each on a connection of its own.
``own`` is without pages of files that others share. ``--archive`` is one of `benchmarks.large_archive`; it is copied.
"""

import argparse
import http.client
import random
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from benchmarks.at_rest import Daemon, configure, running
from benchmarks.large_archive import make, name_of
from benchmarks.queries import FAMILY, GIVEN, OLD
from daemon.config import Config

PATHS: Final = (
    *(
        "games",
        "games?limit=500",
        "games?result=1-0",
        "games?eco=B90",
        "games?eco=E",
        "games?q=rossi",
        "games?sort=-rating",
    ),
    *(f"games?player={quote(name)}" for name in (name_of(0), OLD, name_of(3))),
    *(
        "games?eco=B90&result=1-0&from=1900&to=1940",
        "games?q=town%2077",
        "games?source=lichess&to=2013",
        "games?sort=white",
    ),
    *(
        "players",
        "players?q=r",
        "players?q=ros%20mar",
        "suggest/players?q=ros%20ma",
        "suggest/events?q=open%20t",
    ),
    *(
        "me",
        "me/games",
        "me/games?result=0-1",
        "dossiers",
        "status",
        "games?dossier=d1",
        "games?account=lichess:player3",
    ),
)


def ask(url: str, paths: list[str]) -> None:
    """Ask all of these, one after another, on one connection."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=600)
    for path in paths:
        connection.request("GET", f"/api/v1/{path}")
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == http.HTTPStatus.OK, (path, body)


def mixed(count: int, games: int) -> list[str]:
    """So many questions, of which a third are about single games."""
    chance = random.Random(1)
    return [
        f"games/{chance.randint(1, games)}" if chance.random() < 1 / 3 else chance.choice(PATHS)
        for _ in range(count)
    ]


def show(what: str, daemon: Daemon) -> None:
    """Print a line."""
    resident, own = daemon.memory()
    print(f"{what:32}{resident / 1e6:8.0f}{daemon.peak() / 1e6:8.0f}{own / 1e6:8.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=300_000)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--archive", type=Path, help="an archive of so many games")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = configure(Path(name), 0, "http://127.0.0.1:1")
        with path.open("a") as more:
            more.write(f'[me]\nfirst_name = "{GIVEN}"\nlast_name = "{FAMILY}"\n')
        config = Config.load(path)
        config.data_dir.mkdir()
        if options.archive is None:
            make(Path(config.database_url()), options.games)
        else:
            shutil.copy(options.archive, config.database_url())
        print(f"{'MB':32}{'now':>8}{'peak':>8}{'own':>8}")
        with running(path) as daemon, ThreadPoolExecutor(options.clients) as clients:
            show("started", daemon)
            questions = mixed(options.questions, options.games)
            tenth = len(questions) // 10
            for first in range(0, len(questions), tenth):
                parts = [
                    questions[first + n : first + tenth : options.clients] for n in range(options.clients)
                ]
                list(clients.map(ask, [daemon.url] * len(parts), parts))
                if first // tenth in {0, 4, 9}:
                    show(f"after {first + tenth:,} questions", daemon)


if __name__ == "__main__":
    main()
