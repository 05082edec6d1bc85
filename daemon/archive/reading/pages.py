"""Pages of lists: where each is cut, and whole lists read page by page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, Row, Select

from daemon.archive.archive import Archive
from daemon.archive.reading import cursors
from daemon.archive.reading.shapes import Page
from daemon.archive.reading.totals import with_total

_PAGE = 500
Item = TypeVar("Item")
ReadPage = Callable[[Connection, int, str | None], Page[Item]]
"""Reads a page: connection, size, cursor."""


@dataclass(frozen=True, slots=True)
class ListById(Generic[Item]):
    """A list that is sorted by an id, the greatest first.

    Attributes:
        kind: Its word in cursors.
        by: The id.
        whole: Selects all of it, the id as ``id``.
        shapes: Makes the items of some rows, one of each.
    """

    kind: str
    by: Column[int]
    whole: Select[*tuple[Any, ...]]
    shapes: Callable[[Sequence[Row[*tuple[Any, ...]]]], list[Item]]


def page_by_id(
    connection: Connection, listed: ListById[Item], *, limit: int, cursor: str | None, total: bool
) -> Page[Item]:
    """A page of the list, after *cursor*; *total*: with the number of all its items.

    Raises:
        BadCursor: *cursor* is not from this list.
    """
    found = listed.whole.order_by(listed.by.desc()).limit(limit + 1)
    if cursor is not None:
        found = found.where(listed.by < cursors.read_id(listed.kind, cursor))
    rows = connection.execute(found).all()
    after = cursors.write(listed.kind, rows[limit - 1].id) if len(rows) > limit else None
    page: Page[Item] = {"items": listed.shapes(rows[:limit]), "next": after}
    return with_total(connection, page, listed.whole) if total else page


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
