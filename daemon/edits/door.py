"""The door for the user's edits: what an edit does, and the archive after it (names R17).

Every edit can be previewed: it is done and rolled back in one transaction, so that what is shown is exactly
what will happen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from core.edits import EditError, TagValues, edited, player, renamed, value
from core.game import Game
from core.players import PlayerKey, Profile, identify
from core.vocabulary import COLOURS, Colour
from daemon.archive.archive import Archive, Connection
from daemon.archive.edits import rows
from daemon.archive.edits.regroup import Regrouped
from daemon.archive.edits.rows import NewEdit, ShownPlayer
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.played_by import games_played_by

ALL_GAMES: Final = GameFilters()


@dataclass(frozen=True, slots=True)
class Move:
    """So many sides of games move from one player to another; *new*: that player is made for them."""

    before: str
    after: str
    new: bool
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The effect on the archive.

    Attributes:
        games: The games whose tags are edited.
        fields: How many tags.
        renamed: Pairs of how a player was shown and how they are shown now, in all their games.
        joined: Games that are merged into another: the id that is gone, and that of the game they are now in.
        edits: The numbers by which it can be undone, one by one.
    """

    games: tuple[int, ...] = ()
    fields: int = 0
    renamed: tuple[tuple[str, str], ...] = ()
    moved: tuple[Move, ...] = ()
    joined: tuple[tuple[int, int], ...] = ()
    edits: tuple[int, ...] = ()


class _TakenBack(Exception):  # noqa: N818 - no error: it ends what was only to be looked at
    """Nothing of the transaction is to be stored."""


def edit_game(
    archive: Archive, game_id: int, values: TagValues, *, now_ms: int, preview: bool = False
) -> Edited:
    """Set these fields of a game.

    Raises:
        EditError: there is no such game.
    """
    return _do(
        archive,
        lambda connection: _edit_games(connection, archive, {game_id: values}, now_ms),
        preview=preview,
    )


