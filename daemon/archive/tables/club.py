"""The tables of club tournaments.

A member is a player of the archive. Rounds count from 1 in each tournament; a round is *open* while only
absences and manual pairs are set for it, *paired* when it has its pairing list, *complete* when it has its
table. Settings, handles and notes are JSON.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from daemon.archive.tables.metadata import metadata

SLUG: Final = 80
"""Characters in the short name of a tournament as URLs and file names have it."""


_Id: Final = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", _Id, primary_key=True, autoincrement=False)


def _tournament(*, key: bool = False) -> Column[int]:
    return Column("tournament_id", ForeignKey("club_tournaments.id"), primary_key=key, nullable=False)


def _member(name: str, *, key: bool = False, null: bool = False) -> Column[int]:
    return Column(name, ForeignKey("club_members.id"), primary_key=key, nullable=null)


def _of_round() -> tuple[Column[int], Column[int], ForeignKeyConstraint]:
    """What makes a row one of a round: the first two columns of its key, and what they refer to."""
    return (
        Column("tournament_id", _Id, primary_key=True, autoincrement=False),
        Column("n", Integer, primary_key=True, autoincrement=False),
        ForeignKeyConstraint(["tournament_id", "n"], ["club_rounds.tournament_id", "club_rounds.n"]),
    )


club_tournaments = Table(
    "club_tournaments",
    metadata,
    _id(),
    Column("slug", String(SLUG), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("short_name", Text, nullable=False),
    Column("kind", String(16), nullable=False),  # core.club.record.Kind
    Column("settings", Text, nullable=False),  # core.club.setting_texts of the table
    Column("pairing_settings", Text, nullable=False),  # of the pairing
    Column("city", Text, nullable=False),
    Column("federation", Text, nullable=False),
    Column("arbiter", Text, nullable=False),
    Column("time_control", Text, nullable=False),
    Column("fesa", Text, nullable=False, server_default=text("''")),  # yes: it is for FESA's rating
    Column("begins", Text, nullable=False, server_default=text("''")),  # its first day, where that was said
    Column("created_at", BigInteger, nullable=False),
)

club_sources = Table(
    "club_sources",
    metadata,
    _tournament(key=True),
    Column("kind", String(16), nullable=False),  # core.club.source.Kind
    Column("name", Text, nullable=False),  # of the file
    Column("data", LargeBinary, nullable=False),  # the file as it came
)
"""The results file that a tournament was imported from.

What has no column here is in it, and written again from it.
"""

club_members = Table(
    "club_members",
    metadata,
    _id(),
    _tournament(),
    Column("n", Integer, nullable=False),  # 1, 2, … within the tournament
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("written", Text, nullable=False),  # the name and the id that make them this player
    Column("fide_id", String(32)),
    Column("rating", Integer),  # in a Keizer tournament everybody has one, and no two the same
    Column("joined", Integer, nullable=False),  # the first round that counts for them
    Column("withdrawn", Integer),  # the first that does not any more
    Column("category", Text),
    Column("handles", Text, nullable=False, server_default="[]"),  # names that they play online under
    Column("title", String(8)),  # GM, WFM, …
    Column("sex", String(1)),  # m, w
    Column("birth", String(16)),  # as the file has it: 1975/06/25, 1975
    Column("called", Text),  # how the director writes them; null: as the archive shows the player
    Column("nation", String(3)),  # core.club.nations
    Column("grade", Text),  # 3 Dan, or what else FESA's files have beside the name
    Column("macmahon", String(16)),  # MacMahon points before round 1, a fraction
    Column("spelled", Text),  # core.club.spelling: how the rating list writes the name
    Column("newcomer", Boolean, nullable=False, server_default=false()),  # new to rated tournaments
    Column("seed", Integer),  # the place before round 1, where it is that of an earlier table
    Column("in_group", Text),  # the group within the tournament
    Column("terms", Text, nullable=False, server_default="{}"),  # core.club.setting_texts of their own
    UniqueConstraint("tournament_id", "n"),
)

club_rounds = Table(
    "club_rounds",
    metadata,
    _tournament(key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("state", String(8), nullable=False),  # open, paired, complete
    Column("day", String(10)),  # 2026-11-30
    Column("begins_at", BigInteger),  # games played online in this time are of this evening
    Column("ends_at", BigInteger),
    _member("bye_id", null=True),  # whom the director wants to have the bye
    Column("notes", Text, nullable=False, server_default="[]"),  # on the pairing list
)

club_pairings = Table(
    "club_pairings",
    metadata,
    *_of_round(),
    Column("board", Integer, primary_key=True, autoincrement=False),
    _member("white_id"),
    _member("black_id"),
    Column("by_hand", Boolean, nullable=False, server_default=false()),
    Column("why", Text, nullable=False),
    Column("why_colours", Text, nullable=False),
    Column("result", String(4)),  # core.club.tournament.Result
    # The game that the result is from, as it was then: by now it may be in another, see `archive/games/whereabouts.py`.
    Column("game_id", _Id, index=True),
    Column("postponed", Boolean, nullable=False, server_default=false()),  # it is played on another day
    Column("postponed_to", String(10)),  # that day, if it is known
    Column("handicap", String(2)),  # core.club.grades.HANDICAPS
    Column("giver_id", _Id),  # the member who gave it
)

club_by_hand = Table(
    "club_by_hand",
    metadata,
    *_of_round(),
    _member("one_id", key=True),
    _member("other_id"),
    _member("white_id", null=True),
)
"""Manual pairs, set before the round is paired."""

club_absences = Table(
    "club_absences",
    metadata,
    *_of_round(),
    _member("member_id", key=True),
    Column("reason", String(16), nullable=False),  # core.club.tournament.Reason
)
"""Who does not play in a round, and why."""

club_events = Table(
    "club_events",
    metadata,
    _id(),
    _tournament(),
    Column("n", Integer, nullable=False),  # 1, 2, … within the tournament
    Column("at", BigInteger, nullable=False),
    Column("what", String(16), nullable=False),  # the command
    Column("told", Text, nullable=False),  # a sentence
    Column("before", Text),  # what was removed or replaced, JSON
    Column("step", Integer),  # of club_steps; null: no undo takes it back
    UniqueConstraint("tournament_id", "n"),
)
"""Everything that was done, so that an undo or a correction loses nothing."""

club_steps = Table(
    "club_steps",
    metadata,
    _tournament(key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),  # the first of its events
    Column("done", Integer, nullable=False),  # the event that did it last
    Column("undone", Integer),  # the event that took it back
    Column("gone", Boolean, nullable=False, server_default=false()),  # something else came instead
    Column("last_member", Integer, nullable=False),  # the highest number of a member at that time
    Column("back", Text, nullable=False),  # what taking it back means, JSON of sentences
    Column("rows", Text, nullable=False),  # what was another row before and after, JSON
)
"""What `undo` reverts, one command each: how the rows of the tournament differ."""
