"""The columns of a game as the bytes of a packed record, and the places of players and texts that it refers to.

A record has the columns of the game's row, the key first, and then those of its telling. Its parts are made apart: of
a name, of a date, of what the games of an event have in common.
"""

import struct
from typing import Final, NamedTuple

from core.game import Game, Side
from core.players import PlayerKey
from daemon.archive.games.players import Named
from daemon.archive.games.prepared import Prepared, divided_site, said
from daemon.archive.games.texts import KindAndText, TextKind

NOWHERE: Final = 0xFFFFFFFF
"""The place of a text that a game does not have."""
_PLAYERS, _TEXTS = 0, 1
"""The numbers of the maps."""

NULL: Final = b"N"
_INTEGER: Final = struct.Struct("<cq")
_REFERENCE: Final = struct.Struct("<cBI")
_LENGTH: Final = struct.Struct("<cI")

PlayerValues = tuple[str, str, str, bool, bool]
"""Kind and text of a player's key, the name, whether it is a handle, and whether a user typed it."""


def integer(number: int) -> bytes:
    """A number as a value."""
    return _INTEGER.pack(b"i", number)


def text(value: str | None) -> bytes:
    """A text as a value; None is NULL."""
    if value is None:
        return NULL
    raw = value.encode()
    return _LENGTH.pack(b"t", len(raw)) + raw


def blob(value: bytes) -> bytes:
    """Bytes as a value."""
    return _LENGTH.pack(b"b", len(value)) + value


def player_reference(place: int) -> bytes:
    """The id of a player."""
    return _REFERENCE.pack(b"r", _PLAYERS, place)


def text_reference(place: int) -> bytes:
    """The id of a text, or NULL."""
    return NULL if place == NOWHERE else _REFERENCE.pack(b"r", _TEXTS, place)


def number(value: int | None) -> bytes:
    """A number, or NULL."""
    return NULL if value is None else integer(value)


class Places:
    """The places of players and texts in the maps, and what was defined since the last time.

    A player has a place for each way in which games name them: the archive needs the name in the first *new* game.
    """

    def __init__(self) -> None:
        self._players: dict[PlayerValues, int] = {}
        self._texts: dict[KindAndText, int] = {}
        self._new_players: list[PlayerValues] = []
        self._new_texts: list[KindAndText] = []

    def __len__(self) -> int:
        return len(self._players) + len(self._texts)

    def player(self, player: Named) -> int:
        """Where this player is."""
        values = player.key.kind, player.key.text, player.name, player.online, player.typed
        place = self._players.get(values)
        if place is None:
            place = self._players[values] = len(self._players)
            self._new_players.append(values)
        return place

    def text(self, kind: TextKind, value: str | None) -> int:
        """Where this text is; `NOWHERE` if there is none."""
        if value is None:
            return NOWHERE
        place = self._texts.get((kind, value))
        if place is None:
            place = self._texts[kind, value] = len(self._texts)
            self._new_texts.append((kind, value))
        return place

    def take_new(self) -> tuple[list[PlayerValues], list[KindAndText]]:
        """Players and texts that were defined since the last time, in the order of their places."""
        new = self._new_players, self._new_texts
        self._new_players, self._new_texts = [], []
        return new


def named(values: PlayerValues) -> Named:
    """The player whose values these are."""
    kind, key, name, online, typed = values
    return Named(PlayerKey(kind, key), name, online, typed)  # type: ignore[arg-type]


class SideColumns(NamedTuple):
    """White's or Black's id, name, title and team as *columns*, and the places of player and team."""

    columns: bytes
    player: int
    team: int


def side_columns(places: Places, player: Named, side: Side) -> SideColumns:
    """The columns of a player."""
    place, team = places.player(player), places.text("team", said(side.team))
    columns = player_reference(place) + text(side.name) + text(said(side.title)) + text_reference(team)
    return SideColumns(columns, place, team)


def start_columns(game: Game) -> bytes:
    """The variant, and where the game starts."""
    return text(game.variant) + text(game.start) + text(game.start_fen)


class EventColumns(NamedTuple):
    """What the games of an event have in common: where it was, the time that there was, who tells it.

    Attributes:
        where: Event and site.
        tail: The end of the site that is of this game alone.
        opening: The opening as the source gives it.
        time: Time control and class.
        annotator: The annotator.
        online: Whether the names are handles.
        telling: The site that tells it, its id for the game, and the address.
        places: Of event, site and opening.
    """

    where: bytes
    tail: bytes
    opening: bytes
    time: bytes
    annotator: bytes
    online: bytes
    telling: bytes
    places: tuple[int, int, int]


def event_columns(places: Places, game: Game) -> EventColumns:
    """The columns of what is around a game."""
    place, tail = divided_site(game)
    event, site = places.text("event", said(game.event)), places.text("site", place)
    opening = places.text("opening", said(game.opening))
    return EventColumns(
        where=text_reference(event) + text_reference(site),
        tail=text(tail),
        opening=text_reference(opening),
        time=text(said(game.time_control)) + text(said(game.time_class)),
        annotator=text(said(game.annotator)),
        online=integer(game.online),
        telling=text(game.source) + text(game.native_id) + text(game.url),
        places=(event, site, opening),
    )


def derived_columns(places: Places, eco: str | None, opening: str | None) -> tuple[bytes, int]:
    """What the moves say of the opening, and the place of its name."""
    place = places.text("opening", opening)
    return text(eco) + text_reference(place), place


def all_columns(
    places: Places, prepared: Prepared, white: Named, black: Named
) -> tuple[bytes, tuple[int, ...]]:
    """A whole record, and the places that it refers to: White, Black, and the texts in the order of `store.texts_of`."""
    game = prepared.game
    first, second = side_columns(places, white, game.white), side_columns(places, black, game.black)
    event = event_columns(places, game)
    derived, derived_place = derived_columns(places, prepared.derived_eco, prepared.derived_opening)
    columns = b"".join((
        blob(prepared.key), blob(prepared.digest), first.columns, second.columns,
        number(game.white.rating), number(game.black.rating), text(str(game.date)), text(game.result),
        start_columns(game), blob(prepared.moves), integer(game.ply_count),
        event.where, event.tail, text(said(game.round)), text(said(game.eco)), event.opening,
        event.time, text(said(game.termination)), event.annotator,
        number(prepared.started_ms), event.online, derived,
        event.telling, blob(prepared.pgn), integer(game.has_comments), text(game.encoding),
    ))  # fmt: skip
    used = first.player, second.player, first.team, second.team, *event.places, derived_place
    return columns, used
