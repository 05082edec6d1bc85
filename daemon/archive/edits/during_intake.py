"""Edits while more is taken in: they hold for whatever gives the same game later.

A source may change its game, and so give another one; the edits of what it gave before are about that, too.
If nothing is edited, nothing is done here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from daemon.archive.database.bulk import chunks, update_rows
from daemon.archive.edits.overlay import Overlays, carry
from daemon.archive.edits.regroup import regroup
from daemon.archive.games import shown_names, source_games, source_names
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.changes import Changes, Shelf, StoredGame, StoredTelling
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.reread import read_as
from daemon.archive.games.source_games import SourceGame
from daemon.archive.games.telling import Download, FilePiece, Telling, site_ids
from daemon.archive.tables.edits import edit_keys, told_players
from daemon.archive.tables.main import games, players, tellings


@dataclass(slots=True)
class _Marks:
    """What has become of the tellings of edited games.

    Attributes:
        told: games that are told in them, with the telling that does.
        left: the told games that tellings told before, and what they tell now.
        leavers: these tellings, by the keys of what they tell now.
        led: the told games among *left* whose first telling has left them.
    """

    told: list[StoredTelling] = field(default_factory=list)
    left: dict[bytes, bytes] = field(default_factory=dict)
    leavers: list[tuple[bytes, StoredTelling]] = field(default_factory=list)
    led: set[bytes] = field(default_factory=set)


class Edits:
    """Applies the edits to a batch, and stores apart from them what the batch gives."""

    def __init__(self, connection: Connection, known: KnownIds, now_ms: int) -> None:
        self._connection = connection
        self._known = known
        self._now_ms = now_ms
        self._any = connection.scalar(select(edit_keys.c.key).limit(1)) is not None
        self._marks = _Marks()

    def lay(self, batch: Sequence[Telling]) -> Sequence[Telling]:
        """The batch with the user's edits."""
        if not self._any:
            return batch
        self._carry(batch)
        overlays = Overlays(self._connection, {telling.prepared.key for telling in batch})
        return [replace(telling, prepared=overlays.lay(telling.prepared)) for telling in batch]

    def _carry(self, batch: Sequence[Telling]) -> None:
        """Let the edits of what these tellings gave be about what they give now."""
        changed = {
            known.told_key: prepared.key
            for known, prepared in self._known_before(batch)
            if known.told_key not in {None, prepared.key} and known.told_key is not None
        }
        edited = carry(self._connection, changed) if changed else set()
        if edited:
            found = select(games.c.id).where(games.c.key.in_(edited))
            source_games.set_apart(self._connection, list(self._connection.scalars(found)))
            regroup(self._connection, self._known, edited, self._now_ms)

    def _known_before(self, batch: Sequence[Telling]) -> Iterator[tuple[StoredTelling, Prepared]]:
        """The tellings that the batch gives again.

        Downloads by their ids, games of files by their exact bytes.
        """
        shelf = Shelf(self._connection)
        downloads = [one.prepared for one in batch if isinstance(one.source, Download)]
        shelf.load_downloads(site_id for prepared in downloads for site_id in site_ids(prepared.game))
        for prepared in downloads:
            found = (shelf.by_site_id.get(site_id) for site_id in site_ids(prepared.game))
            yield from ((known, prepared) for known in found if known is not None)
        pieces = {
            (one.source.file_id, one.prepared.digest): one.prepared
            for one in batch
            if isinstance(one.source, FilePiece) and not one.prepared.game.raw.isascii()
        }
        shelf.load_pieces(pieces)
        yield from ((known, pieces[piece]) for piece, known in shelf.by_piece.items() if piece in pieces)

    def mark(self, changes: Changes) -> None:
        """Mark the tellings of edited games with what they tell, before they are stored."""
        touched = [telling for telling in changes.tellings.values() if telling.prepared is not None]
        if not self._any:
            return
        source_names.note(self._connection, (one.prepared for one in touched if one.prepared is not None))
        apart = self._apart({telling.game.id for telling in touched})
        for game in {telling.game.id: telling.game for telling in touched}.values():
            its = [telling for telling in touched if telling.game is game]
            if game.id in apart or any(_told_key(telling) != game.key for telling in its):
                self._set_apart(game, changes, known=game.id in apart)
                self._mark(its)
            else:
                self._unmark(its)

    def _apart(self, game_ids: Iterable[int]) -> set[int]:
        found: set[int] = set()
        for some in chunks(sorted(game_ids)):
            its = select(tellings.c.game_id).distinct()
            its = its.where(tellings.c.game_id.in_(some), tellings.c.told_key.is_not(None))
            found.update(self._connection.scalars(its))
        return found

    def _set_apart(self, game: StoredGame, changes: Changes, *, known: bool) -> None:
        """A game that was as it is told gets a telling that is not."""
        if known or game.stored_key is None:
            return
        source_games.set_apart(self._connection, [game.id])
        for telling in changes.tellings.values():
            if telling.game is game and telling.prepared is None:
                telling.told_key = game.stored_key

    def _mark(self, its: Iterable[StoredTelling]) -> None:
        for telling in its:
            self._leave(telling, _told_key(telling))
            telling.told_key = _told_key(telling)
            self._marks.told.append(telling)

    def _unmark(self, its: Iterable[StoredTelling]) -> None:
        for telling in its:
            self._leave(telling, _told_key(telling))
            telling.told_key = telling.told_n = None

    def _leave(self, telling: StoredTelling, now: bytes) -> None:
        if telling.told_key not in {None, now}:
            assert telling.told_key is not None
            self._marks.left[telling.told_key] = now
            self._marks.leavers.append((now, telling))
            if _first_of(self._connection, telling.told_key) == telling.id:
                self._marks.led.add(telling.told_key)

    def settle(self, changes: Changes) -> None:
        """Store what edited games were without edits, once the batch is stored."""
        marks = self._marks
        if not marks.told and not marks.left:
            return
        kept = source_games.load(self._connection, {*marks.left, *map(_told_key, marks.told)})
        orphans = self._orphans(marks.left)
        follows = {marks.left[key]: kept[key] for key in orphans if key in kept}
        self._keep(kept, follows)
        self._tell_again({key: one for key, one in kept.items() if key in marks.led - orphans})
        self._start_behind(kept.keys(), follows.keys())
        source_games.drop(self._connection, orphans)
        if marks.left or self._linked():
            regroup(self._connection, self._known, self._met(), self._now_ms)
            self._look_again(changes)
        else:
            shown_names.settle(self._connection)

    def _linked(self) -> bool:
        """Is one of these games one with others? What they tell may be told better by another of them now."""
        return bool(Overlays(self._connection, self._met()).linked)

    def _tell_again(self, led: Mapping[bytes, SourceGame]) -> None:
        """The first telling of these has left: what the next one tells counts."""
        batch = {telling.id for telling in self._marks.told}
        for key, one in led.items():
            first = _first_of(self._connection, key)
            if first is not None and first not in batch:
                prepared = read_as(self._connection, first, one.game)
                if prepared is not None and prepared.key == key:
                    source_games.save(self._connection, [replace(one, game=prepared.game)])

    def _start_behind(self, known: Collection[bytes], follows: Collection[bytes]) -> None:
        """A telling that went to another game has its place there behind those that were there."""
        moved = [telling for key, telling in self._marks.leavers if key in known or key not in follows]
        rows = [{"id": telling.id, "told_n": None} for telling in moved if telling.told_n is not None]
        update_rows(self._connection, tellings, rows)

    def _orphans(self, left: Iterable[bytes]) -> set[bytes]:
        """Those of these that nothing gives any more."""
        its = select(tellings.c.told_key).where(tellings.c.told_key.in_(list(left)))
        return set(left) - set(self._connection.scalars(its))

    def _keep(self, kept: dict[bytes, SourceGame], follows: dict[bytes, SourceGame]) -> None:
        first: dict[bytes, StoredTelling] = {}
        for telling in self._marks.told:
            before = first.setdefault(_told_key(telling), telling)
            if telling.n < before.n:
                first[_told_key(telling)] = telling
        source_games.save(
            self._connection,
            [
                self._told(key, telling, kept.get(key) or follows.get(key))
                for key, telling in first.items()
                if key not in kept or self._tells_first(key, telling)
            ],
        )

    def _tells_first(self, key: bytes, telling: StoredTelling) -> bool:
        its = select(tellings.c.id).where(tellings.c.told_key == key, tellings.c.game_id == telling.game.id)
        return self._connection.scalar(its.order_by(tellings.c.n).limit(1)) == telling.id

    def _told(self, key: bytes, telling: StoredTelling, before: SourceGame | None) -> SourceGame:
        """What is told now, in the place of what was told *before*, if anything was."""
        assert telling.prepared is not None
        prepared = telling.prepared.as_told
        new = telling.game.stored_key is None
        return SourceGame(
            key=key,
            game=prepared.game,
            moves=prepared.moves,
            white_id=self._player_id(prepared.white.digest),
            black_id=self._player_id(prepared.black.digest),
            added_at=self._now_ms if before is None else before.added_at,
            home_id=before.home_id if before is not None else telling.game.id if new else None,
            last_n=0 if before is None else before.last_n,
        )

    def _player_id(self, digest: bytes) -> int | None:
        for table in (players, told_players):
            number: int | None = self._connection.scalar(select(table.c.id).where(table.c.digest == digest))
            if number is not None:
                return number
        return None

    def _met(self) -> set[bytes]:
        """What is told now, and whatever is told of the games that were left."""
        return {*map(_told_key, self._marks.told), *self._marks.left}

    def _look_again(self, changes: Changes) -> None:
        """Look again at the games of the batch, which may have become others."""
        its = select(tellings.c.id, tellings.c.game_id, tellings.c.n)
        for some in chunks(list(changes.tellings)):
            for number, game_id, n in self._connection.execute(its.where(tellings.c.id.in_(some))):
                telling = changes.tellings[number]
                telling.n = n
                if telling.game.id != game_id:
                    telling.game = StoredGame(game_id, telling.game.key)


def _first_of(connection: Connection, key: bytes) -> int | None:
    """The telling by which this told game is told: the first of those that tell it."""
    its = select(tellings.c.id).where(tellings.c.told_key == key).order_by(tellings.c.n, tellings.c.id)
    return connection.scalar(its.limit(1))


def _told_key(telling: StoredTelling) -> bytes:
    assert telling.prepared is not None
    return telling.prepared.as_told.key
