"""What the rating of every system offers."""

from collections.abc import Mapping
from typing import Protocol


class RatedTournament(Protocol):
    """A rated tournament."""

    def as_json(self, *, details: bool) -> dict[str, object]:
        """Everything as JSON; *details*: with the games."""
        ...

    def print(self, *, details: bool) -> None:
        """For people; *details*: with the change by each game."""
        ...

    def next_list(self) -> bytes:
        """The rating list that the next tournament needs.

        Raises:
            click.ClickException: there is none.
        """
        ...

    def new_ratings(self) -> Mapping[str, int]:
        """The new ratings of a tournament's members, by their labels; those without one are left out."""
        ...
