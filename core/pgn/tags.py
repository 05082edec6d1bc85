"""Reads the tags of a game as leniently as possible without guessing."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from core import blanks
from core.blanks import BLANK
from core.game import PartialDate, read_result
from core.oddities import Odd, Oddity
from core.pgn import encodings
from core.pgn.movetext import Fault, shorten
from core.pgn.variants import variant_key
from core.players import read_fide_id

# Quantifiers with a second + and atomic groups never try again with less: that keeps time linear. What repeats a group
# is bounded: it needs memory for each time. A quantifier with a second + after a group is wrong before CPython 3.11.5.
_LINE = re.compile(r"(?<![^\r\n])%[^\r\n]*+")
_COMMENT = re.compile(r"\{[^}]*\}|;[^\r\n]*")
_START = re.compile(rf"\[[{BLANK}]*[A-Za-z]")
_MAX_LENGTH: Final = 1 << 16
_HEAD: Final = rf"\[[{BLANK}]*([A-Za-z][A-Za-z0-9_+#=:-]*)"
_TAIL: Final = rf"[{BLANK}]*+\]"
QUOTES: Final = "“”„‟«»″＂‘’‚‛`´'"
"""What programs make of quotation marks."""
# As the standard has it; broken over lines (but not over a blank line or into the next tag); with quotation marks
# inside that nobody escaped (of up to 1000 characters); with other
# quotation marks (of up to 300); without any.
_SHAPES: Final = (
    (re.compile(_HEAD + rf'[{BLANK}]*"((?>(?:[^"\\\r\n]++|\\[^\r\n]){{0,65536}}))"' + _TAIL), None),
    (
        re.compile(
            _HEAD
            + rf'[{BLANK}]*"((?>(?:[^"\\\r\n]++|\\[^\r\n]|(?:\r\n?+|\n)(?![ \t]*+[\[\r\n])){{0,65536}}))"'
            + _TAIL
        ),
        Odd.TAG_FORM,
    ),
    (re.compile(_HEAD + rf'[{BLANK}]*"((?:(?!\[Event\s)[^\r\n]){{0,1000}}?)"' + _TAIL), Odd.TAG_FORM),
    (
        re.compile(_HEAD + rf'[{BLANK}]*["{QUOTES}]((?:(?!\[Event\s)[^\r\n]){{0,300}}?)["{QUOTES}]' + _TAIL),
        Odd.QUOTES,
    ),
    (re.compile(_HEAD + r"[ \t\u00a0]+([^\"\[\]\r\n]*)\]"), Odd.TAG_FORM),
)
_ESCAPED = re.compile(r'\\(["\\])')
_BREAK = re.compile(r"[ \t]*(?:\r\n?|\n)[ \t]*")
_NO_TEXT: Final = dict.fromkeys([0, *range(0xD800, 0xE000)])

ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has to have, in order."""
KNOWN: Final = (
    *ROSTER,
    *(f"{color}{name}" for color in ("White", "Black") for name in ("Elo", "FideId", "Title", "Team")),
    *("FEN", "SetUp", "Variant", "ECO", "Opening", "TimeControl", "Termination", "Annotator"),
    *("UTCDate", "UTCTime", "EndDate", "EndTime", "Timezone", "GameId", "Link"),
)
_BY_LOWER: Final = {name.lower(): name for name in KNOWN}


@dataclass(frozen=True, slots=True)
class Header:
    """The tags in order, where the movetext begins, and what was odd.

    A known tag has its usual name, however it is written.
    """

    tags: tuple[tuple[str, str], ...]
    end: int
    oddities: tuple[Oddity, ...] = ()


def read_tags(text: str, max_tags: int) -> Header:
    """Read the tags that *text* begins with; comments before the first are skipped.

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
        name = _usual_name(found[1])
        tags.append((name, _clean(found[2])))
        odd += _oddities(found, name, shape)
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
        yield _usual_name(found[1]), at, found.end()
        at = _skip(text, found.end())


def refuse_contradictions(text: str, header: Header) -> None:
    """Refuse a game that contradicts itself in what identifies it.

    Raises:
        Fault: one of the decisive tags is given twice, with values that do not mean the same.
    """
    first: dict[str, str] = {}
    for number, (name, value) in enumerate(header.tags):
        if name in _DECISIVE and _meaning(name, first.setdefault(name, value)) != _meaning(name, value):
            at = next(begin for count, (_, begin, _) in enumerate(places(text)) if count == number)
            both = f"{shorten(first[name])!r} and {shorten(value)!r}"
            raise Fault(f"the tag {name} is given twice, with different values: {both}", at)


def _first_tag(text: str) -> int:
    """The index of the first tag; comments and escaped lines may precede it."""
    at = _skip(text, 0)
    while comment := _COMMENT.match(text, at):
        at = _skip(text, comment.end())
    return at


def _skip(text: str, at: int) -> int:
    """The index in *text* after blanks and escaped lines."""
    at = blanks.skip(text, at)
    while line := _LINE.match(text, at):
        at = blanks.skip(text, line.end())
    return at


def _one_tag(text: str, at: int) -> tuple[re.Match[str], Odd | None]:
    for pattern, odd in _SHAPES:
        found = pattern.match(text, at)
        if found is not None:
            return found, odd
    raise Fault(f"the tag {shorten(text[at : at + 60].splitlines()[0])} is not closed", at)


def _usual_name(name: str) -> str:
    return _BY_LOWER.get(name.lower(), name)


def _oddities(found: re.Match[str], name: str, shape: Odd | None) -> Iterator[Oddity]:
    if shape is not None:
        yield Oddity(shape, shorten(name))
    if found[1] != name:
        yield Oddity(Odd.TAG_CASE, shorten(found[1]))
    if encodings.has_stray_bytes(found[2]):
        yield Oddity(Odd.UNKNOWN_BYTES, f"{shorten(name)} {shorten(_clean(found[2]))}")


def unescaped(value: str) -> str:
    """The value without the backslashes that are not meant themselves."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def _clean(value: str) -> str:
    """The value as text that every database accepts: no escapes, line breaks or NUL.

    Stray bytes as they are shown.
    """
    value = unescaped(value)
    if "\n" in value or "\r" in value:
        value = _BREAK.sub(" ", value)
    return value if value.isprintable() else encodings.shown(value).translate(_NO_TEXT)


def _repeated(tags: list[tuple[str, str]]) -> Iterator[Oddity]:
    seen: set[str] = set()
    for name, _ in tags:
        if name in seen:
            yield Oddity(Odd.REPEATED_TAG, shorten(name))
        seen.add(name)


def _words(value: str) -> str:
    return " ".join(value.split())


def _id(value: str) -> str:
    return read_fide_id(value) or value.strip()


def _variant(value: str) -> str:
    return variant_key(value) or _words(value)


_DECISIVE: Final[Mapping[str, Callable[[str], object]]] = {
    **dict.fromkeys(("Event", "White", "Black", "FEN"), _words),
    "Date": PartialDate.parse,
    "Result": read_result,
    "Variant": _variant,
    "WhiteFideId": _id,
    "BlackFideId": _id,
}
"""The meaning of the tags of which two different values cannot both be right."""


def _meaning(name: str, value: str) -> object:
    return _DECISIVE[name](value)
