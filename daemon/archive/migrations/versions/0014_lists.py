"""Let the index of the list by date have what filters ask, and give sorted lists indexes of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

LISTED = (
    "white_id",
    "black_id",
    "event_id",
    "site_id",
    "opening_id",
    "derived_opening_id",
    "white_team_id",
    "black_team_id",
    "white_rating",
    "black_rating",
    "ply_count",
)
BOTH = "coalesce(white_rating, black_rating), coalesce(black_rating, white_rating)"
RATED = "(white_rating IS NOT NULL OR black_rating IS NOT NULL)"


def upgrade() -> None:
    # One at a time: each old index makes room before the new one is written.
    for name in ("opening_id", "derived_opening_id"):
        op.drop_index(f"ix_games_{name}", "games")
        _partial(f"ix_games_{name}", name, f"{name} IS NOT NULL")
    op.drop_index("ix_games_date_id", "games")
    op.create_index("ix_games_date_id", "games", ["date", "id", *LISTED], unique=False)
    greatest = "max" if op.get_bind().dialect.name == "sqlite" else "greatest"
    _partial("ix_games_rating", sa.text(f"{greatest}({BOTH})"), RATED)
    _partial("ix_games_long", "ply_count", "ply_count > 160")
    _partial("ix_games_short", "ply_count", "ply_count < 20")
    op.create_index("ix_text_words_text_id", "text_words", ["text_id"], unique=False)
    op.create_index("ix_texts_kind_folded", "texts", ["kind", sa.text("substr(folded, 1, 64)")], unique=False)
    site = sa.text("site IS NOT NULL")
    op.create_index(
        "ix_tellings_site_game_id", "tellings", ["site", "game_id"], sqlite_where=site, postgresql_where=site
    )


def _partial(name: str, by: str | sa.TextClause, where: str) -> None:
    rows = sa.text(where)
    op.create_index(name, "games", [by], unique=False, sqlite_where=rows, postgresql_where=rows)
