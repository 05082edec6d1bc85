"""Keep the place of an earlier table, the group and the own terms of members."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club_members", sa.Column("seed", sa.Integer(), nullable=True))
    op.add_column("club_members", sa.Column("in_group", sa.Text(), nullable=True))
    op.add_column("club_members", sa.Column("terms", sa.Text(), server_default="{}", nullable=False))
