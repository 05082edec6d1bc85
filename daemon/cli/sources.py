"""What the reading commands ask: an archive, or the API of the daemon that has it."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from daemon import clock, ownership
from daemon.archive.reading.search.sorts import NEWEST, SortWord
from daemon.cli.context import Context
from daemon.cli.lists import ApiLists, ArchiveLists, Lists

if TYPE_CHECKING:
    from core.players import Profile
    from daemon.archive.archive import Archive
    from daemon.archive.reading import shapes
    from daemon.archive.reading.search.filters import GameFilters
    from daemon.client import Client
    from daemon.export import ExportFormat


class AnswerSource(Lists, Protocol):
    """Answers questions about games. Pages are lists of up to some hundred items."""

    @property
    def where(self) -> str:
        """A description of the source, for people."""
        ...

    def players(self, q: str, limit: int | None) -> "Iterator[list[shapes.Player]]":
        """Pages of the players that match *q*."""
        ...

    def games(
        self, filters: "GameFilters", limit: int | None, sort: SortWord = NEWEST
    ) -> "Iterator[list[shapes.Game]]":
        """Pages of the games that match *filters*, newest first unless *sort* says otherwise."""
        ...

    def pgns(self, ids: Iterable[int]) -> Iterator[bytes]:
        """The first tellings of these games as they came; `GamesLeftOut` at the end if some are damaged."""
        ...

    def export(self, form: "ExportFormat", filters: "GameFilters", *, tellings: bool) -> Iterator[bytes]:
        """The games that match *filters* as a file, in pieces."""
        ...

    def status(self) -> "shapes.Status":
        """The state of everything."""
        ...

    def game(self, game_id: int) -> "shapes.WholeGame | None":
        """One game, whole; None if there is none."""
        ...

    def pgn(self, game_id: int, n: int | None) -> bytes | None:
        """Telling *n* of a game (None: the first) as it came; None if there is none."""
        ...

    def profile(self) -> "Profile":
        """The user."""
        ...

    def dossier(self, slug: str) -> "shapes.Dossier | None":
        """One dossier; None if there is none."""
        ...

    def has_account(self, key: str) -> bool:
        """Whether there ever was such an account or event."""
        ...


class FromArchive(ArchiveLists):
    """Reads the archive of the configuration."""

    def __init__(self, context: Context, archive: "Archive") -> None:
        self._context = context
        self._archive = archive

    @property
    def where(self) -> str:
        return self._archive.where

    def players(self, q: str, limit: int | None) -> "Iterator[list[shapes.Player]]":
        from daemon.archive.reading.pages import pages
        from daemon.archive.reading.players import find_players

        return pages(
            self._archive,
            lambda connection, size, cursor: find_players(connection, q, limit=size, cursor=cursor),
            limit,
        )

    def games(
        self, filters: "GameFilters", limit: int | None, sort: SortWord = NEWEST
    ) -> "Iterator[list[shapes.Game]]":
        from daemon.archive.reading.games import find_games
        from daemon.archive.reading.pages import pages

        profile = self._context.config().profile()
        return pages(
            self._archive,
            lambda connection, size, cursor: find_games(
                connection, filters, profile, limit=size, cursor=cursor, sort=sort
            ),
            limit,
        )

    def pgns(self, ids: Iterable[int]) -> Iterator[bytes]:
        from daemon.archive.errors import Damaged, GamesLeftOut
        from daemon.archive.reading.export import game_pgn

        notes = []
        for game_id in ids:
            try:
                with self._archive.reading() as connection:
                    found = game_pgn(connection, game_id)
            except Damaged as error:
                notes.append(str(error))
                continue
            if found is not None:
                yield found
        if notes:
            raise GamesLeftOut(notes)

    def export(self, form: "ExportFormat", filters: "GameFilters", *, tellings: bool) -> Iterator[bytes]:
        from daemon.export import export

        profile = self._context.config().profile()
        for part in export(self._archive, filters, profile, form, tellings=tellings):
            yield part.content

    def status(self) -> "shapes.Status":
        from importlib.metadata import version

        from daemon.archive.reading.presence import is_running
        from daemon.archive.reading.status import status

        folder = self._context.config().data_dir
        running = is_running(self._archive, folder)
        errors = ownership.problems(folder)
        with self._archive.reading() as connection:
            now_ms = clock.now_ms()
            return status(
                connection, version=version("gamekeeper"), running=running, now_ms=now_ms, errors=errors
            )

    def game(self, game_id: int) -> "shapes.WholeGame | None":
        from daemon.archive.reading.games import game

        with self._archive.reading() as connection:
            return game(connection, game_id)

    def pgn(self, game_id: int, n: int | None) -> bytes | None:
        from daemon.archive.reading.export import game_pgn
        from daemon.archive.reading.games import pgn

        with self._archive.reading() as connection:
            return game_pgn(connection, game_id) if n is None else pgn(connection, game_id, n)

    def profile(self) -> "Profile":
        return self._context.config().profile()

    def dossier(self, slug: str) -> "shapes.Dossier | None":
        from daemon.archive.reading.dossiers import dossier

        with self._archive.reading() as connection:
            return dossier(connection, slug)

    def has_account(self, key: str) -> bool:
        from daemon.archive.schedule.accounts import all_accounts

        with self._archive.reading() as connection:
            return key.lower() in {one.key.lower() for one in all_accounts(connection)}


class FromApi(ApiLists):
    """Asks a running daemon."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    @property
    def where(self) -> str:
        return self._client.address

    def players(self, q: str, limit: int | None) -> "Iterator[list[shapes.Player]]":
        return self._client.pages_of_players(q, limit)

    def games(
        self, filters: "GameFilters", limit: int | None, sort: SortWord = NEWEST
    ) -> "Iterator[list[shapes.Game]]":
        return self._client.pages_of_games(filters, limit, sort)

    def pgns(self, ids: Iterable[int]) -> Iterator[bytes]:
        found = (self._client.pgn(game_id) for game_id in ids)
        return (text for text in found if text is not None)

    def export(self, form: "ExportFormat", filters: "GameFilters", *, tellings: bool) -> Iterator[bytes]:
        return self._client.export(form, filters, tellings=tellings)

    def status(self) -> "shapes.Status":
        return self._client.status()

    def game(self, game_id: int) -> "shapes.WholeGame | None":
        return self._client.game(game_id)

    def pgn(self, game_id: int, n: int | None) -> bytes | None:
        return self._client.pgn(game_id, n)

    def profile(self) -> "Profile":
        from core.players import Profile

        me = self._client.me()
        return Profile(me["first_name"], me["last_name"], me["aliases"], me["fide_id"])

    def dossier(self, slug: str) -> "shapes.Dossier | None":
        return self._client.dossier(slug)

    def has_account(self, key: str) -> bool:
        status = self._client.status()
        known = chain(status["accounts"], status["events"])
        return key.lower() in {one["account"].lower() for one in known}
