"""A name as it is written: nickname or person name, its folded words, its usual form.

The rules that are cited (names R1, names A1) are in `docs/rules/names.md`. This module alone knows
how a text is folded; no database collation decides who somebody is or in which order names stand.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import blake2b
from typing import Final, Literal, TypeVar

from unidecode import unidecode

from core.letters import VERSION as UNICODE
from core.letters import caseless, category, composed

NameKind = Literal["nickname", "person", "unknown"]

UNKNOWN: Final = "?"
"""The shown name of the unknown player."""

_T = TypeVar("_T")

_CACHED_NAMES = 16_384
_LONGEST_CACHED = 200  # characters; so that names of a megabyte cannot fill the memory

_NICKNAME = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ASCII_CONTROL = dict.fromkeys((*range(32), 127), " ")
_BYTE = re.compile(r"\\x([89a-f][0-9a-f])")
_ASCII_WORD = re.compile(rf"(?:[a-z0-9_]|{_BYTE.pattern.replace('(', '(?:')})+|[$+<=>|~]")

# Unicode's property Default_Ignorable_Code_Point, which the standard library does not know. It is stable: the
# unassigned code points in it are reserved for invisible characters.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# The general blocks of combining marks: accents. The marks of single scripts are not accents (names A15).
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_ASCII_ACCOUNT_SIGN = re.compile("[0-9_]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_APOSTROPHES = frozenset("ʹʺʻʼʽʾʿˈˊˋˮꞋꞌ")  # letters by category, apostrophes by use
_SEPARATING_SYMBOLS = frozenset("⁄−")  # fraction slash and minus sign
_NUMERALS = frozenset({"II", "III", "IV"})
_COMMAS = re.compile(r"(?: ?,)+ ?")


def remembered(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Cache the answers for texts of a usual length: an import asks for the same names again and again."""
    cached = lru_cache(maxsize=_CACHED_NAMES)(function)

    @wraps(function)
    def ask(text: str) -> _T:
        return cached(text) if len(text) <= _LONGEST_CACHED else function(text)

    return ask


@remembered
def clean(text: str) -> str:
    """The text without invisible characters, and with white space as single blanks (names R3)."""
    return _clean_ascii(text) if text.isascii() else _clean_any(text)


def _clean_ascii(text: str) -> str:
    return " ".join(text.translate(_ASCII_CONTROL).split())


