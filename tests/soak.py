"""The soak: days of faults at random, with a clock that jumps from one due time to the next.

    python -m tests.soak [--hours N] [--seed N]

The real workers ask both emulated sites, in threads of their own, while games end, accounts come and go, answers
break off in every way that the emulator knows, and the program is stopped in the middle of rounds. At the end the
faults stop, everything catches up, and the archive must hold just the games that the sites have. The seed repeats
what happens and which faults there are; how threads and sockets meet differs from run to run.
"""

import argparse
import gc
import os
import random
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, RLock
from typing import Any, Final

from sqlalchemy import select
from structlog.testing import capture_logs

from core import move_bytes
from daemon.archive.archive import open_archive
from daemon.archive.database import bulk
from daemon.archive.schedule import accounts, gates
from daemon.archive.tables.main import games, rounds, tellings
from daemon.service.ticker import EVERY as TICK
from daemon.sync.gates import gate_until
from daemon.sync.pacing import DAY, HOUR
from daemon.sync.site_lock import site_lock
from daemon.sync.worker import SiteWorker
from fetchers import registry
from fetchers.http.door import Door
from fetchers.http.responses import AnswerLimits
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.soak_faults import SHORT, Chance
from tests.soak_life import SITES, Life, Truth

BEGIN: Final = datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp()
"""A month ends fifteen hours later."""
HOURS: Final = float(os.environ.get("SOAK_HOURS", "24"))
SEED: Final = os.environ.get("SEED", "20261130")
QUIET_S: Final = 2 * HOUR
"""At the beginning nothing goes wrong, so that everybody is known."""
CATCH_UP_S: Final = 3 * DAY
"""So long after the last fault everything must be well: no wait is longer than a day."""
MOST_GROWN: Final = 4 << 20
"""Bytes that our code may hold at the end beyond what it held before the last quarter."""
_STOPS_A_DAY: Final = 8
_CALM: Final = AnswerLimits(retry_wait_s=0.01)
_PACKAGES: Final = Path(__file__).parents[1]
_OURS: Final = [
    tracemalloc.Filter(True, f"{_PACKAGES}/{package}/*") for package in ("core", "fetchers", "daemon")
] + [
    tracemalloc.Filter(True, f"*/site-packages/{package}/*")
    for package in ("httpx", "httpcore", "h11", "sqlalchemy")
]


@dataclass(slots=True)
class Found:
    """What a soak came to.

    Attributes:
        missing, surplus, wrong: native ids that the archive lacks, has too many, or has otherwise than the site.
        twice: native ids with more than one download.
        violations: of the sites' rules.
        unexplained: warnings and errors of ours that no fault explains.
        grown_bytes: what our code holds at the end of the faults beyond what it held in their middle.
    """

    missing: list[tuple[str, str]] = field(default_factory=list)
    surplus: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[tuple[tuple[str, str], Truth, Truth]] = field(default_factory=list)
    twice: list[tuple[str, str]] = field(default_factory=list)
    violations: Counter[tuple[str, str]] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    unwell: list[str] = field(default_factory=list)
    grown_bytes: int = 0
    grown_most: list[str] = field(default_factory=list)
    games: int = 0
    requests: int = 0
    stops: int = 0
    caught_up_s: float = 0
    faults: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)

    def report(self) -> str:
        """All of it, a line for each thing."""
        return "\n".join(f"{one.name}: {getattr(self, one.name)}" for one in fields(self))

    def faulty(self) -> list[str]:
        """What is not as it must be."""
        faults = [
            "missing", "surplus", "wrong", "twice", "violations", "unexplained", "unwell"
        ]  # fmt: skip
        found = [f"{name}: {getattr(self, name)}" for name in faults if getattr(self, name)]
        if self.grown_bytes > MOST_GROWN:
            found.append(f"memory has grown by {self.grown_bytes} bytes: {self.grown_most}")
        return found


