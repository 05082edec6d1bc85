"""Bytes of a results file to lines of text, whatever wrote them."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from unidecode import unidecode

LATIN: Final = "iso-8859-1"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WINDOWS: Final = re.compile(rb"[\x80-\x9f]")


@dataclass(frozen=True, slots=True)
class Text:
    """A file's lines and how it was written."""

    lines: tuple[str, ...]
    encoding: str
    """"ascii", "utf-8", "utf-16-le", "utf-16-be", "cp1252" or "iso-8859-1"."""
    marked: bool = False
    """Does it begin with a byte order mark?"""


def decode(data: bytes) -> Text:
    """The lines of *data*, which end with CR, LF or CRLF. It never fails.

    A byte order mark decides; without one it is UTF-8 if it can be, else Windows-1252 or ISO 8859-1.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Text(_lines(data[len(mark) :].decode(encoding, "replace")), encoding, marked=True)
    encoding = _encoding(data)
    return Text(_lines(data.decode(encoding, "replace")), encoding)


def _encoding(data: bytes) -> str:
    if data.isascii():
        return "ascii"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252" if _WINDOWS.search(data) else LATIN
    return "utf-8"


def _lines(text: str) -> tuple[str, ...]:
    """The lines without their ends; no empty line after the last end."""
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return tuple(lines)


def foreign(text: str) -> tuple[str, ...]:
    """The characters that ISO 8859-1 does not have, each once, in their order."""
    if text.isascii():
        return ()
    return tuple(dict.fromkeys(char for char in text if ord(char) > 0xFF or 0x80 <= ord(char) <= 0x9F))


def in_latin(text: str) -> str:
    """*text* with a stand-in for each character that ISO 8859-1 does not have: "Wałęsa" becomes "Walesa"."""
    strange = foreign(text)
    if not strange:
        return text
    return text.translate({ord(char): _stand_in(char) for char in strange})


def _stand_in(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        return "?"
    # Brackets have a meaning in these files.
    return unidecode(char).replace("[", "(").replace("]", ")")
