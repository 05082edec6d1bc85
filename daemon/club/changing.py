"""One change of a tournament: one transaction, checked, noted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from daemon.archive import club
from daemon.archive.archive import Archive, Transaction
from daemon.archive.known import Known
from daemon.club.errors import Confirm
from daemon.club.season import Season, read_season


@dataclass(frozen=True, slots=True)
class Change:
    """What a use case works with: the tournament as it stands, and where to write."""

    connection: Transaction
    known: Known
    season: Season
    now_ms: int
    confirmed: int | None = None

    @property
    def id(self) -> int:
        """The tournament's."""
        return self.season.tournament.id

    def confirm(self, question: str) -> None:
        """Go on only if this was confirmed for the tournament as it stands.

        Raises:
            Confirm: it was not.
        """
        if self.confirmed != self.season.version:
            raise Confirm(question, self.season.version)

    def note(self, what: str, told: str, before: object = None) -> None:
        """Note what was done, and what it replaced or took away."""
        club.note(self.connection, self.id, self.now_ms, what, told, before)

    def again(self) -> Season:
        """The tournament as it stands now."""
        return read_season(self.connection, self.season.tournament.slug)


@contextmanager
def changing(archive: Archive, slug: str, now_ms: int, confirmed: int | None = None) -> Iterator[Change]:
    """Change a tournament; whatever is raised in the block leaves it as it was.

    Raises:
        ClubError: there is no such tournament.
    """
    with archive.writing() as connection:
        yield Change(connection, archive.known, read_season(connection, slug), now_ms, confirmed)


@contextmanager
def changing_field(
    archive: Archive, slug: str, now_ms: int, confirmed: int | None = None
) -> Iterator[Change]:
    """Change members or rules, on which all tables depend.

    Raises:
        ClubError: there is no such tournament, or no table could be made any more.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        yield change
        change.again().tables  # noqa: B018 - raises where the change leaves no table
