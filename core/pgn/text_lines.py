"""Reads text that comes in chunks line by line, one in memory; runs of blank lines come as one."""

import re
from collections.abc import Callable, Iterator
from typing import Final

_CROWDED: Final = 8
"""With more line breaks than one in so many bytes, runs of blank lines are looked for."""
_BLANK_RUN = re.compile(rb"[\s\x00\x1a]{64,}")


def lines(read: Callable[[], bytes], longest: int) -> Iterator[bytes]:
    """Yield lines with their ends (LF, CRLF or CR) from what *read* gives until it gives nothing.

    A line longer than *longest* bytes comes in parts. Many blank lines in a row come as one.
    """
    held: list[bytes] = []
    size = 0
    while chunk := read():
        held.append(chunk)
        size += len(chunk)
        if size <= longest and b"\n" not in chunk and b"\r" not in chunk and b"\r" not in held[0][-1:]:
            continue
        found = _lines(b"".join(held))
        # A CR at the very end may be the first half of a CRLF.
        rest = b"" if found[-1].endswith(b"\n") else found.pop()
        for line in found:
            yield from _cut(line, longest)
        *full, rest = _cut(rest, longest)
        yield from full
        held, size = ([rest], len(rest)) if rest else ([], 0)
    if held:
        for line in _lines(b"".join(held)):
            yield from _cut(line, longest)


def _lines(text: bytes) -> list[bytes]:
    if (text.count(b"\n") + text.count(b"\r")) * _CROWDED <= len(text):
        return text.splitlines(keepends=True)
    found: list[bytes] = []
    at = 0
    for run in _BLANK_RUN.finditer(text):
        first, last = _first_break(text, *run.span()), text.rfind(b"\n", *run.span()) + 1
        if 0 < first < last:
            found += text[at:first].splitlines(keepends=True)
            found.append(text[first:last])
            at = last
    return [*found, *text[at:].splitlines(keepends=True)]


def _first_break(text: bytes, begin: int, end: int) -> int:
    """Where the first line begins that lies entirely in this part, 0 if there is none."""
    return text.find(b"\n", begin, end) + 1


def _cut(line: bytes, longest: int) -> list[bytes]:
    if len(line) <= longest:
        return [line]
    return [line[at : at + longest] for at in range(0, len(line), longest)]
