"""A tournament as one HTML file: standings, cross table, rounds. It loads nothing and runs nothing."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypedDict

from jinja2 import Environment, PackageLoader, StrictUndefined

from daemon.archive.reading import club_shapes
from daemon.archive.reading.club import cross_table, round_, standings, summary
from daemon.club.errors import ClubError
from daemon.club.season import Season

_ABSENT: Final = {"bye": "B", "excused": "E", "unexcused": "U", "club": "C"}
_GAMES: Final = {
    "win": ("1", "won"),
    "draw": ("½", "drawn"),
    "loss": ("0", "lost"),
    "forfeit win": ("+", "won"),
    "forfeit loss": ("−", "lost"),
}


class _Cell(TypedDict):
    text: str
    kind: str


def html(season: Season, number: int | None = None) -> bytes:
    """The tournament after a round, of the last table if none is named; UTF-8.

    Raises:
        ClubError: there is no table after that round.
    """
    table, cross = standings(season, number), cross_table(season, number)
    if table is None or cross is None:
        raise ClubError(f"there is no table after round {number} yet")
    rounds = [round_(season, one.n) for one in season.listed if number is None or one.n <= number]
    items = [{**one, "cells": _cells(season, table, one)} for one in table["items"]]
    page = _TEMPLATES.get_template("tournament.html").render(
        tournament=summary(season),
        standings={**table, "items": items},
        cross=cross,
        rounds=rounds,
        numbers=range(1, table["round"] + 1),
    )
    return page.encode()


def _number(text: str) -> str:
    return f"{float(Fraction(text)):.2f}".rstrip("0").rstrip(".")


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("daemon.club"), autoescape=True, undefined=StrictUndefined, auto_reload=False
    )
    made.filters["number"] = _number
    return made


_TEMPLATES: Final = _environment()


def _cells(season: Season, table: club_shapes.Standings, row: club_shapes.Standing) -> list[_Cell]:
    """What the player did in each round: "3w1" or a letter."""
    places = {one["member"]["n"]: one["place"] for one in table["items"]}
    its = next(one for one in season.members if one.n == row["member"]["n"])
    return [_cell(season, places, its.id, number) for number in range(1, table["round"] + 1)]


def _cell(season: Season, places: Mapping[int, int], member_id: int, number: int) -> _Cell:
    played = season.complete[number - 1]
    numbers = {one.id: one.n for one in season.members}
    for pairing in played.pairings:
        if member_id in {pairing.white, pairing.black}:
            white = member_id == pairing.white
            sign, kind = _sign(pairing.result, white=white)
            opponent = pairing.black if white else pairing.white
            return {
                "text": f"{places.get(numbers[opponent], '×')}{'w' if white else 'b'}{sign}",
                "kind": kind,
            }
    return {"text": _ABSENT.get(played.absences.get(member_id, ""), "·"), "kind": ""}


def _sign(result: str | None, *, white: bool) -> tuple[str, str]:
    from core.club.tournament import Result

    if result is None:
        return "", ""
    known = Result(result)
    points = known.points(white=white)
    if known.played:
        return _GAMES[("loss", "draw", "win")[points]]
    return _GAMES["forfeit win" if points else "forfeit loss"]
