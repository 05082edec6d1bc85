"""Find what was taken in since a time: an index of it."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_games_added_at", "games", ["added_at"], unique=False)
