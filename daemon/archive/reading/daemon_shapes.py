"""The shapes for the state of the daemon: accounts and sites, rounds, unreadable games.

What is unknown is None.
"""

from typing import Annotated, Literal

# See shapes.py: pydantic takes typing's own TypedDict only from Python 3.12 on.
from typing_extensions import TypedDict

from daemon.archive.reading.shape_words import (
    AccountKind,
    AccountState,
    SiteState,
    Time,
    says,
)
from daemon.archive.tables.words import RoundKind, RoundOutcome


class Account(TypedDict):
    """An account on a site, or an event that is followed, and the state of its downloads."""

    account: Annotated[str, says("its key: `lichess:mrossi90`, `lichess:study/AbCd1234`")]
    site: Annotated[str, says("the key of its site")]
    kind: Annotated[AccountKind, says("an account, or the kind of the event")]
    name: Annotated[str, says("as configured, or as the site writes it")]
    state: Annotated[
        AccountState,
        says(
            "the account's own, or that of its site where the site holds all of its accounts up: `rate_limited`, "
            "`blocked`, `down`"
        ),
    ]
    since: Annotated[Time | None, says("since when it is in this state")]
    until: Annotated[Time | None, says("until when a rate-limited site is not asked")]
    mine: Annotated[bool, says("it is the user's own")]
    configured: Annotated[bool, says("it is in the configuration now; else downloads have ended")]
    dossiers: Annotated[list[str], says("the slugs of the dossiers that follow it")]
    every: Annotated[int, says("seconds between two rounds")]
    games: Annotated[int, says("how many downloads it led to")]
    last_success: Annotated[Time | None, says("the end of the last round without an error")]
    last_attempt: Annotated[Time | None, says("the end of the last round")]
    next_due: Annotated[Time | None, says("when it is asked next")]
    failures: Annotated[int, says("rounds that failed since the last success")]
    error: Annotated[str | None, says("what went wrong in the last round, as a sentence")]


class Site(TypedDict):
    """A site that accounts are on."""

    site: Annotated[str, says("its key: `lichess`, `chesscom`")]
    state: Annotated[SiteState, says("whether it can be asked")]
    since: Annotated[Time | None, says("since when it cannot be asked")]
    until: Annotated[Time | None, says("not asked before")]
    failures: Annotated[int, says("refusals one after another")]
    error: Annotated[str | None, says("why it cannot be asked, as a sentence")]
    accounts: Annotated[int, says("how many accounts and events of the configuration it has")]
    backlog: Annotated[int, says("how many of them are due")]
    last_success: Annotated[Time | None, says("the last success of any of them")]


class Totals(TypedDict):
    """What the archive holds."""

    games: Annotated[int, says("games, each once")]
    players: Annotated[int, says("players")]
    tellings: Annotated[int, says("tellings of the games")]
    files: Annotated[int, says("PGN files that were taken in")]
    quarantine: Annotated[int, says("games that could not be read")]


class Status(TypedDict):
    """The state of everything."""

    version: Annotated[str, says("of gamekeeper")]
    running: Annotated[bool | None, says("a daemon works on the archive; null where that cannot be known")]
    archive: Annotated[Totals, says("what the archive holds")]
    sites: Annotated[list[Site], says("the sites of the configuration")]
    accounts: Annotated[list[Account], says("every account that is or was in the configuration")]
    events: Annotated[list[Account], says("every event that is or was followed")]
    errors: Annotated[list[str], says("what is wrong in the data folder, with the command that mends it")]


class Health(TypedDict):
    """The daemon is alive, and the archive answers."""

    status: Annotated[Literal["ok"], says("always this; a 503 where the archive does not answer")]
    version: Annotated[str, says("of gamekeeper")]


class Quarantined(TypedDict):
    """A game that could not be read."""

    id: Annotated[int, says("in the order in which they came")]
    source: Annotated[str, says("the account or the file that it came from")]
    account: Annotated[str | None, says("the account that it was downloaded from")]
    file: Annotated[str | None, says("the file that it is in")]
    site: Annotated[str | None, says("the site that it was downloaded from")]
    native_id: Annotated[str | None, says("the site's own id of it")]
    url: Annotated[str | None, says("where the site shows it")]
    place: Annotated[int | None, says("where it begins in the uncompressed file, in bytes")]
    position: Annotated[int | None, says("where the fault is, in bytes from the beginning of the game")]
    line: Annotated[int | None, says("the line of the fault within the game, from 1 on")]
    column: Annotated[int | None, says("the column of the fault in characters, from 1 on")]
    reason: Annotated[str, says("what is wrong, as a sentence")]
    size: Annotated[int, says("of the game, in bytes")]
    first_seen: Annotated[Time, says("when it first came")]
    last_seen: Annotated[Time, says("when it last came")]
    seen: Annotated[int, says("how often it came")]
    mended: Annotated[bool, says("it was taken in after an edit")]
    left_at: Annotated[Time | None, says("since when it is known to be no longer in its file")]


class Round(TypedDict):
    """One sync of an account, or one import."""

    id: Annotated[int, says("in the order in which they began")]
    kind: Annotated[RoundKind, says("a sync of an account or event, or an import of files")]
    source: Annotated[str, says("the account, or the path")]
    account: Annotated[str | None, says("the account; null for an import")]
    started_at: Annotated[Time, says("when it began")]
    ended_at: Annotated[Time | None, says("when it ended; null while it runs")]
    outcome: Annotated[RoundOutcome | None, says("how it ended; null while it runs")]
    read: Annotated[int, says("games that were read")]
    new: Annotated[int, says("of these, new games")]
    added: Annotated[int, says("of these, new tellings of games that were known")]
    unchanged: Annotated[int, says("of these, known already")]
    refreshed: Annotated[int, says("of these, known downloads that came in a newer form")]
    collapsed: Annotated[int, says("two ids of one site that became one game")]
    quarantined: Annotated[int, says("games that could not be read")]
    left_out: Annotated[int, says("records that are not games for an archive")]
    error: Annotated[str | None, says("what went wrong, as a sentence")]
