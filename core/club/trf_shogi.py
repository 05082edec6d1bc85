"""What FESA's files say of players and games, in comments of our own reports, as TRF has no column for it."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final
from urllib.parse import quote, unquote

from core.club.grades import HANDICAPS, read_grade
from core.club.record import RecordPlayer
from core.club.spelling import read_spelling
from core.club.tournament import ClubGame, TournamentRound
from core.club.trf import Document, OtherLine, own_directive

_POINTS: Final = re.compile(r"\d{1,4}(?:/[1-9]\d?)?", re.ASCII)
Handicaps = Mapping[tuple[int, frozenset[str]], tuple[str, str]]
"""The handicap and its giver, by round and the two players."""


def said_of(entry: RecordPlayer) -> dict[str, str]:
    """The values of a player's comment."""
    said = {"grade": quote(entry.grade), "spelled": quote(entry.spelled)}
    said["macmahon"] = "" if entry.macmahon is None else str(entry.macmahon)
    said["new"] = "yes" if entry.newcomer else ""
    return {name: text for name, text in said.items() if text}


def grade_of(own: Mapping[str, str]) -> str:
    """The grade of a player's comment, "" if it has none."""
    found = read_grade(unquote(own.get("grade", "")))
    return str(found) if found else ""


def macmahon_of(own: Mapping[str, str]) -> Fraction | None:
    """The MacMahon points of a player's comment, None if it has none."""
    text = own.get("macmahon", "")
    return Fraction(text) if _POINTS.fullmatch(text) else None


def spelled_of(own: Mapping[str, str]) -> str:
    """The rating list's spelling of the name from a player's comment; "" if it has none."""
    try:
        return str(read_spelling(unquote(own.get("spelled", ""))))
    except ValueError:
        return ""


def handicap_comments(number: int, one: TournamentRound, numbers: Mapping[str, int]) -> Iterator[OtherLine]:
    """The comments of a round for games with a handicap."""
    for game in one.games:
        if game.handicap and game.giver:
            giver, other = numbers[game.giver], numbers[game.opponent(game.giver)]
            yield own_directive("handicap", round=number, giver=giver, to=other, code=game.handicap)


def handicaps(document: Document) -> Handicaps:
    """The handicaps that the comments of a report give."""
    return {
        (int(said["round"]), frozenset((said["giver"], said["to"]))): (said["code"], said["giver"])
        for verb, said in document.own_directives
        if verb == "handicap" and said.get("code") in HANDICAPS and _is_whole(said, "round", "giver", "to")
    }


def _is_whole(said: Mapping[str, str], *names: str) -> bool:
    texts = [said.get(name, "") for name in names]
    return all(text.isascii() and text.isdecimal() and len(text) < len("10000") for text in texts)


def with_handicap(game: ClubGame, number: int, handicaps: Handicaps) -> ClubGame:
    """The game of this round with the handicap given for it."""
    code, giver = handicaps.get((number, frozenset((game.white, game.black))), (None, None))
    return ClubGame(game.white, game.black, game.result, code, giver)
