"""Settings as texts, as stored with a tournament or typed by its director."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from core.club.setting import settings_of, text_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")


def as_texts(settings: "DataclassInstance") -> dict[str, str]:
    """Every setting as text: "2/3", "7", "yes", and "" for no number. `from_texts` reads it."""
    return {field.name: text_of(getattr(settings, field.name)) for field in fields(settings)}


def from_texts(cls: type[_T], texts: Mapping[str, str]) -> _T:
    """Settings from these texts, defaults for those without one.

    Raises ValueError, which names all that is wrong.

    Numbers can be "1/2", "½", "0.5", "0,5" or "50%"; no number is "", "-" or "none".
    """
    kinds = {field.name: field.type for field in fields(cls)}
    wrong = [f"there is no setting {name}" for name in texts if name not in kinds]
    read: dict[str, object] = {}
    for name in (name for name in texts if name in kinds):
        try:
            text = texts[name].strip()
            read[name] = _READERS[kinds[name]](text if settings_of(cls)[name].allowed else text.lower())
        except (ValueError, ZeroDivisionError):
            wrong.append(f"{name} cannot be {texts[name]!r}: {_allowed(cls, name, kinds[name])}")
    if wrong:
        raise ValueError("; ".join(wrong))
    return cls(**read)


def read_texts(cls: type[_T], texts: Mapping[str, str]) -> dict[str, object]:
    """Only the settings that the texts name, checked as `from_texts` does."""
    read = from_texts(cls, texts)
    return {name: getattr(read, name) for name in texts}


def _allowed(cls: type["DataclassInstance"], name: str, kind: object) -> str:
    what, none = _KINDS[kind]
    words = settings_of(cls)[name].words
    return f"it must be {what}{f', {words}' if kind is not bool else ''}{none}"


_EMPTY: Final = ', or "none"'
_KINDS: Final[Mapping[object, tuple[str, str]]] = {
    int: ("a whole number", ""),
    bool: ("yes or no", ""),
    Fraction: ("a number such as 2, 1/2 or 0.5", ""),
    int | None: ("a whole number", _EMPTY),
    Fraction | None: ("a number such as 2, 1/2 or 0.5", _EMPTY),
}


def _fraction(text: str) -> Fraction:
    plain = text.replace(",", ".")
    for sign, written in _SIGNS.items():
        plain = plain.replace(sign, written)
    if "e" in plain.lower():
        # Fraction("1e999999999") would count to the end of the memory.
        raise ValueError(text)
    return Fraction(plain[:-1].strip()) / 100 if plain.endswith("%") else Fraction(plain)


_SIGNS: Final = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅙": "1/6", "⅚": "5/6"}
_NONE: Final = frozenset(("", "-", "–", "none"))


def _yes_or_no(text: str) -> bool:
    if text.lower() not in _SWITCH:
        raise ValueError(text)
    return _SWITCH[text.lower()]


_SWITCH: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


_READERS: Final[Mapping[object, Callable[[str], object]]] = {
    str: str,
    int: int,
    bool: _yes_or_no,
    Fraction: _fraction,
    int | None: lambda text: None if text.lower() in _NONE else int(text),
    Fraction | None: lambda text: None if text.lower() in _NONE else _fraction(text),
}
