"""Broadcasts and studies of lichess: boards over the board, filled and corrected during and after play.

A broadcast is a tournament of rounds, and a round is asked for as a whole (sites §1.6, traps 55 to 59). A
board keeps its native id, made of the ids in its address, so that a corrected one replaces the older.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from core.epoch import milliseconds
from fetchers.base import FINISHED, OPEN, RUNNING, UPCOMING, Checkpoint, Cursor, EventProfile, LeftOut, Step
from fetchers.errors import BadAnswer, Incomplete, NotFound, NotShown, SiteDown
from fetchers.http.door import PGN, Door
from fetchers.http.json_fields import JsonRecord, as_record, flag, inner, moment, number, text
from fetchers.lichess.boards import BoardsPlace, BoardsReading
from fetchers.lichess.common import only_this_one, segment
from fetchers.parts import NOT_SHOWN, Visit, quiet_s
from fetchers.tolerance import Tolerance

_MS: Final = timedelta(milliseconds=1)
_EARLY_MS: Final = timedelta(minutes=15) // _MS
"""Pairings and boards appear a little before a round begins."""
_MOST_AHEAD_MS: Final = timedelta(hours=12) // _MS
"""Rounds are moved back and forth, so a broadcast still to come is looked at at least this often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProfile:
    """What the site says of a round of a broadcast.

    *finished*: by its `finishedAt`, or by the flag that the site no longer sends since August 2026.
    """

    id: str
    name: str
    finished: bool
    ongoing: bool
    starts_at: int | None
    finished_at: int | None
    after_previous: bool

    @classmethod
    def read(cls, record: JsonRecord) -> Self | None:
        """The round of this record; None if it has no id."""
        key = text(record, "id")
        finished_at = number(record, "finishedAt")
        if key is None:
            return None
        return cls(
            id=key,
            name=text(record, "name") or "",
            finished=flag(record, "finished") or finished_at is not None,
            ongoing=flag(record, "ongoing"),
            starts_at=number(record, "startsAt"),
            finished_at=finished_at,
            after_previous=flag(record, "startsAfterPrevious"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """What the site says of a broadcast: its `Event`, the town and the rounds."""

    event: EventProfile
    town: str | None
    rounds: Sequence[RoundProfile]


def broadcast(door: Door, event_id: str) -> Broadcast:
    """Ask for the head of a broadcast."""
    with only_this_one(door, "broadcast", event_id):
        record = as_record(door.json(f"api/broadcast/{segment(event_id)}")) or {}
    tour, listed = inner(record, "tour"), record.get("rounds")
    name = text(tour, "name")
    if name is None or not isinstance(listed, list):
        raise BadAnswer(f"{door.host} does not say what the broadcast {event_id} is")
    rounds = [one for item in listed if (one := RoundProfile.read(as_record(item) or {}))]
    starts = [one.starts_at for one in rounds if one.starts_at is not None]
    event = EventProfile(
        kind="broadcast",
        id=event_id,
        name=name,
        url=text(tour, "url"),
        state=_state(rounds),
        begins_at=moment(min(starts, default=None)),
    )
    return Broadcast(event=event, town=text(inner(tour, "info"), "location"), rounds=rounds)


def _state(rounds: Sequence[RoundProfile]) -> str:
    if rounds and all(one.finished for one in rounds):
        return FINISHED
    return RUNNING if any(one.finished or one.ongoing for one in rounds) else UPCOMING


class BroadcastRound:
    """One round of ours over one broadcast.

    The first reading is one answer with all rounds; later ones ask for the rounds that are due.
    """

    def __init__(self, door: Door, event_id: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._id = event_id
        self._now = milliseconds(now)
        self._began = now
        self._ahead = 0  # ms that the site's clock is ahead of ours
        rounds = inner(cursor, "rounds")
        self._visits = {key: Visit.read(inner(rounds, key)) for key in rounds}
        self._doubts: list[str] = []
        self._apart = flag(cursor, "apart")  # the one answer with all rounds broke off

    def steps(self, *, full: bool) -> Iterator[Step]:
        """All rounds that are due. One that fails does not hide those after it."""
        head = broadcast(self._door, self._id)
        self._ahead = self._door.ahead(self._began) // _MS
        due = self._due(head.rounds, full=full)
        if due and (full or not self._visits) and not self._apart:
            due = yield from self._at_once(head, due)
        yield from self._one_by_one(head, due)
        quiet = self._quiet_s(head.rounds)
        yield replace(self._checkpoint(quiet), doubt="; ".join(self._doubts[:3]) or None)

    def _due(self, rounds: Sequence[RoundProfile], *, full: bool) -> list[RoundProfile]:
        due = []
        before: RoundProfile | None = None
        for one in rounds:
            begun = self._begins_at(one, before) <= self._now + self._ahead
            if begun and (full or self._is_due(one)):
                due.append(one)
            before = one
        return due

    def _is_due(self, one: RoundProfile) -> bool:
        visit = self._visit(one)
        again = not one.finished and not visit.busy  # it was over, and was set up again
        return again or visit.is_due(self._now)

    def _begins_at(self, one: RoundProfile, before: RoundProfile | None) -> float:
        """When (ms) there may be boards; never, while a round that must be over first is not."""
        if one.ongoing or one.finished:
            return 0
        if one.after_previous and before is not None and not before.finished:
            return float("inf")
        return 0 if one.starts_at is None else one.starts_at - _EARLY_MS

    def _visit(self, one: RoundProfile) -> Visit:
        return self._visits.get(one.id, Visit())

    def _at_once(
        self, head: Broadcast, due: Sequence[RoundProfile]
    ) -> Generator[Step, None, list[RoundProfile]]:
        """All rounds in one answer. Returns those that must be asked for one by one all the same."""
        places = {one.id: _place(head, one) for one in head.rounds}
        reading = BoardsReading(*places.values())
        path = f"api/broadcast/{segment(self._id)}.pgn"
        try:
            with (
                only_this_one(self._door, "broadcast", self._id),
                self._door.ask(path, accept=PGN) as answer,
            ):
                yield from reading.steps(answer)
        except NotFound:  # an older lila
            return list(due)
        except (Incomplete, BadAnswer, SiteDown):
            self._apart = True
            yield self._checkpoint()
            raise
        if reading.unplaced:
            return list(due)
        hidden = [one for one in due if one.id in self._visits and reading.is_empty(places[one.id])]
        for one in due:
            if one not in hidden:
                whole = reading.whole(places[one.id])
                yield whole
                self._read(one, reading.digest(places[one.id]), len(whole.native_ids))
        return hidden

    def _one_by_one(self, head: Broadcast, due: Sequence[RoundProfile]) -> Iterator[Step]:
        tolerance = Tolerance()
        refused: list[NotShown] = []
        for one in due:
            yield from tolerance.steps(self._round(head, one, refused))
            yield self._checkpoint()
        tolerance.end()
        if refused and len(refused) == len(due):  # not some that are being prepared: none is shown
            raise refused[0]

    def _round(self, head: Broadcast, one: RoundProfile, refused: list[NotShown]) -> Iterator[Step]:
        place = _place(head, one)
        reading = BoardsReading(place)
        path = f"api/broadcast/round/{segment(one.id)}.pgn"
        try:
            with (
                only_this_one(self._door, "broadcast", one.id),
                self._door.ask(path, accept=PGN) as answer,
            ):
                yield from reading.steps(answer)
        except (
            NotFound,
            NotShown,
        ) as error:  # the broadcast exists; a round that is being prepared may be private
            refused += [error] if isinstance(error, NotShown) else []
            yield LeftOut(None, NOT_SHOWN)
            self._read(one, NOT_SHOWN)
            return
        whole = reading.whole(place)
        if self._visit(one).is_suddenly_empty(len(whole.native_ids)):
            # Nothing of it counts as withdrawn; a round that is being set up again has boards soon.
            self._doubts.append(f"none of the boards of {one.name or one.id} that it gave before")
            self._visits[one.id] = self._visit(one).doubted()
            return
        yield whole
        self._read(one, reading.digest(place), len(whole.native_ids))

    def _read(self, one: RoundProfile, digest: str, boards: int | None = None) -> None:
        """Note that this round was read to its end."""
        visit = self._visit(one).visited(
            self._now,
            digest=digest,
            busy=not one.finished,
            since=self._by_our_clock(one.finished_at),
            games=boards,
        )
        self._visits[one.id] = visit.settled()

    def _quiet_s(self, rounds: Sequence[RoundProfile]) -> float | None:
        """Seconds until the next round begins, or one that was read is worth another look."""
        looks = [visit.due_at() for visit in self._visits.values()]
        begins = [
            min(starts_at - _EARLY_MS, self._now + _MOST_AHEAD_MS)
            for one in rounds
            if not one.finished and one.id not in self._visits
            if (starts_at := self._by_our_clock(one.starts_at)) is not None
        ]
        return quiet_s([*looks, *begins], self._now) if looks or begins else None

    def _by_our_clock(self, moment: int | None) -> int | None:
        return None if moment is None else moment - self._ahead

    def _checkpoint(self, quiet: float | None = None) -> Checkpoint:
        visits = {key: visit.as_dict() for key, visit in self._visits.items()}
        cursor: dict[str, object] = {"rounds": visits} | ({"apart": True} if self._apart else {})
        return Checkpoint(cursor, quiet_s=quiet)


def _place(head: Broadcast, one: RoundProfile) -> BoardsPlace:
    return BoardsPlace(
        key=f"broadcast/{one.id}", id=one.id, event=head.event.name, title=one.name, town=head.town
    )


class StudyRound:
    """One round of ours over one study: asked for only if it was changed since (documented for HEAD)."""

    def __init__(self, door: Door, event_id: str, cursor: Cursor, now: datetime) -> None:
        self._door = door
        self._id = event_id
        self._path = f"api/study/{segment(event_id)}.pgn"
        self._now = milliseconds(now)
        self._visit = Visit.read(cursor)
        self._doubt: str | None = None

    def steps(self, *, full: bool) -> Iterator[Step]:
        """The whole round."""
        with only_this_one(self._door, "study", self._id):
            if not full and self._untouched():
                self._visit = self._visit.same(self._now)
            else:
                yield from self._chapters()
        yield Checkpoint(self._visit.as_dict(), doubt=self._doubt)

    def _untouched(self) -> bool:
        known = self._visit.validators.last_modified
        return known is not None and self._door.head(self._path).last_modified == known

    def _chapters(self) -> Iterator[Step]:
        place = BoardsPlace(key=f"study/{self._id}", id=self._id)
        reading = BoardsReading(place)
        with self._door.ask(self._path, accept=PGN) as answer:
            yield from reading.steps(answer)
            validators = answer.validators
        whole = reading.whole(place)
        if self._visit.is_suddenly_empty(len(whole.native_ids)):
            self._doubt = "none of the chapters that it gave before"
            self._visit = self._visit.doubted()
            return
        yield whole
        self._visit = self._visit.visited(
            self._now, validators=validators, digest=reading.digest(place), games=len(whole.native_ids)
        )


def study(door: Door, event_id: str) -> EventProfile:
    """What a study says of itself: only its chapters do, and the first is enough."""
    reading = BoardsReading(BoardsPlace(key=f"study/{event_id}", id=event_id))
    with only_this_one(door, "study", event_id):
        path = f"api/study/{segment(event_id)}.pgn"
        with door.ask(path, accept=PGN) as answer:
            next(reading.steps(answer), None)
    url = f"{door.base_url}/study/{segment(event_id)}"
    return EventProfile(kind="study", id=event_id, name=reading.title or event_id, url=url, state=OPEN)
