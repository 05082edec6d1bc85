"""Keep the game beside the account that led to it, and find the words of a player that is deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_player_words_player_id", "player_words", ["player_id"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        _copy()
    else:
        _fill()


def _copy() -> None:
    """SQLite adds no column without a default to a table: its rows go into a new one, in their order."""
    op.drop_index("ix_telling_accounts_telling_id", "telling_accounts")
    op.rename_table("telling_accounts", "telling_accounts_before")
    op.create_table(
        "telling_accounts",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("telling_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_telling_accounts_account_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["telling_id"], ["tellings.id"], name="fk_telling_accounts_telling_id_tellings"
        ),
        sa.PrimaryKeyConstraint("account_id", "telling_id", name="pk_telling_accounts"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO telling_accounts (account_id, telling_id, game_id) "
        "SELECT account_id, telling_id, game_id FROM telling_accounts_before "
        "JOIN tellings ON tellings.id = telling_id ORDER BY account_id, telling_id"
    )
    op.drop_table("telling_accounts_before")
    op.create_index("ix_telling_accounts_telling_id", "telling_accounts", ["telling_id"], unique=False)


def _fill() -> None:
    op.add_column("telling_accounts", sa.Column("game_id", sa.BigInteger(), nullable=True))
    op.execute(
        "UPDATE telling_accounts SET game_id = tellings.game_id FROM tellings "
        "WHERE tellings.id = telling_accounts.telling_id"
    )
    op.alter_column("telling_accounts", "game_id", nullable=False)
