"""Running a round of a fetcher to its end, or to its error."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.game import Game
from fetchers.base import Checkpoint, Cursor, Fetcher, Following, LeftOut, Step, Unread, Whole
from fetchers.errors import FetchError

NOW = datetime(2024, 7, 15, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Round:
    """What a round brought, and how it ended."""

    steps: Sequence[Step]
    error: FetchError | None

    @property
    def games(self) -> list[Game]:
        return games_of(self.steps)

    @property
    def ids(self) -> list[str | None]:
        return [game.native_id for game in self.games]

    @property
    def left_out(self) -> list[tuple[str | None, str]]:
        return [(step.native_id, step.reason) for step in self.steps if isinstance(step, LeftOut)]

    @property
    def unread(self) -> list[Unread]:
        return [step for step in self.steps if isinstance(step, Unread)]

    @property
    def wholes(self) -> dict[str, set[str]]:
        """The parts that were read whole, and what they tell of."""
        return {step.part: set(step.native_ids) for step in self.steps if isinstance(step, Whole)}

    @property
    def cursors(self) -> list[Cursor]:
        """As the archive keeps them: through JSON."""
        found = [step.cursor for step in self.steps if isinstance(step, Checkpoint)]
        return [json.loads(json.dumps(cursor)) for cursor in found]

    @property
    def quiet_s(self) -> float | None:
        """What the last checkpoint says."""
        return [step for step in self.steps if isinstance(step, Checkpoint)][-1].quiet_s

    @property
    def cursor(self) -> Cursor:
        """The last one, or that of an account that was never asked."""
        return self.cursors[-1] if self.cursors else {}


@dataclass(frozen=True)
class Followed:
    """An event to follow."""

    kind: str
    id: str


def games_of(steps: Iterable[Step]) -> list[Game]:
    return [step for step in steps if isinstance(step, Game)]


def run(
    fetcher: Fetcher,
    account: str = "mrossi90",
    cursor: Cursor | None = None,
    *,
    now: datetime = NOW,
    full: bool = False,
) -> Round:
    """One round. An error of the site ends it and is kept; any other error is a fault of ours."""
    return _gathered(fetcher.games(account, cursor or {}, now=now, full=full))


def follow(
    fetcher: Fetcher,
    event: Followed,
    cursor: Cursor | None = None,
    *,
    now: datetime = NOW,
    full: bool = False,
) -> Round:
    """One round over an event, likewise."""
    assert isinstance(fetcher, Following)
    return _gathered(fetcher.events.games(event.kind, event.id, cursor or {}, now=now, full=full))


def _gathered(given: Iterable[Step]) -> Round:
    steps: list[Step] = []
    try:
        for step in given:
            steps.append(step)  # noqa: PERF402 - what came before an error counts
    except FetchError as error:
        return Round(steps, error)
    return Round(steps, None)
