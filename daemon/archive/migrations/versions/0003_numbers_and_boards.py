"""Give no number again, keep the games of boards that become one with others, find titles and ECO codes by folding."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_COUNTED = (
    "accounts", "club_events", "club_members", "club_tournaments", "dossiers", "edits", "files", "near_doubles",
    "quarantine", "rounds", "tellings",
)  # fmt: skip
_UNSEEN = 1000
"""Pairs of games that may have had higher numbers than those that are there still."""


def upgrade() -> None:
    _number()
    _keep_the_games_of_boards()
    _index_values_as_they_are()


def _number() -> None:
    """Note which numbers have been given. Of quarantine and doubles the highest may have been deleted."""
    connection = op.get_bind()
    highest = {
        name: connection.scalar(sa.text(f"SELECT max(id) FROM {name}")) or 0  # noqa: S608 - names of ours
        for name in _COUNTED
    }
    ever = connection.scalar(sa.text("SELECT sum(quarantined) FROM rounds")) or 0
    highest["quarantine"] = max(highest["quarantine"], int(ever))
    if connection.scalar(sa.text("SELECT count(*) FROM settings WHERE name = 'doubles_looked_at'")):
        highest["near_doubles"] += _UNSEEN
    settings = sa.table("settings", sa.column("name"), sa.column("value"))
    rows = [{"name": f"last_{name}_id", "value": str(last)} for name, last in highest.items() if last]
    if rows:
        op.bulk_insert(settings, rows)


def _keep_the_games_of_boards() -> None:
    """A board names its game even while that is one with another: no foreign key can hold."""
    with op.batch_alter_table("club_pairings", reflect_kwargs={"resolve_fks": False}) as batch:
        batch.drop_constraint("fk_club_pairings_game_id_games", type_="foreignkey")


def _index_values_as_they_are() -> None:
    """What is compared is folded by the program: SQL's `upper` and `lower` are no folding."""
    for name in ("white_title", "black_title", "eco"):
        op.execute(f"DROP INDEX ix_games_{name}")
        known = sa.text(f"{name} IS NOT NULL")
        by = sa.text(f"substr({name}, 1, 64)")
        op.create_index(f"ix_games_{name}", "games", [by], sqlite_where=known, postgresql_where=known)
