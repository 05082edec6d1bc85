"""One change of a tournament: one transaction, checked, noted, and stored with what undoes it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from daemon.archive.archive import Archive, Connection
from daemon.archive.club import steps, tournaments
from daemon.archive.club.steps import Difference, Rows, StoredStep
from daemon.archive.games.cache import KnownIds
from daemon.club.errors import Confirm
from daemon.club.season import Season, read_season


@dataclass(frozen=True, slots=True)
class Change:
    """What a use case works with: the current tournament, and where to write.

    *step* is the number of the step that all of it is, None if no `undo` can revert it; *back* says what
    undoing it means, sentence by sentence.
    """

    connection: Connection
    known: KnownIds
    season: Season
    now_ms: int
    confirmed: int | None = None
    step: int | None = None
    back: list[str] = field(default_factory=list)

    @property
    def id(self) -> int:
        """The tournament's."""
        return self.season.tournament.id

    def confirm(self, question: str) -> None:
        """Continue only if this was confirmed for the current tournament. A change asks at most one question.

        Raises:
            Confirm: it was not.
        """
        if self.confirmed != self.season.version:
            raise Confirm(question, self.season.version)

    def note(self, what: str, sentence: str, before: object = None, *, back: str | None = None) -> int:
        """Note what was done, and what it replaced or removed; returns the number of that event.

        *back* says what `undo` leads to ("board 2, Rossi – Verdi: 0-1 → 1-0"); nothing if *sentence* is enough.
        """
        if back is not None:
            self.back.append(back)
        return tournaments.note(self.connection, self.id, self.now_ms, what, sentence, before, step=self.step)

    def rows(self) -> Rows:
        """All rows of the tournament as they are now."""
        return steps.rows_of(self.connection, self.id)

    def again(self) -> Season:
        """The tournament as it is now."""
        return read_season(self.connection, self.season.tournament.slug)


@contextmanager
def changing(
    archive: Archive, slug: str, now_ms: int, confirmed: int | None = None, *, step: bool = True
) -> Iterator[Change]:
    """Change a tournament; an error in the block leaves it as it was.

    What is noted in the block is a step: `undo` restores all rows of the tournament that it changed; without
    *step* they stay.

    Raises:
        ClubError: there is no such tournament.
    """
    with stepping(archive, slug, now_ms, confirmed) as unnumbered:
        change = replace(unnumbered, step=unnumbered.season.version + 1 if step else None)
        before = change.rows()
        yield change
        _keep(change, steps.difference(before, change.rows()))


@contextmanager
def stepping(archive: Archive, slug: str, now_ms: int, confirmed: int | None = None) -> Iterator[Change]:
    """The same for code that goes from step to step itself: it stores none of its own.

    Raises:
        ClubError: there is no such tournament.
    """
    with archive.writing() as connection:
        yield Change(connection, archive.known, read_season(connection, slug), now_ms, confirmed)


def _keep(change: Change, changed: tuple[Difference, ...]) -> None:
    done = tournaments.version(change.connection, change.id)
    if done == change.season.version:
        if changed:
            raise RuntimeError("a change of a tournament has to be noted")
        return
    # What led to the same again, such as a list that is made again, is a step, too: undo speaks of the last command.
    steps.forget_undone(change.connection, change.id)
    if change.step is not None:
        last = max((member.n for member in change.season.members), default=0)
        step = StoredStep(change.step, last, tuple(change.back), changed)
        steps.add(change.connection, change.id, step, done)


@contextmanager
def changing_field(
    archive: Archive, slug: str, now_ms: int, confirmed: int | None = None, *, step: bool = True
) -> Iterator[Change]:
    """Change members or rules, on which all tables depend.

    Raises:
        ClubError: there is no such tournament, or no table could be made any more.
    """
    with changing(archive, slug, now_ms, confirmed, step=step) as change:
        yield change
        change.again().tables  # noqa: B018 - raises where the change leaves no table
