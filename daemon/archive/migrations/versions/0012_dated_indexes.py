"""Let the indexes of players and ECO codes have what a page of a list needs."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # One at a time: each old index makes room before the new one is written.
    for side, other in (("white_id", "black_id"), ("black_id", "white_id")):
        op.drop_index(f"ix_games_{side}_date", "games")
        op.create_index(f"ix_games_{side}_date", "games", [side, "date", "id", other], unique=False)
    for name in ("eco", "derived_eco"):
        op.execute(f"DROP INDEX ix_games_{name}")
        known = sa.text(f"{name} IS NOT NULL")
        by = sa.text(f"substr({name}, 1, 64)")
        op.create_index(
            f"ix_games_{name}", "games", [by, "date", "id"], sqlite_where=known, postgresql_where=known
        )