def edit_player(archive: Archive, player_id: int, name: str, *, now_ms: int, preview: bool = False) -> Edited:
    """Give a player another name: show them so, or move all their games to the player of that name.

    Args:
        archive: Is written.
        player_id: Of the player.
        name: In the form of `core.edits`.
        now_ms: When.
        preview: Return the effect, and leave the archive as it is.

    Raises:
        EditError: there is no such player.
    """

    def edit(connection: Connection) -> Edited:
        known = rows.player_by_id(connection, player_id)
        if known is None:
            raise EditError(
                f"there is no player {player_id} in the archive; `gamekeeper search` finds players"
            )
        return _rename_or_replace(connection, archive, known, name, now_ms)

    return _do(archive, edit, preview=preview)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Another player in many games.

    Attributes:
        old: The name of the player who is replaced, who has no FIDE id: whole, as recognition has it.
        new: The name in the form of `core.edits`.
        colours: Where they are replaced.
        filters: In which of their games.
        profile: Who the user is, for these filters.
    """

    old: str
    new: str
    colours: Sequence[Colour] = COLOURS
    filters: GameFilters = ALL_GAMES
    profile: Profile = field(default_factory=Profile)


def replace_player(archive: Archive, asked: Replacement, *, now_ms: int, preview: bool = False) -> Edited:
    """Replace a player's name in all games that are asked for.

    Raises:
        EditError: there is no such player.
    """

    def edit(connection: Connection) -> Edited:
        old = identify(asked.old)
        known = rows.players_by_digest(connection, [old.digest]).get(old.digest)
        if known is None:
            raise EditError(
                f"there is no player {asked.old!r} without a FIDE id in the archive; `gamekeeper search` finds "
                "players, and `gamekeeper edit player` edits one with an id"
            )
        if identify(asked.new) == old:
            return _rename_or_replace(connection, archive, known, asked.new, now_ms)
        found = games_played_by(connection, old.digest, asked.colours, asked.filters, asked.profile)
        wanted: dict[int, TagValues] = {
            number: dict.fromkeys(map(str, colours), asked.new) for number, colours in found.items()
        }
        return _edit_games(connection, archive, wanted, now_ms)

    return _do(archive, edit, preview=preview)


def undo(archive: Archive, edit_ids: Sequence[int], *, now_ms: int, whole: bool = False) -> list[int]:
    """Undo these edits, or, with *whole*, all edits of the commands that made them. Returns what was undone.

    Raises:
        EditError: one of them cannot be undone, and none was.
    """
    with archive.writing() as connection:
        if whole:
            batches = [one for number in edit_ids for one in rows.batch_of(connection, number)]
            edit_ids = list(dict.fromkeys(batches))
        rows.undo(connection, archive.known, edit_ids, now_ms)
    return sorted(edit_ids, reverse=True)


def _do(archive: Archive, edit: Callable[[Connection], Edited], *, preview: bool) -> Edited:
    with suppress(_TakenBack), archive.writing() as connection:
        result = edit(connection)
        _end(preview=preview)
    return result


def _end(*, preview: bool) -> None:
    if preview:
        raise _TakenBack


def _rename_or_replace(
    connection: Connection, archive: Archive, known: ShownPlayer, name: str, now_ms: int
) -> Edited:
    if identify(name, known.fide_id).digest != known.digest:
        found = games_played_by(connection, known.digest, COLOURS, ALL_GAMES, Profile())
        wanted: dict[int, TagValues] = {
            number: dict.fromkeys(map(str, colours), name) for number, colours in found.items()
        }
        return _edit_games(connection, archive, wanted, now_ms)
    if name == known.shown:
        return Edited()
    renaming = NewEdit(
        kind="player",
        player_id=known.id,
        before=known.shown,
        after=name,
        renames=known.digest,
        fide_id=known.fide_id,
    )
    _, numbers = rows.make(connection, archive.known, [renaming], now_ms)
    return Edited(renamed=((known.shown, name),), edits=tuple(numbers))


def _edit_games(
    connection: Connection, archive: Archive, wanted: Mapping[int, TagValues], now_ms: int
) -> Edited:
    before = rows.games_as_edited(connection, list(wanted))
    for missing in wanted.keys() - before.keys():
        raise EditError(f"there is no game {missing} in the archive; `gamekeeper games` lists them")
    after = {number: edited(before[number], values) for number, values in wanted.items()}
    keys = _players(before.values()) | _players(after.values())
    people = rows.players_by_digest(connection, [key.digest for key in keys])
    game_keys = rows.source_keys(connection, list(wanted))
    new = [
        edit
        for number, values in wanted.items()
        for edit in _edits(number, before[number], after[number], values, game_keys[number], people)
    ]
    if not new:
        return Edited()
    regrouped, numbers = rows.make(connection, archive.known, new, now_ms)
    shown = rows.players_by_digest(connection, [key.digest for key in keys])
    return Edited(
        games=tuple(dict.fromkeys(edit.game_id for edit in new if edit.game_id is not None)),
        fields=len(new),
        renamed=tuple(
            {
                edit.renames: (people[edit.renames].shown, edit.after or "") for edit in new if edit.renames
            }.values()
        ),
        moved=_moved(before, after, people, shown),
        joined=_joined(regrouped),
        edits=tuple(numbers),
    )


def _players(games: Iterable[Game]) -> set[PlayerKey]:
    return {player(game, colour) for game in games for colour in COLOURS}


def _edits(
    number: int,
    before: Game,
    after: Game,
    values: TagValues,
    game_keys: Sequence[bytes],
    people: Mapping[bytes, ShownPlayer],
) -> Iterator[NewEdit]:
    """The edits that change one game so; none for a field that is so already."""
    for name, text in values.items():
        renames = _renames(name, before, after, people)
        old = value(before, name)
        if text != old or renames is not None:
            yield NewEdit(
                kind="game",
                game_id=number,
                field=name,
                before=old,
                after=text,
                renames=None if renames is None else renames.digest,
                fide_id=None if renames is None else renames.fide_id,
                keys=game_keys,
            )


def _renames(name: str, before: Game, after: Game, people: Mapping[bytes, ShownPlayer]) -> ShownPlayer | None:
    for colour in COLOURS:
        if name == colour:
            known = people[player(before, colour).digest]
            return known if renamed(before, after, colour, known.shown) is not None else None
    return None


def _moved(
    before: Mapping[int, Game],
    after: Mapping[int, Game],
    people: Mapping[bytes, ShownPlayer],
    shown: Mapping[bytes, ShownPlayer],
) -> tuple[Move, ...]:
    pairs = Counter(
        (player(game, colour), player(after[number], colour))
        for number, game in before.items()
        for colour in COLOURS
    )
    return tuple(
        Move(people[old.digest].shown, shown[new.digest].shown, new.digest not in people, count)
        for (old, new), count in pairs.items()
        if old != new
    )


def _joined(regrouped: Regrouped) -> tuple[tuple[int, int], ...]:
    """Games that are gone, and the games that they are now in."""
    left = set(regrouped.after.values())
    gone = {
        regrouped.before[key]: number
        for key, number in regrouped.after.items()
        if regrouped.before[key] not in left
    }
    return tuple(sorted(gone.items()))
