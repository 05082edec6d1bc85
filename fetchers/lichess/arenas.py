"""Arenas and Swiss tournaments of lichess: what the site says of them.

See `fetchers.lichess.arena_round` for games.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fetchers.base import FINISHED, RUNNING, UPCOMING, EventProfile
from fetchers.errors import BadAnswer
from fetchers.http.door import Door
from fetchers.http.json_fields import JsonRecord, as_record, flag, inner, number, text
from fetchers.lichess.common import only_this_one, segment


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of tournament as the site names it: *path* in its API, *page* in its addresses."""

    path: str
    page: str


FORMS: Final = {
    "arena": _Form("api/tournament", "tournament"),
    "swiss": _Form("api/swiss", "swiss"),
}


def tournament(door: Door, kind: str, event_id: str) -> EventProfile:
    """Ask for the head of a tournament."""
    form = FORMS[kind]
    with only_this_one(door, kind, event_id):
        record = as_record(door.json(f"{form.path}/{segment(event_id)}")) or {}
    name = text(record, "fullName") or text(record, "name")
    if name is None:
        raise BadAnswer(f"{door.host} does not say what the {kind} {event_id} is")
    return EventProfile(
        kind=kind,
        id=event_id,
        name=name,
        url=f"{door.base_url}/{form.page}/{segment(event_id)}",
        state=_state(record),
        begins_at=_moment(record),
        games=number(inner(record, "stats"), "games"),
    )


def _state(record: JsonRecord) -> str:
    """An arena says that it is over or has begun, a Swiss tournament gives its status."""
    if flag(record, "isFinished") or text(record, "status") == "finished":
        return FINISHED
    return RUNNING if flag(record, "isStarted") or text(record, "status") == "started" else UPCOMING


def _moment(record: JsonRecord) -> datetime | None:
    try:
        at = datetime.fromisoformat(text(record, "startsAt") or "")
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
