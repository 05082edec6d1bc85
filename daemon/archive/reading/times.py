"""Times of the archive as the API writes them."""

from datetime import UTC, datetime
from typing import overload


@overload
def rfc3339(milliseconds: int) -> str: ...
@overload
def rfc3339(milliseconds: int | None) -> str | None: ...


def rfc3339(milliseconds: int | None) -> str | None:
    """``2024-05-12T10:00:00Z`` for milliseconds since 1970 UTC; None for None."""
    if milliseconds is None:
        return None
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return moment.isoformat().removesuffix("+00:00") + "Z"
