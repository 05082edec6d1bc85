"""The columns of a game as the bytes of a packed record, and the places of players and texts that it refers to.

A record has the columns of the game's row, the key first, and then those of its telling. Its parts are made apart: of
a name, of a date, of what the games of an event have in common.
"""

from typing import Final, NamedTuple

from core.game import Game, Side
from core.pgn.reader import Occasion
from core.players import PlayerKey
from daemon.archive.database.packed_rows import blob, integer, ref, text
from daemon.archive.games.named import KindAndText, Named, TextKind
from daemon.archive.games.prepared import Prepared, divided_site, said

NOWHERE: Final = 0xFFFFFFFF
"""The place of a text that a game does not have."""
_PLAYERS, _TEXTS = 0, 1
"""The numbers of the maps."""

ENTRY, LETTER = 800, 4
"""Bytes of memory for one of many things that are remembered, and for each letter of it, about."""

PlayerValues = tuple[str, str, str, bool, bool]
"""Kind and text of a player's key, the name, whether it is a handle, and whether a user typed it."""


def text_reference(place: int) -> bytes:
    """The id of a text, or no value."""
    return ref(_TEXTS, None if place == NOWHERE else place)


class Places:
    """The places of players and texts in the maps, and what was defined since the last time.

    A player has a place for each way in which games name them: the archive needs the name in the first *new* game.

    Attributes:
        size: How many bytes of memory they use, about.
    """

    def __init__(self) -> None:
        self.size = 0
        self._players: dict[PlayerValues, int] = {}
        self._texts: dict[KindAndText, int] = {}
        self._new_players: list[PlayerValues] = []
        self._new_texts: list[KindAndText] = []

    def player(self, player: Named) -> int:
        """Where this player is."""
        values = player.key.kind, player.key.text, player.name, player.online, player.typed
        place = self._players.get(values)
        if place is None:
            place = self._players[values] = len(self._players)
            self._new_players.append(values)
            self.size += ENTRY + LETTER * (len(player.name) + len(player.key.text))
        return place

    def text(self, kind: TextKind, value: str | None) -> int:
        """Where this text is; `NOWHERE` if there is none."""
        if value is None:
            return NOWHERE
        place = self._texts.get((kind, value))
        if place is None:
            place = self._texts[kind, value] = len(self._texts)
            self._new_texts.append((kind, value))
            self.size += ENTRY + LETTER * len(value)
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
    columns = ref(_PLAYERS, place) + text(side.name) + text(said(side.title)) + text_reference(team)
    return SideColumns(columns, place, team)


def start_columns(game: Game) -> bytes:
    """The variant, and where the game starts."""
    return text(game.variant) + text(game.start) + text(game.start_fen)


class EventColumns(NamedTuple):
    """What the games of an event have in common: where it was, the time that there was, who tells it.

    Attributes:
        event_column: The event.
        site_column: The site.
        tail: The end of the site that is of this game alone.
        time: Time control and class.
        annotator: The annotator.
        online: Whether the names are handles.
        telling: The site that tells it, its id for the game, and the address.
        event: The place of the event.
        site: The place of the site.
    """

    event_column: bytes
    site_column: bytes
    tail: bytes
    time: bytes
    annotator: bytes
    online: bytes
    telling: bytes
    event: int
    site: int


def event_columns(places: Places, game: Game | Occasion) -> EventColumns:
    """The columns of what is around a game."""
    place, tail = divided_site(game)
    site, event = places.text("site", place), places.text("event", said(game.event))
    return EventColumns(
        event_column=text_reference(event),
        site_column=text_reference(site),
        tail=text(tail),
        time=text(said(game.time_control)) + text(said(game.time_class)),
        annotator=text(said(game.annotator)),
        online=integer(game.online),
        telling=text(game.source) + text(game.native_id) + text(game.url),
        event=event,
        site=site,
    )


def opening_column(places: Places, opening: str | None) -> tuple[bytes, int]:
    """The opening as the source gives it, and its place."""
    place = places.text("opening", said(opening))
    return text_reference(place), place


def derived_columns(places: Places, eco: str | None, opening: str | None) -> tuple[bytes, int]:
    """What the moves say of the opening, and the place of its name."""
    place = places.text("opening", opening)
    return text(eco) + text_reference(place), place


def all_columns(
    places: Places, prepared: Prepared, white: Named, black: Named
) -> tuple[bytes, tuple[int, ...]]:
    """A whole record, and the places that it refers to.

    These are White's, Black's, and those of the texts in the order of `daemon.archive.games.named.texts_of`.
    """
    game = prepared.game
    event = event_columns(places, game)
    one, other = side_columns(places, white, game.white), side_columns(places, black, game.black)
    opening, named_place = opening_column(places, game.opening)
    derived, derived_place = derived_columns(places, prepared.derived_eco, prepared.derived_opening)
    columns = b"".join((
        blob(prepared.key), blob(prepared.digest), one.columns, other.columns,
        integer(game.white.rating), integer(game.black.rating), text(str(game.date)), text(game.result),
        start_columns(game), blob(prepared.moves), integer(game.ply_count),
        event.event_column, event.site_column, event.tail, text(said(game.round)), text(said(game.eco)), opening,
        event.time, text(said(game.termination)), event.annotator,
        integer(prepared.started_ms), event.online, derived,
        event.telling, blob(prepared.pgn), integer(game.has_comments), text(game.encoding),
    ))  # fmt: skip
    used = (
        one.player,
        other.player,
        one.team,
        other.team,
        event.event,
        event.site,
        named_place,
        derived_place,
    )
    return columns, used
