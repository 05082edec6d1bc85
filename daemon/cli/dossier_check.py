"""`gamekeeper dossier check`: what of the configuration the archive and the sites know."""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from typing import TypedDict

from daemon import pacing
from daemon.archive.accounts import close_gate, gate
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.dossiers import list_dossiers
from daemon.archive.reading.times import rfc3339
from daemon.cli.context import Context
from daemon.config import Config, ConfiguredDossier
from daemon.pacing import Outcome
from daemon.site_lock import site_lock
from daemon.sites import gate_until
from daemon.wiring import build_fetcher
from fetchers.base import Profile
from fetchers.errors import FetchError, RateLimited, SiteError


class Finding(TypedDict):
    """One thing that was looked at. *subject*: ``archive`` or an account; *problem*: somebody should look at it."""

    dossier: str
    subject: str
    problem: bool
    detail: str


def check_dossiers(context: Context, *, offline: bool) -> list[Finding]:
    """Compare the configuration with the archive, then ask the sites for the accounts."""
    config, archive = context.config(), context.archive()
    with archive.reading() as conn:
        stored = list_dossiers(conn)
    found = [*_against_archive(config.dossiers(), stored)]
    return found if offline else [*found, *_against_sites(config, archive)]


def _against_archive(
    configured: Iterable[ConfiguredDossier], stored: Iterable[shapes.Dossier]
) -> Iterator[Finding]:
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
            yield _finding(dossier.slug, "archive", f"{held['games']} games", problem=False)
    for slug in known:
        yield _finding(slug, "archive", "in the archive, but no more in the configuration")


def _against_sites(config: Config, archive: Archive) -> Iterator[Finding]:
    pairs = sorted({(key, dossier.slug) for dossier in config.dossiers() for key in dossier.accounts})
    for site, accounts in groupby(pairs, key=lambda pair: pair[0].partition(":")[0]):
        with site_lock(config.data_dir, site) as held:
            yield from _ask_site(config, archive, site, list(accounts), held=held)


def _ask_site(
    config: Config, archive: Archive, site: str, accounts: list[tuple[str, str]], *, held: bool
) -> Iterator[Finding]:
    """Ask one site for its accounts, one after the other; whatever concerns the whole site ends it."""
    refusal = _refusal(config, archive, site) if held else "not asked: another gamekeeper asks the site now"
    if refusal is not None:
        yield from (_finding(slug, key, refusal) for key, slug in accounts)
        return
    with closing(build_fetcher(config, site)) as fetcher:
        for number, (key, slug) in enumerate(accounts):
            try:
                profile = fetcher.profile(key.partition(":")[2])
            except SiteError as error:
                _keep_wait(archive, site, error)
                yield from (_finding(other, left, str(error)) for left, other in accounts[number:])
                return
            except FetchError as error:
                yield _finding(slug, key, str(error))
            else:
                yield _profile(slug, key, profile)


def _refusal(config: Config, archive: Archive, site: str) -> str | None:
    """Why the site is not asked: it ordered a wait, or nobody would know who asks."""
    if config.daemon.contact is None:
        return "not asked: set contact under [daemon], the sites require it"
    with archive.reading() as conn:
        until = gate_until(gate(conn, site), time.time())
    if until is None:
        return None
    return f"not asked: the site ordered a wait until {rfc3339(int(until * 1000))}"


def _keep_wait(archive: Archive, site: str, error: SiteError) -> None:
    """A wait that the site orders binds the daemon, too."""
    if not isinstance(error, RateLimited):
        return
    now = time.time()
    with archive.writing() as conn:
        failures = gate(conn, site).failures + 1
        told = error.retry_after
        plan = pacing.plan(Outcome.RATE_LIMITED, now=now, every=0, failures=failures, retry_after=told)
        close_gate(conn, site, Outcome.RATE_LIMITED, int(plan.due_at * 1000), str(error), int(now * 1000))


def _profile(slug: str, key: str, profile: Profile) -> Finding:
    games = "" if profile.games is None else f", {profile.games} games there"
    fide = "" if profile.fide_id is None else f", FIDE id {profile.fide_id}"
    detail = f"{profile.state}, shown as {profile.display}{games}{fide}"
    return _finding(slug, key, detail, problem=profile.state != "active")


def _finding(slug: str, subject: str, detail: str, *, problem: bool = True) -> Finding:
    return {"dossier": slug, "subject": subject, "problem": problem, "detail": detail}
