"""Lists that commands print, from an archive, or from the API of the daemon that has it."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.doubles import DoubleKind
    from daemon.archive.archive import Archive
    from daemon.archive.reading import shapes
    from daemon.archive.reading.namesakes import Namesake
    from daemon.client import Client
    from daemon.club import shapes as club_shapes


class Lists(Protocol):
    """The lists that both can give."""

    def doubles(self, kind: "DoubleKind | None", limit: int | None) -> "Iterator[shapes.Double]":
        """The pairs of games that may be one, last found first; of one kind, if it is named."""
        ...

    def double(self, double_id: int) -> "shapes.Double | None":
        """One of them; None if there is none."""
        ...

    def edits(self, limit: int | None) -> "Iterator[shapes.Edit]":
        """All edits, newest first."""
        ...

    def quarantine(self, limit: int | None) -> "Iterator[shapes.Quarantined]":
        """The games that could not be read, newest first."""
        ...

    def quarantined(self, item_id: int) -> "tuple[shapes.Quarantined, bytes] | None":
        """One of them, with its bytes; None if there is none."""
        ...

    def dossiers(self) -> "list[shapes.Dossier]":
        """The dossiers, in the order of the configuration."""
        ...

    def left_out(self, found: "shapes.Dossier") -> "list[Namesake] | None":
        """Players with the name of a dossier who are not in it; None if that is not known."""
        ...

    def tournaments(self) -> "list[club_shapes.Tournament]":
        """The club's tournaments, newest first."""
        ...


class ArchiveLists:
    """Reads them from an archive."""

    _archive: "Archive"

    def doubles(self, kind: "DoubleKind | None", limit: int | None) -> "Iterator[shapes.Double]":
        from daemon.archive.reading.doubles import list_doubles
        from daemon.archive.reading.pages import all_of

        return all_of(
            self._archive,
            lambda connection, size, cursor: list_doubles(connection, limit=size, cursor=cursor, kind=kind),
            limit,
        )

    def double(self, double_id: int) -> "shapes.Double | None":
        from daemon.archive.reading.doubles import double

        with self._archive.reading() as connection:
            return double(connection, double_id)

    def edits(self, limit: int | None) -> "Iterator[shapes.Edit]":
        from daemon.archive.reading.edits import list_edits
        from daemon.archive.reading.pages import all_of

        return all_of(
            self._archive,
            lambda connection, size, cursor: list_edits(connection, limit=size, cursor=cursor),
            limit,
        )

    def quarantine(self, limit: int | None) -> "Iterator[shapes.Quarantined]":
        from daemon.archive.reading.pages import all_of
        from daemon.archive.reading.quarantine import list_quarantined

        return all_of(
            self._archive,
            lambda connection, size, cursor: list_quarantined(connection, limit=size, cursor=cursor),
            limit,
        )

    def quarantined(self, item_id: int) -> "tuple[shapes.Quarantined, bytes] | None":
        from daemon.archive.reading.quarantine import quarantined, raw

        with self._archive.reading() as connection:
            found, content = quarantined(connection, item_id), raw(connection, item_id)
        return None if found is None or content is None else (found, content)

    def dossiers(self) -> "list[shapes.Dossier]":
        from daemon.archive.reading.dossiers import list_dossiers

        with self._archive.reading() as connection:
            return list_dossiers(connection)

    def left_out(self, found: "shapes.Dossier") -> "list[Namesake] | None":
        from daemon.archive.reading.namesakes import Headed, left_out

        headed = Headed(found["name"], found["names"], found["fide_id"], found["accounts"])
        with self._archive.reading() as connection:
            return left_out(connection, headed)

    def tournaments(self) -> "list[club_shapes.Tournament]":
        from daemon.club.views import list_tournaments

        with self._archive.reading() as connection:
            return list_tournaments(connection)["items"]


class ApiLists:
    """Asks a running daemon for them."""

    _client: "Client"

    def doubles(self, kind: "DoubleKind | None", limit: int | None) -> "Iterator[shapes.Double]":
        from daemon.client.client import pages

        found = pages(lambda size, cursor: self._client.doubles(kind, limit=size, cursor=cursor), limit)
        return chain.from_iterable(found)

    def double(self, double_id: int) -> "shapes.Double | None":
        return next((one for one in self.doubles(None, None) if one["id"] == double_id), None)

    def edits(self, limit: int | None) -> "Iterator[shapes.Edit]":
        from daemon.client.client import pages

        return chain.from_iterable(
            pages(lambda size, cursor: self._client.edits(limit=size, cursor=cursor), limit)
        )

    def quarantine(self, limit: int | None) -> "Iterator[shapes.Quarantined]":
        from daemon.client.client import pages

        found = pages(lambda size, cursor: self._client.quarantine(limit=size, cursor=cursor), limit)
        return chain.from_iterable(found)

    def quarantined(self, item_id: int) -> "tuple[shapes.Quarantined, bytes] | None":
        found = next((one for one in self.quarantine(None) if one["id"] == item_id), None)
        content = None if found is None else self._client.quarantined(item_id)
        return None if found is None or content is None else (found, content)

    def dossiers(self) -> "list[shapes.Dossier]":
        return self._client.dossiers()

    def left_out(self, _found: "shapes.Dossier") -> "list[Namesake] | None":
        return None

    def tournaments(self) -> "list[club_shapes.Tournament]":
        return self._client.tournaments()
