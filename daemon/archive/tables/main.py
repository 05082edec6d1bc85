"""The tables of the archive.

Times are milliseconds since 1970 UTC. Ids are given by the program in the order of intake, so that SQLite and
PostgreSQL answer alike. What must be unique and may be long is unique by a 16-byte digest, since PostgreSQL's
indexes cannot store long texts. The migrations in `migrations/` build exactly this; a test compares the two.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
    func,
    literal_column,
    text,
    true,
)
from sqlalchemy.sql.elements import ColumnElement

from daemon.archive.tables import club, edits  # noqa: F401 - known to the metadata whenever these tables are
from daemon.archive.tables.greatest import Greatest
from daemon.archive.tables.metadata import metadata as metadata  # noqa: PLC0414 - code that takes it from here has all tables
from daemon.archive.tables.metadata import partial_index

BEGINNING: Final = 64
"""How many characters of a text of any length its index has."""

# What partial indexes hold: a query that is to use one has to say the very same.
DOWNLOADED: Final = text("download")
IN_FILE: Final = text("NOT download")
OF_SITE: Final = text("site IS NOT NULL")
NOT_STANDARD: Final = text("variant <> 'standard'")
EDITED: Final = text("told_key IS NOT NULL")
UNUSUAL_RESULT: Final = text("result NOT IN ('1-0', '0-1', '1/2-1/2')")
RATED: Final = text("(white_rating IS NOT NULL OR black_rating IS NOT NULL)")
LONGEST_USUAL: Final = 160
SHORTEST_USUAL: Final = 20
LONG: Final = text(f"ply_count > {LONGEST_USUAL}")
SHORT: Final = text(f"ply_count < {SHORTEST_USUAL}")

LISTED: Final = (
    "white_id",
    "black_id",
    "event_id",
    "site_id",
    "opening_id",
    "derived_opening_id",
    "white_team_id",
    "black_team_id",
    "white_rating",
    "black_rating",
    "ply_count",
)
"""What the index of the list by date has of each game beside its date and id."""

# PostgreSQL's locale would order words by its own rules; the prefix search and the order of suggestions
# need code point order on both databases.
CodePoints = Text().with_variant(Text(collation="C"), "postgresql")


def _id() -> Column[int]:
    return Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False)


def _to(table: str, name: str, *, null: bool = False, index: bool = False) -> Column[int]:
    return Column(name, ForeignKey(f"{table}.id"), nullable=null, index=index)


settings = Table(
    "settings",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Facts about the archive itself: `key_version` (of player and game keys)."""

players = Table(
    "players",
    metadata,
    _id(),
    Column("digest", LargeBinary(16), nullable=False, unique=True),  # of the key
    Column("key", Text, nullable=False),  # str(core.players.PlayerKey)
    Column("kind", String(8), nullable=False),
    Column("name", Text, nullable=False),  # as shown
    Column("folded", CodePoints, nullable=False, index=True),  # core.search's order of the shown name
    Column("fide_id", String(32), index=True),
    Column("verbatim", Boolean, nullable=False),
)

player_words = Table(
    "player_words",
    metadata,
    Column("word", CodePoints, primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True, index=True),
    Column("nickname", Boolean, nullable=False),  # the word is a whole nickname: a hyphen counts as it is
    sqlite_with_rowid=False,
)
"""Every word that finds a player by their shown name, folded; a nickname is one word."""

player_names = Table(
    "player_names",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("digest", LargeBinary(16), primary_key=True),  # of the name
    Column("name", Text, nullable=False),
    Column("identity", LargeBinary(16), nullable=False, index=True),  # digest of the name's key without an id
)
"""Every way the name of a player with a FIDE id was written: whether a game is yours is asked of the name as
written in that game (names A24)."""

texts = Table(
    "texts",
    metadata,
    _id(),
    Column("digest", LargeBinary(16), nullable=False, unique=True),  # of kind and text
    Column("kind", String(8), nullable=False),  # event, site, team, opening
    Column("text", Text, nullable=False),
    Column("folded", CodePoints, nullable=False),
)
"""Events, sites, teams and openings, each once."""

