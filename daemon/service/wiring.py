"""Puts the parts together as a configuration says. Nothing here decides anything."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from threading import Event
from typing import Final

import structlog

from daemon import logs
from daemon.archive.archive import Archive
from daemon.archive.schedule.accounts import WantedAccount, sync_accounts
from daemon.archive.schedule.dossiers import WantedDossier, sync_dossiers
from daemon.archive.sqlite import FileArchive
from daemon.config import Config, ConfigErrors, ConfiguredDossier, ConfiguredEvent, Problem
from daemon.counters import Measures
from daemon.events import News
from daemon.imports.folders import Folder, Folders
from daemon.service.backups import BackupThread
from daemon.sync import pacing
from daemon.sync.site_lock import site_lock
from daemon.sync.sync_round import Clock
from daemon.sync.worker import SiteWorker
from fetchers.base import Fetcher
from fetchers.registry import build

log = structlog.get_logger(__name__)

VERSION: Final = version("gamekeeper")


def configure_archive(archive: Archive, config: Config) -> None:
    """The configuration is the truth for accounts and dossiers: let the archive hold just these as active."""
    least = {site: pacing.least_interval(number) for site, number in _accounts_by_site(config).items()}
    wanted = [
        WantedAccount(one.site, one.handle, one.display, one.mine, max(one.every, least[one.site]))
        for one in config.accounts()
    ]
    with archive.writing() as connection:
        sync_accounts(connection, [*wanted, *(_event(one) for one in config.followed())])
        sync_dossiers(connection, [_wanted(one) for one in config.dossiers()])


def _accounts_by_site(config: Config) -> Counter[str]:
    return Counter(one.site for one in config.accounts())


def _event(one: ConfiguredEvent) -> WantedAccount:
    handle = f"{one.kind}/{one.id}"
    return WantedAccount(one.site, handle, handle, mine=False, every_s=one.every, kind=one.kind)


def _wanted(one: ConfiguredDossier) -> WantedDossier:
    fide_id = None if one.fide_id is None else str(one.fide_id)
    return WantedDossier(one.name, one.slug, fide_id, one.names, one.accounts)


def build_fetcher(
    config: Config,
    site: str,
    *,
    stop: Callable[[], bool] = lambda: False,
    counted: Callable[[int | None], None] = lambda _: None,
) -> Fetcher:
    """The fetcher of a site; the caller closes it. Once *stop* says so, it gives up an answer that it waits for.

    Raises:
        ConfigErrors: the site's token cannot be read, or the contact is nobody's.
    """
    if config.nobody_asked is not None:
        raise ConfigErrors([Problem("", 0, 0, config.nobody_asked)])
    settings = config.site(site)
    token = config.token(site)
    if token is not None:
        logs.hide(token)
    return build(
        site,
        contact=config.daemon.contact or "",
        version=VERSION,
        base_url=settings.base_url,
        token=token,
        stop=stop,
        counted=counted,
    )


@dataclass(frozen=True, slots=True)
class Downloads:
    """The workers of one configuration, one for each site that has accounts, with what they use."""

    workers: Mapping[str, SiteWorker]
    stop: Event
    _open: ExitStack

    @classmethod
    def start(
        cls,
        archive: Archive,
        config: Config,
        *,
        clock: Clock = time.time,
        news: News | None = None,
        measures: Measures | None = None,
    ) -> "Downloads":
        """Workers that wait to be poked; *news* hear of their rounds, *measures* count their requests.

        Raises:
            ConfigErrors: a token cannot be read.
        """
        stop = Event()
        workers: dict[str, SiteWorker] = {}
        measured = measures or Measures()
        with ExitStack() as stack:
            for site in _sites(config):
                fetcher = build_fetcher(
                    config, site, stop=stop.is_set, counted=partial(measured.asked_site, site)
                )
                stack.callback(fetcher.close)
                lock = partial(site_lock, config.data_dir, site)
                workers[site] = SiteWorker(
                    site, archive, fetcher, lock=lock, stop=stop, clock=clock, news=news
                )
                stack.callback(workers[site].close)
            return cls(workers, stop, stack.pop_all())

    def poke(self) -> None:
        """Let every site look for due accounts. Returns at once."""
        for worker in self.workers.values():
            worker.poke()

    def close(self) -> None:
        """Let the rounds that run finish the game they are at, and wait for them."""
        self.stop.set()
        self._open.close()


def _sites(config: Config) -> list[str]:
    """The sites that have accounts or events in the configuration; none while the contact is nobody's."""
    if config.nobody_asked is not None:
        log.warning(config.nobody_asked)
        return []
    sites = [account.site for account in config.accounts()] + [event.site for event in config.followed()]
    return list(dict.fromkeys(sites))


def build_folders(
    archive: Archive, config: Config, news: News | None = None, measures: Measures | None = None
) -> Folders:
    """The PGN folders of the configuration; *news* hear of what is imported, *measures* count the looks."""
    folders = [Folder(one.path, one.watch, one.encoding) for one in config.pgn]
    looked = (measures or Measures()).looked_through
    return Folders(archive, folders, news=news, looked=lambda path, whole: looked(path, whole=whole))


def build_backups(archive: Archive, config: Config) -> BackupThread | None:
    """The backups of the configuration, begun; None if it asks for none."""
    if config.backup.every is None or not isinstance(archive, FileArchive):
        return None
    thread = BackupThread(archive, config.backup_folder(), every=config.backup.every, keep=config.backup.keep)
    thread.start()
    return thread
