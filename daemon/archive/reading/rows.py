"""A game's row, with the names of its players and texts, as the API shows it."""

from core.game import PartialDate
from daemon.archive.games.game_rows import GameRow, site_of
from daemon.archive.reading import shapes
from daemon.archive.reading.times import rfc3339

_NO_DATE = str(PartialDate())


def game_shape(row: GameRow, tellings: list[shapes.Telling]) -> shapes.Game:
    """The game of a row of `GAMES`."""
    return {
        "id": row.id,
        "white": _side(row, "white"),
        "black": _side(row, "black"),
        "date": None if row.date == _NO_DATE else row.date,
        "result": row.result,
        "event": row.event,
        "site": site_of(row),
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


def _side(row: GameRow, colour: str) -> shapes.Side:
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
