"""Checks across keys: keys that need, forbid or repeat each other. Each check yields (location, what)."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from core import names
from core.sites import SITE_OF_KIND, SITES
from daemon import visible_paths
from daemon.config import tokens, values
from daemon.config.models import ConfigTables, EventTable
from daemon.config.toml_positions import Location
from daemon.config.values import HandleOnSite, Listen, WrongValue

ConfigFinding = tuple[Location, WrongValue]

SHORTEST_INTERVAL = 60
"""The least number of seconds between two rounds of one account at a public site."""

SHORTEST_BACKUP_INTERVAL = 3600
"""The least number of seconds between two backups by the daemon: each reads the whole archive."""

_PLACEHOLDER = re.compile(r"(?:mailto:)?<?you@example\.(?:org|com|net)>?", re.IGNORECASE)
"""The contact in the example that `init` writes: nobody reads it."""


def is_placeholder(contact: str | None) -> bool:
    """Whether the contact is still that of the example."""
    return contact is not None and _PLACEHOLDER.fullmatch(contact) is not None


def faults(tables: ConfigTables) -> Iterator[ConfigFinding]:
    """All errors that concern more than one key."""
    yield from _contact(tables)
    yield from _listen(tables)
    yield from _tokens(tables)
    yield from _intervals(tables)
    yield from _slugs(tables)
    yield from _accounts(tables)
    yield from _events(tables)
    yield from _folders(tables)
    yield from _backups(tables)


def hints(tables: ConfigTables) -> Iterator[ConfigFinding]:
    """Warnings: values that can be used, but may be mistakes."""
    for index, alias in enumerate(tables.me.aliases):
        if values.alias_account(alias) is None and names.classify(alias) == "nickname":
            what = f'the alias "{alias}" looks like an account but names no site, so nothing is downloaded for it'
            yield (
                ("me", "aliases", index),
                WrongValue(what, f'write "{next(iter(SITES))}:{alias}" if it is one'),
            )
    database = tables.daemon.database or ""
    if "@" in database and ":" in database.split("://", 1)[1].split("@", 1)[0]:
        what = "the database's password is in the configuration"
        yield ("daemon", "database"), WrongValue(what, "~/.pgpass or $PGPASSFILE keeps it apart")
    if tables.backup.every is not None and tables.daemon.database is not None:
        what = "gamekeeper makes no backups of a PostgreSQL database, so every does nothing"
        yield ("backup", "every"), WrongValue(what, "`gamekeeper backup` says how pg_dump makes them")
    yield from _about_sites(tables)
    hindrance = _hindrance(tables.daemon.data_dir)
    if hindrance is not None:
        hint = "name another folder, unless gamekeeper runs as a user who may"
        yield ("daemon", "data_dir"), WrongValue(hindrance, hint)
    for number, folder in enumerate(tables.pgn):
        # A folder within data_dir is ours to make; anything else may be misspelt.
        if (
            not (visible_paths.exists(folder.path) or visible_paths.is_hidden(folder.path))
            and tables.daemon.data_dir not in folder.path.parents
        ):
            what = f"{folder.path} is not there"
            yield ("pgn", number, "path"), WrongValue(what, "if the path is right: `run` makes the folder")
    if not (any(named_accounts(tables)) or any(named_events(tables)) or tables.pgn):
        what = "no account and no PGN folder is named, so the archive grows by `import` alone"
        yield (), WrongValue(what, "name them under [me], [[dossier]] or [[pgn]]")


def _about_sites(tables: ConfigTables) -> Iterator[ConfigFinding]:
    """Warnings about settings that keep sites from being asked, or from answering."""
    if is_placeholder(tables.daemon.contact):
        what = f"no site is asked: contact is still that of the example, {tables.daemon.contact}"
        yield ("daemon", "contact"), WrongValue(what, "write an address under which they can reach you")
    for key, site in SITES.items():
        advice = site.token_advice
        if advice is None or not tables.events(advice.kind):
            continue
        if tokens.file_of(key, tables.site(key).token_file) is None:
            hint = f"{advice.how}, and name its file as token_file in [sites.{key}]"
            yield (advice.kind, 0), WrongValue(advice.why, hint)


def _hindrance(data_dir: Path) -> str | None:
    """What would keep us from making the data folder and writing to it. It is not tried.

    A check makes nothing.
    """
    there = next((path for path in (data_dir, *data_dir.parents) if os.path.lexists(path)), data_dir)
    if not visible_paths.is_dir(there):
        what = "is a file" if visible_paths.is_file(there) else "is not a folder"
        made = "" if there == data_dir else f", so {data_dir} cannot be made"
        return f"data_dir cannot be used: {there} {what}{made}"
    if not os.access(there, os.W_OK | os.X_OK, effective_ids=True):
        made = "" if there == data_dir else f", so {data_dir} cannot be made"
        return f"data_dir cannot be used: nothing can be written to {there}{made}"
    return None


def named_accounts(tables: ConfigTables) -> Iterator[tuple[Location, HandleOnSite]]:
    """Every account with its location."""
    for index, alias in enumerate(tables.me.aliases):
        account = values.alias_account(alias)
        if account is not None:
            yield ("me", "aliases", index), account
    for index, account in enumerate(tables.me.accounts):
        yield ("me", "accounts", index), account
    for number, dossier in enumerate(tables.dossier):
        for index, account in enumerate(dossier.accounts):
            yield ("dossier", number, "accounts", index), account


def named_events(tables: ConfigTables) -> Iterator[tuple[Location, str, EventTable]]:
    """Every event with its kind and its location."""
    for kind in SITE_OF_KIND:
        for number, event in enumerate(tables.events(kind)):
            yield (kind, number, "id"), kind, event


def _contact(tables: ConfigTables) -> Iterator[ConfigFinding]:
    if tables.daemon.contact is None and (any(named_accounts(tables)) or any(named_events(tables))):
        what = "contact is missing: the sites require it of programs that download games"
        yield ("daemon", "contact"), WrongValue(what, 'add contact = "you@example.org" to [daemon]')


def _listen(tables: ConfigTables) -> Iterator[ConfigFinding]:
    listen = tables.api.listen
    if not listen.local and tokens.file_of("api", tables.api.token_file) is None:
        what = f"listening at {listen} is open to other machines and needs a token_file"
        yield ("api", "listen"), WrongValue(what, 'add token_file = "…" to [api], or listen at 127.0.0.1')


def _tokens(tables: ConfigTables) -> Iterator[ConfigFinding]:
    places: list[tuple[Location, Path | None]] = [(("api", "token_file"), tables.api.token_file)]
    for name in SITES:
        site = tables.site(name)
        places.append((("sites", name, "token_file"), site.token_file))
        if site.token_file and site.base_url and _plain(site.base_url):
            what = f"the token would go to {site.base_url} without encryption"
            yield ("sites", name, "base_url"), WrongValue(what, "use https, or leave token_file out")
    for location, file in places:
        if file is not None:
            try:
                tokens.read(file)
            except tokens.NotOurs as wrong:
                if not _is_another_users(file):
                    yield location, wrong
            except WrongValue as wrong:
                yield location, wrong


def _is_another_users(file: Path) -> bool:
    """Whether another user may read what we may not. Then it is they who run the daemon."""
    try:
        return file.stat().st_uid != os.geteuid()
    except PermissionError:
        return True
    except OSError:
        return False


def _plain(base_url: str) -> bool:
    """Whether the way there leads over a network without encryption."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    return parts.scheme == "http" and host != "localhost" and not Listen(host).local


