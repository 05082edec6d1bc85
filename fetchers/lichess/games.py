"""lichess.org, and any other server that runs lila.

The site sorts and cuts by the *start* of a game, while a correspondence game becomes final months later. So
the cursor keeps, with the newest start that was seen, the games that were still running; each round asks
again from there. See sites §1 for the site's rules, and sites traps 1 to 26.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from fetchers.base import AccountProfile, Cursor, Fetcher, Glance, Step
from fetchers.errors import BadAnswer, NotFound
from fetchers.http.door import Door
from fetchers.http.error_responses import BlockedByPageError
from fetchers.http.json_fields import as_record, moment, text
from fetchers.lichess.common import knock, patient, segment
from fetchers.lichess.events import LichessEvents
from fetchers.lichess.game_round import LichessRound
from fetchers.lichess.glance import glance, read_profile
from fetchers.lichess.progress import StreamProgress
from fetchers.lichess.records import SITE


class Lichess:
    """The fetcher for lichess. See `fetchers.base`: `Fetcher`, `Following`, `Glancing`."""

    site = SITE

    def __init__(self, door: Door) -> None:
        self._door = door
        self.events = LichessEvents(door)

    def games(self, account: str, cursor: Cursor, *, now: datetime, full: bool = False) -> Iterator[Step]:
        """See `fetchers.base.Fetcher`."""
        with patient():
            try:
                yield from LichessRound(self._door, account, cursor, now).steps(full=full)
            except BlockedByPageError:
                if _profile(self._door, account).state == "active":  # raises NotFound for an unknown account
                    raise
                raise NotFound(
                    f"{self._door.host} gives no games of {account}: the account is closed"
                ) from None

    def profile(self, account: str) -> AccountProfile:
        """See `fetchers.base.Fetcher`."""
        with patient():
            return _profile(self._door, account)

    def glance(self, handles: Iterable[str]) -> Mapping[str, Glance]:
        """See `fetchers.base.Glancing`."""
        with patient():
            return glance(self._door, handles)

    def waits(self, cursor: Cursor) -> bool:
        """See `fetchers.base.Glancing`."""
        return bool(StreamProgress.read(cursor).running)

    def asked_at(self, cursor: Cursor) -> datetime | None:
        """See `fetchers.base.Glancing`."""
        return moment(StreamProgress.read(cursor).asked)

    def knock(self) -> None:
        """See `fetchers.base.Fetcher`."""
        with patient():
            knock(self._door)

    def close(self) -> None:
        """See `fetchers.base.Fetcher`."""
        self._door.close()


FETCHER: Final[Callable[[Door], Fetcher]] = Lichess
"""What `fetchers.registry` builds."""


def _profile(door: Door, account: str) -> AccountProfile:
    record = as_record(door.json(f"api/user/{segment(account.lower())}"))
    key = text(record or {}, "id")
    if record is None or key is None:
        raise BadAnswer(f"{door.host} does not say who {account} is")
    return read_profile(account, key, record)
