"""PGN texts for output: a game's own text with other tags, and texts that can follow each other.

The movetext is never generated from the moves: moves, comments, variations and signs stay as somebody wrote
them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from core import blanks, results
from core.pgn import tags
from core.pgn.encodings import decode, shown
from core.pgn.movetext import read_movetext
from core.pgn.tags import ROSTER

__all__ = ["ROSTER", "standing_alone", "tag", "with_tags", "without_moves"]

_UNKNOWN: Final = {**dict.fromkeys(ROSTER, "?"), "Date": "????.??.??"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BREAK = re.compile(r"[ \t]*[\r\n\v\f]+[ \t]*")
_NO_TEXT: Final = dict.fromkeys([*(set(range(32)) - set(b"\t\r\n\v\f")), *range(0xD800, 0xE000)])
_END = re.compile(rf"(?:(?<=[{blanks.BLANK}.}})])|\A|(?=\*))({results.IN_TEXT})[{blanks.BLANK}]*\Z")
_LONGEST_END: Final = 200
"""How many characters at the end of a text are searched for its result."""


def tag(name: str, value: str) -> str:
    r"""A tag as PGN wants it: ``\`` and ``"`` escaped, in one line, without control characters.

    Raises:
        ValueError: *name* cannot be the name of a tag.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a name of a tag")
    line = _BREAK.sub(" ", value.translate(_NO_TEXT))
    return f'[{name} "{line.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34))}"]'


def with_tags(raw: bytes, changed: Mapping[str, str | None], encoding: str | None = None) -> bytes:
    """The game *raw* (of `core.game.Game.encoding`) as UTF-8, with the tags *changed*; None removes a tag.

    A new tag comes after the others; a tag that was there twice is there once. If a result ends the moves,
    another result replaces it. All else is as it was.

    Raises:
        core.pgn.movetext.Fault: the tags of *raw* cannot be read, so it is not a game that `core.pgn.reader`
            has read.
    """
    text = shown(decode(raw, encoding))
    if not changed:
        return text.encode()
    return "".join(_with_tags(text, changed)).encode()


def _with_tags(text: str, changed: Mapping[str, str | None]) -> Iterator[str]:
    """The text in parts. What was between two tags stays before the second one."""
    places = list(tags.places(text))
    end = places[0][1] if places else 0
    begun = False
    written: set[str] = set()
    yield text[:end]
    for name, begin, stop in places:
        value = changed.get(name) if name in changed else text[begin:stop]
        if value is not None and name not in written:
            yield text[end:begin] if begun else ""
            yield tag(name, value) if name in changed else value
            begun = True
        if name in changed:
            written.add(name)
        end = stop
    line_break = "\r\n" if "\r\n" in text[:end] else "\n"
    for name, value in changed.items():
        if value is not None and name not in written:
            yield (line_break if begun else "") + tag(name, value)
            begun = True
    movetext = text[end:] if places or not begun else line_break * 2 + text
    yield _ended(movetext, changed["Result"] or "*") if "Result" in changed else movetext


def _ended(movetext: str, result: str) -> str:
    """The movetext with another result at its end, if there is one and *result* is allowed there."""
    found = _result_at_end(movetext)
    if found is None:
        return movetext
    line = movetext[: found.begin].rpartition("\n")[2]
    if ";" in line or line.startswith("%"):
        return movetext
    if results.usual(result) != result:
        if not found.remark:
            return movetext
        result = found.result  # a remark would say something else than the tag
    return movetext[: found.begin] + result + movetext[found.end :]


def _result_at_end(text: str) -> results.Spoken | None:
    """The result at the end of *text*, as PGN has it or as people write it."""
    usual = _END.search(text, max(0, len(text) - _LONGEST_END))
    if usual is not None:
        return results.Spoken(usual[1], usual.start(1), usual.end(1), "")
    return results.spoken(text)


def standing_alone(raw: bytes, encoding: str | None = None) -> bytes:
    """The game *raw* (of `core.game.Game.encoding`) as UTF-8, ready to follow and precede other games.

    It ends with a line break, and an empty line separates it. A game without tags gets the seven that every
    game has; comments before the tags move after them, where a reader cannot take them for the end of the
    game before; a game of tags alone gets its result as its end.
    """
    text = blanks.strip(shown(decode(raw, encoding)))
    places = list(tags.places(text))
    if not places:
        said = {**_UNKNOWN, "Result": read_movetext(text).end or "*"}
        head = "\n".join(tag(name, said[name]) for name in ROSTER)
        return f"{head}\n\n{text}\n".encode()
    begin, end = places[0][1], places[-1][2]
    movetext = "\n".join(filter(None, (blanks.strip(text[:begin]), blanks.strip(text[end:]))))
    return f"{text[begin:end]}\n\n{movetext or _end(text)}\n".encode()


def _end(text: str) -> str:
    """The result of a game of tags alone."""
    said = next((value for name, value in tags.read_tags(text, 1 << 30).tags if name == "Result"), "*")
    return results.usual("".join(said.split())) or "*"


def without_moves(raw: bytes, encoding: str | None = None) -> bytes:
    """The tags of the game *raw*, as UTF-8, with the result that ends its moves: all except the moves.

    Raises:
        core.pgn.movetext.Fault: its tags cannot be read.
    """
    text = shown(decode(raw, encoding))
    places = list(tags.places(text))
    begin, end = (places[0][1], places[-1][2]) if places else (0, 0)
    found = _result_at_end(text[end:])
    return f"{text[begin:end]}\n\n{found.result if found else '*'}\n".encode()
