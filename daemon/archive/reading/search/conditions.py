"""The search as SQL: one condition on `games` for each field."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from sqlalchemy import Connection, and_, exists, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core.epoch import milliseconds
from core.game import BLACK_WINS, DRAW, STANDARD, WHITE_WINS
from core.names import clean, fold
from core.players import Profile, read_fide_id
from core.search import matches_commentator, matches_eco
from core.vocabulary import RESULTS, Colour
from daemon.archive.reading.search.asked_dates import read_date, read_moment
from daemon.archive.reading.search.dates import DateRange, between, from_date, to_date
from daemon.archive.reading.search.dossier_games import of_dossier
from daemon.archive.reading.search.filters import FILES, OTHER, GameFilters, check
from daemon.archive.reading.search.mine import mine
from daemon.archive.reading.search.odd_games import odd
from daemon.archive.reading.search.plan import NONE, Condition, Wanted
from daemon.archive.reading.search.values import matching
from daemon.archive.reading.search.words import (
    ECO_COLUMNS,
    TEXT_COLUMNS,
    anywhere,
    finds_player,
    finds_text,
    players_found,
    site_found,
    texts_found,
)
from daemon.archive.tables.main import (
    BEGINNING,
    HIGHER_RATING,
    IN_FILE,
    LONG,
    LONGEST_USUAL,
    NOT_STANDARD,
    OF_SITE,
    RATED,
    UNUSUAL_RESULT,
    accounts,
    beginning,
    games,
    players,
    telling_accounts,
    tellings,
)


def conditions(
    connection: Connection, filters: GameFilters, profile: Profile, *, of_player: bool = False
) -> list[Wanted]:
    """What a game must fulfil to be found by *filters*; *of_player*: somebody's games are asked for.

    Raises:
        UnclearFilters: they make no sense together.
    """
    check(filters, of_player=of_player)
    wanted = [*(anywhere(connection, filters.q) if filters.q is not None else ()), *_simple(filters)]
    if filters.site is not None:
        wanted.extend(site_found(filters.site))
    if filters.annotator is not None:
        wanted.append(
            matching(connection, games.c.annotator, partial(matches_commentator, filters.annotator))
        )
    if filters.title is not None:
        wanted.append(_title(connection, filters.title))
    if filters.eco is not None:
        codes = [matching(connection, column, partial(matches_eco, filters.eco)) for column in ECO_COLUMNS]
        wanted.append(Wanted.any([one for one in codes if one is not NONE]))
    if filters.dossier is not None:
        wanted.append(of_dossier(connection, filters.dossier, filters.colour))
    if filters.mine is not None:
        wanted.append(mine(profile, filters.colour) if filters.mine else Wanted.no(mine(profile)))
    if filters.odd is not None:
        wanted.append(odd(filters.odd))
    return [*wanted, *_played_by(filters), *_numbers(filters)]


def players_of(colour: Colour | None) -> list[ColumnElement[int]]:
    """The players who are asked for: those of this colour, or both."""
    both = {"white": games.c.white_id, "black": games.c.black_id}
    return [both[colour]] if colour else list(both.values())


def _played_by(filters: GameFilters) -> Iterator[Wanted]:
    """The players whose colour may be asked for."""
    columns = players_of(filters.colour)
    if filters.player is not None:
        yield Wanted.refers(columns, players_found(filters.player), finds_player(filters.player))
    if filters.fide_id is not None:
        its = read_fide_id(filters.fide_id)
        found = Wanted.refers(columns, select(players.c.id).where(players.c.fide_id == its))
        yield found if its else NONE


def _numbers(filters: GameFilters) -> Iterator[Wanted]:
    """Ratings, half moves, and time of intake."""
    if filters.min_rating is not None or filters.max_rating is not None:
        yield _rated(filters.min_rating, filters.max_rating)
    if filters.min_plies is not None or filters.max_plies is not None:
        yield _played(filters.min_plies, filters.max_plies)
    if filters.since is not None:
        since = read_moment(filters.since)
        if isinstance(since, int):
            yield Wanted.indexed(games.c.id + 0 > since, games.c.id > since)
        else:
            at = milliseconds(since)
            yield Wanted.indexed(games.c.added_at + 0 >= at, games.c.added_at >= at)


def _rated(least: int | None, most: int | None) -> Wanted:
    """A player's rating is within these bounds. Whether one is high enough, the higher one says."""
    test = or_(*(_within(one, least, most) for one in (games.c.white_rating, games.c.black_rating)))
    if least is None:
        return Wanted(test, listed=True)
    by = and_(RATED, least <= HIGHER_RATING)
    ids = select(games.c.id).where(by if most is None else and_(by, test))
    return Wanted(test, ids, ids, undated=((ids, ids),), listed=True)


