"""``/events/stream``: what happens, as server-sent events.

New games come from the archive, no matter what took them in; the progress of rounds and imports comes from this
daemon. The id of an event contains the daemon's run, the number of the event, and the last game sent: a
client that reconnects with it gets what it missed, the games in any case, the rest as far as it is kept in
memory.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Self

import anyio
from anyio.to_thread import run_sync
from fastapi import APIRouter, Header, Request, Response
from pydantic_core import to_json

from daemon.api.context import PREFIX, RouteContext, Served
from daemon.api.streams import Stream, StreamPlaces
from daemon.archive.errors import ArchiveError
from daemon.archive.reading.games import ids_above, last_id
from daemon.events import LiveEvent, News
from daemon.logs import get_logger

log = get_logger(__name__)

router = APIRouter(prefix=PREFIX, tags=["daemon"])

AT_ONCE: Final = 250
HEARTBEAT: Final = 15.0
"""Seconds without an event before a comment is sent: so proxies, and we, notice that a client is gone."""

LOOK_EVERY: Final = 1.0
"""Seconds between two looks for new games while somebody listens."""

RETRY_MS: Final = 3000
GAMES_AT_ONCE: Final = 500

EVENT_STREAM: Final = "text/event-stream"
GAMES: Final = "games"
MISSED: Final = "missed"
OPEN: Final = "open"

_ID = re.compile(r"(\d{1,18})-(\d{1,18})-(\d{1,18})")


@dataclass(frozen=True, slots=True)
class ClientPlace:
    """How far a client is: the run of the daemon, the number of the event, the id of the game."""

    run: int
    number: int
    game: int

    def __str__(self) -> str:
        return f"{self.run}-{self.number}-{self.game}"

    @classmethod
    def read(cls, text: str) -> "ClientPlace | None":
        """The place in the id of an event; None if it is not ours."""
        match = _ID.fullmatch(text.strip())
        return cls(*(int(part) for part in match.groups())) if match else None


class Wakeful:
    """Lets the server's loop wait for news."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._event = asyncio.Event()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self._event.set)

        self._open.enter_context(self._news.woken(wake))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait for news since the last wait; False if there were none for *seconds*."""
        with anyio.move_on_after(seconds):
            await self._event.wait()
        happened = self._event.is_set()
        self._event.clear()
        return happened


class Stories:
    """The events of one app: those of its daemon, and new games, looked for while somebody listens."""

    def __init__(
        self, serving: Callable[[], RouteContext], news: News, *, heartbeat: float = HEARTBEAT
    ) -> None:
        self.news = news
        self.places = StreamPlaces(AT_ONCE, "event streams")
        self._heartbeat = heartbeat
        self._serving = serving
        self._last_game_sent = 0
        self._listeners = 0
        self._beginning = asyncio.Lock()
        self._look: asyncio.Task[None] | None = None

    async def stream(self, last: str | None) -> AsyncGenerator[bytes, None]:
        """What happens from now on, or after the event with the id *last*."""
        self._listeners += 1
        try:
            with Wakeful(self.news) as wakeful:
                async for event in self._stream(last, wakeful):
                    yield event
        finally:
            self._listeners -= 1

    async def _stream(self, last: str | None, wakeful: Wakeful) -> AsyncGenerator[bytes, None]:
        await self._begin_looking()
        now = ClientPlace(self.news.run, self.news.last, self._last_game_sent)
        place, missed = (now, False) if last is None else _resumed(last, now)
        yield f"retry: {RETRY_MS}\n".encode() + _event(place, OPEN, {"version": self._serving().version})
        if missed:
            yield _event(place, MISSED, {})
        while ids := [one for one in await run_sync(self._games_after, place.game) if one <= now.game]:
            place = replace(place, game=ids[-1])
            yield _event(place, GAMES, {"ids": ids})
        while True:
            for event in self.news.after(place.number):
                if event.number > place.number + 1:
                    yield _event(replace(place, number=event.number - 1), MISSED, {})
                place, data = _step(place, event)
                if data is not None:
                    yield _event(place, event.kind, data)
            if self.news.closed:
                return
            if not await wakeful.wait(self._heartbeat):
                yield b": still here\n\n"

    async def _begin_looking(self) -> None:
        """Look for new games from now on, unless that is done already. Earlier ones are in the archive."""
        async with self._beginning:
            if self._look is None or self._look.done():
                self._last_game_sent = await run_sync(self._last_game)
                self._look = asyncio.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        while self._listeners and not self.news.closed:
            ids: list[int] = []
            try:
                ids = await run_sync(self._games_after, self._last_game_sent)
            except ArchiveError as error:
                log.warning("the archive could not be searched for new games", error=str(error))
            if ids:
                self._last_game_sent = ids[-1]
                self.news.publish(GAMES, {"ids": ids})
            if len(ids) < GAMES_AT_ONCE:
                await asyncio.sleep(LOOK_EVERY)

    def _last_game(self) -> int:
        with self._serving().archive.reading() as connection:
            return last_id(connection)

    def _games_after(self, game_id: int) -> list[int]:
        with self._serving().archive.reading() as connection:
            return ids_above(connection, game_id, GAMES_AT_ONCE)


def _resumed(last: str, now: ClientPlace) -> tuple[ClientPlace, bool]:
    """Where a client continues that comes back with the id *last*, and whether events in between are lost."""
    place = ClientPlace.read(last)
    if place is None:
        return now, True
    game = min(place.game, now.game)
    if place.run != now.run:
        return ClientPlace(now.run, 0, game), True
    if place.number > now.number:
        return replace(now, game=game), True
    return replace(place, game=game), False


def _step(place: ClientPlace, event: LiveEvent) -> tuple[ClientPlace, Mapping[str, Any] | None]:
    """The place after an event, and what to send of it; None if the client knows it already."""
    place = replace(place, number=event.number)
    if event.kind != GAMES:
        return place, event.data
    ids = [one for one in event.data["ids"] if one > place.game]
    return (replace(place, game=ids[-1]), {"ids": ids}) if ids else (place, None)


def _event(place: ClientPlace, kind: str, data: Mapping[str, Any]) -> bytes:
    return f"id: {place}\nevent: {kind}\ndata: ".encode() + to_json(data) + b"\n\n"


_EXAMPLE: Final = """retry: 3000
id: 1715508000000-0-28
event: open
data: {"version":"0.1.0"}

id: 1715508000000-1-29
event: games
data: {"ids":[29]}

"""


@router.get(
    "/events/stream",
    response_class=Response,
    responses={
        200: {
            "description": "server-sent events",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": _EXAMPLE}},
        }
    },
)
async def stream_events(
    request: Request,
    _served: Served,
    last_event_id: Annotated[
        str | None,
        Header(description="the id of the last event that came", examples=["1715508000000-1-29"]),
    ] = None,
) -> Response:
    """What happens, as it happens.

    ``games`` with the ids of new ones, ``sync`` and ``import`` with their progress.

    ``open`` comes first; ``missed`` says that events were lost, but no games: ask ``/status`` for the current
    state.
    """
    stories: Stories = request.app.state.stories
    return Stream(
        lambda: stories.stream(last_event_id),
        places=stories.places,
        media_type=EVENT_STREAM,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
