"""Applies the user's edits to what sources give."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, select

from core import sameness
from core.edits import edited
from core.players import identify
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games import source_games
from daemon.archive.games.prepared import Prepared, derived
from daemon.archive.tables.edits import edit_keys, edits

_EditRow = Row[*tuple[Any, ...]]


def anything_edited(connection: Connection) -> bool:
    """Whether there is an edit of any game."""
    return connection.scalar(select(edit_keys.c.key).limit(1)) is not None


class Overlays:
    """The edits, not undone, of some source games and of those that the user has merged with them."""

    def __init__(self, connection: Connection, keys: Collection[bytes]) -> None:
        self._connection = connection
        self._values: dict[bytes, dict[str, str]] = {}
        self._same: dict[bytes, _Same] = {}
        if anything_edited(connection):
            self._load(keys)

    def __contains__(self, key: object) -> bool:
        """Is anything about this source game edited?"""
        return key in self._values or key in self._same

    @property
    def linked(self) -> set[bytes]:
        """The source games that the user has merged with others."""
        return set(self._same)

    def _load(self, keys: Collection[bytes]) -> None:
        wanted, seen = set(keys), set(keys)
        while wanted:
            answers: dict[int, _EditRow] = {}
            for key, edit in _active(self._connection, wanted):
                if edit.kind == "same":
                    answers[edit.id] = edit
                elif edit.field is not None:
                    self._values.setdefault(key, {})[edit.field] = edit.after
            self._link(answers)
            wanted = self._same.keys() - seen
            seen |= wanted

    def _link(self, answers: Mapping[int, _EditRow]) -> None:
        for some in chunks(list(answers)):
            for key, edit_id in self._connection.execute(
                select(edit_keys.c.key, edit_keys.c.edit_id).where(edit_keys.c.edit_id.in_(some))
            ):
                self._unite(key, edit_id, answers[edit_id].main_key)

    def _unite(self, key: bytes, edit_id: int, main_key: bytes) -> None:
        one = self._same.setdefault(main_key, _Same({main_key}))
        other = self._same.setdefault(key, _Same({key}))
        one.mains[edit_id] = main_key
        if one is not other:
            one.keys |= other.keys
            one.mains |= other.mains
            self._same.update(dict.fromkeys(other.keys, one))

    def lay(self, prepared: Prepared) -> Prepared:
        """What a source gives, with the user's edits."""
        if prepared.key not in self:
            return prepared
        values = self._values.get(prepared.key, {})
        game = edited(prepared.game, values)
        same = self._same.get(prepared.key)
        return replace(
            prepared,
            game=game,
            key=(same and self._key_of(same)) or sameness.key(game),
            white=identify(game.white.name, game.white.fide_id),
            black=identify(game.black.name, game.black.fide_id),
            unedited=prepared,
            typed=frozenset(values),
            opening=derived(game),
        )

    def _key_of(self, same: "_Same") -> bytes | None:
        """The key of the one game: that of the first of those whom the others are, and which anybody tells."""
        if same.key is None:
            kept = source_games.load(self._connection, same.mains.values())
            for _, main in sorted(same.mains.items()):
                if main in kept:
                    same.key = sameness.key(edited(kept[main].game, self._values.get(main, {})))
                    break
        return same.key


@dataclass(slots=True, eq=False)
class _Same:
    """Source games that are one, as the user has said: *mains* are those whom the others are, by the answer's id."""

    keys: set[bytes]
    mains: dict[int, bytes] = field(default_factory=dict)
    key: bytes | None = None


def _active(connection: Connection, keys: Collection[bytes]) -> Iterable[tuple[bytes, _EditRow]]:
    """The edits that are not undone, each with a source game that it is about, in their order."""
    found: list[tuple[bytes, _EditRow]] = []
    whole = select(edits, edit_keys.c.key).join(edit_keys, edit_keys.c.edit_id == edits.c.id)
    for some in chunks(list(keys)):
        its = whole.where(edit_keys.c.key.in_(some), edits.c.undone_at.is_(None)).order_by(edits.c.id)
        found += ((row.key, row) for row in connection.execute(its))
    return found


def carry(connection: Connection, changed: Mapping[bytes, bytes]) -> set[bytes]:
    """Where a source has changed its game, apply the edits of what it gave (the keys) to what it gives now, too.

    Returns what is given now and was not edited so before.
    """
    pairs: dict[tuple[bytes, int], None] = {}
    for key, edit in _active(connection, changed.keys()):
        pairs[changed[key], edit.id] = None
        if edit.main_key == key:
            now = edits.update().where(edits.c.id == edit.id).values(main_key=changed[key])
            connection.execute(now)
    known = {
        (row.key, row.edit_id)
        for some in chunks(list(changed.values()))
        for row in connection.execute(select(edit_keys).where(edit_keys.c.key.in_(some)))
    }
    new = [pair for pair in pairs if pair not in known]
    attach(connection, new)
    return {key for key, _ in new}


def attach(connection: Connection, pairs: Sequence[tuple[bytes, int]]) -> None:
    """Attach edits to source games (pairs of key and edit)."""
    rows = [{"key": key, "edit_id": edit_id} for key, edit_id in pairs]
    insert_rows(connection, edit_keys, rows, ignore=True)
