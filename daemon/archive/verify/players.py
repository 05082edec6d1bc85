"""Checks players and texts: their keys and their words."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, func, select, tuple_

from core.players import identify
from core.search import sort_free_text, sort_text
from daemon.archive.database.bulk import RowValues as Values
from daemon.archive.database.bulk import chunks, pages
from daemon.archive.games import texts as known_texts
from daemon.archive.games import words as stored_words
from daemon.archive.games.prepared import digest
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
        words = {row.id: stored_words.word_rows(row.id, row.name) for row in page}
        expected += sum(map(len, words.values()))
        for missing in _missing(connection, player_words, [one for rows in words.values() for one in rows]):
            yield Finding(f"player {missing[1]}", f"the word {missing[0]!r} does not find them", "words")
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


def _missing(connection: Connection, table: Table, rows: Sequence[Values]) -> Iterator[Values]:
    """Those of these rows of words that are not in *table*."""
    columns = list(table.columns)
    for some in chunks(rows, _PAIRS):
        pair = tuple_(*columns[:2])
        found = connection.execute(select(*columns).where(pair.in_([row[:2] for row in some])))
        stored = {tuple(row) for row in found}
        yield from (row for row in some if row not in stored)


def _strangers(connection: Connection) -> Iterator[Finding]:
    """Words that no name of their player has."""
    named = select(player_words, players.c.name).join(players, players.c.id == player_words.c.player_id)
    for row in connection.execute(named.execution_options(yield_per=1000)):
        if (row.word, row.player_id, row.nickname) not in stored_words.word_rows(row.player_id, row.name):
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
        words = [one for row in page for one in known_texts.word_rows(row.id, row.text)]
        expected += len(words)
        for row in page:
            if row.digest != digest(f"{row.kind}\0{row.text}".encode()):
                yield Finding(
                    f"text {row.id}", f"the {row.kind} {row.text!r} is kept as another one", "texts"
                )
            if row.folded != sort_free_text(row.text):
                fault = f"its place in the alphabet is not that of {row.text!r}"
                yield Finding(f"text {row.id}", fault, "texts")
        for word, number in _missing(connection, text_words, words):
            yield Finding(f"text {number}", f"the word {word!r} does not find it", "texts")
        yield len(page)
    more = _count(connection, text_words) - expected
    if more > 0:
        yield Finding("texts", f"{more} words find them and should not", "texts")
