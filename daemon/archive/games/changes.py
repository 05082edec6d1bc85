"""Tellings and games while a batch is taken in: what is stored of them, and what they become.

The objects here change while the batch is decided; `daemon.archive.games.store` writes the result.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, Select, and_, select
from sqlalchemy.sql.elements import ColumnElement

from core.sites import SiteId
from daemon.archive.database.bulk import chunks
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.telling import by_site
from daemon.archive.tables.main import DOWNLOADED, IN_FILE, games, telling_ids, tellings

PieceId = tuple[int, bytes]
"""A file and the digest of a game in it."""


@dataclass(slots=True, eq=False)
class StoredTelling:
    """A telling, stored or about to be.

    Attributes:
        prepared: what it tells now, None while that is just what is stored.
        new: it is not in the archive yet.
        told_key: where edits have to do with its game: the key of its source game.
        told_n: its `n` in that game, while it is away from it.
        encoding: in which its bytes were read, where the user has said it.
    """

    id: int
    game: "StoredGame"
    n: int
    digest: bytes
    site: str | None
    native_id: str | None
    download: bool
    file_id: int | None = None
    place: int | None = None
    prepared: Prepared | None = None
    new: bool = False
    told_key: bytes | None = None
    told_n: int | None = None
    encoding: str | None = None


@dataclass(slots=True, eq=False)
class StoredGame:
    """A game, stored or about to be.

    Attributes:
        prepared: whose facts its row gets, None while the row stays as it is.
        tellings: its tellings by id; of a stored game only if they were asked for.
        stored_key: the key that its row has, None if there is no row yet.
        stored_n: the `last_n` that its row has.
        gone: no telling is left.
    """

    id: int
    key: bytes
    last_n: int = 0
    prepared: Prepared | None = None
    tellings: dict[int, StoredTelling] = field(default_factory=dict)
    stored_key: bytes | None = None
    stored_n: int = 0
    gone: bool = False

    def next_n(self) -> int:
        self.last_n += 1
        return self.last_n


class Shelf:
    """The tellings and games of the archive that a batch may meet."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._games: dict[int, StoredGame] = {}
        self._tellings: dict[int, StoredTelling] = {}
        self.by_site_id: dict[SiteId, StoredTelling] = {}
        self.aliases: set[SiteId] = set()
        self.by_piece: dict[PieceId, StoredTelling] = {}
        self.by_key: dict[bytes, StoredGame] = {}

    def load_downloads(self, ids: Iterable[SiteId]) -> None:
        """Find the downloads that have one of these ids, as their own or as a further one."""
        for site, native_ids in by_site(ids).items():
            for some in chunks(native_ids):
                self._load_own(site, some)
                self._load_further(site, some)

    def _load_own(self, site: str, native_ids: Collection[str]) -> None:
        found = and_(DOWNLOADED, tellings.c.site == site, tellings.c.native_id.in_(native_ids))
        for row in self._connection.execute(_whole().where(found)):
            self.by_site_id[site, row.native_id] = self._telling(row)

    def _load_further(self, site: str, native_ids: Collection[str]) -> None:
        whole = _whole().add_columns(telling_ids.c.native_id.label("further"))
        found = whole.join(telling_ids, telling_ids.c.telling_id == tellings.c.id).where(
            telling_ids.c.site == site, telling_ids.c.native_id.in_(native_ids)
        )
        for row in self._connection.execute(found):
            self.aliases.add((site, row.further))
            self.by_site_id.setdefault((site, row.further), self._telling(row))

    def load_pieces(self, pieces: Iterable[PieceId]) -> None:
        """Find the tellings of these files that have these digests."""
        by_file: dict[int, list[bytes]] = {}
        for file_id, digest in dict.fromkeys(pieces):
            by_file.setdefault(file_id, []).append(digest)
        for file_id, digests in by_file.items():
            for some in chunks(digests):
                found = and_(IN_FILE, tellings.c.file_id == file_id, tellings.c.digest.in_(some))
                for row in self._connection.execute(_whole().where(found)):
                    self.by_piece[file_id, row.digest] = self._telling(row)

    def load_pieces_by_game(self) -> None:
        """Find the tellings of files by the games that were found: all that can be pieces of theirs."""
        self.load_tellings_of(list(self.games))
        for telling in self._tellings.values():
            if telling.file_id is not None and not telling.download:
                self.by_piece[telling.file_id, telling.digest] = telling

    def load_keys(self, keys: Iterable[bytes]) -> None:
        """Find the games that have these keys."""
        missing = [key for key in dict.fromkeys(keys) if key not in self.by_key]
        for some in chunks(missing):
            self._load_games(games.c.key.in_(some))

    def load_games(self, ids: Iterable[int]) -> None:
        """Find those of these games that exist."""
        missing = [number for number in dict.fromkeys(ids) if number not in self._games]
        for some in chunks(missing):
            self._load_games(games.c.id.in_(some))

    def _load_games(self, wanted: ColumnElement[bool]) -> None:
        found = select(games.c.id, games.c.key, games.c.last_n).where(wanted)
        for number, key, last_n in self._connection.execute(found):
            self._game(number, key, last_n)

    def load_source_games(self, keys: Iterable[bytes]) -> None:
        """Find the tellings of these source games, of those that edits have to do with."""
        for some in chunks(list(dict.fromkeys(keys))):
            for row in self._connection.execute(_whole().where(tellings.c.told_key.in_(some))):
                self._telling(row)

    @property
    def games(self) -> Collection[StoredGame]:
        """The stored games found so far, or whose tellings were."""
        return self._games.values()

    def load_tellings_of(self, wanted: Iterable[StoredGame]) -> None:
        """Find all tellings of these games."""
        for some in chunks([game.id for game in wanted]):
            for row in self._connection.execute(_whole().where(tellings.c.game_id.in_(some))):
                self._telling(row)

    def _telling(self, row: Row[tuple[object, ...]]) -> StoredTelling:
        known = self._tellings.get(row.id)
        if known is not None:
            return known
        game = self._game(row.game_id, row.key, row.last_n)
        telling = StoredTelling(
            id=row.id,
            game=game,
            n=row.n,
            digest=row.digest,
            site=row.site,
            native_id=row.native_id,
            download=row.download,
            file_id=row.file_id,
            place=row.place,
            told_key=row.told_key,
            told_n=row.told_n,
            encoding=row.encoding,
        )
        self._tellings[row.id] = game.tellings[row.id] = telling
        return telling

    def _game(self, number: int, key: bytes, last_n: int) -> StoredGame:
        if number not in self._games:
            game = StoredGame(number, key, last_n, stored_key=key, stored_n=last_n)
            self._games[number] = self.by_key[key] = game
        return self._games[number]


