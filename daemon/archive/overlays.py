"""What the user has edited, laid over what is told."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, select

from core import sameness
from core.editing import edited
from core.players import identify
from daemon.archive import told
from daemon.archive.bulk import chunks, insert_rows
from daemon.archive.tables_edits import edit_keys, edits
from daemon.preparing import Prepared

_Edit = Row[*tuple[Any, ...]]


@dataclass(slots=True)
class Overlay:
    """What the edits that are not undone make of one told game.

    Attributes:
        values: fields that are edited, `core.editing`; of two edits of one field the later counts.
        main_key: the told game that this one is, as the user has said; None if he has not.
    """

    values: dict[str, str] = field(default_factory=dict)
    main_key: bytes | None = None


class Overlays:
    """The edits of some told games, and of those that the user has said they are."""

    def __init__(self, connection: Connection, keys: Collection[bytes]) -> None:
        self._connection = connection
        self._of: dict[bytes, Overlay] = {}
        self._main: dict[bytes, bytes] = {}
        if connection.scalar(select(edit_keys.c.key).limit(1)) is not None:
            self._load(keys)

    def __bool__(self) -> bool:
        """Is there any?"""
        return bool(self._of)

    def __contains__(self, key: object) -> bool:
        """Is anything about this told game edited?"""
        return key in self._of

    def _load(self, keys: Collection[bytes]) -> None:
        wanted = set(keys)
        while wanted:
            for key, edit in _active(self._connection, wanted):
                overlay = self._of.setdefault(key, Overlay())
                if edit.kind == "same" and edit.main_key != key:
                    overlay.main_key = edit.main_key
                elif edit.field is not None:
                    overlay.values[edit.field] = edit.after
            wanted = {one.main_key for one in self._of.values() if one.main_key} - self._of.keys()

    def lay(self, prepared: Prepared) -> Prepared:
        """What a source tells with what the user has edited."""
        overlay = self._of.get(prepared.key)
        if overlay is None:
            return prepared
        game = edited(prepared.game, overlay.values)
        key = None if overlay.main_key is None else self._key_of(overlay.main_key, {prepared.key})
        return replace(
            prepared,
            game=game,
            key=key or sameness.key(game),
            white=identify(game.white.name, game.white.fide_id),
            black=identify(game.black.name, game.black.fide_id),
            told=prepared,
            typed=frozenset(overlay.values),
        )

    def _key_of(self, key: bytes, seen: set[bytes]) -> bytes | None:
        """The key of the game that a told game is; None if nothing tells it any more."""
        if key in seen:
            return None
        if key not in self._main:
            kept = told.load(self._connection, [key]).get(key)
            if kept is None:
                return None
            overlay = self._of.get(key, Overlay())
            further = overlay.main_key and self._key_of(overlay.main_key, {*seen, key})
            self._main[key] = further or sameness.key(edited(kept.game, overlay.values))
        return self._main[key]


def _active(connection: Connection, keys: Collection[bytes]) -> Iterable[tuple[bytes, _Edit]]:
    """The edits that are not undone, each with a told game that it is about, in their order."""
    found: list[tuple[bytes, _Edit]] = []
    whole = select(edits, edit_keys.c.key).join(edit_keys, edit_keys.c.edit_id == edits.c.id)
    for some in chunks(list(keys)):
        its = whole.where(edit_keys.c.key.in_(some), edits.c.undone_at.is_(None)).order_by(edits.c.id)
        found += ((row.key, row) for row in connection.execute(its))
    return found


def carry(connection: Connection, changed: Mapping[bytes, bytes]) -> set[bytes]:
    """A source tells a game otherwise now: the edits of what it told (the keys) are about what it tells, too.

    Returns what is told now and was not edited so before.
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
    """Let edits be about told games (pairs of key and edit)."""
    insert_rows(connection, edit_keys, list(pairs), ignore=True)
