"""Cursors: where a page of a list ended, as a text that only this module understands.

A cursor names the list and the place of the page's last item in its order: the values that it is sorted by,
not the item itself. Whatever becomes of the item meanwhile, the next page begins after that place.
"""

import base64
import binascii
import json
from typing import Any, Final

LONGEST: Final = 2400
"""Longer texts are not cursors of ours."""

TEXT: Final = 200
"""Characters of a text in a cursor: lists are sorted by no more."""

_GREATEST: Final = 2**63 - 1

CursorPlace = tuple[int | str, ...]
"""The values that a list is sorted by, of one of its items."""


class BadCursor(ValueError):  # noqa: N818 - what it is: a cursor that is none
    """The text is not a cursor of this list."""


def write(kind: str, *place: int | str) -> str:
    """The cursor of the list *kind* after the item at this place."""
    content = json.dumps([kind, *place], ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def read(kind: str, cursor: str, *types: type) -> CursorPlace:
    """The place in a cursor of the list *kind*, whose order has values of these types.

    Raises:
        BadCursor: it is not one.
    """
    content = _decode(cursor)
    if not isinstance(content, list) or content[:1] != [kind]:
        raise BadCursor("this cursor is not from this list")
    place = tuple(content[1:])
    if [type(value) for value in place] != list(types) or not all(map(_may_be, place)):
        raise BadCursor("this cursor is not from this list, or not as it is sorted now")
    return place


def read_id(kind: str, cursor: str) -> int:
    """The id in a cursor of the list *kind*, which is sorted by ids.

    Raises:
        BadCursor: it is not one.
    """
    (number,) = read(kind, cursor, int)
    return int(number)


def _may_be(value: int | str) -> bool:
    """Whether a database can compare something with it."""
    if isinstance(value, int):
        return 0 <= value <= _GREATEST
    plain = "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    return plain and len(value) <= TEXT


def _decode(cursor: str) -> Any:
    if len(cursor) > LONGEST:
        raise BadCursor("this is not a cursor: it is too long")
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise BadCursor("this is not a cursor") from error
