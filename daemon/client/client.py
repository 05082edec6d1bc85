"""One method for each route of the API, by the same name. A missing thing is None.

Every other error is raised.
"""

from __future__ import annotations  # the shapes and the filters are many, and only types here

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar, Unpack, cast

from daemon.archive.reading.search.sorts import NEWEST, SortWord
from daemon.client.connection import ClientError, Connection, segment
from daemon.client.tournaments import Tournaments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from core.doubles import DoubleKind
    from daemon.archive.reading import shapes
    from daemon.archive.reading.search.filters import GameFilters

_PAGE: Final = 500
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event of the stream; *id* is what to reconnect with."""

    id: str
    kind: str
    data: Mapping[str, Any]


class GamesPage(TypedDict, total=False):
    """Which page of a list of games.

    Its size (at most 500), cursor, order, and whether to count all of them.
    """

    limit: int
    cursor: str | None
    sort: SortWord
    total: bool


class Client(Tournaments, Connection):
    """Asks one server, see `daemon.client.connection.Connection`."""

    def health(self) -> shapes.Health:
        """That it is alive."""
        return cast("shapes.Health", self.json("/health"))

    def status(self) -> shapes.Status:
        """The state of everything."""
        return cast("shapes.Status", self.json("/status"))

    def syncs(self, *, limit: int = 50, cursor: str | None = None, **asked: str) -> shapes.Page[shapes.Round]:
        """A page of the history of syncs and imports, newest first; of a *kind*, an *outcome*, an *account*."""
        return cast("shapes.Page[shapes.Round]", self._page("/syncs", limit, cursor, asked))

    def quarantine(self, *, limit: int = 50, cursor: str | None = None) -> shapes.Page[shapes.Quarantined]:
        """A page of the games that could not be read, newest first."""
        return cast("shapes.Page[shapes.Quarantined]", self._page("/quarantine", limit, cursor))

    def quarantined(self, item_id: int) -> bytes | None:
        """One of them as it came; None if there is none."""
        return self.bytes_at(f"/quarantine/{item_id}")

    def doubles(
        self, kind: DoubleKind | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> shapes.Page[shapes.Double]:
        """A page of the pairs of games that may be one."""
        return cast("shapes.Page[shapes.Double]", self._page("/doubles", limit, cursor, {"kind": kind}))

    def edits(self, *, limit: int = 50, cursor: str | None = None) -> shapes.Page[shapes.Edit]:
        """A page of all edits, newest first."""
        return cast("shapes.Page[shapes.Edit]", self._page("/edits", limit, cursor))

    def suggestions(self, what: str, q: str, *, limit: int = 20) -> list[str]:
        """Names to choose from: *what* is players, events, sites, teams or openings."""
        asked = {"q": q, "limit": limit}
        found = cast("shapes.Suggestions", self.json(f"/suggest/{segment(what)}", asked))
        return [one["name"] for one in found["items"]]

    def players(
        self, q: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> shapes.Page[shapes.Player]:
        """A page of the players that *q* finds."""
        return cast("shapes.Page[shapes.Player]", self._page("/players", limit, cursor, {"q": q}))

    def player(self, player_id: int) -> shapes.Player | None:
        """One player; None if there is none."""
        return cast("shapes.Player | None", self.found(f"/players/{player_id}"))

    def all_players(self, q: str | None = None, limit: int | None = None) -> Iterator[shapes.Player]:
        """All players that *q* finds, or *limit* of them, page by page."""
        return chain.from_iterable(self.pages_of_players(q, limit))

    def pages_of_players(
        self, q: str | None = None, limit: int | None = None
    ) -> Iterator[list[shapes.Player]]:
        """The same in pages of up to 500."""
        return pages(lambda size, cursor: self.players(q, limit=size, cursor=cursor), limit)

    def games(
        self, filters: GameFilters | None = None, **page: Unpack[GamesPage]
    ) -> shapes.Page[shapes.Game]:
        """A page of the games that *filters* find, newest first."""
        return cast("shapes.Page[shapes.Game]", self._games("/games", filters, page))

    def all_games(
        self, filters: GameFilters | None = None, limit: int | None = None, sort: SortWord = NEWEST
    ) -> Iterator[shapes.Game]:
        """All games that *filters* find, or *limit* of them, newest first, page by page."""
        return chain.from_iterable(self.pages_of_games(filters, limit, sort))

    def pages_of_games(
        self, filters: GameFilters | None = None, limit: int | None = None, sort: SortWord = NEWEST
    ) -> Iterator[list[shapes.Game]]:
        """The same in pages of up to 500."""
        return pages(lambda size, cursor: self.games(filters, limit=size, cursor=cursor, sort=sort), limit)

    def games_of_player(
        self, player_id: int, filters: GameFilters | None = None, **page: Unpack[GamesPage]
    ) -> shapes.Page[shapes.Game]:
        """A page of the games of one player that *filters* find, newest first."""
        return cast("shapes.Page[shapes.Game]", self._games(f"/players/{player_id}/games", filters, page))

    def game(self, game_id: int) -> shapes.WholeGame | None:
        """One game; None if there is none."""
        return cast("shapes.WholeGame | None", self.found(f"/games/{game_id}"))

    def pgn(self, game_id: int, n: int | None = None) -> bytes | None:
        """The PGN of a game as its first telling, or its *n*-th one, came; None if there is none."""
        path = f"/games/{game_id}" if n is None else f"/games/{game_id}/tellings/{n}"
        return self.bytes_at(f"{path}/pgn")

    def me(self) -> shapes.Me:
        """The user, as configured."""
        return cast("shapes.Me", self.json("/me"))

    def my_games(
        self, filters: GameFilters | None = None, **page: Unpack[GamesPage]
    ) -> shapes.Page[shapes.MyGame]:
        """A page of the user's own games that *filters* find, newest first, each with the reason why it is theirs."""
        return cast("shapes.Page[shapes.MyGame]", self._games("/me/games", filters, page))

    def dossiers(self) -> list[shapes.Dossier]:
        """All dossiers, in the order of the configuration."""
        return cast("shapes.Page[shapes.Dossier]", self.json("/dossiers"))["items"]

    def dossier(self, slug: str) -> shapes.Dossier | None:
        """One dossier; None if there is none."""
        return cast("shapes.Dossier | None", self.found(f"/dossiers/{segment(slug)}"))

    def games_of_dossier(
        self, slug: str, filters: GameFilters | None = None, **page: Unpack[GamesPage]
    ) -> shapes.Page[shapes.Game]:
        """A page of the games of a dossier that *filters* find, newest first."""
        path = f"/dossiers/{segment(slug)}/games"
        return cast("shapes.Page[shapes.Game]", self._games(path, filters, page))

    def export(
        self, form: str, filters: GameFilters | None = None, *, tellings: bool = False
    ) -> Iterator[bytes]:
        """All games that *filters* find, as ``pgn``, ``ndjson`` or ``csv``, piece by piece.

        Raises:
            Unreachable: it broke off; what came before is not a whole file.
        """
        asked = _parameters(filters) | ({"tellings": True} if tellings else {})
        with self.streaming(f"/games.{form}", asked) as answer:
            yield from answer.iter_raw()

    def events(self, last: str | None = None) -> Iterator[ServerEvent]:
        """What happens from now on, or after the event with the id *last*, until the server ends the stream.

        Raises:
            Unreachable: it broke off; asked again with the id of the last event, the server sends what was missed.
        """
        from httpx_sse import EventSource, SSEError

        headers = {"Accept": "text/event-stream"} | ({} if last is None else {"Last-Event-ID": last})
        with self.streaming("/events/stream", {}, headers) as answer:
            try:
                for event in EventSource(answer).iter_sse():
                    if event.data:  # a comment that keeps the connection open comes as an event without any
                        yield ServerEvent(event.id, event.event, event.json())
            except SSEError as error:
                raise ClientError(
                    f"{self.address} is not a gamekeeper: its answer is not a stream of events"
                ) from error

    def description(self) -> dict[str, Any]:
        """The API as OpenAPI."""
        return cast("dict[str, Any]", self.json("/openapi.json"))

    def metrics(self) -> str:
        """What Prometheus watches, in its text format."""
        return self.at_root("/metrics").decode()

    def _games(self, path: str, filters: GameFilters | None, page: GamesPage) -> object:
        asked = {name: value for name, value in page.items() if value}
        return self.json(path, {**_parameters(filters), **asked})

    def _page(
        self, path: str, limit: int, cursor: str | None, asked: Mapping[str, object] | None = None
    ) -> object:
        return self.json(path, {**(asked or {}), "limit": limit, "cursor": cursor})


def pages(page: Callable[[int, str | None], shapes.Page[Item]], limit: int | None) -> Iterator[list[Item]]:
    """All pages that *page* (size, cursor) gives, or those of *limit* items: of any list of the client."""
    cursor: str | None = None
    left = limit
    while left is None or left > 0:
        found = page(_PAGE if left is None else min(left, _PAGE), cursor)
        yield found["items"]
        cursor = found["next"]
        if cursor is None:
            return
        left = None if left is None else left - len(found["items"])


def _parameters(filters: GameFilters | None) -> dict[str, object]:
    return {} if filters is None else filters.model_dump(by_alias=True, exclude_none=True)
