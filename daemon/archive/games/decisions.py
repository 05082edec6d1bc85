"""Decides what each telling of a batch is: new, one more of a known game, known already, or changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.sites import SiteId
from daemon.archive.games.changes import Changes, Shelf, StoredGame, StoredTelling
from daemon.archive.games.file_places import Placed
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.telling import Download, FilePiece, Telling, site_ids

What = Literal["new", "added", "unchanged", "refreshed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has become of one telling of a batch.

    Attributes:
        telling: What the archive was given, with what the user has edited.
        what: A new game, one more telling of a known game, as it is stored, or changed since.
        stored: The telling in the archive; a later telling of the batch may move it to another game.
        collapsed: Two ids of one site have become one game by it.
    """

    telling: Telling
    what: What
    stored: StoredTelling
    collapsed: bool = False

    @property
    def game_id(self) -> int:
        """The game."""
        return self.stored.game.id


class Decider:
    """Decides one telling after another; each sees what the ones before it have changed.

    Args:
        shelf: Everything in the archive that the batch may meet, loaded beforehand.
        next_game: The id of the first new game; *next_telling* likewise.
        placed: Tellings in files whose places were settled before this batch.
    """

    def __init__(self, shelf: Shelf, next_game: int, next_telling: int, placed: Placed | None = None) -> None:
        self.changes = Changes()
        self._shelf = shelf
        self._next_game = next_game
        self._next_telling = next_telling
        self._placed = placed or Placed()

    def decide(self, telling: Telling) -> Outcome:
        """What this telling is, after those before it.

        Raises:
            ValueError: a download without the site's id for it.
        """
        match telling.source:
            case Download(account_id):
                return self._download(telling, account_id)
            case FilePiece(file_id, offset):
                return self._piece(telling, file_id, offset)

    def _download(self, telling: Telling, account_id: int) -> Outcome:
        """A download is known by its site's ids for it."""
        prepared, ids = telling.prepared, site_ids(telling.prepared.game)
        if not prepared.game.native_id or not ids:
            raise ValueError("a download has a site and the site's id for the game")
        stored = next(filter(None, map(self._shelf.by_site_id.get, ids)), None)
        if stored is None:
            outcome = self._add(telling)
        elif stored.digest == prepared.digest:
            outcome = Outcome(telling, "unchanged", stored)
        else:
            outcome = Outcome(telling, "refreshed", stored, self._refresh(stored, prepared))
        self._note_ids(outcome.stored, ids)
        self.changes.links[account_id, outcome.stored.id] = outcome.stored
        return outcome

    def _piece(self, telling: Telling, file_id: int, offset: int | None) -> Outcome:
        """A piece of a file is known by its bytes, if they are in the same encoding as before.

        It joins a game by identity alone, whatever ids it names.
        """
        prepared = telling.prepared
        stored = self._shelf.by_piece.get((file_id, prepared.digest))
        if stored is None:
            outcome = self._add(telling)
            self._shelf.by_piece[file_id, prepared.digest] = outcome.stored
            self._placed.add(outcome.stored.id)
            return outcome
        self._place(stored, offset)
        if stored.encoding == prepared.game.encoding:
            return Outcome(telling, "unchanged", stored)
        stored.encoding = prepared.game.encoding
        self._refresh(stored, prepared)
        return Outcome(telling, "refreshed", stored)

    def _place(self, stored: StoredTelling, offset: int | None) -> None:
        if self._placed.add(stored.id) and stored.place != offset:
            self._placed.moved(stored.id, stored.place)
            stored.place = offset
            self.changes.tellings[stored.id] = stored

    def _note_ids(self, stored: StoredTelling, ids: Sequence[SiteId]) -> None:
        """Keep all ids. What a source gives as a further id is a further one, whichever came first."""
        (_, own), *further = ids
        if stored.native_id != own and stored.native_id in {one for _, one in further}:
            stored.native_id = own
            self.changes.tellings[stored.id] = stored
        for site_id in ids:
            self._shelf.by_site_id.setdefault(site_id, stored)
            if site_id[1] != stored.native_id and site_id not in self._shelf.aliases:
                self._shelf.aliases.add(site_id)
                self.changes.further[site_id] = stored

    def _add(self, telling: Telling) -> Outcome:
        """A telling that the archive does not have, of a game that it may have."""
        prepared, source = telling.prepared, telling.source
        known = self._shelf.by_key.get(prepared.key)
        game = known or self._new_game(prepared)
        stored = StoredTelling(
            id=self._next_telling,
            game=game,
            n=0,
            digest=prepared.digest,
            site=prepared.game.source,
            native_id=prepared.game.native_id,
            download=isinstance(source, Download),
            file_id=source.file_id if isinstance(source, FilePiece) else None,
            place=source.offset if isinstance(source, FilePiece) else None,
            prepared=prepared,
            new=True,
            encoding=prepared.game.encoding,
        )
        self._next_telling += 1
        collapsed = self._join(stored, game)
        return Outcome(telling, "new" if known is None else "added", stored, collapsed)

    def _new_game(self, prepared: Prepared) -> StoredGame:
        game = StoredGame(self._next_game, prepared.key)
        self._next_game += 1
        self._shelf.by_key[prepared.key] = game
        self._rewrite(game, prepared)
        return game

    def _rewrite(self, game: StoredGame, prepared: Prepared) -> None:
        game.prepared = prepared
        self.changes.games[game.id] = game

    def _join(self, stored: StoredTelling, game: StoredGame) -> bool:
        """Make it a telling of *game*.

        True if the game already has a download of the same site with another id.
        """
        collapsed = stored.download and any(
            other.download and other.site == stored.site for other in game.tellings.values()
        )
        stored.game, stored.n = game, game.next_n()
        game.tellings[stored.id] = stored
        self.changes.tellings[stored.id] = stored
        return collapsed

    def _refresh(self, stored: StoredTelling, prepared: Prepared) -> bool:
        """Let it say what its source says now; True as in `_join`, if it is another game by that."""
        stored.digest, stored.prepared = prepared.digest, prepared
        self.changes.tellings[stored.id] = stored
        game, target = stored.game, self._shelf.by_key.get(prepared.key)
        if target is game:
            if stored.n == _first_n(game):
                self._rewrite(game, prepared)
            return False
        if target is None and len(game.tellings) == 1:
            self._change_identity(game, prepared)
            return False
        self._leave(stored)
        collapsed = self._join(stored, target or self._new_game(prepared))
        if game.gone and game.stored_key is not None:
            self.changes.moved[game.id] = stored
        return collapsed

    def _change_identity(self, game: StoredGame, prepared: Prepared) -> None:
        del self._shelf.by_key[game.key]
        game.key = prepared.key
        self._shelf.by_key[prepared.key] = game
        self._rewrite(game, prepared)

    def _leave(self, stored: StoredTelling) -> None:
        game = stored.game
        was_first = stored.n == _first_n(game)
        del game.tellings[stored.id]
        if not game.tellings:
            game.gone = True
            del self._shelf.by_key[game.key]
            self.changes.games.pop(game.id, None)
            self.changes.gone.append(game)
        elif was_first:
            self.changes.lost_first[game.id] = game


def _first_n(game: StoredGame) -> int:
    return min(stored.n for stored in game.tellings.values())
