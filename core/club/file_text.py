"""Decodes the bytes of a results file to lines of text, whichever program wrote them."""

import codecs
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from unidecode import unidecode

LATIN: Final = "iso-8859-1"
TYPOGRAPHIC: Final[Mapping[str, str]] = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’‚‛′ʹʼ", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    "…": "...",
}
"""Typographic characters, and the keyboard characters that they replace."""
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WINDOWS: Final = re.compile(rb"[\x80-\x9f]")


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's lines, and how it was encoded."""

    lines: tuple[str, ...]
    encoding: str
    """"ascii", "utf-8", "utf-16-le", "utf-16-be", "cp1252" or "iso-8859-1"."""
    marked: bool = False
    """Whether it begins with a byte order mark."""


def decode(data: bytes) -> FileText:
    """The lines of *data*, which end with CR, LF or CRLF. Never fails.

    A byte order mark decides; without one it is UTF-8 if it can be, else Windows-1252 or ISO 8859-1.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return FileText(_lines(data[len(mark) :].decode(encoding, "replace")), encoding, marked=True)
    encoding = _encoding(data)
    return FileText(_lines(data.decode(encoding, "replace")), encoding)


def _encoding(data: bytes) -> str:
    if data.isascii():
        return "ascii"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252" if _WINDOWS.search(data) else LATIN
    return "utf-8"


def _lines(text: str) -> tuple[str, ...]:
    """The lines without their ends; the last end begins no further line."""
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return tuple(lines)


def foreign(text: str) -> tuple[str, ...]:
    """The characters that ISO 8859-1 does not have, each once, in order."""
    if text.isascii():
        return ()
    return tuple(dict.fromkeys(char for char in text if ord(char) > 0xFF or 0x80 <= ord(char) <= 0x9F))


def in_latin(text: str) -> str:
    """*text* with foreign letters replaced by their certain equivalents in ISO 8859-1.

    "Wałęsa" becomes "Walesa".

    Letters of other scripts, for which there is only a guess, stay as they are: 羽生 is Habu, not "Yu Sheng".
    """
    if not foreign(text):
        return text
    return "".join(map(latin_of, unicodedata.normalize("NFC", text)))


def latin_of(char: str) -> str:
    """The equivalent of one character in ISO 8859-1; the character itself if none is certain.

    Certain are typographic dashes, quotes and blanks, and the letters of the Latin script.
    """
    if not foreign(char):
        return char
    if char in TYPOGRAPHIC:
        return TYPOGRAPHIC[char]
    if not unicodedata.name(char, "").startswith(("LATIN ", "FULLWIDTH LATIN ")):
        return char
    found = unidecode(char)
    return found if found.isalpha() else char


def beyond_latin(text: str) -> bool:
    """Whether *text* has a character without a certain equivalent in ISO 8859-1."""
    return bool(foreign(in_latin(text)))
