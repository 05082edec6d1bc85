"""The search window as SQL: one condition on `games` for each field."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from sqlalchemy import Connection, cast, exists, false, func, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.elements import ColumnElement

from core.game import PartialDate
from core.names import clean, fold
from core.players import Profile, read_fide_id
from core.search import matches_commentator
from daemon.archive.reading.dates import from_date, read_date, to_date
from daemon.archive.reading.dossiers import of_dossier
from daemon.archive.reading.filters import GameFilters
from daemon.archive.reading.mine import mine
from daemon.archive.reading.words import Condition, anywhere, eco_begins, players_found, texts_found
from daemon.archive.tables import accounts, games, players, telling_accounts, tellings

FILES: Final = "file"
"""The source of games that stand in files."""


def conditions(conn: Connection, filters: GameFilters, profile: Profile) -> list[Condition]:
    """What a game must fulfil to be found by *filters*."""
    return [
        *(anywhere(conn, filters.q) if filters.q is not None else ()),
        *_simple(filters),
        *_dates(filters),
        *([_annotated(conn, filters.annotator)] if filters.annotator is not None else ()),
        *([of_dossier(conn, filters.dossier)] if filters.dossier is not None else ()),
        *([mine(profile) if filters.mine else ~mine(profile)] if filters.mine is not None else ()),
    ]


def _simple(filters: GameFilters) -> Iterator[Condition]:
    """The fields that need nothing but their own text."""
    for field, condition in _BY_TEXT.items():
        text: str | None = getattr(filters, field)
        if text is not None:
            yield condition(text)


def _player(columns: Iterable[ColumnElement[int]], query: str) -> Condition:
    return or_(*(column.in_(players_found(query)) for column in columns))


def _text(columns: Iterable[ColumnElement[int]], query: str, kind: str) -> Condition:
    return or_(*(column.in_(texts_found(query, kind)) for column in columns))


def _eco(query: str) -> Condition:
    beginning = fold(clean(query))
    return eco_begins(beginning) if beginning else false()


def _fide_id(query: str) -> Condition:
    asked = read_fide_id(query)
    if asked is None:
        return false()
    ids = select(players.c.id).where(players.c.fide_id == asked)
    return or_(games.c.white_id.in_(ids), games.c.black_id.in_(ids))


def _title(text: str) -> Condition:
    return or_(
        *(func.upper(column) == text.strip().upper() for column in (games.c.white_title, games.c.black_title))
    )


def _source(source: str) -> Condition:
    told = tellings.c.file_id.is_not(None) if source == FILES else tellings.c.site == source
    return exists().where(tellings.c.game_id == games.c.id, told)


def _account(key: str) -> Condition:
    led = (
        select(tellings.c.game_id)
        .join(telling_accounts, telling_accounts.c.telling_id == tellings.c.id)
        .join(accounts, accounts.c.id == telling_accounts.c.account_id)
        .where(accounts.c.key == key.strip().lower())
    )
    return games.c.id.in_(led)


def _dates(filters: GameFilters) -> Iterator[Condition]:
    sides: tuple[tuple[str | None, Callable[[PartialDate], Condition]], ...] = (
        (filters.since, from_date),
        (filters.until, to_date),
    )
    for text, condition in sides:
        if text is not None:
            yield condition(read_date(text))


def _annotated(conn: Connection, query: str) -> Condition:
    """Any piece of the folded text finds an annotator, which no index knows: each of them is looked at once."""
    known = conn.scalars(select(games.c.annotator).distinct().where(games.c.annotator.is_not(None)))
    return one_of(conn, games.c.annotator, [text for text in known if matches_commentator(query, text)])


def one_of(conn: Connection, column: ColumnElement[str], values: list[str]) -> Condition:
    """Is *column* one of *values*? They go as one parameter, since both databases limit how many there are."""
    if conn.dialect.name == "postgresql":
        elements = func.jsonb_array_elements_text(cast(values, JSONB)).table_valued("value")
    else:
        elements = func.json_each(json.dumps(values)).table_valued("value")
    return column.in_(select(elements.c.value))


_WHITE: Final = (games.c.white_id,)
_BLACK: Final = (games.c.black_id,)
_TEAMS: Final = (games.c.white_team_id, games.c.black_team_id)

_BY_TEXT: Final[dict[str, Callable[[str], Condition]]] = {
    "white": lambda query: _player(_WHITE, query),
    "black": lambda query: _player(_BLACK, query),
    "player": lambda query: _player((*_WHITE, *_BLACK), query),
    "team": lambda query: _text(_TEAMS, query, "team"),
    "event": lambda query: _text((games.c.event_id,), query, "event"),
    "site": lambda query: _text((games.c.site_id,), query, "site"),
    "opening": lambda query: _text((games.c.opening_id,), query, "opening"),
    "eco": _eco,
    "fide_id": _fide_id,
    "title": _title,
    "time_class": lambda text: games.c.time_class == text,
    "termination": lambda text: games.c.termination == text,
    "result": lambda text: games.c.result == text,
    "variant": lambda text: games.c.variant == text,
    "source": _source,
    "account": _account,
}
