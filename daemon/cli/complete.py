"""Completion in a shell: dossiers and accounts of the configuration, tournaments and followed accounts.

Completion must not fail or write: if nothing can be read, nothing is offered.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daemon import visible_paths
from daemon.cli.context import Context

if TYPE_CHECKING:
    from daemon.config import Config


def dossiers(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The slugs of the dossiers."""
    config = _config(context)
    return [] if config is None else _beginning(begun, (one.slug for one in config.dossiers()))


def accounts(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The accounts and events that are followed."""
    config = _config(context)
    return [] if config is None else _beginning(begun, followed(config))


def followed(config: "Config") -> list[str]:
    """The keys of all accounts and events of the configuration."""
    return [*(one.key for one in config.accounts()), *(one.key for one in config.followed())]


def tournaments(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The short names of the tournaments."""
    from daemon.archive.errors import ArchiveError
    from daemon.club.views import list_tournaments

    config = _config(context)
    if config is None or not (config.daemon.database or visible_paths.is_file(Path(config.database_url()))):
        return []
    given = context.ensure_object(Context)
    try:
        with given.archive_to_read().reading() as connection:
            found = list_tournaments(connection)["items"]
    except ArchiveError:
        return []
    finally:
        given.close()
    return _beginning(begun, (one["slug"] for one in found))


def _config(context: click.Context) -> "Config | None":
    """The configuration; None if there is none or it has errors."""
    from daemon.config import ConfigErrors

    try:
        return context.ensure_object(Context).config()
    except ConfigErrors:
        return None


def _beginning(begun: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.casefold().startswith(begun.casefold())]
