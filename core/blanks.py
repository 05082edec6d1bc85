"""What counts as blank between the parts of PGN, for bytes (the splitter) and for text (reader, writer).

Blank is what Unicode calls white space, and invisible characters that files contain: NUL, the end mark of
DOS, byte order marks (also one that a program took for cp1252 and wrote again as UTF-8), and invisible signs
that come with text from web pages.
"""

import re
from typing import Final

CHARACTERS: Final = "".join(
    map(
        chr,
        (
            *(0x00, *range(0x09, 0x0E), 0x1A, *range(0x1C, 0x21), 0x85, 0xA0, 0x1680),
            *(*range(0x2000, 0x2010), *range(0x2028, 0x2030), 0x205F, 0x2060, *range(0x2066, 0x206A)),
            *(0x3000, 0xFEFF),
        ),
    )
)
BLANK: Final = re.escape(CHARACTERS)
"""The inside of a character class (between ``[`` and ``]``) that matches one blank."""
FALSE_MARK: Final = "ï»¿"
"""The byte order mark of UTF-8, read as cp1252."""

_AT_START = re.compile(rf"(?>(?:[{BLANK}]++|{FALSE_MARK}){{1,64}})")

_CONTROLS: Final = bytes.maketrans(b"\x00\v\f\x1a\x1c\x1d\x1e\x1f", b" " * 8)
# The same in UTF-8, and cp1252's no-break space where no letter of UTF-8 can have it.
_WIDE = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81[\x9f\xa0\xa6-\xa9]|\xe3\x80\x80|\xef\xbb\xbf"
    rb"|\xc3\xaf\xc2\xbb\xc2\xbf|(?<![\x80-\xff])\xa0+(?![\x80-\xff])"
)


def plain(line: bytes) -> bytes:
    """The line with every blank as an ASCII blank; its length and its line breaks stay."""
    line = line.translate(_CONTROLS)
    return line if line.isascii() else _WIDE.sub(lambda found: b" " * len(found[0]), line)


def skip(text: str, at: int) -> int:
    """The index in *text* of the first character from *at* on that is not blank."""
    while match := _AT_START.match(text, at):
        at = match.end()
    return at


def strip(text: str) -> str:
    """*text* without blanks at its ends."""
    return text[skip(text, 0) :].rstrip(CHARACTERS)
