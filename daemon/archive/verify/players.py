"""Checks players and texts: their keys and their words."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, func, select, tuple_

from core.players import identify
from core.search import sort_free_text, sort_text
from daemon.archive.database.bulk import ColumnValues, chunks, pages
from daemon.archive.games.prepared import digest
from daemon.archive.games.texts import text_word_rows
from daemon.archive.games.words import word_rows
from daemon.archive.tables.main import player_names, player_words, players, text_words, texts
from daemon.archive.verify.findings import Finding

_Found = Row[*tuple[Any, ...]]
_PAIRS = 200
"""Pairs in one list of a query."""


def check_players(connection: Connection) -> Iterator[int | Finding]:
    """Findings, and between them how many rows have been looked at."""
    expected = 0
    for page in pages(connection, select(players), players.c.id):
        for row in page:
            yield from _player(row)
        words = {row.id: word_rows(row.id, row.name) for row in page}
        expected += sum(map(len, words.values()))
        for missing in _missing(connection, player_words, [one for rows in words.values() for one in rows]):
            fault = f"the word {missing['word']!r} does not find them"
            yield Finding(f"player {missing['player_id']}", fault, "words")
        yield len(page)
    if _count(connection, player_words) > expected:
        yield from _strangers(connection)


def _player(row: _Found) -> Iterator[Finding]:
    where = f"player {row.id}"
    key = identify(row.name, row.fide_id)
    if (row.digest, row.key, row.kind) != (key.digest, str(key), key.kind):
        yield Finding(where, f"they are kept as {row.key}, and {row.name!r} is {key}", "keys")
    if row.folded != sort_text(row.name):
        yield Finding(where, f"their place in the alphabet is not that of {row.name!r}", "words")


def _missing(connection: Connection, table: Table, rows: Sequence[ColumnValues]) -> Iterator[ColumnValues]:
    """Those of these rows of words that are not in *table*."""
    key = list(table.primary_key)
    for some in chunks(rows, _PAIRS):
        keys = [tuple(row[column.name] for column in key) for row in some]
        found = connection.execute(select(table).where(tuple_(*key).in_(keys))).mappings()
        stored = {frozenset(row.items()) for row in found}
        yield from (row for row in some if frozenset(row.items()) not in stored)


def _strangers(connection: Connection) -> Iterator[Finding]:
    """Words that no name of their player has."""
    named = select(player_words, players.c.name).join(players, players.c.id == player_words.c.player_id)
    for row in connection.execute(named.execution_options(yield_per=1000)):
        word = {"word": row.word, "player_id": row.player_id, "nickname": row.nickname}
        if word not in word_rows(row.player_id, row.name):
            yield Finding(
                f"player {row.player_id}", f"the word {row.word!r} finds them and should not", "words"
            )


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def check_names(connection: Connection) -> Iterator[int | Finding]:
    """The ways to write the names of players with a FIDE id."""
    named = select(player_names).execution_options(yield_per=1000)
    for row in connection.execute(named):
        right = (digest(row.name.encode()), identify(row.name).digest)
        if (row.digest, row.identity) != right:
            yield Finding(
                f"player {row.player_id}", f"as {row.name!r} they are kept as somebody else", "names"
            )
    yield 0


def check_texts(connection: Connection) -> Iterator[int | Finding]:
    """Events, sites, teams and openings."""
    expected = 0
    for page in pages(connection, select(texts), texts.c.id):
        words = [one for row in page for one in text_word_rows(row.id, row.text)]
        expected += len(words)
        for row in page:
            if row.digest != digest(f"{row.kind}\0{row.text}".encode()):
                yield Finding(
                    f"text {row.id}", f"the {row.kind} {row.text!r} is kept as another one", "texts"
                )
            if row.folded != sort_free_text(row.text):
                fault = f"its place in the alphabet is not that of {row.text!r}"
                yield Finding(f"text {row.id}", fault, "texts")
        for missing in _missing(connection, text_words, words):
            fault = f"the word {missing['word']!r} does not find it"
            yield Finding(f"text {missing['text_id']}", fault, "texts")
        yield len(page)
    more = _count(connection, text_words) - expected
    if more > 0:
        yield Finding("texts", f"words that find them and should not: {more}", "texts")
