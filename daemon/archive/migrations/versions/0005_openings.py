"""Keep the opening that the moves say beside the one that is told."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
CODE_POINTS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("games", sa.Column("derived_eco", CODE_POINTS, nullable=True))
    # No foreign key: SQLite adds none to a table without copying it.
    op.add_column("games", sa.Column("derived_opening_id", ID, nullable=True))
    op.create_index("ix_games_derived_opening_id", "games", ["derived_opening_id"], unique=False)
    known = sa.text("derived_eco IS NOT NULL")
    by = sa.text("substr(derived_eco, 1, 64)")
    op.create_index("ix_games_derived_eco", "games", [by], sqlite_where=known, postgresql_where=known)
