"""Values in requests: what each may be, and a sentence of ours if it is something else.

pydantic's own words ("Input should be a valid integer, unable to parse string as an integer") are for
programmers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler, ValidationError, WrapValidator
from pydantic_core.core_schema import CoreSchema, int_schema, no_info_wrap_validator_function, str_schema

_SHOWN: Final = 40
"""Characters of a wrong value that are shown."""

Handler = Callable[[Any], Any]


def _refused(handler: Handler, value: object, what: str) -> Any:
    try:
        return handler(value)
    except ValidationError:
        raise ValueError(f"{shown(value)} is not {what}") from None


def shown(value: object) -> str:
    """A wrong value in quotes, cut if it is long."""
    text = str(value)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number between two bounds, both of them allowed: ``Annotated[int, WholeNumber(1, 500)]``."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """See pydantic."""
        what = f"a whole number from {self.least} to {self.most}"
        return no_info_wrap_validator_function(
            lambda value, handler: _refused(handler, value, what), int_schema(ge=self.least, le=self.most)
        )


@dataclass(frozen=True, slots=True)
class TextValue:
    """A text of no more than so many characters: ``Annotated[str, Text(200)]``."""

    longest: int

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """See pydantic."""
        what = f"a text of at most {self.longest} characters"
        return no_info_wrap_validator_function(
            lambda value, handler: _refused(handler, value, what), str_schema(max_length=self.longest)
        )


YesOrNo = Annotated[
    bool, WrapValidator(lambda value, handler: _refused(handler, value, "one of true and false"))
]
"""``true`` or ``false``, and the other words that pydantic accepts for them."""


def _plain(text: str) -> str:
    """Refuse NUL and unpaired surrogates, which databases do not take."""
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("it has a character that no text may have")
    return text


PLAIN: Final = AfterValidator(_plain)
"""Accepts a text that the databases can store."""


def checked(read: Callable[[str], object]) -> AfterValidator:
    """Accepts a text that *read* can read, as it was written."""

    def check(text: str) -> str:
        read(text)
        return text

    return AfterValidator(check)


def one_of(words: Iterable[str], what: str, read: Callable[[str], str] = str) -> BeforeValidator:
    """Accepts one of *words*, whatever its capitals, as *read* reads it; else says which there are."""
    known = {word.casefold(): word for word in words}

    def choose(text: object) -> str:
        stripped = text.strip() if isinstance(text, str) else ""
        found = known.get(read(stripped).casefold()) if stripped else None
        if found is None:
            *others, last = known.values()
            raise ValueError(f"{shown(text)} is not {what}: write {', '.join(others)} or {last}")
        return found

    return BeforeValidator(choose)
