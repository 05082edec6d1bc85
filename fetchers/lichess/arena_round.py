"""One round over an arena or a Swiss tournament, whose games are ordinary games of the site.

They have the same ids. The site sends the games of a tournament in one answer, which cannot be begun in its
middle. If it breaks off at the same game each time, the later games are asked for player by player.
"""

from collections.abc import Generator, Iterator
from datetime import datetime, timedelta
from typing import Final

from core.game import Game, Unreadable
from core.plurals import count_of
from fetchers.base import FINISHED, UPCOMING, Checkpoint, Cursor, EventProfile, Released, Step, Unread
from fetchers.errors import BadAnswer, FetchError, Incomplete, Stopped
from fetchers.http.door import Door
from fetchers.http.json_fields import flag, number, text
from fetchers.lichess.arenas import FORMS, tournament
from fetchers.lichess.common import CHECKPOINT_EVERY, GAME_PARAMETERS, only_this_one, segment
from fetchers.lichess.records import ExportRecord, whole_line

LEAST_SHARE: Final = 0.9
"""The site's own count may be a little off: a tenth missing is more than that."""

MOST_SHORT: Final = 10
"""An answer with too few games is believed after this many complete ones in a row, unless it has none."""

MOST_PLAYERS: Final = 30
"""The most players to ask for in one round."""

_OVER_S: Final = timedelta(days=30).total_seconds()
"""The pause for a finished tournament whose games have all come: they do not change."""
_MOST_AHEAD_S: Final = timedelta(hours=12).total_seconds()


class ArenaRound:
    """One round of ours over one tournament.

    The cursor says whether all games have come; how many games a complete answer had, and how many had fewer
    since; after which game the last answer broke off, and whose games were asked for because of it.
    """

    def __init__(self, door: Door, kind: str, event_id: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._kind = kind
        self._id = event_id
        self._path = f"{FORMS[kind].path}/{segment(event_id)}/games"
        self._now = now
        self._complete = flag(cursor, "told")
        self._most = number(cursor, "games") or 0
        self._short = number(cursor, "short") or 0
        self._broke = text(cursor, "broke")
        asked = cursor.get("asked")
        self._asked = [str(name) for name in asked] if isinstance(asked, list) else []
        self._hole = flag(cursor, "hole")
        self._expected: int | None = None
        self._seen: set[str] = set()
        self._last = ""
        self._running = False
        self._players: dict[str, None] = {}

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round: a tournament that is over and complete is not asked for."""
        if self._complete and not full:
            yield self._checkpoint(quiet_s=_OVER_S)
            return
        head = tournament(self._door, self._kind, self._id)
        self._expected = head.games
        now = self._now + self._door.ahead(self._now)  # the site's clock measures the site's dates
        if head.state == UPCOMING and head.begins_at is not None and head.begins_at > now:
            ahead = (head.begins_at - now).total_seconds()
            yield self._checkpoint(quiet_s=min(ahead, _MOST_AHEAD_S))
            return
        doubt = yield from self._all(head)
        self._complete = head.state == FINISHED and not self._running and doubt is None
        yield self._checkpoint(quiet_s=_OVER_S if self._complete else None, doubt=doubt)

    def _all(self, head: EventProfile) -> Generator[Step, None, str | None]:
        """The finished games. Returns why the answer cannot be all, None if it can."""
        error = yield from self._answer()
        if error is not None:
            yield from self._around(head, error)
            return None
        self._broke, self._asked = None, []
        if self._hole:
            self._hole = False
            yield Released(self._address())
        least = max(self._most, head.games or 0)
        few = len(self._seen) < LEAST_SHARE * least
        if few and (not self._seen or self._short < MOST_SHORT):
            self._short += 1
            return f"{len(self._seen) or 'none'} of the {count_of(least, 'game')}"
        self._most, self._short = len(self._seen), 0
        return None

    def _answer(self, player: str | None = None) -> Generator[Step, None, FetchError | None]:
        """The games in one answer. Returns why it broke off in its middle, None if it is complete.

        Raises:
            FetchError: it has not begun, or we gave it up.
        """
        begun = False
        params = GAME_PARAMETERS | ({} if player is None else {"player": player})
        try:
            with (
                only_this_one(self._door, self._kind, self._id),
                self._door.stream(self._path, params=params) as answer,
            ):
                begun = True
                for line in answer.lines():
                    record = whole_line(line)
                    if record is not None:
                        yield from self._record(record)
        except (Incomplete, BadAnswer) as error:
            if not begun or isinstance(error, Stopped):
                raise
            return error
        return None

    def _record(self, record: ExportRecord) -> Iterator[Step]:
        self._last = record.key
        if record.key in self._seen:
            return
        self._seen.add(record.key)
        self._running = self._running or record.running
        step = record.step(self._door.base_url)
        if isinstance(step, Game):
            self._players.update((name, None) for name in (step.white.name, step.black.name) if name)
        yield step
        if len(self._seen) % CHECKPOINT_EVERY == 0:
            yield self._checkpoint()

    def _around(self, head: EventProfile, error: FetchError) -> Iterator[Step]:
        """The games after the place where the answer breaks off, player by player.

        Raises:
            FetchError: the first time at this place it may be chance; while games are played the place may
                move; and there is no way around if no player is known, or not all of them could be asked for
                in this round.
        """
        again, self._broke = self._broke == self._last, self._last
        if not again or head.state != FINISHED or not self._players:
            yield self._checkpoint()
            raise error
        most = len(self._asked) + MOST_PLAYERS
        while player := self._next_player():
            if len(self._asked) >= most:
                yield self._checkpoint()
                raise error
            yield from self._answer(player)
            self._asked.append(player)
        self._hole = True
        raw = self._address()
        reason = f"the site's answer breaks off each time after the game {self._broke}, for every player"
        yield Unread(Unreadable(raw=raw, reason=reason), url=raw.decode())

    def _next_player(self) -> str | None:
        """A player who was not asked for yet; each answer may name more of them."""
        asked = set(self._asked)
        return next((name for name in self._players if name not in asked), None)

    def _address(self) -> bytes:
        return f"{self._door.base_url}/{self._path}".encode()

    def _checkpoint(self, *, quiet_s: float | None = None, doubt: str | None = None) -> Checkpoint:
        pairs: dict[str, object] = {
            "told": self._complete,
            "games": self._most,
            "short": self._short,
            "broke": self._broke,
            "asked": list(self._asked),
            "hole": self._hole,
        }
        cursor = {name: value for name, value in pairs.items() if value}
        return Checkpoint(cursor, self._expected, quiet_s, doubt)
