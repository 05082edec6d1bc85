"""Shows paths in one way for messages, logs, JSON, the event stream and the archive."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_HALVES: Final = re.compile("[\ud800-\udfff]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def shown(path: Path | str) -> str:
    r"""The path as a text that can be stored, sent and printed.

    What is not UTF-8 in a file name is written as ``\xe9``, and so are control characters, which could steer
    a terminal or begin a new line of a log.
    """
    text = os.fsencode(path).decode(errors="backslashreplace")
    return _CONTROL.sub(lambda sign: f"\\x{ord(sign[0]):02x}", text)


def printable(text: str) -> str:
    r"""A text that may contain file names, with unpaired surrogates (odd bytes) as ``\xe9``."""
    return _HALVES.sub(_written, text) if not text.isascii() else text


def storable(value: Any) -> Any:
    """The same JSON value, with `printable` texts."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {key: storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value


def _written(half: re.Match[str]) -> str:
    code = ord(half[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
