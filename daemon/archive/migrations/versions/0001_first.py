"""Build the archive: players, texts, games, tellings, schedule, dossiers, history, quarantine, club tournaments, edits."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
CODE_POINTS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    _settings()
    _players()
    _player_words()
    _player_names()
    _texts()
    _text_words()
    _games()
    _files()
    _tellings()
    _telling_ids()
    _accounts()
    _telling_accounts()
    _sites()
    _dossiers()
    _dossier_accounts()
    _rounds()
    _quarantine()
    _club_tournaments()
    _club_members()
    _club_rounds()
    _club_pairings()
    _club_by_hand()
    _club_absences()
    _club_events()
    _edits()
    _edit_keys()
    _told_games()
    _told_players()
    _doubles()


def _settings() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )


def _players() -> None:
    op.create_table(
        "players",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", CODE_POINTS, nullable=False),
        sa.Column("fide_id", sa.String(length=32), nullable=True),
        sa.Column("verbatim", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("digest", name="uq_players_digest"),
    )
    op.create_index("ix_players_fide_id", "players", ["fide_id"], unique=False)
    op.create_index("ix_players_folded", "players", ["folded"], unique=False)


def _player_words() -> None:
    op.create_table(
        "player_words",
        sa.Column("word", CODE_POINTS, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("nickname", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_words_player_id_players"),
        sa.PrimaryKeyConstraint("word", "player_id", name="pk_player_words"),
        sqlite_with_rowid=False,
    )


def _player_names() -> None:
    op.create_table(
        "player_names",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("identity", sa.LargeBinary(length=16), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_player_names_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "digest", name="pk_player_names"),
    )
    op.create_index("ix_player_names_identity", "player_names", ["identity"], unique=False)


def _texts() -> None:
    op.create_table(
        "texts",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("folded", CODE_POINTS, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_texts"),
        sa.UniqueConstraint("digest", name="uq_texts_digest"),
    )


def _text_words() -> None:
    op.create_table(
        "text_words",
        sa.Column("word", CODE_POINTS, nullable=False),
        sa.Column("text_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["text_id"], ["texts.id"], name="fk_text_words_text_id_texts"),
        sa.PrimaryKeyConstraint("word", "text_id", name="pk_text_words"),
        sqlite_with_rowid=False,
    )


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("white_id", ID, nullable=False),
        sa.Column("black_id", ID, nullable=False),
        sa.Column("white_name", sa.Text(), nullable=False),
        sa.Column("black_name", sa.Text(), nullable=False),
        sa.Column("white_rating", sa.Integer(), nullable=True),
        sa.Column("black_rating", sa.Integer(), nullable=True),
        sa.Column("white_title", sa.Text(), nullable=True),
        sa.Column("black_title", sa.Text(), nullable=True),
        sa.Column("white_team_id", ID, nullable=True),
        sa.Column("black_team_id", ID, nullable=True),
        sa.Column("date", CODE_POINTS, nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("start", sa.Text(), nullable=False),
        sa.Column("start_fen", sa.Text(), nullable=True),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.Column("ply_count", sa.Integer(), nullable=False),
        sa.Column("event_id", ID, nullable=True),
        sa.Column("site_id", ID, nullable=True),
        sa.Column("site_tail", CODE_POINTS, nullable=True),
        sa.Column("round", sa.Text(), nullable=True),
        sa.Column("eco", CODE_POINTS, nullable=True),
        sa.Column("opening_id", ID, nullable=True),
        sa.Column("time_control", sa.Text(), nullable=True),
        sa.Column("time_class", sa.Text(), nullable=True),
        sa.Column("termination", sa.Text(), nullable=True),
        sa.Column("annotator", sa.Text(), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("online", sa.Boolean(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("last_n", sa.Integer(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["black_id"], ["players.id"], name="fk_games_black_id_players"),
        sa.ForeignKeyConstraint(["black_team_id"], ["texts.id"], name="fk_games_black_team_id_texts"),
        sa.ForeignKeyConstraint(["event_id"], ["texts.id"], name="fk_games_event_id_texts"),
        sa.ForeignKeyConstraint(["opening_id"], ["texts.id"], name="fk_games_opening_id_texts"),
        sa.ForeignKeyConstraint(["site_id"], ["texts.id"], name="fk_games_site_id_texts"),
        sa.ForeignKeyConstraint(["white_id"], ["players.id"], name="fk_games_white_id_players"),
        sa.ForeignKeyConstraint(["white_team_id"], ["texts.id"], name="fk_games_white_team_id_texts"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("key", name="uq_games_key"),
    )
    op.create_index("ix_games_black_id_date", "games", ["black_id", "date"], unique=False)
    op.create_index("ix_games_date_id", "games", ["date", "id"], unique=False)
    op.create_index("ix_games_event_id", "games", ["event_id"], unique=False)
    op.create_index("ix_games_opening_id", "games", ["opening_id"], unique=False)
    op.create_index("ix_games_site_id", "games", ["site_id"], unique=False)
    op.create_index("ix_games_white_id_date", "games", ["white_id", "date"], unique=False)
    for name, by in (
        ("white_team_id", "white_team_id"),
        ("black_team_id", "black_team_id"),
        ("white_title", sa.text("upper(substr(white_title, 1, 64))")),
        ("black_title", sa.text("upper(substr(black_title, 1, 64))")),
        ("site_tail", sa.text("lower(site_tail)")),
        ("eco", sa.text("lower(substr(eco, 1, 64))")),
        ("time_class", sa.text("substr(time_class, 1, 64)")),
        ("termination", sa.text("substr(termination, 1, 64)")),
        ("annotator", sa.text("substr(annotator, 1, 64)")),
    ):
        known = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_games_{name}", "games", [by], sqlite_where=known, postgresql_where=known)
    odd = sa.text("variant <> 'standard'")
    variant = sa.text("substr(variant, 1, 64)")
    op.create_index("ix_games_variant", "games", [variant], sqlite_where=odd, postgresql_where=odd)
    odd = sa.text("result NOT IN ('1-0', '0-1', '1/2-1/2')")
    result = sa.text("substr(result, 1, 64)")
    op.create_index("ix_games_result", "games", [result], sqlite_where=odd, postgresql_where=odd)


def _files() -> None:
    op.create_table(
        "files",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("modified_ns", sa.BigInteger(), nullable=True),
        sa.Column("content", sa.LargeBinary(length=16), nullable=True),
        sa.Column("imported_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_files"),
        sa.UniqueConstraint("digest", name="uq_files_digest"),
    )


def _tellings() -> None:
    op.create_table(
        "tellings",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("download", sa.Boolean(), nullable=False),
        sa.Column("site", sa.String(length=32), nullable=True),
        sa.Column("native_id", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("file_id", ID, nullable=True),
        sa.Column("place", sa.BigInteger(), nullable=True),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("pgn", sa.LargeBinary(), nullable=False),
        sa.Column("has_comments", sa.Boolean(), nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.Column("told_key", sa.LargeBinary(length=16), nullable=True),
        sa.Column("told_n", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name="fk_tellings_file_id_files"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_tellings_game_id_games"),
        sa.PrimaryKeyConstraint("id", name="pk_tellings"),
    )
    op.create_index(
        "uq_tellings_download",
        "tellings",
        ["site", "native_id"],
        unique=True,
        sqlite_where=sa.text("download"),
        postgresql_where=sa.text("download"),
    )
    op.create_index(
        "uq_tellings_file",
        "tellings",
        ["file_id", "digest"],
        unique=True,
        sqlite_where=sa.text("NOT download"),
        postgresql_where=sa.text("NOT download"),
    )
    op.create_index("uq_tellings_game_id_n", "tellings", ["game_id", "n"], unique=True)
    edited = sa.text("told_key IS NOT NULL")
    op.create_index(
        "ix_tellings_told_key", "tellings", ["told_key"], sqlite_where=edited, postgresql_where=edited
    )
    named_in_file = sa.text("NOT download AND site IS NOT NULL")
    op.create_index(
        "ix_tellings_site_native_id",
        "tellings",
        ["site", "native_id"],
        sqlite_where=named_in_file,
        postgresql_where=named_in_file,
    )


def _telling_ids() -> None:
    op.create_table(
        "telling_ids",
        sa.Column("site", sa.String(length=32), nullable=False),
        sa.Column("native_id", sa.String(length=64), nullable=False),
        sa.Column("telling_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["telling_id"], ["tellings.id"], name="fk_telling_ids_telling_id_tellings"),
        sa.PrimaryKeyConstraint("site", "native_id", name="pk_telling_ids"),
    )
    op.create_index("ix_telling_ids_telling_id", "telling_ids", ["telling_id"], unique=False)


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=160), nullable=False),
        sa.Column("site", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), server_default="account", nullable=False),
        sa.Column("handle", sa.String(length=120), nullable=False),
        sa.Column("display", sa.Text(), nullable=False),
        sa.Column("permanent_id", sa.Text(), nullable=True),
        sa.Column("mine", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("every", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), server_default="new", nullable=False),
        sa.Column("state_since", sa.BigInteger(), nullable=True),
        sa.Column("cursor", sa.Text(), server_default="{}", nullable=False),
        sa.Column("due_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_success", sa.BigInteger(), nullable=True),
        sa.Column("last_attempt", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("looked_at", sa.BigInteger(), nullable=True),
        sa.Column("asked_at", sa.BigInteger(), nullable=True),
        sa.Column("games_counted", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("key", name="uq_accounts_key"),
    )
    op.create_index("ix_accounts_site_due_at", "accounts", ["site", "due_at"], unique=False)


def _telling_accounts() -> None:
    op.create_table(
        "telling_accounts",
        sa.Column("account_id", ID, nullable=False),
        sa.Column("telling_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_telling_accounts_account_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["telling_id"], ["tellings.id"], name="fk_telling_accounts_telling_id_tellings"
        ),
        sa.PrimaryKeyConstraint("account_id", "telling_id", name="pk_telling_accounts"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_telling_accounts_telling_id", "telling_accounts", ["telling_id"], unique=False)


def _sites() -> None:
    op.create_table(
        "sites",
        sa.Column("site", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), server_default="ok", nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("not_before", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("site", name="pk_sites"),
    )


def _dossiers() -> None:
    op.create_table(
        "dossiers",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("fide_id", sa.String(length=32), nullable=True),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dossiers"),
        sa.UniqueConstraint("slug", name="uq_dossiers_slug"),
    )


def _dossier_accounts() -> None:
    op.create_table(
        "dossier_accounts",
        sa.Column("dossier_id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_dossier_accounts_account_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["dossier_id"], ["dossiers.id"], name="fk_dossier_accounts_dossier_id_dossiers"
        ),
        sa.PrimaryKeyConstraint("dossier_id", "account_id", name="pk_dossier_accounts"),
    )


def _rounds() -> None:
    op.create_table(
        "rounds",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("account_id", ID, nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("read", sa.Integer(), server_default="0", nullable=False),
        sa.Column("new", sa.Integer(), server_default="0", nullable=False),
        sa.Column("added", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unchanged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("refreshed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("collapsed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("quarantined", sa.Integer(), server_default="0", nullable=False),
        sa.Column("left_out", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_rounds_account_id_accounts"),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
    )
    op.create_index("ix_rounds_account_id", "rounds", ["account_id"], unique=False)


def _quarantine() -> None:
    op.create_table(
        "quarantine",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("account_id", ID, nullable=True),
        sa.Column("file_id", ID, nullable=True),
        sa.Column("site", sa.String(length=32), nullable=True),
        sa.Column("native_id", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("place", sa.BigInteger(), nullable=True),
        sa.Column("position", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.Integer(), server_default="1", nullable=False),
        sa.Column("telling_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_quarantine_account_id_accounts"),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name="fk_quarantine_file_id_files"),
        sa.ForeignKeyConstraint(["telling_id"], ["tellings.id"], name="fk_quarantine_telling_id_tellings"),
        sa.PrimaryKeyConstraint("id", name="pk_quarantine"),
        sa.UniqueConstraint("digest", name="uq_quarantine_digest"),
    )


def _club_tournaments() -> None:
    op.create_table(
        "club_tournaments",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("short_name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("pairing_settings", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("federation", sa.Text(), nullable=False),
        sa.Column("arbiter", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_club_tournaments"),
        sa.UniqueConstraint("slug", name="uq_club_tournaments_slug"),
    )


def _club_members() -> None:
    op.create_table(
        "club_members",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("fide_id", sa.String(length=32), nullable=True),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Integer(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("handles", sa.Text(), server_default="[]", nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_club_members_player_id_players"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["club_tournaments.id"], name="fk_club_members_tournament_id_club_tournaments"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_club_members"),
        sa.UniqueConstraint("tournament_id", "n", name="uq_club_members_tournament_id_n"),
        sa.UniqueConstraint("tournament_id", "rating", name="uq_club_members_tournament_id_rating"),
    )
    op.create_index("ix_club_members_player_id", "club_members", ["player_id"], unique=False)


def _club_rounds() -> None:
    op.create_table(
        "club_rounds",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=True),
        sa.Column("begins_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("bye_id", ID, nullable=True),
        sa.Column("notes", sa.Text(), server_default="[]", nullable=False),
        sa.ForeignKeyConstraint(["bye_id"], ["club_members.id"], name="fk_club_rounds_bye_id_club_members"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["club_tournaments.id"], name="fk_club_rounds_tournament_id_club_tournaments"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "n", name="pk_club_rounds"),
    )


def _of_round(table: str) -> tuple[sa.Column[int], sa.Column[int], sa.ForeignKeyConstraint]:
    return (
        sa.Column("tournament_id", ID, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "n"],
            ["club_rounds.tournament_id", "club_rounds.n"],
            name=f"fk_{table}_tournament_id_club_rounds",
        ),
    )


def _to_member(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["club_members.id"], name=f"fk_{table}_{column}_club_members")


def _club_pairings() -> None:
    op.create_table(
        "club_pairings",
        *_of_round("club_pairings"),
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("white_id", ID, nullable=False),
        sa.Column("black_id", ID, nullable=False),
        sa.Column("by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("why_colours", sa.Text(), nullable=False),
        sa.Column("result", sa.String(length=4), nullable=True),
        sa.Column("game_id", ID, nullable=True),
        _to_member("club_pairings", "white_id"),
        _to_member("club_pairings", "black_id"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_club_pairings_game_id_games", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "n", "board", name="pk_club_pairings"),
    )
    op.create_index("ix_club_pairings_game_id", "club_pairings", ["game_id"], unique=False)


def _club_by_hand() -> None:
    op.create_table(
        "club_by_hand",
        *_of_round("club_by_hand"),
        sa.Column("one_id", ID, nullable=False),
        sa.Column("other_id", ID, nullable=False),
        sa.Column("white_id", ID, nullable=True),
        _to_member("club_by_hand", "one_id"),
        _to_member("club_by_hand", "other_id"),
        _to_member("club_by_hand", "white_id"),
        sa.PrimaryKeyConstraint("tournament_id", "n", "one_id", name="pk_club_by_hand"),
    )


def _club_absences() -> None:
    op.create_table(
        "club_absences",
        *_of_round("club_absences"),
        sa.Column("member_id", ID, nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        _to_member("club_absences", "member_id"),
        sa.PrimaryKeyConstraint("tournament_id", "n", "member_id", name="pk_club_absences"),
    )


def _club_events() -> None:
    op.create_table(
        "club_events",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(length=16), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["club_tournaments.id"], name="fk_club_events_tournament_id_club_tournaments"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_club_events"),
        sa.UniqueConstraint("tournament_id", "n", name="uq_club_events_tournament_id_n"),
    )


def _edits() -> None:
    op.create_table(
        "edits",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("batch", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.BigInteger(), nullable=True),
        sa.Column("other_id", sa.BigInteger(), nullable=True),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("field", sa.String(length=16), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("renames", sa.LargeBinary(length=16), nullable=True),
        sa.Column("fide_id", sa.String(length=32), nullable=True),
        sa.Column("main_key", sa.LargeBinary(length=16), nullable=True),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_edits"),
    )
    op.create_index("ix_edits_batch", "edits", ["batch"], unique=False)
    op.create_index("ix_edits_renames", "edits", ["renames"], unique=False)


def _edit_keys() -> None:
    op.create_table(
        "edit_keys",
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("edit_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["edit_id"], ["edits.id"], name="fk_edit_keys_edit_id_edits"),
        sa.PrimaryKeyConstraint("key", "edit_id", name="pk_edit_keys"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_edit_keys_edit_id", "edit_keys", ["edit_id"], unique=False)


def _told_games() -> None:
    op.create_table(
        "told_games",
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("home_id", sa.BigInteger(), nullable=True),
        sa.Column("last_n", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("white_id", sa.BigInteger(), nullable=True),
        sa.Column("black_id", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_told_games"),
    )
    for name in ("home_id", "white_id", "black_id"):
        op.create_index(f"ix_told_games_{name}", "told_games", [name], unique=False)


def _told_players() -> None:
    op.create_table(
        "told_players",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("verbatim", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_told_players"),
        sa.UniqueConstraint("digest", name="uq_told_players_digest"),
    )


def _doubles() -> None:
    op.create_table(
        "near_doubles",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("game_id", sa.BigInteger(), nullable=False),
        sa.Column("other_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_near_doubles"),
        sa.UniqueConstraint("game_id", "other_id", name="uq_near_doubles_game_id_other_id"),
    )
    op.create_index("ix_near_doubles_other_id", "near_doubles", ["other_id"], unique=False)
    op.create_table(
        "doubles_due",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_doubles_due"),
    )
    op.create_table(
        "double_answers",
        sa.Column("game_id", ID, autoincrement=False, nullable=False),
        sa.Column("other_id", ID, autoincrement=False, nullable=False),
        sa.Column("edit_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["edit_id"], ["edits.id"], name="fk_double_answers_edit_id_edits"),
        sa.PrimaryKeyConstraint("game_id", "other_id", name="pk_double_answers"),
    )
    op.create_index("ix_double_answers_edit_id", "double_answers", ["edit_id"], unique=False)
