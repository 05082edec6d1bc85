"""Lists longer than a page, read page by page: no transaction is held while they are printed."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeVar

from sqlalchemy import Connection

from daemon.archive.archive import Archive
from daemon.archive.reading.shapes import Page

_PAGE = 500
Item = TypeVar("Item")
ReadPage = Callable[[Connection, int, str | None], Page[Item]]
"""Reads a page: connection, size, cursor."""


def pages(archive: Archive, read: ReadPage[Item], limit: int | None) -> Iterator[list[Item]]:
    """Page after page, *limit* items in all, or all of them."""
    cursor: str | None = None
    left = limit
    while left is None or left > 0:
        with archive.reading() as connection:
            page = read(connection, _PAGE if left is None else min(left, _PAGE), cursor)
        yield page["items"]
        cursor = page["next"]
        if cursor is None:
            return
        left = None if left is None else left - len(page["items"])


def all_of(archive: Archive, read: ReadPage[Item], limit: int | None) -> Iterator[Item]:
    """Item after item."""
    return chain.from_iterable(pages(archive, read, limit))