def _intervals(tables: ConfigTables) -> Iterator[ConfigFinding]:
    hint = f"ask at most once in {SHORTEST_INTERVAL} s, or name another server with base_url"
    for name in SITES:
        site = tables.site(name)
        if site.every is not None and site.every < SHORTEST_INTERVAL and site.base_url is None:
            yield ("sites", name, "every"), WrongValue(f"every is too short for the public {name}", hint)
    for number, dossier in enumerate(tables.dossier):
        public = any(tables.site(account.site).base_url is None for account in dossier.accounts)
        if dossier.every is not None and dossier.every < SHORTEST_INTERVAL and public:
            yield ("dossier", number, "every"), WrongValue("every is too short for a public site", hint)
    for location, kind, event in named_events(tables):
        public = tables.site(SITE_OF_KIND[kind]).base_url is None
        if event.every is not None and event.every < SHORTEST_INTERVAL and public:
            yield (*location[:2], "every"), WrongValue("every is too short for a public site", hint)


def _slugs(tables: ConfigTables) -> Iterator[ConfigFinding]:
    first: dict[str, int] = {}
    for number, dossier in enumerate(tables.dossier):
        other = first.setdefault(dossier.slug, number)
        if other != number:
            both = f'"{dossier.name}" and "{tables.dossier[other].name}"'
            what = f'two dossiers have the address "{dossier.slug}": {both}'
            yield (
                ("dossier", number, "name"),
                WrongValue(what, "give one of them another name", other=("dossier", other, "name")),
            )


def _accounts(tables: ConfigTables) -> Iterator[ConfigFinding]:
    """An account is one person's: it may be in [me] once, or in one dossier."""
    seen: dict[tuple[bool, str], Location] = {}
    for location, account in named_accounts(tables):
        key = (location[0] == "me", account.key)
        first = seen.setdefault(key, location)
        if first != location:
            where = "[me]" if key[0] else f'the dossier "{tables.dossier[int(first[1])].name}"'
            what = f"the account {account.key} is already named in {where}"
            yield location, WrongValue(what, "name it once", other=first)


def _events(tables: ConfigTables) -> Iterator[ConfigFinding]:
    seen: dict[tuple[str, str], Location] = {}
    for location, kind, event in named_events(tables):
        first = seen.setdefault((kind, event.id), location)
        if first != location:
            what = f"the {kind} {event.id} is already named"
            yield location, WrongValue(what, "name it once", other=first)


def _folders(tables: ConfigTables) -> Iterator[ConfigFinding]:
    seen: dict[str, int] = {}
    for number, folder in enumerate(tables.pgn):
        path = os.path.normpath(folder.path)
        first = seen.setdefault(path, number)
        if first != number:
            what = f"the folder {path} is already named"
            yield ("pgn", number, "path"), WrongValue(what, "name it once", other=("pgn", first, "path"))


def _backups(tables: ConfigTables) -> Iterator[ConfigFinding]:
    if tables.backup.every is not None and tables.backup.every < SHORTEST_BACKUP_INTERVAL:
        yield ("backup", "every"), WrongValue("every is too short for backups", 'write at least "1h"')
