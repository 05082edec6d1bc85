"""A rating list for FIDE ratings or DWZ: what must be known of a player besides the games of a tournament."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.club import list_csv
from core.club.file_text import decode
from core.club.list_csv import RatingListError
from core.club.performance import PerformanceGame
from core.club.rated_games import RatedGame
from core.players import PlayerKey, identify, read_fide_id

COLUMNS: Final[list_csv.ColumnTitles] = {
    **list_csv.NAME_COLUMNS,
    "fide_id": ("fide_id", "fideid", "id", "id_number"),
    "rating": ("rating", "elo", "fide", "dwz", "std", "srtng"),
    "games": ("games", "rated_games"),
    "born": ("born", "birth", "birthday", "birth_year", "year_of_birth", "b-day"),
    "k": ("k",),
    "highest": ("highest", "peak", "highest_rating"),
    "index": ("index", "dwz_index"),
    "stored": ("stored", "stored_games"),
}
_HEAD: Final = ("name", "fide_id", "rating", "games", "born", "k", "highest", "index", "stored")
_WITH_INDEX: Final = re.compile(r"(\d{1,4})\s*[-/]\s*(\d{1,4})")
_YEAR: Final = re.compile(r"(?:\d{1,2}[./-]){0,2}((?:18|19|20)\d\d)(?:[./-]\d{1,2}){0,2}")


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """What is known of a player before a tournament; None for what is not known.

    Attributes:
        games: Rated games so far.
        born: The year.
        k: FIDE's K, if it is known and need not be worked out.
        highest: The highest rating ever.
        index: The number after a DWZ: how many tournaments it is made of.
        stored: Games of an unrated player that count towards the first rating.
    """

    name: str
    fide_id: str | None = None
    rating: int | None = None
    games: int | None = None
    born: int | None = None
    k: int | None = None
    highest: int | None = None
    index: int | None = None
    stored: tuple[RatedGame, ...] = ()


@dataclass(frozen=True, slots=True)
class ChessList:
    """A list. *with_ratings*: it has a column of ratings, so that a player who is not in it has no rating."""

    players: tuple[KnownPlayer, ...] = ()
    with_ratings: bool = False

    def find(self, name: str, fide_id: str | None) -> KnownPlayer | None:
        """The player of this name: by FIDE id if both have one, else by name.

        Raises:
            RatingListError: more than one player fits.
        """
        by_id = [one for one in self.players if fide_id and one.fide_id == fide_id]
        key = identify(name)
        found = by_id or [one for one in self.players if _same(one, key) and not (one.fide_id and fide_id)]
        if len(found) > 1:
            raise RatingListError(
                f'"{name}" is in the list {len(found)} times: give them FIDE ids, there and in the tournament'
            )
        return found[0] if found else None


def _same(one: KnownPlayer, key: PlayerKey) -> bool:
    return key.kind != "unknown" and identify(one.name) == key


def read_list(data: bytes) -> ChessList:
    """Read a list; its first line names the columns.

    Raises:
        RatingListError: it is not a list, or a line is wrong.
    """
    found: list[KnownPlayer] = []
    with_ratings = False
    for line, values in list_csv.rows(decode(data), COLUMNS, ""):
        with_ratings = "rating" in values
        found.append(_known(values, line))
    return ChessList(tuple(found), with_ratings)


def _known(values: Mapping[str, str], line: int) -> KnownPlayer:
    last, first = list_csv.name_of(values, line)
    rating, index = _rating(values, line)
    written = list_csv.number(values, "index", line)
    fide_id = read_fide_id(values.get("fide_id") or None)
    if values.get("fide_id", "") not in {"", "0"} and fide_id is None:
        raise RatingListError(f'line {line}: "{values["fide_id"][:20]}" is not a FIDE id')
    return KnownPlayer(
        name=", ".join(part for part in (last, first) if part),
        fide_id=fide_id,
        rating=rating,
        games=list_csv.number(values, "games", line),
        born=_year(values.get("born", ""), line),
        k=_k(values, line),
        highest=list_csv.number(values, "highest", line) or None,
        index=index if written is None else written,
        stored=tuple(map(_played, list_csv.stored_games(values.get("stored", ""), line))),
    )


def _rating(values: Mapping[str, str], line: int) -> tuple[int | None, int | None]:
    """The rating, and the index that may follow it: "1526-11"."""
    both = _WITH_INDEX.fullmatch(values.get("rating", ""))
    if both:
        return int(both[1]) or None, int(both[2])
    return list_csv.number(values, "rating", line) or None, None


def _k(values: Mapping[str, str], line: int) -> int | None:
    k = list_csv.number(values, "k", line) or None
    if k is not None and k > 40:
        raise RatingListError(f"line {line}: K is 10, 20 or 40, not {k}")
    return k


def _year(text: str, line: int) -> int | None:
    """The year of a year or of a date, whose parts may be in any order."""
    if not text or text in {"0", "0000"}:
        return None
    found = _YEAR.fullmatch(text)
    if found is None:
        raise RatingListError(f'line {line}: "{text[:20]}" is not a year of birth: write 1990 or 1990-05-31')
    return int(found[1])


def _played(game: PerformanceGame) -> RatedGame:
    return RatedGame(round(game.opponent), Fraction(game.score))


def write_list(before: ChessList, after: Sequence[KnownPlayer]) -> bytes:
    """The list after a tournament, as `read_list` reads it.

    Args:
        before: The list before it; those who did not play stay as they were.
        after: Those who played.
    """
    ids = {one.fide_id for one in after if one.fide_id}
    keys = {identify(one.name) for one in after}
    others = [
        one
        for one in before.players
        if one.fide_id not in ids and (one.fide_id or identify(one.name) not in keys)
    ]
    return list_csv.write(_HEAD, map(_line, (*after, *others)))


def _line(one: KnownPlayer) -> tuple[str | int | None, ...]:
    stored = list_csv.stored_text(PerformanceGame(game.opponent, float(game.score)) for game in one.stored)
    return (one.name, one.fide_id, one.rating, one.games, one.born, one.k, one.highest, one.index, stored)
