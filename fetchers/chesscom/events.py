"""The events of chess.com: its tournaments, and the matches of its clubs.

The parts are asked for one after another, with the validators that the site gave, and less often the longer
they have been quiet. Games are ordinary games of the site, with the same ids.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from core.epoch import milliseconds
from core.game import Game
from core.plurals import count_of
from fetchers.base import FINISHED, OPEN, RUNNING, UPCOMING, Checkpoint, Cursor, EventProfile, LeftOut, Step
from fetchers.chesscom.event_trees import KINDS, Addresses, Tree, parent, tree
from fetchers.chesscom.records import SITE, read_game
from fetchers.errors import BadAnswer, Blocked, FetchError, Gone, NotFound, NotShown
from fetchers.http.door import Door
from fetchers.http.error_responses import BlockedByPageError
from fetchers.http.json_fields import as_record, inner, number, text
from fetchers.http.responses import Answer, Validators
from fetchers.parts import FINAL, MOST_SHORT, NOT_SHOWN, Visit, quiet_s
from fetchers.tolerance import Tolerance

CHECKPOINT_EVERY: Final = 100
BUSY_MS: Final = timedelta(hours=6) // timedelta(milliseconds=1)
"""How often to ask while daily games are being played: the site's answers are up to half a day old."""
_STATES: Final = {"finished": FINISHED, "in_progress": RUNNING, "registration": UPCOMING}


class ChessComEvents:
    """See `fetchers.base.EventFetcher`."""

    site = SITE
    kinds = KINDS

    def __init__(self, door: Door) -> None:
        self._door = door

    def games(
        self, kind: str, event_id: str, cursor: Cursor, *, now: datetime, full: bool = False
    ) -> Iterator[Step]:
        """See `fetchers.base.EventFetcher`."""
        with _only_this_one(self._door, kind, event_id):
            yield from _EventRound(self._door, tree(kind, event_id), cursor, now, full=full).steps()

    def about(self, kind: str, event_id: str) -> EventProfile:
        """See `fetchers.base.EventFetcher`."""
        with _only_this_one(self._door, kind, event_id):
            record = as_record(self._door.json(tree(kind, event_id).about)) or {}
        name = text(record, "name")
        if name is None:
            raise BadAnswer(f"{self._door.host} does not say what the {kind} {event_id} is")
        return EventProfile(
            kind=kind,
            id=event_id,
            name=name,
            url=text(record, "url"),
            state=_STATES.get(text(record, "status") or "", OPEN),
        )


def knock(door: Door) -> None:
    """Ask for something small that concerns nobody: the puzzle of the day."""
    door.json("puzzle")


@contextmanager
def _only_this_one(door: Door, kind: str, event_id: str) -> Iterator[None]:
    """A refusal concerns only this event, and not us, if the site still answers other requests.

    Raises:
        Refused: it is not shown to us.
        Blocked: nothing is.
    """
    try:
        yield
    except Blocked as error:
        if isinstance(error, BlockedByPageError):
            raise
        knock(door)  # raises Blocked if we are refused altogether
        status = "" if error.status is None else f" ({error.status})"
        what = f"{door.host} does not show the {kind} {event_id} to us{status}"
        raise NotShown(f"{what}: only its members may see it, and the public API has no tokens") from error


class _EventParts:
    """What is known of the parts of one event: the branches, and the leaves of each."""

    def __init__(self, cursor: Cursor) -> None:
        parts = inner(cursor, "parts")
        self._visits = {key: Visit.read(inner(parts, key)) for key in parts}
        self._below: dict[str, list[str]] = {}
        for key in self._visits:
            self._below.setdefault(parent(key), []).append(key)

    def as_dict(self) -> dict[str, object]:
        return {key: visit.as_dict() for key, visit in self._visits.items()}

    def dues(self) -> list[int | None]:
        """When (ms) each part is worth asking for."""
        return [visit.due_at(BUSY_MS) for visit in self._visits.values()]

    def below(self, key: str) -> list[str]:
        """The leaves of a branch; for "" the branches."""
        return list(self._below.get(key, ()))

    def __getitem__(self, key: str) -> Visit:
        return self._visits[key]

    def __setitem__(self, key: str, visit: Visit) -> None:
        self._visits[key] = visit

    def found(self, key: str) -> None:
        """Note that the site lists this part."""
        if key not in self._visits:
            self._visits[key] = Visit()
            self._below.setdefault(parent(key), []).append(key)

    def settle(self, branch: str) -> None:
        """Make a branch final whose leaves are all final; they need not be remembered."""
        leaves = self.below(branch)
        if all(self[leaf].final for leaf in leaves) and (leaves or self[branch].settled().final):
            for leaf in leaves:
                del self._visits[leaf]
            self._below.pop(branch, None)
            self[branch] = FINAL


