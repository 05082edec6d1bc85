"""What the routes answer from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request

from core.players import Profile
from daemon.archive.archive import Archive

PREFIX: Final = "/api/v1"
"""The beginning of every path except those of the pages and of ``/metrics``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteContext:
    """What an app serves.

    Attributes:
        profile: the user; a reload of the configuration puts another `RouteContext` in its place (`set_profile`).
        now_ms: the clock, milliseconds since 1970.
        errors: what is wrong in the data folder now.
    """

    archive: Archive
    profile: Profile
    version: str
    now_ms: Callable[[], int]
    errors: Callable[[], Sequence[str]]


async def _serving(request: Request) -> RouteContext:
    serving: RouteContext = request.app.state.serving
    serving.archive.require_claimed()  # what was deleted is still open here, and would answer
    return serving


Served = Annotated[RouteContext, Depends(_serving)]
