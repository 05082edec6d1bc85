"""The routes of club tournaments."""

from __future__ import annotations  # the shapes are only types here

from typing import TYPE_CHECKING, Protocol, cast

from daemon.client.connection import segment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from daemon.archive.reading import shapes
    from daemon.club import shapes as club_shapes


class _Asks(Protocol):
    """What `daemon.client.connection.Connection` can do."""

    def json(self, path: str, asked: Mapping[str, object] | None = None) -> object: ...
    def found(self, path: str, asked: Mapping[str, object] | None = None) -> object: ...
    def bytes_at(self, path: str) -> bytes | None: ...


class Tournaments:
    """Asks for club tournaments by their slugs; a missing one is None."""

    def tournaments(self: _Asks) -> list[club_shapes.Tournament]:
        """All tournaments, newest first."""
        return cast("shapes.Page[club_shapes.Tournament]", self.json("/tournaments"))["items"]

    def tournament(self: _Asks, slug: str) -> club_shapes.WholeTournament | None:
        """One tournament with its settings, members and rounds."""
        return cast("club_shapes.WholeTournament | None", self.found(_at(slug)))

    def round(self: _Asks, slug: str, n: int) -> club_shapes.ClubRound | None:
        """One round."""
        return cast("club_shapes.ClubRound | None", self.found(f"{_at(slug)}/rounds/{n}"))

    def standings(
        self: _Asks, slug: str, after: int | None = None, tie_breaks: str | None = None
    ) -> club_shapes.Standings | None:
        """The table after a round, the last one if none is named; *tie_breaks* are codes of FIDE's: "BH/C1,SB".

        Raises:
            Refused: a tie-break cannot be worked out; the message says which and why.
        """
        found = self.found(f"{_at(slug)}/standings", {"round": after, "tie_breaks": tie_breaks})
        return cast("club_shapes.Standings | None", found)

    def crosstable(self: _Asks, slug: str, after: int | None = None) -> club_shapes.CrossTable | None:
        """Everybody against everybody after a round, after the last one if none is named."""
        found = self.found(f"{_at(slug)}/crosstable", {"round": after})
        return cast("club_shapes.CrossTable | None", found)

    def turnering(self: _Asks, slug: str) -> bytes | None:
        """The results file for FESA, in ISO 8859-1.

        Raises:
            Refused: it cannot be written; the message has the reasons.
        """
        return self.bytes_at(f"{_at(slug)}/turnering.txt")

    def trf(self: _Asks, slug: str) -> bytes | None:
        """FIDE's tournament report.

        Raises:
            Refused: it cannot be written; the message has the reason.
        """
        return self.bytes_at(f"{_at(slug)}/trf")


def _at(slug: str) -> str:
    return f"/tournaments/{segment(slug)}"
