"""Terminal colours of results, states and errors. No colours in a pipe or where NO_COLOR is set."""

import os
from typing import IO, Final

import click

GOOD: Final = "green"
BAD: Final = "red"
CARE: Final = "yellow"

_STATES: Final = {
    "ok": GOOD,
    "active": GOOD,
    "done": GOOD,
    "new": None,
    "not configured": None,
    "won": GOOD,
    "lost": BAD,
    "drawn": None,
    "waiting": CARE,
    "stopped": CARE,
    "rate limited": CARE,
    "incomplete": CARE,
}


def of_state(text: str) -> str | None:
    """The colour of a state or an outcome: one that is not known as good needs attention."""
    return _STATES.get(text.replace("_", " "), BAD) if text not in {"", "-"} else None


def of_error(text: str) -> str | None:
    """The colour of an error message."""
    return BAD if text not in {"", "-", "0"} else None


def wanted(stream: IO[str]) -> bool:
    """Whether this stream shows colours, and the user wants them (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str, stream: IO[str]) -> str:
    """*text* in bold, if *stream* shows it."""
    return click.style(text, bold=True) if wanted(stream) else text


def painted(text: str, colour: str, stream: IO[str]) -> str:
    """*text* in this colour, if *stream* shows it."""
    return click.style(text, fg=colour) if wanted(stream) else text
