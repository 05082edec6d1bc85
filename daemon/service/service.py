"""The daemon's life, from the lock to the last commit."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Final

from fastapi import FastAPI

from core.compiled import WHY_NOT
from core.plurals import count_of
from daemon import clock, logs, ownership
from daemon.api.app import create_app, set_profile
from daemon.api.server import Server
from daemon.archive.archive import Archive
from daemon.archive.errors import AlreadyRunning, ArchiveError, ArchiveGone, Damaged
from daemon.archive.lock import DaemonLock, only_daemon
from daemon.archive.schedule import rounds
from daemon.archive.sqlite import FileArchive
from daemon.config import Config, ConfigErrors
from daemon.counters import Measures
from daemon.edits.doubles import doubles_thread
from daemon.events import News
from daemon.logs import get_logger
from daemon.service import systemd
from daemon.service.backups import BackupThread
from daemon.service.indexes import indexes_thread
from daemon.service.openings import openings_thread
from daemon.service.ticker import Ticker
from daemon.service.wiring import build_backups, build_folders, configure_archive
from daemon.sync.build import VERSION, Downloads
from daemon.sync.worker import heal_schedule
from daemon.threads import KeptThread, Periodic

log = get_logger(__name__)

BEAT: Final = 1.0
"""Seconds between two looks at the clock, the signals and the watchdog."""

FORGET_EVERY: Final = 86400.0
"""Seconds between two clean-ups of the history."""

CONFIRM_EVERY: Final = 60.0
"""Seconds between two checks whether the archive is still ours."""


@dataclass(slots=True)
class Signals:
    """What the outside wants: set by signal handlers, read by the daemon's main loop."""

    stop: Event = field(default_factory=Event)
    reload: Event = field(default_factory=Event)


