"""The made-up site playchess: all games of an account in one answer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import quote

from core.game import Game
from core.pgn import reader
from core.time_control import time_class
from fetchers.base import AccountProfile, Checkpoint, Cursor, Fetcher, Step, Unread
from fetchers.http.door import Door
from fetchers.http.json_fields import as_record, text


class PlayChess:
    """See `fetchers.base.Fetcher`."""

    site = "playchess"

    def __init__(self, door: Door) -> None:
        self._door = door

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """See `fetchers.base.Fetcher`."""
        seen = 0 if full else int(cursor.get("seen", 0))
        number = seen
        with self._door.ask(f"players/{quote(account)}/games") as answer:
            for number, item in enumerate(answer.items("games"), start=1):
                if number > seen:
                    yield self._step(as_record(item) or {})
        yield Checkpoint({"seen": number})

    def _step(self, record: Mapping[str, object]) -> Step:
        native_id, pgn = text(record, "id"), text(record, "pgn") or ""
        url = f"https://play.example/games/{native_id}"
        game = reader.parse(pgn.encode())
        if not isinstance(game, Game):
            return Unread(game, native_id, url)
        return replace(
            game,
            source=self.site,
            native_id=native_id,
            url=url,
            online=True,
            time_class=time_class(game.time_control, game.event, self.site, online=True),
        )

    def profile(self, account: str) -> AccountProfile:
        """See `fetchers.base.Fetcher`."""
        record = as_record(self._door.json(f"players/{quote(account)}")) or {}
        return AccountProfile(handle=account, display=text(record, "name") or account)

    def knock(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.json("status")

    def close(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.close()


FETCHER: Final[Callable[[Door], Fetcher]] = PlayChess
