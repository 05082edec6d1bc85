"""The tables of what is known of games in files besides their content, and of oddities of tellings."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from daemon.archive.tables.metadata import metadata

_Id: Final = BigInteger().with_variant(Integer, "sqlite")


def _of(table: str, name: str) -> Column[int]:
    return Column(
        name, _Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )


left_tellings = Table(
    "left_tellings",
    metadata,
    _of("tellings", "telling_id"),
    Column("left_at", BigInteger, nullable=False),
    Column("replaced_by", BigInteger),  # the telling that is at its place now
    Index("ix_left_tellings_replaced_by", "replaced_by"),
)
"""Games that were no longer in their file when it was read again, whole."""

left_items = Table(
    "left_items",
    metadata,
    _of("quarantine", "item_id"),
    Column("left_at", BigInteger, nullable=False),
)
"""The same of games in quarantine."""

oddities = Table(
    "oddities",
    metadata,
    _of("tellings", "telling_id"),
    Column("n", Integer, primary_key=True, autoincrement=False),  # 0, 1, … within the telling
    Column("code", String(32), nullable=False),  # core.oddities
    Column("detail", Text, nullable=False),
    Index("ix_oddities_code_telling_id", "code", "telling_id"),
    sqlite_with_rowid=False,
)
"""What is odd about a telling, although it could be read."""
