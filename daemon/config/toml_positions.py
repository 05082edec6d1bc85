"""The line and column of each key and list entry of a TOML text, which `tomllib` does not give.

The scanner runs only over texts that `tomllib` has accepted, so it need not find errors.
"""

import re
from dataclasses import dataclass

Location = tuple[str | int, ...]
"""A path into the data: ``("dossier", 0, "name")``."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_INLINE_BLANK = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}\n#]*")


@dataclass(frozen=True, slots=True)
class TomlPosition:
    """A place in a text; both count from 1, columns in characters."""

    line: int
    column: int


class TomlPositions:
    """The places of all keys and list entries of one TOML text."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._starts: dict[Location, int] = {(): 0}
        self._lengths: dict[Location, int] = {}
        self._at = 0
        self._scan()

    def of(self, location: Location) -> TomlPosition:
        """The place of *location* or, if that is missing, of the nearest thing around it."""
        while location not in self._starts:
            location = location[:-1]
        offset = self._starts[location]
        line_start = self._text.rfind("\n", 0, offset) + 1
        return TomlPosition(self._text.count("\n", 0, offset) + 1, offset - line_start + 1)

    def _scan(self) -> None:
        table: Location = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, "tomllib has accepted this text"
        self._at = match.end()
        return match.group()

    def _header(self) -> Location:
        start = self._at
        brackets = 2 if self._text.startswith("[[", start) else 1
        self._at += brackets
        path: Location = ()
        keys = self._keys()
        for key in keys[:-1]:
            path = self._latest((*path, key))
        path = (*path, keys[-1])
        self._starts.setdefault(path, start)
        if brackets == 2:
            path = self._append(path, start)
        self._at += brackets
        return path

    def _latest(self, path: Location) -> Location:
        """Below a list of tables, a header means its last table."""
        length = self._lengths.get(path)
        return path if length is None else (*path, length - 1)

    def _append(self, path: Location, start: int) -> Location:
        index = self._lengths.get(path, 0)
        self._lengths[path] = index + 1
        entry = (*path, index)
        self._starts[entry] = start
        return entry

    def _keys(self) -> list[str]:
        """A dotted key; the reading position is then after it and its blanks."""
        keys = []
        while True:
            self._skip(_INLINE_BLANK)
            keys.append(_unquoted(self._skip(_KEY)))
            self._skip(_INLINE_BLANK)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _pair(self, table: Location) -> None:
        start = self._at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._starts.setdefault(path, start)
        self._at += 1  # the equals sign
        self._skip(_INLINE_BLANK)
        self._value(path)

    def _value(self, path: Location) -> None:
        sign = self._text[self._at]
        if sign in "\"'":
            self._skip(_STRING)
        elif sign == "[":
            self._entries(path, "]")
        elif sign == "{":
            self._entries(path, "}")
        else:
            self._skip(_PLAIN)

    def _entries(self, path: Location, closing: str) -> None:
        self._at += 1
        self._skip(_BLANK)
        while self._text[self._at] != closing:
            if closing == "}":
                self._pair(path)
            else:
                self._value(self._append(path, self._at))
            self._skip(_BLANK)
            if self._text[self._at] == ",":
                self._at += 1
                self._skip(_BLANK)
        self._at += 1


def _unquoted(key: str) -> str:
    if key[0] == "'":
        return key[1:-1]
    if key[0] == '"':
        return re.sub(r"\\(.)", r"\1", key[1:-1])
    return key
