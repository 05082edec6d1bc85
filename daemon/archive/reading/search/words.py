"""The search of names R27 to R34 as SQL: range look-ups in the indexes of the words of players and texts.

`core.search` says the same in Python; a test compares the two.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from sqlalchemy import Connection, Select, and_, exists, false, func, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core.names import words
from core.search import TypedWord, typed
from daemon.archive.games.words import LONGEST_WORD
from daemon.archive.reading.search.plan import NONE, Condition, IsOne, Wanted
from daemon.archive.reading.search.values import having, known_values, one_of
from daemon.archive.tables.main import games, player_words, players, text_words, texts

TEXT_COLUMNS: Final[Mapping[str, Sequence[ColumnElement[int]]]] = {
    "event": (games.c.event_id,),
    "site": (games.c.site_id,),
    "team": (games.c.white_team_id, games.c.black_team_id),
    "opening": (games.c.opening_id, games.c.derived_opening_id),
}
"""The columns of a game that refer to the texts of each kind."""

ECO_COLUMNS: Final = (games.c.eco, games.c.derived_eco)
"""The ECO code of the source, and the one by the moves for games without."""

_PLAYERS: Final = (games.c.white_id, games.c.black_id)
FREQUENT: Final = 2_000
"""One of the texts with a word that is in so many is soon met in their order."""
_LOOKED_AT: Final = 300
"""How many texts are looked at for their kinds: the beginning of a word may be that of a hundred thousand."""
_OWN_IDS: Final = 1000
"""Of no more online games whose own id begins so are the ids listed."""
AFTER_LETTERS: Final = "\U0010ffff"
"""No word holds it, so that every word with a prefix lies between the prefix and this."""


def begins(column: ColumnElement[str], text: str) -> Condition:
    """Whether *column* begins with *text*. A range, so that an index is used."""
    return and_(column >= text, column < text + AFTER_LETTERS)


def players_found(query: str) -> Select[int]:
    """The ids of the players that the query finds; none for a query without a word."""
    words = unique(typed(query))
    if not words:
        return select(players.c.id).where(false())
    return select(players.c.id).where(*(_player_meets(word) for word in words))


def finds_player(query: str) -> IsOne:
    """Whether the query finds a player, for each by itself."""
    asked = unique(typed(query))
    return lambda column: and_(*(_meets(word, column) for word in asked)) if asked else false()


def finds_text(query: str) -> IsOne:
    """Whether the query finds a text, for each by itself."""
    parts = parts_of(typed(query))
    return lambda column: and_(*(_text_has(part)(column) for part in parts)) if parts else false()


def texts_found(query: str, kind: str) -> Select[int]:
    """The ids of the events, sites, teams or openings that the query finds: a hyphen always separates."""
    parts = parts_of(typed(query))
    if not parts:
        return select(texts.c.id).where(false())
    return select(texts.c.id).where(
        texts.c.kind == kind, *(texts.c.id.in_(_text_ids(part)) for part in parts)
    )


def rarely_found(connection: Connection, query: str) -> bool:
    """Whether some part of the query is in few texts."""
    some = (
        select(func.count()).select_from(_text_ids(part).limit(FREQUENT).subquery())
        for part in parts_of(typed(query))
    )
    return any((connection.scalar(one) or 0) < FREQUENT for one in some)


def _texts_with(part: str, kind: str) -> Select[int]:
    return select(texts.c.id).where(texts.c.kind == kind, texts.c.id.in_(_text_ids(part)))


def anywhere(connection: Connection, query: str) -> list[Wanted]:
    """What a query for all fields asks of a game: each word, or part of one, in any field (names R32).

    A query without a word finds all games.
    """
    asked: list[Wanted] = []
    codes = _Codes(connection)
    # Long words first: they are rarer, and where one is nowhere the others need not be looked for.
    for word in sorted(needed(unique(typed(query))), key=lambda word: -len(word.whole)):
        its = _word_anywhere(connection, word, codes)
        if any(one is NONE for one in its):
            return [NONE]
        asked += its
    return asked


class _Codes:
    """The ECO codes of the archive, read once for a query, and only if a word may be the beginning of one."""

    def __init__(self, connection: Connection) -> None:
        self._conn = connection

    @cached_property
    def _words(self) -> dict[ColumnElement[str], list[tuple[str, str]]]:
        """By column: each word of a code with the code, in the order of the words."""
        columns = ((column, known_values(self._conn, column)) for column in ECO_COLUMNS)
        return {
            column: sorted((word, code) for code in codes for word in _words_of(code))
            for column, codes in columns
        }

    def begin_with(self, part: str) -> list[Wanted]:
        """Whether a word of the game's ECO code, from the source or the moves, begins with *part*."""
        return [
            having(self._conn, column, found)
            for column, its in self._words.items()
            if (
                found := [
                    code
                    for _, code in its[bisect_left(its, (part,)) : bisect_left(its, (part + AFTER_LETTERS,))]
                ]
            )
        ]


@lru_cache(maxsize=4096)
def _words_of(code: str) -> tuple[str, ...]:
    return tuple(words(code))


