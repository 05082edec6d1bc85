"""How lichess wants to be asked, whatever it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import quote

from fetchers.errors import Blocked, NotFound, RateLimited
from fetchers.http import Door

GAME_PARAMETERS: Final = {
    "pgnInJson": "true",
    "clocks": "true",
    "evals": "true",
    "opening": "true",
}
"""What is wanted of each game, by whatever way it is told: one game must come out the same by all ways."""

CHECKPOINT_EVERY: Final = 100
_SHORTEST_WAIT_S: Final = 60.0


@contextmanager
def patient() -> Iterator[None]:
    """Whatever the site says, "if you receive a 429, wait a full minute" holds."""
    try:
        yield
    except RateLimited as error:
        raise RateLimited(str(error), max(_SHORTEST_WAIT_S, error.retry_after or 0.0)) from error


def segment(name: str) -> str:
    """A name as one part of a path."""
    return quote(name, safe="")


@contextmanager
def only_this_one(door: Door, what: str) -> Iterator[None]:
    """A refusal concerns *what*, and not us, if the site still answers other questions of ours.

    lichess answers 401 or 403 for a private study, and perhaps a web page for what it does not have.

    Raises:
        NotFound: *what* is not shown to us.
        Blocked: nothing is.
    """
    try:
        yield
    except Blocked as error:
        door.json(
            "api/users/status", params={"ids": "lichess"}
        )  # raises Blocked if we are refused altogether
        raise NotFound(f"{door.host} does not show {what}: it is private, or there is none") from error
