"""How lichess wants to be asked, whatever it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import quote

from fetchers.errors import Blocked, NotFound, NotShown, RateLimited
from fetchers.http.door import Door
from fetchers.http.error_responses import BlockedByPageError

GAME_PARAMETERS: Final = {
    "pgnInJson": "true",
    "clocks": "true",
    "evals": "true",
    "opening": "true",
}
"""What is wanted of each game by every request: one game must come out the same by all of them."""

CHECKPOINT_EVERY: Final = 100
_SHORTEST_WAIT_S: Final = 60.0

SCOPES: Final = {"broadcast": "study:read", "study": "study:read"}
"""The token scopes without which lichess may not show these kinds of events."""


@contextmanager
def patient() -> Iterator[None]:
    """Obey "if you receive a 429, wait a full minute", whatever the answer itself says.

    If it says nothing, the limit may be that of a minute or that of a day: the schedule's waits grow.
    """
    try:
        yield
    except RateLimited as error:
        wait = max(_SHORTEST_WAIT_S, error.retry_after or 0.0)
        raise RateLimited(str(error), wait, error.kind, stated=error.stated) from error


@contextmanager
def limited_alone(door: Door, kind: str) -> Iterator[None]:
    """Treat a 429 for an event of this *kind* as a limit of that kind: nothing else need wait for it."""
    try:
        yield
    except RateLimited as error:
        hint = (
            "" if door.has_token else f"; without a token few requests are let through: {how_to_get_in(kind)}"
        )
        raise RateLimited(f"{error}{hint}", error.retry_after, kind, stated=error.stated) from error


def how_to_get_in(kind: str, *, has_token: bool = False) -> str:
    """What a person can do to be shown events of this *kind*."""
    scope = SCOPES.get(kind)
    if scope is None:
        return "name the token of an account that may see it (token_file under [sites.lichess])"
    make = f"make a token with the scope {scope} at lichess.org/account/oauth/token"
    if has_token:
        return f"the token lacks the scope {scope}, or its account may not see it; if so, {make}"
    return f"{make}, and name the file with it as token_file under [sites.lichess]"


def segment(name: str) -> str:
    """A name as one part of a path."""
    return quote(name, safe="")


def knock(door: Door) -> None:
    """Ask for something small: whether the site's own account is online."""
    door.json("api/users/status", params={"ids": "lichess"})


@contextmanager
def only_this_one(door: Door, kind: str, event_id: str) -> Iterator[None]:
    """A refusal concerns only this event (or part of it), and not us, if the site still answers other requests.

    lichess answers 401 or 403 for what is private or needs a token, and perhaps a web page for what it does
    not have.

    Raises:
        NotFound: there is no such event.
        NotShown: it is not shown to us.
        Blocked: nothing is.
    """
    try:
        yield
    except Blocked as error:
        knock(door)  # raises Blocked if we are refused altogether
        what = f"{door.host} does not show the {kind} {event_id}"
        if isinstance(error, BlockedByPageError):
            raise NotFound(f"{what}: there is none") from error
        status = "" if error.status is None else f" ({error.status})"
        raise NotShown(f"{what} to us{status}: {how_to_get_in(kind, has_token=door.has_token)}") from error
