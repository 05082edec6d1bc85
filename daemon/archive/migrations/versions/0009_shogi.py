"""Keep what FESA's files tell of members and games: nation, grade, MacMahon points, spelling, handicaps."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club_members", sa.Column("nation", sa.String(length=3), nullable=True))
    op.add_column("club_members", sa.Column("grade", sa.Text(), nullable=True))
    op.add_column("club_members", sa.Column("macmahon", sa.String(length=16), nullable=True))
    op.add_column("club_members", sa.Column("spelled", sa.Text(), nullable=True))
    op.add_column(
        "club_members", sa.Column("newcomer", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("club_pairings", sa.Column("handicap", sa.String(length=2), nullable=True))
    op.add_column(
        "club_pairings",
        sa.Column("giver_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
    )