text_words = Table(
    "text_words",
    metadata,
    Column("word", CodePoints, primary_key=True),
    Column("text_id", ForeignKey("texts.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

games = Table(
    "games",
    metadata,
    _id(),
    Column("key", LargeBinary(16), nullable=False, unique=True),  # core.sameness.key
    _to("players", "white_id"),
    _to("players", "black_id"),
    Column("white_name", Text, nullable=False),  # as written in this game
    Column("black_name", Text, nullable=False),
    Column("white_rating", Integer),
    Column("black_rating", Integer),
    Column("white_title", Text),
    Column("black_title", Text),
    _to("texts", "white_team_id", null=True),
    _to("texts", "black_team_id", null=True),
    Column("date", CodePoints, nullable=False),  # str(core.game.PartialDate)
    Column("result", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("start", Text, nullable=False),  # normal form, "" is the standard position
    Column("start_fen", Text),
    Column("moves", LargeBinary, nullable=False),  # core.move_bytes.pack
    Column("ply_count", Integer, nullable=False),
    _to("texts", "event_id", null=True, index=True),
    _to("texts", "site_id", null=True, index=True),
    # An online game's Site is the site's address with the game's own id after it: the address is in `texts`,
    # the id, one word, is here, so that a million online games do not make a million places.
    Column("site_tail", CodePoints),
    Column("round", Text),
    Column("eco", CodePoints),
    _to("texts", "opening_id", null=True),
    Column("time_control", Text),
    Column("time_class", Text),
    Column("termination", Text),
    Column("annotator", Text),
    Column("started_at", BigInteger),
    Column("online", Boolean, nullable=False),
    Column("added_at", BigInteger, nullable=False),
    Column("last_n", Integer, nullable=False, server_default="1"),  # the last `tellings.n` given in this game
    # What the moves say where no source does, `core.openings`: what a source says and what is derived stay apart.
    Column("derived_eco", CodePoints),
    # To `texts`; no foreign key, since SQLite adds none to a table without copying it, and no text is ever deleted.
    Column("derived_opening_id", BigInteger().with_variant(Integer, "sqlite")),
    # A player's games by date, without a look at the games themselves, also those against another player.
    Index("ix_games_white_id_date", "white_id", "date", "id", "black_id"),
    Index("ix_games_black_id_date", "black_id", "date", "id", "white_id"),
    # The list by date, with what most filters ask, so that a walk along it looks at games only where it must.
    Index("ix_games_date_id", "date", "id", *LISTED),
    Index("ix_games_added_at", "added_at"),
)
"""Each game once, as its first telling gives it (a later download of the same native id replaces that)."""


def beginning(column: ColumnElement[str]) -> ColumnElement[str]:
    """The part of a text that its index has. The numbers are not parameters.

    With these no index would be used.
    """
    return func.substr(column, literal_column("1"), literal_column(str(BEGINNING)))


# Texts of one kind in their order, as far as their beginnings say.
Index("ix_texts_kind_folded", texts.c.kind, beginning(texts.c.folded))


HIGHER_RATING: Final[ColumnElement[int]] = Greatest(
    func.coalesce(games.c.white_rating, games.c.black_rating),
    func.coalesce(games.c.black_rating, games.c.white_rating),
)
"""The higher one of a game's ratings."""


def _where_known(name: str, *by: ColumnElement[Any]) -> None:
    """An index of *by* over the games that have the column *name*.

    Alembic's batch mode sees no indexes of expressions: a migration that copies `games` has to make them again.
    """
    known = text(f"{name} IS NOT NULL")
    partial_index(f"ix_games_{name}", *by, where=known)


partial_index(
    "ix_games_variant",
    beginning(games.c.variant),
    where=NOT_STANDARD,
)
partial_index(
    "ix_games_result",
    beginning(games.c.result),
    where=UNUSUAL_RESULT,
)
partial_index("ix_games_rating", HIGHER_RATING, where=RATED)
partial_index("ix_games_long", games.c.ply_count, where=LONG)
partial_index("ix_games_short", games.c.ply_count, where=SHORT)
_where_known("opening_id", games.c.opening_id)
_where_known("derived_opening_id", games.c.derived_opening_id)
_where_known("white_team_id", games.c.white_team_id)
_where_known("black_team_id", games.c.black_team_id)
_where_known("white_title", beginning(games.c.white_title))
_where_known("black_title", beginning(games.c.black_title))
_where_known("site_tail", func.lower(games.c.site_tail))
_where_known("eco", beginning(games.c.eco), games.c.date, games.c.id)
_where_known("derived_eco", beginning(games.c.derived_eco), games.c.date, games.c.id)
_where_known("time_class", beginning(games.c.time_class))
_where_known("termination", beginning(games.c.termination))
_where_known("annotator", beginning(games.c.annotator))

files = Table(
    "files",
    metadata,
    _id(),
    Column("digest", LargeBinary(16), nullable=False, unique=True),  # of the path
    Column("path", Text, nullable=False),
    Column("size", BigInteger),
    Column("modified_ns", BigInteger),
    Column("content", LargeBinary(16)),  # digest of the whole content at the last complete import
    Column("imported_at", BigInteger),
    Column("encoding", String(32)),  # of what is not UTF-8 in it, where the user has said it
)

tellings = Table(
    "tellings",
    metadata,
    _id(),
    _to("games", "game_id"),  # indexed with n below
    Column("n", Integer, nullable=False),  # 1, 2, … within the game, never reused
    Column("download", Boolean, nullable=False),
    Column("site", String(32)),
    Column("native_id", Text),
    Column("url", Text),
    _to("files", "file_id", null=True),
    Column("place", BigInteger),  # byte offset in the (uncompressed) file
    Column("digest", LargeBinary(16), nullable=False),  # of the bytes as they came
    Column("pgn", LargeBinary, nullable=False),  # the bytes as they came: archive/games/compression.py
    Column("has_comments", Boolean, nullable=False),
    Column("fetched_at", BigInteger, nullable=False),
    # Only where an edit has to do with the game: the key of its source game, and n in that game alone.
    Column("told_key", LargeBinary(16)),
    Column("told_n", Integer),
    Column(
        "encoding", String(32)
    ),  # in which its bytes were read, where the user has said it: core.pgn.encodings
    partial_index(
        "uq_tellings_download",
        "site",
        "native_id",
        unique=True,
        where=DOWNLOADED,
    ),
    partial_index(
        "uq_tellings_file",
        "file_id",
        "digest",
        unique=True,
        where=IN_FILE,
    ),
    Index("uq_tellings_game_id_n", "game_id", "n", unique=True),
    partial_index("ix_tellings_told_key", "told_key", where=EDITED),
    partial_index(
        "ix_tellings_site_native_id",
        "site",
        "native_id",
        where=text("NOT download AND site IS NOT NULL"),
    ),
    partial_index("ix_tellings_site_game_id", "site", "game_id", where=OF_SITE),
)

telling_ids = Table(
    "telling_ids",
    metadata,
    Column("site", String(32), primary_key=True),
    Column("native_id", String(64), primary_key=True),
    _to("tellings", "telling_id", index=True),
)
"""Further native ids of a download (chess.com's uuid)."""

accounts = Table(
    "accounts",
    metadata,
    _id(),
    Column("key", String(160), nullable=False, unique=True),  # "lichess:mrossi90", "lichess:study/AbCd1234"
    Column("site", String(32), nullable=False),
    Column("kind", String(16), nullable=False, server_default="account"),  # or that of an event: broadcast, …
    Column("handle", String(120), nullable=False),  # the site's key: lower case; of an event, kind and id
    Column("display", Text, nullable=False),  # as configured, or as the site shows it
    Column("permanent_id", Text),
    Column("mine", Boolean, nullable=False, server_default=false()),
    Column("active", Boolean, nullable=False, server_default=true()),  # is it in the configuration?
    Column("every", Integer, nullable=False),  # seconds between two rounds
    Column("state", String(16), nullable=False, server_default="new"),
    Column("state_since", BigInteger),
    Column("cursor", Text, nullable=False, server_default="{}"),
    Column("due_at", BigInteger, nullable=False, server_default="0"),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("last_success", BigInteger),
    Column("last_attempt", BigInteger),
    Column("error", Text),
    Column("looked_at", BigInteger),  # when its profile was last asked for
    Column("asked_at", BigInteger),  # when the last complete round over its games began
    Column("games_counted", Integer),  # by the site, before that round; null where it does not say
    Index("ix_accounts_site_due_at", "site", "due_at"),
)
"""The schedule: accounts, and events that are followed. States: new, active, not_found, closed, renamed."""

telling_accounts = Table(
    "telling_accounts",
    metadata,
    Column("account_id", ForeignKey("accounts.id"), primary_key=True),
    Column("telling_id", ForeignKey("tellings.id"), primary_key=True, index=True),
    # That of the telling, so that an account's games are found without a look at its tellings. No foreign key:
    # it would need an index of its own, to see that a game that is deleted is nowhere here.
    Column("game_id", BigInteger().with_variant(Integer, "sqlite"), nullable=False),
    sqlite_with_rowid=False,
)
"""Every account that led to a download, and the game that this is a telling of."""

sites = Table(
    "sites",
    metadata,
    Column("site", String(32), primary_key=True),
    Column("state", String(16), nullable=False, server_default="ok"),  # ok, rate_limited, blocked, down
    Column("since", BigInteger),
    Column("not_before", BigInteger, nullable=False, server_default="0"),  # no request before this time
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("error", Text),
)

dossiers = Table(
    "dossiers",
    metadata,
    _id(),
    Column("slug", String(200), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("fide_id", String(32)),
    Column("names", Text, nullable=False),  # JSON list of person names
    Column("active", Boolean, nullable=False, server_default=true()),
    Column("position", Integer, nullable=False, server_default="0"),  # in the configuration
)

dossier_accounts = Table(
    "dossier_accounts",
    metadata,
    Column("dossier_id", ForeignKey("dossiers.id"), primary_key=True),
    Column("account_id", ForeignKey("accounts.id"), primary_key=True),
)

rounds = Table(
    "rounds",
    metadata,
    _id(),
    Column("kind", String(8), nullable=False),  # sync, import
    _to("accounts", "account_id", null=True, index=True),
    Column("source", Text, nullable=False),  # "lichess:mrossi90", or the path
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("outcome", String(16)),  # done, incomplete, failed, stopped; null while it runs
    Column("read", Integer, nullable=False, server_default="0"),
    Column("new", Integer, nullable=False, server_default="0"),
    Column("added", Integer, nullable=False, server_default="0"),  # tellings added to known games
    Column("unchanged", Integer, nullable=False, server_default="0"),
    Column("refreshed", Integer, nullable=False, server_default="0"),
    Column("collapsed", Integer, nullable=False, server_default="0"),  # two native ids of one site, one game
    Column("quarantined", Integer, nullable=False, server_default="0"),
    Column("left_out", Integer, nullable=False, server_default="0"),
    Column("error", Text),
)
"""The history of syncs and imports."""

quarantine = Table(
    "quarantine",
    metadata,
    _id(),
    Column("digest", LargeBinary(16), nullable=False, unique=True),  # of source and bytes
    Column("source", Text, nullable=False),  # "lichess:mrossi90", or the path
    _to("accounts", "account_id", null=True),
    _to("files", "file_id", null=True),
    Column("site", String(32)),
    Column("native_id", Text),
    Column("url", Text),
    Column("place", BigInteger),  # byte offset in the file
    Column("position", BigInteger),  # of the fault, in the bytes
    Column("reason", Text, nullable=False),
    Column("raw", LargeBinary, nullable=False),  # compressed, as pgn above
    Column("size", Integer, nullable=False),
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
    Column("seen", Integer, nullable=False, server_default="1"),
    _to("tellings", "telling_id", null=True),  # what was made of it by hand
)
"""Games that could not be read, as they came.

One that was mended by hand stays, so that it is recognised when it comes again.
"""
