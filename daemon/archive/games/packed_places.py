"""The players and texts that packed games refer to by their places: one list of each for each parser process."""

from array import array
from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from daemon.archive.games.named import KindAndText
    from daemon.archive.games.packed_columns import PlayerValues
    from daemon.archive.games.packed_games import PackedRun

_Value = TypeVar("_Value")


class PackedPlaces:
    """What a parser process has defined, and the ids of it in the archive that are known.

    Attributes:
        players: Each way in which games name a player; several may be one player.
        texts: Likewise.
        player_ids: The id of each of *players*, 0 while it is not known.
        text_ids: Likewise.
        open_players: The places of those whose id is not known.
        open_texts: Likewise.
    """

    def __init__(self) -> None:
        self.players: list[PlayerValues] = []
        self.texts: list[KindAndText] = []
        self.player_ids = array("q")
        self.text_ids = array("q")
        self.open_players: set[int] = set()
        self.open_texts: set[int] = set()
        self._time = 0

    def with_those_of(self, run: "PackedRun") -> "PackedPlaces":
        """These and what *run* defines; only that if both lists begin again."""
        places = PackedPlaces() if run.again else self
        places.open_players.update(_longer(places.players, places.player_ids, run.players))
        places.open_texts.update(_longer(places.texts, places.text_ids, run.texts))
        return places

    def keep_for(self, time: int) -> None:
        """Keep the ids if they were found at this time, as counted by `KnownIds.forgotten`, and forget them if not."""
        if time != self._time:
            self._time = time
            self.player_ids = array("q", bytes(8 * len(self.players)))
            self.text_ids = array("q", bytes(8 * len(self.texts)))
            self.open_players = set(range(len(self.players)))
            self.open_texts = set(range(len(self.texts)))

    def found_players(self, found: Iterable[tuple[int, int]]) -> None:
        """Note the ids of players, by their places."""
        for place, number in found:
            self.player_ids[place] = number
            self.open_players.discard(place)

    def found_texts(self, found: Iterable[tuple[int, int]]) -> None:
        """Note the ids of texts, by their places."""
        for place, number in found:
            self.text_ids[place] = number
            self.open_texts.discard(place)


def _longer(values: list[_Value], ids: "array[int]", more: list[_Value]) -> range:
    """Add *more*, whose ids are not known; returns their places."""
    begin = len(values)
    values += more
    ids.extend(repeat(0, len(more)))
    return range(begin, len(values))
