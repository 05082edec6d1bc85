"""What asks the sites, built as a configuration says: a site's fetcher, and the workers of all sites."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from threading import Event
from typing import Final

from daemon.archive.archive import Archive
from daemon.config import Config, ConfigErrors, ConfigProblem
from daemon.counters import Measures
from daemon.events import News
from daemon.logs import get_logger
from daemon.sync.site_lock import site_lock
from daemon.sync.sync_round import Clock
from daemon.sync.worker import SiteWorker
from fetchers.base import Fetcher
from fetchers.registry import build

log = get_logger(__name__)

VERSION: Final = version("gamekeeper")


def build_fetcher(
    config: Config,
    site: str,
    *,
    stop: Callable[[], bool] = lambda: False,
    counted: Callable[[int | None], None] = lambda _: None,
) -> Fetcher:
    """The fetcher of a site; the caller closes it. Once *stop* says so, it gives up an answer that it waits for.

    Raises:
        ConfigErrors: the site's token cannot be read, or there is no contact.
    """
    if config.nobody_asked is not None:
        raise ConfigErrors([ConfigProblem("", 0, 0, config.nobody_asked)])
    settings = config.site(site)
    return build(
        site,
        contact=config.daemon.contact or "",
        version=VERSION,
        base_url=settings.base_url,
        token=config.token(site),
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
        """Let the running rounds finish their present game, and wait for them."""
        self.stop.set()
        self._open.close()


def _sites(config: Config) -> list[str]:
    """The sites that have accounts or events in the configuration; none without a contact."""
    if config.nobody_asked is not None:
        log.warning(config.nobody_asked)
        return []
    sites = [account.site for account in config.accounts()] + [event.site for event in config.followed()]
    return list(dict.fromkeys(sites))
