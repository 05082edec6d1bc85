"""What of an answer counts: all of it but the time and place of this run, and the wording of sentences."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

SENTENCE: Final = "<sentence>"


class Normal:
    """Puts placeholders where an answer tells of this run: its times, folder and ports."""

    def __init__(self, began: datetime, folder: Path, ports: dict[str, str]) -> None:
        self._began = began
        self._fixed = {str(folder): "<folder>", **ports}

    def text(self, text: str) -> str:
        """The same text, with placeholders."""
        for written, placeholder in self._fixed.items():
            text = text.replace(written, placeholder)
        return _STAMP.sub("<archive>-<time>", _TIME.sub(self._time, text))

    def value(self, value: Any) -> Any:
        """The same value of JSON, with placeholders in all its texts."""
        return every_text(value, self.text)

    def _time(self, found: re.Match[str]) -> str:
        """Times of games are long past, and count."""
        return "<time>" if datetime.fromisoformat(found[0]).astimezone(UTC) >= self._began else found[0]


_STAMP: Final = re.compile(r"\b[0-9a-f]{8}-\d{8}T\d{6}Z")
"""In the names of backups."""
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")


def every_text(value: Any, change: Callable[[str], str]) -> Any:
    """The same value of JSON, with each of its texts, keys too, changed."""
    match value:
        case str():
            return change(value)
        case list():
            return [every_text(one, change) for one in value]
        case dict():
            return {change(name): every_text(one, change) for name, one in value.items()}
    return value


_PROSE: Final = {"description", "summary", "example", "examples"}
_SENTENCES: Final = {
    *(
        "detail",
        "reason",
        "why",
        "error",
        "message",
        "mend",
        "hint",
        "told",
        "question",
        "says",
        "clubs",
        "allowed",
    ),
    *("assumed", "notes", "remarks", "why_colours", "toml", "text", "group"),
}
_OF_THIS_RUN: Final = {"version", "bytes"}
"""The version of the program; sizes of files, in which the temporary folder's name stands."""


def without_prose(value: Any) -> Any:
    """A description of an API without what it says to people; a property may be called as such a text is."""
    if isinstance(value, list):
        return [without_prose(one) for one in value]
    if isinstance(value, dict):
        return {
            name: {key: without_prose(one) for key, one in inner.items()}
            if name == "properties" and isinstance(inner, dict)
            else without_prose(inner)
            for name, inner in value.items()
            if name not in _PROSE
        }
    return value


def without_sentences(value: Any) -> Any:
    """An answer without the wording of its sentences; a single word is a fixed one, and stays."""
    if isinstance(value, list):
        return [without_sentences(one) for one in value]
    if isinstance(value, dict):
        return {
            name: f"<{name}>" if name in _OF_THIS_RUN and inner is not None else _worded(name, inner)
            for name, inner in value.items()
        }
    return value


def _worded(name: str, value: Any) -> Any:
    if name in _SENTENCES and isinstance(value, str) and " " in value:
        return SENTENCE
    if name in _SENTENCES and isinstance(value, list):
        return [_worded(name, one) for one in value]
    return without_sentences(value)
