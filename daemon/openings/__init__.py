"""The book of openings that comes with the program."""

from functools import cache
from hashlib import blake2b
from importlib.resources import files

from core.openings import Book


@cache
def book() -> Book:
    """The book, read on first use."""
    return Book.read(_text())


@cache
def edition() -> str:
    """The edition of this book: games that were looked up in another one are looked up again."""
    return blake2b(_text().encode(), digest_size=8).hexdigest()


def _text() -> str:
    return files(__name__).joinpath("book.tsv").read_text("utf-8")
