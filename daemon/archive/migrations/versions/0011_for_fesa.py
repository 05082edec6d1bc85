"""Keep whether a tournament is for FESA's rating, and on which day it begins."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "club_tournaments", sa.Column("fesa", sa.Text(), server_default=sa.text("''"), nullable=False)
    )
    op.add_column(
        "club_tournaments", sa.Column("begins", sa.Text(), server_default=sa.text("''"), nullable=False)
    )
