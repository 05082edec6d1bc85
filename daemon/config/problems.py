"""The problems of a configuration: where, what, and what helps."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from daemon.errors import UnusableError

_SECRETS: Final = re.compile(r"""(?<=//)[^\s"]*@(?!/)|\bli[po]_\w+""")
"""Secrets: a user and password in an address, or a token of lichess."""
_LONG: Final = re.compile(r'("[^"]{60})[^"]{20,}(?=")')
"""A long value in a message; it may have a million characters."""
_LONGEST: Final = 400
"""The greatest number of characters of a message."""


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One fault in a configuration file. *line* and *column* count from 1; 0 means none.

    No message shows a secret, whatever key it was written to.
    """

    file: str
    line: int
    column: int
    message: str
    hint: str | None = None

    def __post_init__(self) -> None:
        """Remove secrets, and cut long values; a frozen value can be changed in no other way."""
        message = _LONG.sub(r"\1…", _SECRETS.sub("***", self.message))
        object.__setattr__(self, "message", message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…")
        object.__setattr__(self, "hint", self.hint and _SECRETS.sub("***", self.hint))

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return (f"{place}: " if place else "") + self.message + (f" ({self.hint})" if self.hint else "")


class ConfigErrors(UnusableError):  # noqa: N818 - it carries several
    """The configuration cannot be used. `problems`: all its errors, in the order of the file; `hints`: its warnings."""

    def __init__(self, problems: Sequence[ConfigProblem], hints: Sequence[ConfigProblem] = ()) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)
        self.hints = tuple(hints)


def did_you_mean(typed: str, known: Iterable[str]) -> str | None:
    """A hint that names the known word nearest to *typed*; None if none is near."""
    near = nearest(typed, known)
    return f"did you mean {near}?" if near else None


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """The known word nearest to *typed*; None if none is near."""
    near = get_close_matches(typed.lower(), list(known), n=1, cutoff=0.6)
    return near[0] if near else None
