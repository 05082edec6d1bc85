"""The search of RULES R27-R34 as SQL: range look-ups in the indexes of the words of players and texts.

`core.search` says the same in Python; a test compares the two.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, Select, and_, exists, false, func, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core.search import TypedWord, typed
from daemon.archive.found_by import LONGEST_WORD
from daemon.archive.reading.wanted import Condition, Wanted
from daemon.archive.tables import BEGINNING, beginning, games, player_words, players, text_words, texts

TEXT_COLUMNS: Final[Mapping[str, Sequence[ColumnElement[int]]]] = {
    "event": (games.c.event_id,),
    "site": (games.c.site_id,),
    "team": (games.c.white_team_id, games.c.black_team_id),
    "opening": (games.c.opening_id,),
}
"""The columns of a game that refer to the texts of each kind."""

_PLAYERS: Final = (games.c.white_id, games.c.black_id)
_BEHIND = "\U0010ffff"  # no word holds it, so that every word with a prefix lies between the prefix and this
# Part of an ECO code, A00-E99, perhaps with a suffix: other words need not be compared with codes.
_ECO = re.compile(r"[a-e](\d?|\d\d\w*)", re.ASCII)


def begins(column: ColumnElement[str], text: str) -> Condition:
    """Does *column* begin with *text*? A range, so that an index answers."""
    return and_(column >= text, column < text + _BEHIND)


def players_found(query: str) -> Select[int]:
    """The ids of the players that the query finds; none for a query without a word."""
    words = unique(typed(query))
    if not words:
        return select(players.c.id).where(false())
    return select(players.c.id).where(*(_player_meets(word) for word in words))


def texts_found(query: str, kind: str) -> Select[int]:
    """The ids of the events, sites, teams or openings that the query finds: a hyphen always separates."""
    parts = parts_of(typed(query))
    if not parts:
        return select(texts.c.id).where(false())
    return select(texts.c.id).where(
        texts.c.kind == kind, *(texts.c.id.in_(_text_ids(part)) for part in parts)
    )


def _texts_with(part: str, kind: str) -> Select[int]:
    return select(texts.c.id).where(texts.c.kind == kind, texts.c.id.in_(_text_ids(part)))


def anywhere(conn: Connection, query: str) -> list[Wanted]:
    """What the field above the list asks of a game: each word, or part of one, in any field (R32).

    A query without a word finds all games.
    """
    return [wanted for word in unique(typed(query)) for wanted in _word_anywhere(conn, word)]


def eco_begins(text: str) -> Wanted:
    """Does the game's ECO code begin with the folded *text* (R35)?"""
    whole = begins(func.lower(games.c.eco), text)
    indexed = begins(func.lower(beginning(games.c.eco)), text[:BEGINNING])
    return Wanted.indexed(whole, and_(games.c.eco.is_not(None), indexed, whole))


def site_found(query: str) -> list[Wanted]:
    """What the place asks of a game: each part in its Site, of which an online game's own id is a word."""
    parts = parts_of(typed(query))
    if not parts:
        return [Wanted.any([])]
    return [
        Wanted.any([Wanted.refers(TEXT_COLUMNS["site"], _texts_with(part, "site")), _own_id(part)])
        for part in parts
    ]


def _own_id(part: str) -> Wanted:
    """Does the online game's own id at the end of its Site begin with *part*?"""
    by = and_(games.c.site_tail.is_not(None), begins(func.lower(games.c.site_tail), part))
    return Wanted.indexed(begins(func.lower(games.c.site_tail + ""), part), by)


def unique(words: Iterable[TypedWord]) -> list[TypedWord]:
    """The words, each once: a word typed twice asks nothing new (R30)."""
    return list(dict.fromkeys(words))


def parts_of(words: Iterable[TypedWord]) -> list[str]:
    """The parts of all words, each once."""
    return list(dict.fromkeys(part for word in words for part in word.parts))


def _player_meets(word: TypedWord) -> Condition:
    if word.parts == (word.whole,):
        return players.c.id.in_(_player_ids(word.whole))
    as_parts = and_(*(players.c.id.in_(_player_ids(part, nickname=False)) for part in word.parts))
    return or_(players.c.id.in_(_player_ids(word.whole, nickname=True)), as_parts)


def _player_ids(beginning: str, *, nickname: bool | None = None) -> Select[int]:
    found = select(player_words.c.player_id).where(begins(player_words.c.word, beginning[:LONGEST_WORD]))
    return found if nickname is None else found.where(player_words.c.nickname.is_(nickname))


def _text_ids(beginning: str) -> Select[int]:
    return select(text_words.c.text_id).where(begins(text_words.c.word, beginning[:LONGEST_WORD]))


def _word_anywhere(conn: Connection, word: TypedWord) -> list[Wanted]:
    in_parts = [_part_anywhere(conn, part) for part in word.parts]
    nicknames = _player_ids(word.whole, nickname=True)
    if word.parts == (word.whole,) or not conn.scalar(select(exists(nicknames))):
        return in_parts
    return [Wanted.any([Wanted.all(in_parts), Wanted.refers(_PLAYERS, nicknames)])]


def _part_anywhere(conn: Connection, part: str) -> Wanted:
    """Only the fields that hold such a word at all are asked: what is left, indexes can answer."""
    fields: list[Wanted] = []
    if conn.scalar(select(exists(_player_ids(part)))):
        fields.append(Wanted.refers(_PLAYERS, _player_ids(part)))
    kinds = conn.scalars(select(texts.c.kind).distinct().where(texts.c.id.in_(_text_ids(part)))).all()
    fields.extend(Wanted.refers(TEXT_COLUMNS[kind], _text_ids(part)) for kind in sorted(kinds))
    if _ECO.fullmatch(part):
        fields.append(eco_begins(part))
    own_id = _own_id(part)
    if own_id.ids is not None and conn.scalar(select(exists(own_id.ids))):
        fields.append(own_id)
    return Wanted.any(fields)
