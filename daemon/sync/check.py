"""The dossiers of the configuration, checked: what of them the archive and the sites know."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import TypedDict

from core.plurals import agreeing, count_of
from daemon.archive.archive import Archive, Connection
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import list_accounts
from daemon.archive.reading.dossiers import list_dossiers
from daemon.archive.reading.namesakes import Headed, left_out
from daemon.archive.reading.times import rfc3339
from daemon.config import Config
from daemon.config.configured import ConfiguredDossier
from daemon.sync.blame import is_of_one
from daemon.sync.build import build_fetcher
from daemon.sync.gates import ordered_wait
from daemon.sync.result import refuse
from daemon.sync.site_lock import site_lock
from fetchers.base import AccountProfile
from fetchers.errors import FetchError, NotFound, SiteError


class DossierFinding(TypedDict):
    """One thing that was checked. *subject*: ``archive``, ``name`` or an account; *problem*: it needs attention.

    Of an account: whether it exists, how it is shown, since when, how many games it has there and here, and
    the FIDE id that its profile links; None is what the site does not say, or was not asked.
    """

    dossier: str
    subject: str
    problem: bool
    detail: str
    exists: bool | None
    display: str | None
    since: str | None
    games_there: int | None
    games_here: int | None
    fide_id: str | None


def check_dossiers(
    config: Config, archive: Archive, slug: str | None, *, offline: bool
) -> list[DossierFinding]:
    """Compare the configuration (one dossier of it, if *slug* names one) with the archive; then, unless *offline*, ask the sites.

    Raises:
        ConfigErrors: a site's token cannot be read.
    """
    chosen = [one for one in config.dossiers() if slug in (None, one.slug)]
    with archive.reading() as connection:
        stored = [one for one in list_dossiers(connection) if slug in (None, one["slug"])]
        alike = [*_namesakes(connection, chosen)]
        here = {one["account"]: one["games"] for one in list_accounts(connection, now_ms=0)}
    found = [*_against_archive(chosen, stored), *alike]
    return found if offline else [*found, *_against_sites(config, archive, chosen, here)]


def _against_archive(
    configured: Iterable[ConfiguredDossier], stored: Iterable[shapes.Dossier]
) -> Iterator[DossierFinding]:
    known = {dossier["slug"]: dossier for dossier in stored}
    for dossier in configured:
        held = known.pop(dossier.slug, None)
        if held is None:
            yield _finding(dossier.slug, "archive", "not in the archive yet: sync, or reload the daemon")
        elif set(held["accounts"]) != set(dossier.accounts) or set(held["names"]) != set(dossier.names):
            yield _finding(dossier.slug, "archive", "changed since the last sync: sync, or reload the daemon")
        elif not held["games"]:
            yield _finding(dossier.slug, "archive", "no games")
        else:
            yield _finding(dossier.slug, "archive", count_of(held["games"], "game"), problem=False)
    for slug in known:
        yield _finding(slug, "archive", "in the archive, but no longer in the configuration")


def _namesakes(connection: Connection, chosen: Iterable[ConfiguredDossier]) -> Iterator[DossierFinding]:
    """Players with the name of a dossier who are not in it."""
    for dossier in chosen:
        headed = Headed(dossier.name, dossier.names, dossier.fide_id, dossier.accounts)
        for one in left_out(connection, headed):
            yield _finding(dossier.slug, "name", str(one), problem=False)


def _against_sites(
    config: Config, archive: Archive, chosen: Sequence[ConfiguredDossier], here: Mapping[str, int]
) -> Iterator[DossierFinding]:
    followed = {one.slug: one for one in chosen}
    pairs = sorted({(key, dossier.slug) for dossier in chosen for key in dossier.accounts})
    for site, accounts in groupby(pairs, key=lambda pair: pair[0].partition(":")[0]):
        with site_lock(config.data_dir, site) as held:
            asked = _ask_site(config, archive, site, list(accounts), held=held)
            for slug, key, answer in asked:
                if isinstance(answer, AccountProfile):
                    yield _account(slug, key, answer, here.get(key, 0), followed[slug])
                else:
                    exists = False if isinstance(answer, NotFound) else None
                    yield _finding(slug, key, str(answer)) | {
                        "exists": exists,
                        "games_here": here.get(key, 0),
                    }


def _ask_site(
    config: Config, archive: Archive, site: str, accounts: list[tuple[str, str]], *, held: bool
) -> Iterator[tuple[str, str, AccountProfile | FetchError | str]]:
    """Ask one site for its accounts, one after another; whatever concerns the whole site ends it.

    If it fails on one account, and answers a question about nobody, only that account is left out.
    """
    refusal = (
        _refusal(config, archive, site) if held else "not asked: another gamekeeper is asking the site now"
    )
    if refusal is not None:
        yield from ((slug, key, refusal) for key, slug in accounts)
        return
    with closing(build_fetcher(config, site)) as fetcher:
        failed = -2  # number of the last account that failed alone: two in a row are the site's fault
        for number, (key, slug) in enumerate(accounts):
            try:
                yield slug, key, fetcher.profile(key.partition(":")[2])
            except SiteError as error:
                if failed != number - 1 and is_of_one(fetcher, error):
                    failed = number
                    yield slug, key, error
                    continue
                # What the site orders binds the daemon, too.
                refuse(archive, site, error, time.time())
                yield from ((other, left, error) for left, other in accounts[number:])
                return
            except FetchError as error:
                yield slug, key, error


def _refusal(config: Config, archive: Archive, site: str) -> str | None:
    """Why the site is not asked: it ordered a wait, or there is no contact."""
    if config.daemon.contact is None:
        return "not asked: set contact under [daemon], the sites require it"
    if config.nobody_asked is not None:
        return config.nobody_asked
    until = ordered_wait(archive, site, time.time())
    return None if until is None else f"not asked: the site ordered a wait until {rfc3339(int(until * 1000))}"


def _account(
    slug: str, key: str, profile: AccountProfile, here: int, dossier: ConfiguredDossier
) -> DossierFinding:
    """What the site says of an account, next to what is here. Nothing is merged because of it."""
    facts = [profile.state, f"shown as {profile.display}"]
    if profile.created_at is not None:
        facts.append(f"since {profile.created_at:%Y-%m-%d}")
    facts.append(f"{_unknown(profile.games)} {agreeing(profile.games or 0, 'game')} there, {here} here")
    other = profile.fide_id is not None and dossier.fide_id not in (None, int(profile.fide_id))
    if profile.fide_id is not None:
        facts.append(f"FIDE id {profile.fide_id}" + (", which is not the dossier's" if other else ""))
    if profile.marked:
        facts.append("marked by the site")
    finding = _finding(slug, key, ", ".join(facts), problem=profile.state != "active" or other)
    created = profile.created_at
    return finding | {
        "exists": True,
        "display": profile.display,
        "since": None if created is None else rfc3339(int(created.timestamp() * 1000)),
        "games_there": profile.games,
        "games_here": here,
        "fide_id": profile.fide_id,
    }


def _unknown(number: int | None) -> str:
    return "?" if number is None else str(number)


def _finding(slug: str, subject: str, detail: str, *, problem: bool = True) -> DossierFinding:
    return {
        "dossier": slug,
        "subject": subject,
        "problem": problem,
        "detail": detail,
        "exists": None,
        "display": None,
        "since": None,
        "games_there": None,
        "games_here": None,
        "fide_id": None,
    }
