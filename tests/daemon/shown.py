"""What an archive shows to a user, and a site's worker that a test can wait for: shared by the tests of whole ways."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import list_accounts, list_sites
from daemon.archive.reading.games import find_games, game, pgn
from daemon.archive.reading.quarantine import list_quarantined
from daemon.archive.reading.search.filters import GameFilters
from daemon.imports.run import Summary, import_paths
from daemon.sync.batch import Progress
from daemon.sync.sync_round import Report, Rounds
from daemon.sync.worker import SiteWorker
from fetchers.base import Fetcher
from tests.daemon.sync_rig import Bench
from tests.fetchers import lila

Lock = Callable[[], AbstractContextManager[bool]]

PATIENCE = 60.0
HEAD = (
    '[Event "Club Championship"]\n[Site "Torino"]\n[Date "2024.05.12"]\n[Round "1"]\n'
    '[White "Rossi, Mario"]\n[Black "Bianchi, Gina"]\n[Result "1-0"]\n'
)
"""The tags of a game over the board."""


class Shown:
    """The archive as its reading side shows it."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def games(self, **filters: Any) -> list[shapes.Game]:
        """The games that a search finds, in the order of their intake."""
        with self.archive.reading() as connection:
            page = find_games(connection, GameFilters.model_validate(filters), Profile(), limit=500)
        return sorted(page["items"], key=lambda one: one["id"])

    def game(self, **filters: Any) -> shapes.WholeGame:
        """The only game that a search finds."""
        (found,) = self.games(**filters)
        with self.archive.reading() as connection:
            whole = game(connection, found["id"])
        assert whole is not None
        return whole

    def text_of(self, game_id: int, n: int | None = None) -> str:
        """The PGN of a game as it came."""
        with self.archive.reading() as connection:
            return (pgn(connection, game_id, n) or b"").decode()

    def ids(self) -> list[str | None]:
        """The sites' ids of all games, in the order of their intake."""
        return [one["tellings"][0]["native_id"] for one in self.games()]

    def quarantine(self) -> list[shapes.Quarantined]:
        """What could not be read."""
        with self.archive.reading() as connection:
            return list_quarantined(connection, limit=100)["items"]

    def account(self, key: str, now: float) -> shapes.Account:
        """An account as `status` shows it at that time (seconds since 1970)."""
        with self.archive.reading() as connection:
            return next(
                one for one in list_accounts(connection, now_ms=int(now * 1000)) if one["account"] == key
            )

    def site(self, key: str, now: float) -> shapes.Site:
        """A site likewise."""
        with self.archive.reading() as connection:
            return next(one for one in list_sites(connection, now_ms=int(now * 1000)) if one["site"] == key)

    def bring(self, folder: Path, content: str | bytes, name: str = "games.pgn") -> Summary:
        """Import a file of this content."""
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return import_paths(self.archive, [folder / name])


def run_with(bench: Bench, fetcher: Fetcher, key: str, *, full: bool = False) -> Report:
    """One round of the bench's archive with another fetcher, which is closed at the end."""
    account = bench.account(key)
    with closing(fetcher):
        return Rounds(bench.archive, fetcher, stop=bench.stop, clock=lambda: bench.now).run(
            account, full=full
        )


def stopping(bench: Bench) -> Callable[[Progress], None]:
    """Watches a round, and stops it as soon as something is stored."""

    def watch(progress: Progress) -> None:
        if progress.seen:
            bench.stop.set()

    return watch


def served(site: lila.Lila) -> Fetcher:
    """The fetcher of lichess on a server without a network, which knows its one player."""

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/api/user/"):
            return httpx.Response(200, json={"id": "mrossi90", "username": "mrossi90"})
        return site(request)

    return lila.lichess(handle)


class Worker:
    """The worker of a site, by the bench's clock; `tick` is one tick of the daemon, waited for."""

    def __init__(self, bench: Bench, site: str, lock: Lock | None = None) -> None:
        self._fetcher = bench.fetcher(site)
        self._worker = SiteWorker(
            site, bench.archive, self._fetcher, lock=lock or _mine, stop=bench.stop, clock=lambda: bench.now
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.close()
        self._fetcher.close()

    def tick(self) -> None:
        self.poke()
        self.wait()

    def poke(self) -> None:
        """One tick, not waited for."""
        self._worker.poke()

    def wait(self) -> None:
        """Until what the ticks began is over."""
        assert self._worker._work is not None
        self._worker._work.result(PATIENCE)


def _mine() -> AbstractContextManager[bool]:
    return nullcontext(True)
