"""Decides what each telling of a batch is: new, one more of a known game, known already, or changed."""

from typing import Literal

from daemon.archive.games.changes import Changes, Shelf, StoredGame, StoredTelling
from daemon.archive.games.file_places import Placed
from daemon.archive.games.prepared import Prepared

What = Literal["new", "added", "unchanged", "refreshed"]


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

    def download(self, told: Prepared, account_id: int) -> tuple[What, StoredTelling, bool]:
        """A download, known by its site's id for it. The last value.

        Whether two ids of one site became one game.
        """
        site, own = told.game.source, told.game.native_id
        if site is None or own is None:
            raise ValueError("a download has a site and the site's id for the game")
        known = self._known(site, (own, *told.game.other_ids))
        if known is None:
            what, telling, collapsed = self._new_telling(told)
        else:
            telling = known
            self._prefer_own(telling, own, told.game.other_ids)
            changed = telling.digest != told.digest
            what, collapsed = ("refreshed", self._refresh(telling, told)) if changed else ("unchanged", False)
        self._note_ids(telling, site, (own, *told.game.other_ids))
        self.changes.links[account_id, telling.id] = None
        return what, telling, collapsed

    def piece(self, told: Prepared, file_id: int, place: int | None) -> tuple[What, StoredTelling, bool]:
        """A game in a file, known by its bytes, if they are in the same encoding as before.

        It joins a game by identity alone, whatever ids it names.
        """
        known = self._shelf.by_piece.get((file_id, told.digest))
        if known is not None:
            self._place(known, place)
            if known.encoding == told.game.encoding:
                return "unchanged", known, False
            known.encoding = told.game.encoding
            self._refresh(known, told)
            return "refreshed", known, False
        what, telling, _ = self._new_telling(told, file_id=file_id, place=place)
        self._shelf.by_piece[file_id, told.digest] = telling
        self._placed.add(telling.id)
        return what, telling, False

    def _place(self, telling: StoredTelling, place: int | None) -> None:
        if self._placed.add(telling.id) and telling.place != place:
            self._placed.moved(telling.id, telling.place)
            telling.place = place
            self.changes.tellings[telling.id] = telling

    def _known(self, site: str, ids: tuple[str, ...]) -> StoredTelling | None:
        found = (self._shelf.by_site_id.get((site, one)) for one in ids)
        return next((telling for telling in found if telling is not None), None)

    def _prefer_own(self, telling: StoredTelling, own: str, others: tuple[str, ...]) -> None:
        """The id that a source gives as a further one is the further one, whichever came first."""
        if telling.native_id != own and telling.native_id in others:
            telling.native_id = own
            self.changes.tellings[telling.id] = telling

    def _note_ids(self, telling: StoredTelling, site: str, ids: tuple[str, ...]) -> None:
        for one in ids:
            self._shelf.by_site_id.setdefault((site, one), telling)
            if one != telling.native_id and (site, one) not in self._shelf.aliases:
                self._shelf.aliases.add((site, one))
                self.changes.further[site, one] = telling

    def _new_telling(
        self, told: Prepared, *, file_id: int | None = None, place: int | None = None
    ) -> tuple[What, StoredTelling, bool]:
        known = self._shelf.by_key.get(told.key)
        game = known or self._new_game(told)
        telling = StoredTelling(
            id=self._next_telling,
            game=game,
            n=0,
            digest=told.digest,
            site=told.game.source,
            native_id=told.game.native_id,
            download=file_id is None,
            file_id=file_id,
            place=place,
            prepared=told,
            new=True,
            encoding=told.game.encoding,
        )
        self._next_telling += 1
        collapsed = self._join(telling, game)
        return ("new" if known is None else "added"), telling, collapsed

    def _new_game(self, told: Prepared) -> StoredGame:
        game = StoredGame(self._next_game, told.key)
        self._next_game += 1
        self._shelf.by_key[told.key] = game
        self._retell(game, told)
        return game

    def _retell(self, game: StoredGame, told: Prepared) -> None:
        game.prepared = told
        self.changes.games[game.id] = game

    def _join(self, telling: StoredTelling, game: StoredGame) -> bool:
        """Make it a telling of *game*.

        True if the game already has a download of the same site with another id.
        """
        collapsed = telling.download and any(
            other.download and other.site == telling.site for other in game.tellings.values()
        )
        telling.game, telling.n = game, game.next_n()
        game.tellings[telling.id] = telling
        self.changes.tellings[telling.id] = telling
        return collapsed

    def _refresh(self, telling: StoredTelling, told: Prepared) -> bool:
        telling.digest, telling.prepared = told.digest, told
        self.changes.tellings[telling.id] = telling
        game, target = telling.game, self._shelf.by_key.get(told.key)
        if target is game:
            if telling.n == _first_n(game):
                self._retell(game, told)
            return False
        if target is None and len(game.tellings) == 1:
            self._change_identity(game, told)
            return False
        left = telling.game
        self._leave(telling)
        collapsed = self._join(telling, target or self._new_game(told))
        if left.gone and left.stored_key is not None:
            self.changes.moved[left.id] = telling
        return collapsed

    def _change_identity(self, game: StoredGame, told: Prepared) -> None:
        del self._shelf.by_key[game.key]
        game.key = told.key
        self._shelf.by_key[told.key] = game
        self._retell(game, told)

    def _leave(self, telling: StoredTelling) -> None:
        game = telling.game
        told_by_it = telling.n == _first_n(game)
        del game.tellings[telling.id]
        if not game.tellings:
            game.gone = True
            del self._shelf.by_key[game.key]
            self.changes.games.pop(game.id, None)
            self.changes.gone.append(game)
        elif told_by_it:
            self.changes.retold[game.id] = game


def _first_n(game: StoredGame) -> int:
    return min(telling.n for telling in game.tellings.values())
