"""The possible encodings of a text that is not UTF-8: only proposed to the user, never used automatically.

charset-normalizer ranks the candidates of longer texts. A few names are too little for it; for them an
encoding is a candidate if it makes words of the bytes, and the more usual one in chess files is proposed.
"""

import re
from typing import Final

from charset_normalizer import from_bytes

from core.pgn.encodings import DEFAULT, encoding

_USUAL: Final = (
    *("cp850", "cp1250", "cp852", "mac_roman", "iso8859_2", "cp1251", "koi8_r", "cp866"),
    *("cp1253", "cp1254", "cp1257", "cp437"),
)
_ENOUGH: Final = 60
"""With more bytes beyond ASCII than this, the library's order counts."""
_MOST: Final = 1 << 14
_MARKS: Final = frozenset("’‘“”„«»–—…½¼¾°ºª§²³·•´`\u00a0№€£©®™¿¡")
_WORD = re.compile(r"[^\W\d_]*[^\x00-\x7f](?:[^\W\d_]|[^\x00-\x7f])*")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def guess(sample: bytes) -> str | None:
    """The encoding that *sample*, pieces of text that are not UTF-8, looks like.

    None if cp1252 fits equally well.
    """
    sample = sample[:_MOST]
    if not _NOT_ASCII.search(sample) or _fits(sample, DEFAULT):
        return None
    fitting = [name for name in _USUAL if _fits(sample, name)]
    if len(_NOT_ASCII.findall(sample)) >= _ENOUGH:
        fitting = _ranked(sample, fitting) or fitting
    return encoding(_same_text(sample, fitting[0])) if fitting else None


def _ranked(sample: bytes, fitting: list[str]) -> list[str]:
    found = from_bytes(sample, cp_isolation=fitting, enable_fallback=False) if fitting else ()
    return [match.encoding for match in found if match.encoding in fitting]


def _same_text(sample: bytes, name: str) -> str:
    """The most usual encoding that makes the same text of *sample*."""
    return next(one for one in _USUAL if _decoded(sample, one) == sample.decode(name))


def _decoded(sample: bytes, name: str) -> str | None:
    try:
        return sample.decode(name)
    except UnicodeDecodeError:
        return None


def _fits(sample: bytes, name: str) -> bool:
    """Whether this encoding makes words of *sample*."""
    text = _decoded(sample, name)
    return text is not None and all(map(_is_word, _WORD.findall(text)))


def _is_word(word: str) -> bool:
    letters = "".join(sign for sign in word if sign not in _MARKS)
    if not letters:
        return len(word) <= 2 or word.isascii()
    foreign = [letter for letter in letters if not letter.isascii()]
    if not all(map(str.isalpha, letters)) or any(
        mark in word.strip("".join(_MARKS)) for mark in _MARKS - set("’‘´`")
    ):
        return False
    if len({_script(letter) for letter in letters}) > 1:
        return False
    if _script(letters[0]) == "latin" and len(letters) > 3 and len(foreign) * 3 > len(letters) * 2:
        return False
    return letters.isupper() or not any(letter.isupper() for letter in letters[1:] if not letter.isascii())


def _script(letter: str) -> str:
    if "\u0370" <= letter <= "\u03ff":
        return "greek"
    return "cyrillic" if "\u0400" <= letter <= "\u04ff" else "latin"
