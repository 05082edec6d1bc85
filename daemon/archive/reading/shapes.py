"""The shapes of DESIGN §5.3, as the API sends them and ``--json`` prints them.

Times are RFC 3339 in UTC. What is unknown is None.
"""

from typing import Generic, Literal, TypeVar

# pydantic documents the API from these and takes typing's own TypedDict only from Python 3.12 on.
from typing_extensions import TypedDict

from core.doubles import Kind

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list. *next* is the cursor of the page behind it, None on the last page."""

    items: list[Item]
    next: str | None


class Player(TypedDict):
    """A player. *verbatim*: his name is shown as it was written. *games*: how many he played."""

    id: int
    name: str
    kind: Literal["fide", "person", "nickname", "unknown"]
    fide_id: str | None
    verbatim: bool
    games: int


class Side(TypedDict):
    """One side of a game. *name* is the player's shown name, *written* the name in this game."""

    player_id: int
    name: str
    written: str | None
    fide_id: str | None
    verbatim: bool
    rating: int | None
    title: str | None
    team: str | None


class Telling(TypedDict):
    """One source's account of a game: a download, or a game in a file.

    *site* and *native_id* are also there for a file's game that names them; *accounts* led to the download.
    """

    n: int
    site: str | None
    native_id: str | None
    url: str | None
    accounts: list[str]
    file: str | None
    fetched_at: str


class Game(TypedDict):
    """A game in a list. *date* may have unknown parts: ``2024.05.??``."""

    id: int
    white: Side
    black: Side
    date: str | None
    result: str
    event: str | None
    site: str | None
    round: str | None
    eco: str | None
    opening: str | None
    time_control: str | None
    time_class: str | None
    variant: str
    start_fen: str | None
    ply_count: int
    termination: str | None
    annotator: str | None
    started_at: str | None
    tellings: list[Telling]


class WholeGame(Game):
    """A single game. *moves* are UCI, divided by blanks; *tags* are those of the first telling's PGN."""

    moves: str
    tags: dict[str, str]


class MyGame(Game):
    """A game of the user's, with the reason why it is theirs and the side they played."""

    why: str
    mine: Literal["white", "black", "both"]


class Me(TypedDict):
    """The user, as configured."""

    first_name: str
    last_name: str
    fide_id: str | None
    aliases: list[str]
    accounts: list[str]
    games: int


class Dossier(TypedDict):
    """A tracked opponent."""

    slug: str
    name: str
    fide_id: str | None
    names: list[str]
    accounts: list[str]
    games: int


class Account(TypedDict):
    """An account on a site and where its downloads stand.

    *state* is the site's where the site holds all its accounts up: ``rate_limited`` (with *until*), ``blocked``,
    ``down``; else the account's own: ``new``, ``active``, ``not_found``, ``closed``, ``renamed``.
    *games* counts the downloads that the account led to; *every* is in seconds. *kind*: ``account``, or that of an
    event that is followed (``broadcast``, ``study``, …).
    """

    account: str
    site: str
    kind: str
    name: str
    state: str
    since: str | None
    until: str | None
    mine: bool
    configured: bool
    dossiers: list[str]
    every: int
    games: int
    last_success: str | None
    last_attempt: str | None
    next_due: str | None
    failures: int
    error: str | None


class Site(TypedDict):
    """A site that accounts are on. *backlog* counts its accounts that are due."""

    site: str
    state: str
    since: str | None
    until: str | None
    failures: int
    error: str | None
    accounts: int
    backlog: int
    last_success: str | None


class Totals(TypedDict):
    """What the archive holds."""

    games: int
    players: int
    tellings: int
    files: int
    quarantine: int


class Status(TypedDict):
    """Where everything stands. *running*: does the daemon run? None if that is not known."""

    version: str
    running: bool | None
    archive: Totals
    sites: list[Site]
    accounts: list[Account]
    events: list[Account]


class Health(TypedDict):
    """The archive answers."""

    status: Literal["ok"]
    version: str


class Quarantined(TypedDict):
    """A game that could not be read.

    *place* is where it begins in the (uncompressed) file, *position* where the fault is in its bytes; *line* and
    *column* (in characters, from 1) say the same of its text. *mended*: it was taken in after an edit.
    """

    id: int
    source: str
    account: str | None
    file: str | None
    site: str | None
    native_id: str | None
    url: str | None
    place: int | None
    position: int | None
    line: int | None
    column: int | None
    reason: str
    size: int
    first_seen: str
    last_seen: str
    seen: int
    mended: bool


class Round(TypedDict):
    """One sync of an account or one import. *outcome* is None while it runs."""

    id: int
    kind: Literal["sync", "import"]
    source: str
    account: str | None
    started_at: str
    ended_at: str | None
    outcome: str | None
    read: int
    new: int
    added: int
    unchanged: int
    refreshed: int
    collapsed: int
    quarantined: int
    left_out: int
    error: str | None


class Edit(TypedDict):
    """Something that the user has changed: a field of a game, the name of a player, an answer about two games.

    *batch*: the first edit of the command that made it. *undone_at* is None while it has effect.
    """

    id: int
    batch: int
    at: str
    kind: Literal["game", "player", "same", "different"]
    game_id: int | None
    other_id: int | None
    player_id: int | None
    field: str | None
    before: str | None
    after: str | None
    undone_at: str | None


class Double(TypedDict):
    """Two games that may be one: *kind* and *reason* say why. The older one is *game*."""

    id: int
    kind: Kind
    reason: str
    game: Game
    other: Game


class Suggestion(TypedDict):
    """A name to choose."""

    name: str


class Suggestions(TypedDict):
    """Names to choose, in order."""

    items: list[Suggestion]