def site_found(query: str) -> list[Wanted]:
    """What the search for a site asks of a game.

    Each part in its Site, of which an online game's own id is a word.
    """
    parts = parts_of(typed(query))
    if not parts:
        return [NONE]
    return [
        Wanted.any(
            [Wanted.refers(TEXT_COLUMNS["site"], _texts_with(part, "site"), _text_has(part)), _own_id(part)]
        )
        for part in parts
    ]


def _own_id(part: str) -> Wanted:
    """Whether the online game's own id at the end of its Site begins with *part*."""
    by = and_(games.c.site_tail.is_not(None), begins(func.lower(games.c.site_tail), part))
    return Wanted.indexed(begins(func.lower(games.c.site_tail + ""), part), by)


def unique(words: Iterable[TypedWord]) -> list[TypedWord]:
    """The words, each once: a word typed twice asks nothing new (names R30)."""
    return list(dict.fromkeys(words))


def needed(words: Sequence[TypedWord]) -> list[TypedWord]:
    """Those that ask for more than the others.

    What begins with a longer word begins with a shorter one, too.
    """
    plain = sorted({word.whole for word in words if word.parts == (word.whole,)})
    implied = {one for one, after in pairwise(plain) if after.startswith(one)}
    return [word for word in words if word.parts != (word.whole,) or word.whole not in implied]


def parts_of(words: Iterable[TypedWord]) -> list[str]:
    """The parts of all words, each once."""
    return list(dict.fromkeys(part for word in words for part in word.parts))


def _player_meets(word: TypedWord) -> Condition:
    if word.parts == (word.whole,):
        return players.c.id.in_(_player_ids(word.whole))
    as_parts = and_(*(players.c.id.in_(_player_ids(part, nickname=False)) for part in word.parts))
    return or_(players.c.id.in_(_player_ids(word.whole, nickname=True)), as_parts)


def _meets(word: TypedWord, column: ColumnElement[int]) -> Condition:
    if word.parts == (word.whole,):
        return _player_has(word.whole)(column)
    as_parts = (_player_has(part, nickname=False)(column) for part in word.parts)
    return or_(_player_has(word.whole, nickname=True)(column), and_(*as_parts))


def _player_has(beginning: str, *, nickname: bool | None = None) -> IsOne:
    its = _player_ids(beginning, nickname=nickname)
    return lambda column: exists(its.where(player_words.c.player_id == column))


def _text_has(beginning: str) -> IsOne:
    its = _text_ids(beginning)
    return lambda column: exists(its.where(text_words.c.text_id == column))


def _player_ids(beginning: str, *, nickname: bool | None = None) -> Select[int]:
    found = select(player_words.c.player_id).where(begins(player_words.c.word, beginning[:LONGEST_WORD]))
    return found if nickname is None else found.where(player_words.c.nickname.is_(nickname))


def _text_ids(beginning: str) -> Select[int]:
    return select(text_words.c.text_id).where(begins(text_words.c.word, beginning[:LONGEST_WORD]))


def _word_anywhere(connection: Connection, word: TypedWord, codes: _Codes) -> list[Wanted]:
    in_parts = [_part_anywhere(connection, part, codes) for part in word.parts]
    nicknames = _player_ids(word.whole, nickname=True)
    if word.parts == (word.whole,) or not connection.scalar(select(exists(nicknames))):
        return in_parts
    its = _player_has(word.whole, nickname=True)
    return [Wanted.any([Wanted.all(in_parts), Wanted.refers(_PLAYERS, nicknames, its)])]


def _kinds(connection: Connection, part: str) -> list[str]:
    """The kinds of texts that may have such a word.

    Those of the texts that do, or all if there are too many.
    """
    some = _text_ids(part).limit(_LOOKED_AT).subquery()
    found = connection.execute(
        select(texts.c.kind, func.count()).join(some, some.c.text_id == texts.c.id).group_by(texts.c.kind)
    ).all()
    many = sum(count for _, count in found) >= _LOOKED_AT
    return sorted(TEXT_COLUMNS) if many else sorted(kind for kind, _ in found)


def _part_anywhere(connection: Connection, part: str, codes: _Codes) -> Wanted:
    """Whether the part is in any field; only fields that contain such a word at all are asked."""
    fields: list[Wanted] = []
    if connection.scalar(select(exists(_player_ids(part)))):
        fields.append(Wanted.refers(_PLAYERS, _player_ids(part), _player_has(part)))
    fields.extend(
        Wanted.refers(TEXT_COLUMNS[kind], _text_ids(part), _text_has(part))
        for kind in _kinds(connection, part)
    )
    fields.extend(codes.begin_with(part))
    return Wanted.any([*fields, *_with_own_id(connection, part)])


def _with_own_id(connection: Connection, part: str) -> list[Wanted]:
    """The online games whose own id begins with *part*: the few that do by their ids, which need no look at a game."""
    own_id = _own_id(part)
    assert own_id.ids is not None
    found = connection.scalars(own_id.ids.limit(_OWN_IDS + 1)).all()
    if len(found) > _OWN_IDS:
        return [own_id]
    return [Wanted.among(select(games.c.id).where(one_of(connection, games.c.id, found)))] if found else []
