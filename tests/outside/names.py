"""The names of Python that programs outside the project import, with their signatures."""

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any, Final

NAMES: Final = {
    "core.names": ("classify", "words", "display"),
    "core.players": ("identify", "PlayerKey", "Profile", "is_mine", "account_takes"),
    "core.search": ("matches", "suggest", "matches_text", "matches_game"),
    "core.pgn": ("read",),
    "core.sameness": ("compare", "Verdict"),
}


def signatures() -> dict[str, Any]:
    """How each of them is called, and what its instances have."""
    return dict(_signatures())


def _signatures() -> Iterator[tuple[str, Any]]:
    for module, names in NAMES.items():
        for name in names:
            found = getattr(importlib.import_module(module), name)
            # Where a type of an annotation is defined is not a promise.
            signature = re.sub(r"(?:\w+\.)+(?=\w)", "", str(inspect.signature(found)))
            has = (
                sorted(one for one in dir(found) if not one.startswith("_")) if inspect.isclass(found) else []
            )
            yield f"{module}.{name}", {"signature": signature, "has": has}
