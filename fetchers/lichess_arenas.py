"""Arenas and Swiss tournaments of lichess. Their games are ordinary games of the site, with the same ids."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from fetchers.base import FINISHED, RUNNING, UPCOMING, Checkpoint, Cursor, Event, Step
from fetchers.errors import BadAnswer
from fetchers.http import Door
from fetchers.lichess_manners import CHECKPOINT_EVERY, GAME_PARAMETERS, only_this_one, segment
from fetchers.lichess_records import whole_line
from fetchers.records import Record, as_record, flag, inner, number, text

_OVER_S: Final = timedelta(days=30).total_seconds()
"""Games that are over and told do not change."""
_MOST_AHEAD_S: Final = timedelta(hours=12).total_seconds()


@dataclass(frozen=True, slots=True)
class _Form:
    """How the site names one form of tournament: *path* in its API, *page* in its addresses."""

    path: str
    page: str


FORMS: Final = {
    "arena": _Form("api/tournament", "tournament"),
    "swiss": _Form("api/swiss", "swiss"),
}


def tournament(door: Door, kind: str, event_id: str) -> Event:
    """Ask for the head of a tournament."""
    form = FORMS[kind]
    with only_this_one(door, kind, event_id):
        record = as_record(door.json(f"{form.path}/{segment(event_id)}")) or {}
    name = text(record, "fullName") or text(record, "name")
    if name is None:
        raise BadAnswer(f"{door.host} does not say what the {kind} {event_id} is")
    return Event(
        kind=kind,
        id=event_id,
        name=name,
        url=f"{door.base_url}/{form.page}/{segment(event_id)}",
        state=_state(record),
        begins_at=_moment(record),
        games=number(inner(record, "stats"), "games"),
    )


def _state(record: Record) -> str:
    """An arena says that it is over or begun, a Swiss tournament says its status."""
    if flag(record, "isFinished") or text(record, "status") == "finished":
        return FINISHED
    return RUNNING if flag(record, "isStarted") or text(record, "status") == "started" else UPCOMING


def _moment(record: Record) -> datetime | None:
    try:
        at = datetime.fromisoformat(text(record, "startsAt") or "")
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class TournamentRound:
    """One round of ours over one tournament. The cursor says only whether all is told."""

    def __init__(self, door: Door, kind: str, event_id: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._kind = kind
        self._id = event_id
        self._told = flag(cursor, "told")
        self._now = now

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round: nothing is asked of a tournament that is over and told."""
        if self._told and not full:
            yield self._checkpoint(quiet_s=_OVER_S)
            return
        head = tournament(self._door, self._kind, self._id)
        now = self._now + self._door.ahead(self._now)  # the site's clock measures the site's dates
        if head.state == UPCOMING and head.begins_at is not None and head.begins_at > now:
            ahead = (head.begins_at - now).total_seconds()
            yield self._checkpoint(quiet_s=min(ahead, _MOST_AHEAD_S))
            return
        running = yield from self._games(head)
        self._told = head.state == FINISHED and not running
        yield self._checkpoint(head.games, quiet_s=_OVER_S if self._told else None)

    def _games(self, head: Event) -> Generator[Step, None, bool]:
        """The games as far as they are over. Returns whether one is not."""
        path = f"{FORMS[self._kind].path}/{segment(self._id)}/games"
        seen: set[str] = set()
        running = False
        with (
            only_this_one(self._door, self._kind, self._id),
            self._door.stream(path, params=GAME_PARAMETERS) as answer,
        ):
            for raw in answer.lines():
                line = whole_line(raw, self._door.base_url)
                if line is None or line.key in seen:
                    continue
                seen.add(line.key)
                running = running or line.running
                yield line.step
                if len(seen) % CHECKPOINT_EVERY == 0:
                    yield self._checkpoint(head.games)
        return running

    def _checkpoint(self, expected: int | None = None, *, quiet_s: float | None = None) -> Checkpoint:
        return Checkpoint({"told": True} if self._told else {}, expected, quiet_s)
