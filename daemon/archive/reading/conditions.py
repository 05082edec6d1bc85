"""The search window as SQL: one condition on `games` for each field."""

import json
from collections.abc import Callable, Iterator
from typing import Final

from sqlalchemy import Connection, cast, exists, false, func, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.elements import ColumnElement

from core.names import clean, fold
from core.players import Profile, read_fide_id
from core.search import matches_commentator
from daemon.archive.reading.dates import from_date, read_date, to_date
from daemon.archive.reading.dossiers import of_dossier
from daemon.archive.reading.filters import GameFilters
from daemon.archive.reading.mine import mine
from daemon.archive.reading.wanted import Condition, Wanted
from daemon.archive.reading.words import TEXT_COLUMNS, anywhere, eco_begins, players_found, texts_found
from daemon.archive.tables import accounts, games, players, telling_accounts, tellings

FILES: Final = "file"
"""The source of games that stand in files."""


def conditions(conn: Connection, filters: GameFilters, profile: Profile) -> list[Wanted]:
    """What a game must fulfil to be found by *filters*."""
    wanted = [*(anywhere(conn, filters.q) if filters.q is not None else ()), *_simple(filters)]
    if filters.annotator is not None:
        wanted.append(Wanted(_annotated(conn, filters.annotator)))
    if filters.dossier is not None:
        wanted.append(of_dossier(conn, filters.dossier))
    if filters.mine is not None:
        wanted.append(mine(profile) if filters.mine else Wanted(~mine(profile).test))
    return wanted


def dates(filters: GameFilters) -> list[Condition]:
    """What the date must fulfil: the order of the list is that of the dates, so that this is a part of the way."""
    since = [] if filters.since is None else [from_date(read_date(filters.since))]
    return since if filters.until is None else [*since, to_date(read_date(filters.until))]


def _simple(filters: GameFilters) -> Iterator[Wanted]:
    """The fields that need nothing but their own text."""
    for field, wanted in _BY_TEXT.items():
        text: str | None = getattr(filters, field)
        if text is not None:
            yield wanted(text)


def _text(kind: str) -> Callable[[str], Wanted]:
    return lambda query: Wanted.refers(TEXT_COLUMNS[kind], texts_found(query, kind))


def _eco(query: str) -> Wanted:
    beginning = fold(clean(query))
    return Wanted(eco_begins(beginning) if beginning else false())


def _fide_id(query: str) -> Wanted:
    asked = read_fide_id(query)
    if asked is None:
        return Wanted.any([])
    return Wanted.refers(
        (games.c.white_id, games.c.black_id), select(players.c.id).where(players.c.fide_id == asked)
    )


def _title(text: str) -> Wanted:
    asked = text.strip().upper()
    return Wanted(
        or_(*(func.upper(column) == asked for column in (games.c.white_title, games.c.black_title)))
    )


def _source(source: str) -> Wanted:
    told = tellings.c.file_id.is_not(None) if source == FILES else tellings.c.site == source
    return Wanted(exists().where(tellings.c.game_id == games.c.id, told))


def _account(key: str) -> Wanted:
    return Wanted.among(
        select(tellings.c.game_id)
        .join(telling_accounts, telling_accounts.c.telling_id == tellings.c.id)
        .join(accounts, accounts.c.id == telling_accounts.c.account_id)
        .where(accounts.c.key == key.strip().lower())
    )


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


_BY_TEXT: Final[dict[str, Callable[[str], Wanted]]] = {
    "white": lambda query: Wanted.refers([games.c.white_id], players_found(query)),
    "black": lambda query: Wanted.refers([games.c.black_id], players_found(query)),
    "player": lambda query: Wanted.refers([games.c.white_id, games.c.black_id], players_found(query)),
    "team": _text("team"),
    "event": _text("event"),
    "site": _text("site"),
    "opening": _text("opening"),
    "eco": _eco,
    "fide_id": _fide_id,
    "title": _title,
    "time_class": lambda text: Wanted(games.c.time_class == text),
    "termination": lambda text: Wanted(games.c.termination == text),
    "result": lambda text: Wanted(games.c.result == text),
    "variant": lambda text: Wanted(games.c.variant == text),
    "source": _source,
    "account": _account,
}
