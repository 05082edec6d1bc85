"""Puts the parts together as a configuration says. Nothing is decided here."""

from collections import Counter
from dataclasses import replace

from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.schedule.accounts import sync_accounts
from daemon.archive.sqlite import FileArchive
from daemon.config import Config
from daemon.counters import Measures
from daemon.events import News
from daemon.imports.folders import Folder, Folders
from daemon.service.backups import BackupThread
from daemon.sync import pacing


def configure_archive(archive: Archive, config: Config) -> None:
    """Store the accounts and dossiers of the configuration, which decides, as the only active ones."""
    least = {site: pacing.least_interval(number) for site, number in _accounts_by_site(config).items()}
    wanted = [replace(one, every=max(one.every, least[one.site])) for one in config.accounts()]
    with archive.writing() as connection:
        sync_accounts(connection, [*wanted, *config.followed()])
        sync_dossiers(connection, config.dossiers())


def _accounts_by_site(config: Config) -> Counter[str]:
    return Counter(one.site for one in config.accounts())


def build_folders(
    archive: Archive, config: Config, news: News | None = None, measures: Measures | None = None
) -> Folders:
    """The PGN folders of the configuration; *news* hear of what is imported, *measures* count the looks."""
    folders = [Folder(one.path, one.watch, one.encoding) for one in config.pgn]
    looked = (measures or Measures()).looked_through
    return Folders(archive, folders, news=news, looked=lambda path, whole: looked(path, whole=whole))


def build_backups(archive: Archive, config: Config) -> BackupThread | None:
    """The backups of the configuration, started; None if it wants none."""
    if config.backup.every is None or not isinstance(archive, FileArchive):
        return None
    thread = BackupThread(archive, config.backup_folder(), every=config.backup.every, keep=config.backup.keep)
    thread.start()
    return thread