def _whole() -> Select[tuple[object, ...]]:
    """A telling with what is needed of its game."""
    return select(
        tellings.c.id,
        tellings.c.game_id,
        tellings.c.n,
        tellings.c.digest,
        tellings.c.site,
        tellings.c.native_id,
        tellings.c.download,
        tellings.c.file_id,
        tellings.c.place,
        tellings.c.told_key,
        tellings.c.told_n,
        tellings.c.encoding,
        games.c.key,
        games.c.last_n,
    ).join(games, games.c.id == tellings.c.game_id)


@dataclass(slots=True)
class Changes:
    """What a batch changes in the archive, in the order of intake.

    Attributes:
        games: Games whose row is made or written again.
        tellings: Tellings that are new, changed or moved.
        gone: Stored games without any telling.
        moved: Of games that are gone, by their ids, the last telling, which went to another game.
        lost_first: Games whose first telling has left them: their row is to be written from the next one.
        links: Accounts and the downloads that they led to.
        further: Further ids of downloads.
    """

    games: dict[int, StoredGame] = field(default_factory=dict)
    tellings: dict[int, StoredTelling] = field(default_factory=dict)
    gone: list[StoredGame] = field(default_factory=list)
    moved: dict[int, StoredTelling] = field(default_factory=dict)
    lost_first: dict[int, StoredGame] = field(default_factory=dict)
    links: dict[tuple[int, int], StoredTelling] = field(default_factory=dict)
    further: dict[SiteId, StoredTelling] = field(default_factory=dict)