class Service:
    """A running daemon.

    Args:
        config: the configuration to start with.
        load: reads the configuration again, for a reload.
    """

    def __init__(self, archive: Archive, config: Config, load: Callable[[], Config]) -> None:
        self._archive = archive
        self._config = config
        self._load = load
        self._downloads: Downloads | None = None
        self._ticker = Ticker(self._tick)
        self._folders: KeptThread | None = None
        self._backups: BackupThread | None = None
        self._lasting: list[Periodic] = []  # that no change of the configuration concerns
        self._app: FastAPI | None = None
        self._measures = Measures()
        self._news = News(heard=self._measures.heard)

    def run(self, signals: Signals) -> None:
        """Download, watch, serve until *signals.stop* is set; then finish what has begun.

        Raises:
            ArchiveError: the archive cannot be used, or another daemon has it.
            ConfigErrors: a token cannot be read.
            ListenError: the API cannot listen.
        """
        with ExitStack() as stack:
            lock = stack.enter_context(only_daemon(self._archive, self._config.data_dir))
            stack.callback(self._close_archive)
            self._prepare(lock)
            server = self._serve()
            stack.callback(server.stop)
            stack.callback(self._news.close)
            stack.callback(self._end)
            self._begin()
            systemd.ready(self._summary())
            if WHY_NOT is not None:
                log.info("PGN is read by Python alone, many times as slowly as it could be", why=WHY_NOT)
            log.info(
                "gamekeeper runs",
                version=VERSION,
                archive=self._archive.where,
                api=str(self._config.api.listen),
            )
            self._beat(signals, lock)
            systemd.stopping()
            log.info("stopping: the rounds that run finish their game")
        log.info("gamekeeper has stopped")

    def _close_archive(self) -> None:
        """Close it before the lock is released.

        A file that was deleted under us is saved, which takes time.
        """
        with systemd.more_time("closing the archive"):
            self._archive.close()

    def _prepare(self, lock: DaemonLock) -> None:
        if lock.unclean:
            _check(self._archive)
        configure_archive(self._archive, self._config)
        heal_schedule(self._archive, time.time)
        with self._archive.no_imports() as none, self._archive.writing() as connection:
            rounds.end_left_over(connection, clock.now_ms(), imports=none)
        self._tidy()

    def _tidy(self) -> None:
        """Forget old rounds that brought nothing, and let the database count its rows."""
        with self._archive.writing() as connection:
            rounds.forget_uneventful(connection, clock.now_ms())
        self._archive.optimize()

    def _serve(self) -> Server:
        token = self._config.token("api")
        if token is not None:
            logs.hide(token)
        listen = self._config.api.listen
        hosts = [] if listen.socket is not None else [listen.host]
        self._app = create_app(
            self._archive,
            self._config.profile(),
            version=VERSION,
            hosts=hosts,
            token=token,
            origins=self._config.api.allowed_origins,
            news=self._news,
            measures=self._measures,
            last_backup=self._last_backup,
            errors=lambda: ownership.problems(self._config.data_dir),
        )
        server = Server(self._app, listen, has_token=token is not None)
        server.start()
        return server

    def _last_backup(self) -> float | None:
        """When the newest backup was made, in seconds since 1970; None for PostgreSQL, which has its own."""
        if not isinstance(self._archive, FileArchive):
            return None
        last = self._archive.shelf(self._config.backup_folder()).last(time.time())
        return None if last is None else last.timestamp()

    def _begin(self) -> None:
        self._downloads = Downloads.start(
            self._archive, self._config, news=self._news, measures=self._measures
        )
        self._folders = _keep_taken_in(self._archive, self._config, self._news, self._measures)
        self._backups = build_backups(self._archive, self._config)
        self._lasting = [
            doubles_thread(self._archive, self._config.database_url()),
            *(make(self._archive) for make in (openings_thread, indexes_thread)),
        ]
        for thread in self._lasting:
            thread.start()
        self._ticker.start()

    def _end(self) -> None:
        if self._ticker.running:
            self._ticker.stop()
        self._end_work()
        for thread in self._lasting:
            thread.close()

    def _tick(self) -> None:
        if self._downloads is not None:
            self._downloads.poke()

    def _beat(self, signals: Signals, lock: DaemonLock) -> None:
        confirmed = forgot = time.monotonic()
        while not signals.stop.wait(BEAT):
            systemd.alive()
            if jump := self._ticker.guard():
                log.warning("the clock jumped; what is due is looked up again", seconds=round(jump))
                self._try(partial(heal_schedule, self._archive, time.time, back=-jump))
            if signals.reload.is_set():
                signals.reload.clear()
                self._reload()
            if time.monotonic() - confirmed > CONFIRM_EVERY:
                confirmed = time.monotonic()
                self._try(lock.confirm)
            if time.monotonic() - forgot > FORGET_EVERY:
                forgot = time.monotonic()
                self._try(self._tidy)

    def _try(self, action: Callable[[], object]) -> None:
        """Do something with the archive that can wait, unless it is another daemon's or gone."""
        try:
            action()
        except (AlreadyRunning, ArchiveGone):
            raise
        except ArchiveError as error:
            log.warning("the archive does not answer", error=str(error))

    def _reload(self) -> None:
        """Load a changed configuration; one with faults is reported, and the old one stays."""
        systemd.reloading()
        try:
            self._take_over(self._load())
        except (ConfigErrors, ArchiveError) as error:
            log.error("the new configuration is not taken over; the old one stays", error=str(error))  # noqa: TRY400 - it is logged whole
        except Exception:
            # Whatever a file can make go wrong, the daemon that runs goes on.
            log.exception("the new configuration is not taken over; the old one stays; please report this")
        systemd.ready(self._summary())

    def _take_over(self, config: Config) -> None:
        for what, before, after in (
            ("data_dir", self._config.data_dir, config.data_dir),
            ("database", self._config.daemon.database, config.daemon.database),
            ("[api]", self._config.api, config.api),
        ):
            if before != after:
                log.warning("this change needs a restart", key=what)
        # First what may fail: then the old configuration goes on as if nothing had been.
        started = Downloads.start(self._archive, config, news=self._news, measures=self._measures)
        with ExitStack() as if_it_fails:
            if_it_fails.callback(started.close)
            configure_archive(self._archive, config)
            if_it_fails.pop_all()
        self._end_work()
        self._config = config
        self._downloads = started
        self._folders = _keep_taken_in(self._archive, config, self._news, self._measures)
        self._backups = build_backups(self._archive, config)
        if self._app is not None:
            set_profile(self._app, config.profile())
        self._ticker.now()
        log.info("configuration taken over", accounts=len(config.accounts()), dossiers=len(config.dossiers()))

    def _end_work(self) -> None:
        if self._downloads is not None:
            self._downloads.close()
        if self._folders is not None:
            self._folders.close()
        if self._backups is not None:
            self._backups.close()

    def _summary(self) -> str:
        accounts = count_of(len(self._config.accounts()), "account")
        dossiers = count_of(len(self._config.dossiers()), "dossier")
        return f"{accounts}, {dossiers}, API at {self._config.api.listen}"


def _keep_taken_in(archive: Archive, config: Config, news: News, measures: Measures) -> KeptThread:
    """The watched folders of a configuration, in a thread of their own."""
    thread = KeptThread("folders", build_folders(archive, config, news, measures).run)
    thread.start()
    return thread


def _check(archive: Archive) -> None:
    """After a daemon that did not end by itself, check the database's pages.

    Raises:
        Damaged: they are damaged; nothing is written to them any more.
    """
    log.warning("the last daemon did not end cleanly; checking the archive", archive=archive.where)
    with systemd.more_time("checking the archive"):
        faults = archive.check()
    if faults:
        raise Damaged(f"{archive.where} is damaged ({faults[0]}); restore a backup of it")
    log.info("the archive is sound")
