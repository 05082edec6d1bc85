"""What is wrong with a configuration: where, what, and what helps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a configuration file. *line* and *column* count from 1; 0 is no place within the file."""

    file: str
    line: int
    column: int
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class ConfigErrors(Exception):  # noqa: N818 - it carries several
    """The configuration cannot be used. `problems` has all of its faults, in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def did_you_mean(typed: str, known: Iterable[str]) -> str | None:
    """A hint that names the known word nearest to *typed*; None if none is near."""
    near = nearest(typed, known)
    return f"did you mean {near}?" if near else None


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """The known word nearest to *typed*; None if none is near."""
    near = get_close_matches(typed.lower(), list(known), n=1, cutoff=0.6)
    return near[0] if near else None