def _played(least: int | None, most: int | None) -> Wanted:
    """The game has as many half moves; of long ones there is an index."""
    test = _within(games.c.ply_count, least, most)
    if least is None or least <= LONGEST_USUAL:
        return Wanted(test, listed=True)
    ids = select(games.c.id).where(LONG, test)
    return Wanted(test, ids, ids, undated=((ids, ids),), listed=True)


def _within(column: ColumnElement[int], least: int | None, most: int | None) -> Condition:
    bounds = [
        *([column >= least] if least is not None else []),
        *([column <= most] if most is not None else []),
    ]
    return and_(column.is_not(None), *bounds)


def dates(filters: GameFilters) -> DateRange:
    """The dates that are asked for: the list is ordered by date, so this is part of the way to the games."""
    since, until = (
        None if text is None else read_date(text) for text in (filters.date_from, filters.date_to)
    )
    if since is not None:
        return from_date(since) if until is None else between(since, until)
    return DateRange() if until is None else to_date(until)


def _simple(filters: GameFilters) -> Iterator[Wanted]:
    """The fields that need only their own text."""
    for field, wanted in _BY_TEXT.items():
        text: str | None = getattr(filters, field)
        if text is not None:
            yield wanted(text)


def _text(kind: str) -> Callable[[str], Wanted]:
    return lambda query: Wanted.refers(TEXT_COLUMNS[kind], texts_found(query, kind), finds_text(query))


def _title(connection: Connection, asked: str) -> Wanted:
    columns = (games.c.white_title, games.c.black_title)
    return Wanted.any([matching(connection, column, partial(_is_title, asked)) for column in columns])


def _is_title(asked: str, title: str) -> bool:
    return fold(clean(title)) == fold(clean(asked))


def _is(column: ColumnElement[str], text: str) -> Condition:
    """Whether *column* is *text*, by its index alone where its beginning shows it whole."""
    begins = beginning(column) == text[:BEGINNING]
    return begins if len(text) < BEGINNING else and_(begins, column == text)


def _chosen(column: ColumnElement[str]) -> Callable[[str], Wanted]:
    return lambda text: Wanted.indexed(column == text, and_(column.is_not(None), _is(column, text)))


def _result(text: str) -> Wanted:
    if text == OTHER:
        unusual = games.c.result.not_in(RESULTS)
        return Wanted.indexed(unusual, and_(UNUSUAL_RESULT, unusual))
    test = games.c.result == text
    if text in {WHITE_WINS, BLACK_WINS, DRAW}:
        return Wanted(test)
    return Wanted.indexed(test, and_(UNUSUAL_RESULT, _is(games.c.result, text)))


def _variant(text: str) -> Wanted:
    test = games.c.variant == text
    if text == STANDARD:
        return Wanted(test)
    return Wanted.indexed(test, and_(NOT_STANDARD, _is(games.c.variant, text)))


def _source(source: str) -> Wanted:
    of_source = tellings.c.file_id.is_not(None) if source == FILES else tellings.c.site == source
    test = exists().where(tellings.c.game_id == games.c.id, of_source)
    its = select(tellings.c.game_id).where(of_source, IN_FILE if source == FILES else OF_SITE)
    return Wanted.found_by(test, its)


def _account(key: str) -> Wanted:
    return Wanted.among(
        select(telling_accounts.c.game_id)
        .join(accounts, accounts.c.id == telling_accounts.c.account_id)
        .where(accounts.c.key == key)
    )


_BY_TEXT: Final[dict[str, Callable[[str], Wanted]]] = {
    "white": lambda query: Wanted.refers([games.c.white_id], players_found(query), finds_player(query)),
    "black": lambda query: Wanted.refers([games.c.black_id], players_found(query), finds_player(query)),
    "team": _text("team"),
    "event": _text("event"),
    "opening": _text("opening"),
    "time_class": _chosen(games.c.time_class),
    "time_control": lambda text: Wanted(games.c.time_control == text.strip()),
    "termination": _chosen(games.c.termination),
    "result": _result,
    "variant": _variant,
    "source": _source,
    "account": _account,
}