def _clean_any(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", _CONTROL.sub(" ", text)).split())


def fold(text: str) -> str:
    """The text without case, accents, width and special Latin letters.

    Separators and scripts stay (names A9 to A17).
    """
    return text.lower() if text.isascii() else _fold_any(text)


@remembered
def _fold_any(text: str) -> str:
    # Twice, for the letters that appear only after decomposition.
    twice = _without_accents(_INVISIBLE.sub("", _without_accents(text)))
    latin = _NOT_ASCII.sub(lambda match: _latin(match.group()), twice)
    return composed(latin)


def _without_accents(text: str) -> str:
    return _ACCENTS.sub("", caseless(text))


@lru_cache(maxsize=4096)
def _latin(letter: str) -> str:
    """The ASCII letters for a Latin letter without decomposition (ø, ł, æ), any other character itself.

    Unidecode is asked for single letters only, never for a text, and used only if it answers with letters
    (names A11 to A13): it would turn ə into @ and 丁立人 into "Ding Li Ren".
    """
    if category(letter)[0] != "L" or not unicodedata.name(letter, "").startswith("LATIN"):
        return letter
    answer = unidecode(letter)
    return answer.lower() if answer.isascii() and answer.isalpha() else letter


def words(name: str) -> list[str]:
    """The folded words of a person name or a free text, in the order written.

    Symbols are words of their own.
    """
    return list(_words(name))


@remembered
def _words(name: str) -> tuple[str, ...]:
    return _words_ascii(name) if name.isascii() else _words_any(name)


def _words_ascii(name: str) -> tuple[str, ...]:
    return tuple(_ASCII_WORD.findall(name.lower()))


def _words_any(name: str) -> tuple[str, ...]:
    return tuple("".join(map(spaced, with_bytes(_fold_any(_clean_any(name))))).split())


def with_bytes(text: str) -> str:
    r"""Folded text in which each byte of an unknown encoding, written ``\x81`` (`core.pgn.encodings`), is one character."""
    return _BYTE.sub(lambda byte: chr(0xDC00 + int(byte[1], 16)), text) if "\\" in text else text


@lru_cache(maxsize=4096)
def spaced(character: str) -> str:
    """A folded character as part of a text whose words are separated by blanks (names A5 to A7).

    Letters, numbers, marks and ``_`` stay, and so does a byte of an unknown encoding, which may be a letter;
    a symbol is put between blanks; all else is a blank.
    """
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    kind = category(character)
    if character == "_" or (kind[0] in "LNM" and character not in _APOSTROPHES):
        return character
    if kind in {"Sm", "Sc", "So"} and character not in _SEPARATING_SYMBOLS:
        return f" {character} "
    return " "


@remembered
def classify(name: str) -> NameKind:
    """Nickname, person name or nobody; only the text decides (names R1 to R4)."""
    if _NICKNAME.fullmatch(clean(name)):
        return "nickname"
    return "person" if _words(name) else "unknown"


@remembered
def search_words(name: str) -> tuple[str, ...]:
    """The words that find a player of this name.

    A nickname is one word (names R28), the unknown player has none.
    """
    kind = classify(name)
    if kind == "nickname":
        return (fold(clean(name)),)
    return _words(name) if kind == "person" else ()


def display(name: str, *, online: bool = False) -> str:
    """The name as it is shown (names R15, R16): verbatim, or a person name in its usual form.

    *online*: the names of the game are handles of a site. How a name is shown never changes whose it is
    (names R18).
    """
    kind = classify(name)
    if kind == "unknown":
        return UNKNOWN
    if online or kind == "nickname" or has_account_signs(name):
        return _INVISIBLE.sub("", _CONTROL.sub(" ", name)).strip()
    return _usual_case(_COMMAS.sub(_one_blank_after, clean(name)).strip())


def has_account_signs(name: str) -> bool:
    """Whether the name has a digit or ``_``, so that it is shown as it is written (names R16)."""
    if name.isascii() and "\\" not in name:
        return _ASCII_ACCOUNT_SIGN.search(name) is not None
    return any(sign == "_" or category(sign) == "Nd" for sign in _BYTE.sub("", name))


def _one_blank_after(commas: re.Match[str]) -> str:
    return commas.group().replace(" ", "") + " "


def _usual_case(name: str) -> str:
    surname, comma, rest = name.partition(",")
    if not comma or not _in_capitals(surname, 2):
        return name
    return _lowered(surname) + comma + (_lowered(rest) if _in_capitals(rest, 3) else rest)


def _in_capitals(text: str, letters: int) -> bool:
    """Whether the text is all in capitals, with at least one run of so many letters."""
    return text.isupper() and any(_letters_in(run) >= letters for run in _runs(text))


def _lowered(text: str) -> str:
    return "".join(
        run if _letters_in(run) < 2 or run in _NUMERALS else _capitalised(run) for run in _runs(text)
    )


def _capitalised(run: str) -> str:
    # The small form of İ is two characters, i and a dot.
    return run[0] + run[1:].lower().replace("i\u0307", "i")


def _runs(text: str) -> list[str]:
    """The text cut into runs of letters (with their marks) and what is between them."""
    runs: list[str] = []
    for character in text:
        if runs and _is_lettering(character) and _is_lettering(runs[-1][-1]):
            runs[-1] += character
        else:
            runs.append(character)
    return runs


def _is_lettering(character: str) -> bool:
    return category(character)[0] in "LM" and character not in _APOSTROPHES


def _letters_in(run: str) -> int:
    return sum(category(character)[0] == "L" for character in run)


@lru_cache(maxsize=1)
def fold_version() -> str:
    """The versions that folding depends on besides this module.

    When they change, stored keys must be built again.

    They are that of Unicode, see `core.letters`, and Unidecode's answers for the Latin letters.
    """
    letters = map(chr, range(0x80, 0x30000))  # beyond are ideographs only
    table = "".join(_latin.__wrapped__(letter) for letter in letters if category(letter)[0] == "L")
    return f"{UNICODE}-{blake2b(table.encode(), digest_size=4).hexdigest()}"