class _EventRound:
    """One round of downloads for one event."""

    def __init__(self, door: Door, of: Tree, cursor: Cursor, now: datetime, *, full: bool) -> None:
        self._door = door
        self._tree = of
        self._now = milliseconds(now)
        self._full = full
        self._head = Visit.read(inner(cursor, "head"))
        self._parts = _EventParts(cursor)
        self._tolerance = Tolerance()
        self._doubts: list[str] = []
        self._uncovered = 0

    def steps(self) -> Iterator[Step]:
        """The whole round, in the order in which the site lists the parts."""
        self._head = self._list("", self._tree.head, self._head, self._tree.branches)
        for branch in self._well_first(""):
            if self._full or not self._parts[branch].final:
                yield from self._branch(branch)
                self._parts.settle(branch)
        self._tolerance.end()
        quiet = quiet_s([self._head.due_at(), *self._parts.dues()], self._now)
        yield replace(self._checkpoint(quiet), doubt="; ".join(self._doubts[:3]) or None)

    def _well_first(self, key: str) -> list[str]:
        """The parts below one; those that failed last time come last: two failures in a row end the round."""
        return sorted(self._parts.below(key), key=lambda part: self._parts[part].ailing)

    def _branch(self, branch: str) -> Iterator[Step]:
        if self._is_due(branch):
            yield from self._asked(branch, self._leaves(branch))
        for leaf in self._well_first(branch):
            if self._is_due(leaf):
                yield from self._asked(leaf, self._leaf(leaf))

    def _is_due(self, key: str) -> bool:
        return self._full or self._parts[key].is_due(self._now, BUSY_MS)

    def _asked(self, key: str, part: Iterator[Step]) -> Iterator[Step]:
        """A part that may fail, and a checkpoint when it is time for one."""
        self._parts[key] = replace(self._parts[key], ailing=True)
        try:
            yield from self._tolerance.steps(part)
        except FetchError:
            yield self._checkpoint()
            raise
        if self._uncovered >= CHECKPOINT_EVERY:
            yield self._checkpoint()

    def _leaves(self, branch: str) -> Iterator[Step]:
        """Ask which leaves a branch has. There are no games in the answer."""
        path = f"{self._tree.branch}/{branch}"
        try:
            self._parts[branch] = self._list(branch, path, self._parts[branch], self._tree.leaves)
        except NotFound:
            yield self._missing(branch)
        except Gone:
            self._parts[branch] = FINAL

    def _list(self, key: str, path: str, visit: Visit, addresses: Addresses) -> Visit:
        """Ask which parts there are below this one."""
        with self._door.ask(path, validators=self._validators(visit)) as answer:
            if not answer.changed:
                return visit.same(self._now)
            record = as_record(answer.json())
            if record is None:
                raise BadAnswer(f"{self._door.host} gives no list of the parts of {path}")
            listed = [found for found in map(self._tree.key, addresses(record)) if parent(found) == key]
            if not listed and self._parts.below(key) and visit.short < MOST_SHORT:
                self._doubts.append(f"none of the parts of {path} that it gave before")
                return visit.doubted()
            for found in listed:
                self._parts.found(found)
            ended = number(record, "end_time")
            return visit.visited(
                self._now,
                validators=answer.validators,
                digest=answer.validators.etag,
                since=None if ended is None else ended * 1000,
            )

    def _leaf(self, leaf: str) -> Iterator[Step]:
        visit = self._parts[leaf]
        path = f"{self._tree.branch}/{leaf}"
        try:
            with self._door.ask(path, validators=self._validators(visit)) as answer:
                if answer.changed:
                    yield from self._games(leaf, visit, answer)
                else:
                    self._parts[leaf] = visit.same(self._now).settled()
        except NotFound:
            yield self._missing(leaf)
        except Gone:
            self._parts[leaf] = FINAL

    def _missing(self, key: str) -> Step:
        """404: according to the site's documentation there is nothing yet. The event itself exists."""
        self._parts[key] = self._parts[key].visited(self._now, digest=NOT_SHOWN)
        return LeftOut(None, NOT_SHOWN)

    def _games(self, leaf: str, visit: Visit, answer: Answer) -> Iterator[Step]:
        busy, newest, count = False, None, 0
        for count, step in enumerate(map(read_game, answer.items("games")), start=1):  # noqa: B007 - the last one
            busy = busy or (isinstance(step, LeftOut) and step.reason == "running")
            if isinstance(step, Game) and step.ended_at is not None:
                newest = max(newest or 0, milliseconds(step.ended_at))
            yield step
            self._uncovered += 1
            if self._uncovered >= CHECKPOINT_EVERY:
                yield self._checkpoint()
        # Only here the leaf is known: its answer has come to its end.
        if count < (visit.games or 0) and visit.short < MOST_SHORT:
            before = count_of(visit.games or 0, "game")
            self._doubts.append(f"{count or 'none'} of the {before} of {leaf} that it gave before")
            self._parts[leaf] = visit.doubted()
            return
        validators = answer.validators
        known = visit.visited(
            self._now,
            validators=validators,
            digest=validators.etag,
            busy=busy,
            since=newest,
            games=count,
        )
        self._parts[leaf] = known.settled()

    def _validators(self, visit: Visit) -> Validators:
        return Validators() if self._full else visit.validators

    def _checkpoint(self, quiet: float | None = None) -> Checkpoint:
        self._uncovered = 0
        return Checkpoint({"head": self._head.as_dict(), "parts": self._parts.as_dict()}, quiet_s=quiet)