class Soak:
    """One soak in a folder."""

    def __init__(self, folder: Path, *, seed: str, hours: float) -> None:
        self.found = Found()
        self._folder = folder
        self._now = BEGIN
        self._end = BEGIN + hours * HOUR
        self._turn = RLock()
        self._rng = random.Random(f"soak {seed}")
        self._sites = Emulator(seed=int.from_bytes(seed.encode()))
        self._sites.clock = lambda: self._now
        self._life = Life(self._sites, seed, BEGIN, self._end)
        self._chances = {site: Chance(site, seed, lambda: self._now) for site in SITES}
        self._limits = SHORT
        self._stop_after: int | None = None
        self._stop = Event()
        self._archive = open_archive(folder / "archive.sqlite")
        self._wanted: Mapping[str, object] = {}

    def run(self) -> Found:
        """From the first round until everything has caught up."""
        with self._sites, ExitStack() as at_the_end:
            for site in SITES:
                self._sites._servers[site].faults = self._chances[site]  # type: ignore[assignment]
            self._archive.migrate()
            at_the_end.callback(self._close_archive)
            self._until(BEGIN + QUIET_S)
            self._faults(on=True)
            middle = (self._now + self._end) / 2
            self._until(middle)
            tracemalloc.start()
            self._until((middle + self._end) / 2)
            self._restart()
            before = self._memory()
            self._until(self._end)
            self._restart()
            self._compare_memory(before)
            self._faults(on=False)
            self._life.settle()
            self._limits = _CALM
            self._until(self._end + CATCH_UP_S, self._is_complete)
            self.found.caught_up_s = self._now - self._end
            self._until(self._now + 6 * HOUR)  # everybody is asked once more: nothing comes twice
            self._conclude()
        return self.found

    def _close_archive(self) -> None:
        self._archive.close()  # whichever it is by then

    def _faults(self, *, on: bool) -> None:
        for chance in self._chances.values():
            chance.on = on

    # the clock

    def _clock(self) -> float:
        """The time for our side. It goes on a little while a round runs, and things happen meanwhile."""
        with self._turn:
            self._now += self._rng.uniform(0, 2)
            self._life.happen(self._now)
            if self._stop_after is not None:
                self._stop_after -= 1
                if self._stop_after <= 0:
                    self._stop.set()
            return self._now

    def _until(self, end: float, enough: Callable[[], bool] = lambda: False) -> None:
        """From due time to due time; whenever the program is stopped, it is started again."""
        while self._now < end and not enough():
            with ExitStack() as running:
                workers = self._started(running)
                while not self._stop.is_set() and self._now < end and not enough():
                    self._step(workers)
                    with self._turn:
                        self._now = max(self._now + TICK, min(self._next_due(), self._life.next_at(), end))
            if self._stop.is_set():
                self._restart()

    def _started(self, running: ExitStack) -> Sequence[SiteWorker]:
        self._stop = Event()
        self._stop_after = None
        if self._chances[LICHESS].on:
            calls = 2 * len(self._life.wanted) * 24 // _STOPS_A_DAY
            self._stop_after = self._rng.randrange(1, 2 * calls)
        return [self._worker(site, running) for site in SITES]

    def _worker(self, site: str, running: ExitStack) -> SiteWorker:
        url = {LICHESS: self._sites.lichess_url, CHESSCOM: self._sites.chesscom_url}[site]
        door = Door(
            url,
            user_agent="gamekeeper/1 (+contact: tests@example.org)",
            limits=self._limits,
            today=lambda: datetime.fromtimestamp(self._now, UTC),
            stop=self._stop.is_set,
        )
        fetcher = running.enter_context(closing(registry.fetcher(site, door)))
        lock = partial(site_lock, self._folder, site)
        worker = SiteWorker(site, self._archive, fetcher, lock=lock, stop=self._stop, clock=self._clock)
        return running.enter_context(closing(worker))

    def _restart(self) -> None:
        """The archive is opened again, as by the next process."""
        self.found.stops += 1
        self._archive.close()
        self._archive = open_archive(self._folder / "archive.sqlite")
        self._archive.migrate()

    def _step(self, workers: Sequence[SiteWorker]) -> None:
        """Let both sites work through what is due, and account for what they complain of."""
        with self._turn:
            self._life.happen(self._now)
            self._configure()
        before = {site: chance.happened.total() for site, chance in self._chances.items()}
        with capture_logs() as kept:
            for worker in workers:
                worker.poke()
            for worker in workers:
                if worker._work is not None:  # else stopped before its turn
                    worker._work.result()
        for entry in kept:
            self._account_for(entry, before)
        if len(self._sites.requests) > 2000:
            self._forget_log()

    def _configure(self) -> None:
        if self._wanted != self._life.wanted:
            self._wanted = dict(self._life.wanted)
            with self._archive.writing() as connection:
                accounts.sync_accounts(connection, list(self._life.wanted.values()))

    def _next_due(self) -> float:
        dues = []
        with self._archive.reading() as connection:
            rows = accounts.all_accounts(connection, active=True)
            for site in SITES:
                gate = gate_until(gates.gate(connection, site), self._now) or 0.0
                dues += [max(row.due_at / 1000, gate) for row in rows if row.site == site]
        return min(dues)

    # what it came to

    def _account_for(self, entry: MutableMapping[str, Any], before: Mapping[str, int]) -> None:
        """A complaint of ours must come from a fault, or from what happened to the account."""
        if entry["log_level"] in {"debug", "info"}:
            return
        account = str(entry.get("account", ""))
        site = str(entry.get("site") or account.partition(":")[0])
        happened = site in before and self._chances[site].happened.total() > before[site]
        if entry["log_level"] != "warning" or not (happened or self._life.explains(account)):
            moment = datetime.fromtimestamp(self._now, UTC)
            self.found.unexplained.append(f"{moment:%m-%d %H:%M:%S} {dict(entry)}")

    def _forget_log(self) -> None:
        self.found.requests += len(self._sites.requests)
        self.found.violations.update((one.site, one.rule) for one in self._sites.violations)
        self._sites.clear_log()

    def _memory(self) -> tracemalloc.Snapshot:
        """What our code holds; of an archive just opened, so that the caches of the database are not among it."""
        bulk._statement.cache_clear()  # it holds on to the last few archives
        gc.collect()
        return tracemalloc.take_snapshot().filter_traces(_OURS)

    def _compare_memory(self, before: tracemalloc.Snapshot) -> None:
        grown = self._memory().compare_to(before, "lineno")
        tracemalloc.stop()
        self.found.grown_bytes = sum(line.size_diff for line in grown)
        self.found.grown_most = [str(line) for line in grown[:8] if line.size_diff > 0]

    def _stored(self) -> dict[tuple[str, str], list[tuple[Truth, bytes]]]:
        wanted = select(
            tellings.c.site, tellings.c.native_id, games.c.result, games.c.ply_count, games.c.moves
        ).join(games, games.c.id == tellings.c.game_id)
        stored: dict[tuple[str, str], list[tuple[Truth, bytes]]] = {}
        with self._archive.reading() as connection:
            for site, native_id, result, count, moves in connection.execute(
                wanted.where(tellings.c.download)
            ):
                stored.setdefault((site, native_id), []).append(((result, count), moves))
        return stored

    def _is_complete(self) -> bool:
        stored = self._stored()
        return {key: kept[0][0] for key, kept in stored.items()} == self._life.truth()

    def _conclude(self) -> None:
        self._forget_log()
        found, truth, stored = self.found, self._life.truth(), self._stored()
        found.missing = sorted(truth.keys() - stored.keys())
        found.surplus = sorted(stored.keys() - truth.keys())
        found.twice = sorted(key for key, kept in stored.items() if len(kept) > 1)
        both = sorted(truth.keys() & stored.keys())
        found.wrong = [
            (key, stored[key][0][0], truth[key]) for key in both if stored[key][0][0] != truth[key]
        ]
        found.wrong += [
            (key, ("moves", 0), truth[key]) for key in both if not self._same_moves(key, stored[key][0][1])
        ]
        found.games = len(stored)
        for chance in self._chances.values():
            found.faults.update(chance.happened)
        self._look_at_accounts()

    def _same_moves(self, key: tuple[str, str], moves: bytes) -> bool:
        game = self._sites.world.find_game(*key)
        if game is None or game.variant != "standard":
            return True  # boards of a broadcast, and moves that the two sides write in two ways
        return move_bytes.unpack(moves) == game.line.ucis[: game.played]

    def _look_at_accounts(self) -> None:
        """At the end every account and both sites are well again, but for those that were renamed."""
        with self._archive.reading() as connection:
            for row in accounts.all_accounts(connection, active=True):
                if (row.error or row.failures or row.state != "active") and not self._life.is_gone(row.key):
                    self.found.unwell.append(f"{row.key}: {row.state}, {row.failures} failures, {row.error}")
            self.found.unwell += [
                f"{site}: {gate}" for site in SITES if (gate := gates.gate(connection, site)).state != "ok"
            ]
            self.found.rounds.update(
                str(one) for one in connection.execute(select(rounds.c.outcome)).scalars()
            )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=HOURS)
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args()
    print(f"{options.hours:g} hours, SEED={options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="gamekeeper-soak-") as folder:
        found = Soak(Path(folder), seed=options.seed, hours=options.hours).run()
    print(found.report())
    return bool(found.faulty())


if __name__ == "__main__":
    sys.exit(main())
