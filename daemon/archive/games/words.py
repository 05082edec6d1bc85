"""The words by which players are found, as the archive stores them."""

from collections.abc import Iterable
from typing import Final

from core import names
from daemon.archive.database.bulk import ColumnValues

LONGEST_WORD: Final = 200
"""The most characters of a word that a search can use; PostgreSQL's indexes cannot store long texts."""


def search_words(words: Iterable[str]) -> list[str]:
    """The words as a search finds them: each once, and no longer than an index can store."""
    return list(dict.fromkeys(word[:LONGEST_WORD] for word in words))


def word_rows(number: int, shown: str) -> list[ColumnValues]:
    """The rows of the words that find a player who is shown as *shown*."""
    nickname = names.classify(shown) == "nickname"
    return [
        {"word": word, "player_id": number, "nickname": nickname}
        for word in search_words(names.search_words(shown))
    ]
