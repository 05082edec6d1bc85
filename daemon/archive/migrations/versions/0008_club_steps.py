"""Keep what takes each step of a tournament back, which games are postponed, and how a director writes a member."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("club_members", sa.Column("called", sa.Text(), nullable=True))
    op.add_column(
        "club_pairings", sa.Column("postponed", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("club_pairings", sa.Column("postponed_to", sa.String(length=10), nullable=True))
    op.add_column("club_events", sa.Column("step", sa.Integer(), nullable=True))
    _steps()


def _steps() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    tournament = sa.Column("tournament_id", number, nullable=False)
    op.create_table(
        "club_steps",
        tournament,
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=True),
        sa.Column("gone", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("last_member", sa.Integer(), nullable=False),
        sa.Column("back", sa.Text(), nullable=False),
        sa.Column("rows", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["club_tournaments.id"], name="fk_club_steps_tournament_id_club_tournaments"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "n", name="pk_club_steps"),
    )
