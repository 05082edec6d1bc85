"""The events of lichess, and of any other server that runs lila: broadcasts, studies, arenas, Swiss tournaments."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from typing import Final

from fetchers.base import Cursor, EventProfile, Step
from fetchers.http.door import Door
from fetchers.lichess.arena_round import ArenaRound
from fetchers.lichess.arenas import FORMS, tournament
from fetchers.lichess.broadcasts import BroadcastRound, StudyRound, broadcast, study
from fetchers.lichess.common import limited_alone, patient
from fetchers.lichess.records import SITE

KINDS: Final = frozenset({"broadcast", "study", *FORMS})


class LichessEvents:
    """See `fetchers.base.EventFetcher`."""

    site = SITE
    kinds = KINDS

    def __init__(self, door: Door) -> None:
        self._door = door

    def games(
        self, kind: str, event_id: str, cursor: Cursor, *, now: datetime, full: bool = False
    ) -> Iterator[Step]:
        """See `fetchers.base.EventFetcher`."""
        with self._limited(kind):
            yield from self._round(kind, event_id, cursor, now).steps(full=full)

    def about(self, kind: str, event_id: str) -> EventProfile:
        """See `fetchers.base.EventFetcher`."""
        with self._limited(kind):
            if kind == "broadcast":
                return broadcast(self._door, event_id).event
            if kind == "study":
                return study(self._door, event_id)
            return tournament(self._door, _checked(kind), event_id)

    @contextmanager
    def _limited(self, kind: str) -> Iterator[None]:
        """Broadcasts have a limit of their own."""
        with limited_alone(self._door, kind) if kind == "broadcast" else nullcontext(), patient():
            yield

    def _round(
        self, kind: str, event_id: str, cursor: Cursor, now: datetime
    ) -> BroadcastRound | StudyRound | ArenaRound:
        if kind == "broadcast":
            return BroadcastRound(self._door, event_id, cursor, now)
        if kind == "study":
            return StudyRound(self._door, event_id, cursor, now)
        return ArenaRound(self._door, _checked(kind), event_id, cursor, now)


def _checked(kind: str) -> str:
    if kind not in FORMS:
        raise ValueError(f"lichess has no events of the kind {kind!r}")
    return kind
