"""A game's row, with the names of its players and texts, as the API shows it."""

from typing import Any

from sqlalchemy import Row, select

from core.game import PartialDate
from daemon.archive.reading import shapes
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.main import games, players, texts

_white, _black = players.alias("white"), players.alias("black")
_event, _site = texts.alias("event"), texts.alias("site")
_opening, _derived = texts.alias("opening"), texts.alias("derived_opening")
_white_team, _black_team = texts.alias("white_team"), texts.alias("black_team")
_NO_DATE = str(PartialDate())
_NOT_SHOWN = {"key", "start", "moves"}

GAMES = (
    select(
        *(column for column in games.c if column.name not in _NOT_SHOWN),
        _white.c.name.label("white_shown"),
        _white.c.fide_id.label("white_fide_id"),
        _white.c.verbatim.label("white_verbatim"),
        _black.c.name.label("black_shown"),
        _black.c.fide_id.label("black_fide_id"),
        _black.c.verbatim.label("black_verbatim"),
        _white_team.c.text.label("white_team"),
        _black_team.c.text.label("black_team"),
        _event.c.text.label("event"),
        _site.c.text.label("site"),
        _opening.c.text.label("opening"),
        _derived.c.text.label("derived_opening"),
    )
    .join(_white, _white.c.id == games.c.white_id)
    .join(_black, _black.c.id == games.c.black_id)
    .outerjoin(_white_team, _white_team.c.id == games.c.white_team_id)
    .outerjoin(_black_team, _black_team.c.id == games.c.black_team_id)
    .outerjoin(_event, _event.c.id == games.c.event_id)
    .outerjoin(_site, _site.c.id == games.c.site_id)
    .outerjoin(_opening, _opening.c.id == games.c.opening_id)
    .outerjoin(_derived, _derived.c.id == games.c.derived_opening_id)
)
"""Games with all that `game_shape` shows, except the moves."""


def game_shape(row: Row[*tuple[Any, ...]], tellings: list[shapes.Telling]) -> shapes.Game:
    """The game of a row of `GAMES`."""
    return {
        "id": row.id,
        "white": _side(row, "white"),
        "black": _side(row, "black"),
        "date": None if row.date == _NO_DATE else row.date,
        "result": row.result,
        "event": row.event,
        "site": None if row.site is None else row.site + (row.site_tail or ""),
        "round": row.round,
        "eco": row.derived_eco if row.eco is None else row.eco,
        "eco_derived": row.eco is None and row.derived_eco is not None,
        "opening": row.derived_opening if row.opening is None else row.opening,
        "opening_derived": row.opening is None and row.derived_opening is not None,
        "time_control": row.time_control,
        "time_class": row.time_class,
        "variant": row.variant,
        "start_fen": row.start_fen,
        "ply_count": row.ply_count,
        "termination": row.termination,
        "annotator": row.annotator,
        "started_at": rfc3339(row.started_at),
        "tellings": tellings,
    }


def _side(row: Row[*tuple[Any, ...]], colour: str) -> shapes.Side:
    columns = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for it begins so
    return {
        "player_id": columns[f"{colour}_id"],
        "name": columns[f"{colour}_shown"],
        "written": columns[f"{colour}_name"] or None,
        "fide_id": columns[f"{colour}_fide_id"],
        "verbatim": columns[f"{colour}_verbatim"],
        "rating": columns[f"{colour}_rating"],
        "title": columns[f"{colour}_title"],
        "team": columns[f"{colour}_team"],
    }
