"""Keep the encoding that the user says a file is in."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("files", sa.Column("encoding", sa.String(length=32), nullable=True))
    op.add_column("tellings", sa.Column("encoding", sa.String(length=32), nullable=True))
