"""Events, sites, teams and openings for the writing side: each text once, found by its digest."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, delete, select

from core import names
from core.search import sort_free_text
from daemon.archive.database.bulk import ColumnValues, chunks, insert_rows, next_id, pages, update_rows
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.named import KindAndText
from daemon.archive.games.prepared import digest
from daemon.archive.games.words import search_words
from daemon.archive.tables.main import text_words, texts


def text_ids(
    connection: Connection, known: KnownIds, wanted: Iterable[KindAndText]
) -> Mapping[KindAndText, int]:
    """The ids of all these texts; new ones are stored, in this order."""
    digests = {item: text_digest(item) for item in dict.fromkeys(wanted)}
    unknown = [value for value in digests.values() if value not in known.texts]
    for some in chunks(unknown):
        found = connection.execute(select(texts.c.digest, texts.c.id).where(texts.c.digest.in_(some)))
        known.texts.update((value, number) for value, number in found)
    _make(connection, known, {item: value for item, value in digests.items() if value not in known.texts})
    return {item: known.texts[value] for item, value in digests.items()}


def _make(connection: Connection, known: KnownIds, new: Mapping[KindAndText, bytes]) -> None:
    if not new:
        return
    rows: list[ColumnValues] = []
    words: list[ColumnValues] = []
    for number, (item, value) in enumerate(new.items(), next_id(connection, texts)):
        rows.append(text_row(number, value, item))
        words += text_word_rows(number, item[1])
        known.texts[value] = number
    insert_rows(connection, texts, rows)
    insert_rows(connection, text_words, words)


def text_digest(item: KindAndText) -> bytes:
    """By which it is found."""
    return digest("\0".join(item).encode())


def text_row(number: int, value: bytes, item: KindAndText) -> ColumnValues:
    """The row of a text with this digest."""
    kind, text = item
    return {"id": number, "digest": value, "kind": kind, "text": text, "folded": sort_free_text(text)}


def text_word_rows(number: int, text: str) -> list[ColumnValues]:
    """The rows of the words that find the text with this id."""
    return [{"word": word, "text_id": number} for word in search_words(names.words(text))]


def respell(connection: Connection) -> None:
    """Fold all texts again."""
    connection.execute(delete(text_words))
    for page in pages(connection, select(texts.c.id, texts.c.text, texts.c.folded), texts.c.id):
        folded = [(row, sort_free_text(row.text)) for row in page]
        changed = [{"id": row.id, "folded": text} for row, text in folded if text != row.folded]
        update_rows(connection, texts, changed)
        insert_rows(
            connection, text_words, [word for row in page for word in text_word_rows(row.id, row.text)]
        )
