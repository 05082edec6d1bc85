"""Cursors: where a page of a list ended, as a text that only this module understands.

A cursor names the list and the id of the page's last item; the list looks up that item's place in its order.
"""

import base64
import binascii
import re
from typing import Final

LONGEST: Final = 64
"""Longer texts are no cursors of ours."""

_CURSOR = re.compile(rb"([a-z]{1,16}):([1-9][0-9]{0,17})")


class BadCursor(ValueError):  # noqa: N818 - what it is: a cursor that is none
    """The text is no cursor that this list gave out."""


def write(kind: str, last_id: int) -> str:
    """The cursor of the list *kind* that stands behind the item *last_id*."""
    return base64.urlsafe_b64encode(f"{kind}:{last_id}".encode()).decode().rstrip("=")


def read(kind: str, cursor: str) -> int:
    """The id in a cursor of the list *kind*.

    Raises:
        BadCursor: it is none.
    """
    match = _CURSOR.fullmatch(_decode(cursor))
    if match is None or match[1] != kind.encode():
        raise BadCursor("this cursor is not from this list")
    return int(match[2])


def _decode(cursor: str) -> bytes:
    if len(cursor) > LONGEST:
        raise BadCursor("this is no cursor: it is too long")
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error) as error:
        raise BadCursor("this is no cursor") from error
