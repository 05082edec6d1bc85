"""The tables of the user's edits, and of what the archive would be without them.

A telling says what it says; its key, that of `core.sameness`, is the game that it gives. An edit is about
such keys, so that it is also about whatever gives the same game later. `told_games` keeps the games that
edits have changed, or merged with others, as their sources give them: undoing an edit needs no guess. Without
edits all of these are empty.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from daemon.archive.tables.metadata import metadata

_Id: Final = BigInteger().with_variant(Integer, "sqlite")

edits = Table(
    "edits",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("batch", BigInteger, nullable=False, index=True),  # the first edit of the command that made it
    Column("at", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),  # game, player; same, different: answers about two games
    Column("game_id", BigInteger),  # as it was then
    Column("other_id", BigInteger),  # the other game of an answer
    Column("player_id", BigInteger),
    Column("field", String(16)),  # core.edits
    Column("before", Text),
    Column("after", Text),
    Column("renames", LargeBinary(16), index=True),  # digest of the player who is shown as `after`
    Column("fide_id", String(32)),  # of that player
    Column("main_key", LargeBinary(16)),  # of "same": the source game that the others are
    Column("undone_at", BigInteger),
)
"""The user's changes, in order. An edit that was undone has no effect any more."""

edit_keys = Table(
    "edit_keys",
    metadata,
    Column("key", LargeBinary(16), primary_key=True),
    Column("edit_id", ForeignKey("edits.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)
"""The source games that an edit is about."""

told_games = Table(
    "told_games",
    metadata,
    Column("key", LargeBinary(16), primary_key=True),
    Column("home_id", BigInteger, index=True),  # the id that it has, or gets again, as a game of its own
    Column("last_n", Integer, nullable=False),  # of that game, when it went into another
    Column("added_at", BigInteger, nullable=False),
    Column(
        "white_id", BigInteger, index=True
    ),  # who would play it, if they ever did; perhaps one of `told_players`
    Column("black_id", BigInteger, index=True),
    Column("facts", Text, nullable=False),  # JSON, `daemon.archive.games.source_games`
    Column("moves", LargeBinary, nullable=False),
)
"""Games as their sources give them: of every telling with a `told_key`."""

told_players = Table(
    "told_players",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary(16), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("verbatim", Boolean, nullable=False),
)
"""Players whom edits have renamed, or who have lost their last game by one.

Id and shown name without these edits.
"""

near_doubles = Table(
    "near_doubles",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("game_id", BigInteger, nullable=False),  # the older one
    Column("other_id", BigInteger, nullable=False, index=True),
    Column("kind", String(16), nullable=False),  # core.doubles
    Column("reason", Text, nullable=False),
    UniqueConstraint("game_id", "other_id"),
)
"""Pairs of games that may be one, as of the last look. One of the two may be gone by now."""

doubles_due = Table(
    "doubles_due",
    metadata,
    Column("game_id", _Id, primary_key=True, autoincrement=False),
)
"""Games that have changed since they were searched for near doubles; new ones are known by their ids."""

double_answers = Table(
    "double_answers",
    metadata,
    Column("game_id", _Id, primary_key=True, autoincrement=False),
    Column("other_id", _Id, primary_key=True, autoincrement=False),
    Column("edit_id", ForeignKey("edits.id"), nullable=False, index=True),
)
"""Pairs of games that the user has said are two."""
