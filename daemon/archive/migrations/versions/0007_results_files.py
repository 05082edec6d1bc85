"""Keep the results file that a tournament was imported from, and what such files say of players."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "club_sources",
        sa.Column("tournament_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["club_tournaments.id"], name="fk_club_sources_tournament_id_club_tournaments"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_club_sources"),
    )
    with op.batch_alter_table("club_members", reflect_kwargs={"resolve_fks": False}) as batch:
        # Two may have one rating, or none, where the table is not made by Keizer's rules.
        batch.drop_constraint("uq_club_members_tournament_id_rating", type_="unique")
        batch.alter_column("rating", existing_type=sa.Integer(), nullable=True)
        batch.add_column(sa.Column("title", sa.String(length=8), nullable=True))
        batch.add_column(sa.Column("sex", sa.String(length=1), nullable=True))
        batch.add_column(sa.Column("birth", sa.String(length=16), nullable=True))
