"""Reads the tags at the head of a game, as leniently as can be done without guessing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.movetext import Fault, shorten
from core.oddities import Odd, Oddity

_NAME = r"([A-Za-z][A-Za-z0-9_+#=:-]*)"
# Quantifiers with a second + and atomic groups never try again with less: that keeps time linear. What repeats a group
# is bounded: it needs memory for each time. A quantifier with a second + behind a group is wrong before CPython 3.11.5.
_SKIP = re.compile(r"(?>(?:[\s\x00\x1a\ufeff]++|(?<![^\r\n])%[^\r\n]*+){1,64})")
_COMMENT = re.compile(r"\{[^}]*\}|;[^\r\n]*")
_START = re.compile(r"\[\s*[A-Za-z]")
_MAX_LENGTH: Final = 1 << 16
# As the standard has it; broken over lines (but not over a blank line or into the next tag); with quotation marks
# inside that nobody escaped (of up to 1000 characters); without any.
_SHAPES: Final = (
    re.compile(r"\[\s*" + _NAME + r'\s*"((?>(?:[^"\\\r\n]++|\\[^\r\n]){0,65536}))"\s*+\]'),
    re.compile(
        r"\[\s*"
        + _NAME
        + r'\s*"((?>(?:[^"\\\r\n]++|\\[^\r\n]|(?:\r\n?+|\n)(?![ \t]*+[\[\r\n])){0,65536}))"\s*+\]'
    ),
    re.compile(r"\[\s*" + _NAME + r'\s*"((?:(?!\[Event\s)[^\r\n]){0,1000}?)"\s*+\]'),
    re.compile(r"\[\s*" + _NAME + r"[ \t]+([^\"\[\]\r\n]*)\]"),
)
_ESCAPED = re.compile(r'\\(["\\])')
_BREAK = re.compile(r"[ \t]*(?:\r\n?|\n)[ \t]*")
_NO_TEXT: Final = dict.fromkeys([0, *range(0xD800, 0xE000)])


@dataclass(frozen=True, slots=True)
class Header:
    """The tags in their order, where the movetext begins, and what was odd."""

    tags: tuple[tuple[str, str], ...]
    end: int
    oddities: tuple[Oddity, ...] = ()


def read_tags(text: str, max_tags: int) -> Header:
    """Read the tags that *text* begins with; comments before the first are passed over.

    Raises:
        Fault: a tag is not closed, or there are too many.
    """
    tags: list[tuple[str, str]] = []
    odd: list[Oddity] = []
    end = 0
    at = _first_tag(text)
    while _START.match(text, at):
        found, shape = _one_tag(text, at)
        if found.end() - at > _MAX_LENGTH:
            raise Fault(f"a tag is longer than {_MAX_LENGTH} characters", at)
        name, value = found.groups()
        tags.append((name, _clean(value)))
        if shape >= 2:
            odd.append(Oddity(Odd.TAG_FORM, shorten(name)))
        if len(tags) > max_tags:
            raise Fault(f"more than {max_tags} tags", at)
        end = found.end()
        at = _skip(text, end)
    return Header(tuple(tags), end, (*odd, *_repeated(tags)))


def places(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, beginning and end in *text* of each tag that `read_tags` reads.

    Raises:
        Fault: a tag is not closed.
    """
    at = _first_tag(text)
    while _START.match(text, at):
        found, _ = _one_tag(text, at)
        yield found[1], at, found.end()
        at = _skip(text, found.end())


def _first_tag(text: str) -> int:
    """The place of the first tag; comments and escaped lines may stand before it."""
    at = _skip(text, 0)
    while comment := _COMMENT.match(text, at):
        at = _skip(text, comment.end())
    return at


def _skip(text: str, at: int) -> int:
    while match := _SKIP.match(text, at):
        at = match.end()
    return at


def _one_tag(text: str, at: int) -> tuple[re.Match[str], int]:
    for shape, pattern in enumerate(_SHAPES):
        found = pattern.match(text, at)
        if found is not None:
            return found, shape
    raise Fault(f"the tag {shorten(text[at : at + 60].splitlines()[0])} is not closed", at)


def _clean(value: str) -> str:
    """The value as text that every database takes: no escapes, no line breaks, no NUL."""
    if "\\" in value:
        value = _ESCAPED.sub(r"\1", value)
    if "\n" in value or "\r" in value:
        value = _BREAK.sub(" ", value)
    return value.translate(_NO_TEXT) if not value.isprintable() else value


def _repeated(tags: list[tuple[str, str]]) -> Iterator[Oddity]:
    seen: dict[str, str] = {}
    for name, value in tags:
        if seen.setdefault(name, value) != value:
            yield Oddity(Odd.REPEATED_TAG, shorten(name))
