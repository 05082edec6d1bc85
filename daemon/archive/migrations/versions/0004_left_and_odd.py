"""Note which games left their file, and what is odd about a telling."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "left_tellings",
        sa.Column("telling_id", ID, autoincrement=False, nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=False),
        sa.Column("replaced_by", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["telling_id"], ["tellings.id"], name="fk_left_tellings_telling_id_tellings", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("telling_id", name="pk_left_tellings"),
    )
    op.create_index("ix_left_tellings_replaced_by", "left_tellings", ["replaced_by"])
    op.create_table(
        "left_items",
        sa.Column("item_id", ID, autoincrement=False, nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["quarantine.id"], name="fk_left_items_item_id_quarantine", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("item_id", name="pk_left_items"),
    )
    op.create_table(
        "oddities",
        sa.Column("telling_id", ID, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["telling_id"], ["tellings.id"], name="fk_oddities_telling_id_tellings", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("telling_id", "n", name="pk_oddities"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_oddities_code_telling_id", "oddities", ["code", "telling_id"])
