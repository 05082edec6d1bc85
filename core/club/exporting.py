"""A club tournament as the files of others see it: FIDE's TRF (rules C1 and C2) and FESA's turnering.txt."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.crosstable import Cell, Row, Table
from core.club.tournament import ClubGame, Player, Reason, Result, Round, start_order
from core.club.trf import DRAWN, NAME_WIDTH, WON, Document, Field, TrfPlayer, Turn, directive

_TRF: Final = {
    Result.WHITE: ("1", "0"),
    Result.BLACK: ("0", "1"),
    Result.DRAW: ("=", "="),
    Result.WHITE_FORFEIT: ("+", "-"),
    Result.BLACK_FORFEIT: ("-", "+"),
    Result.BOTH_ABSENT: ("-", "-"),
}
"""White's and Black's results."""
_MARKS: Final = {
    Result.WHITE: ("+", "-"),
    Result.BLACK: ("-", "+"),
    Result.DRAW: ("=", "="),
    Result.WHITE_FORFEIT: ("+", "#"),
    Result.BLACK_FORFEIT: ("#", "+"),
    Result.BOTH_ABSENT: ("#", "#"),
}
_DIRECTIVES: Final = {Reason.EXCUSED: "excused", Reason.CLUB: "clubcommitment"}
"""What TRF has no code for, in chesspairing's words."""


class ExportError(ValueError):
    """A tournament cannot be told in that format; the text says why."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says of the tournament itself; what is empty is left out."""

    name: str
    city: str = ""
    federation: str = ""
    days: tuple[date, ...] = ()
    """Of each round."""
    planned_rounds: int | None = None
    arbiter: str = ""
    time_control: str = ""


def trf(
    heading: Heading, players: Sequence[Player], rounds: Sequence[Round], ranking: Sequence[str]
) -> Document:
    """The tournament for a TRF-2026. Points are 1, 1/2 and 0 for games and byes, whatever the club's own count.

    Args:
        heading: The tournament.
        players: All of them; their starting numbers follow rating or seed.
        rounds: What happened.
        ranking: The ids in the order of the standings; who is not in it has no rank.

    Raises:
        ValueError: the starting order is unclear.
    """
    order = start_order(players)
    numbers = {player.id: number for number, player in enumerate(order, start=1)}
    ranks = {one: rank for rank, one in enumerate(ranking, start=1)}
    told = [_turns(one, numbers) for one in rounds]
    return Document(
        before=(*_fields(heading, order, rounds), *_directives(rounds, numbers)),
        players=tuple(
            _trf_player(player, numbers[player.id], ranks.get(player.id), told) for player in order
        ),
    )


def _fields(heading: Heading, players: Sequence[Player], rounds: Sequence[Round]) -> list[Field]:
    days = [f"{day:%Y/%m/%d}" for day in heading.days]
    dates = "".join(f"{day[2:]:<10}" for day in days).rstrip()
    planned = heading.planned_rounds or len(rounds)
    texts = {
        "012": heading.name,
        "022": heading.city,
        "032": heading.federation,
        "042": min(days, default=""),
        "052": max(days, default=""),
        "062": str(len(players)),
        "072": str(sum(player.rating is not None for player in players)),
        "092": "Keizer",
        "102": heading.arbiter,
        "122": heading.time_control,
        # The first date stands in column 92, the text begins in column 5.
        "132": " " * 87 + dates if dates else "",
        "142": str(planned) if planned else "",
    }
    return [Field(code, _one_line(text)) for code, text in texts.items() if text]


def _one_line(text: str) -> str:
    """Without line ends and other control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _directives(rounds: Sequence[Round], numbers: Mapping[str, int]) -> list[Field]:
    return [
        directive("bye", round=number, player=numbers[away.player], type=_DIRECTIVES[away.reason])
        for number, one in enumerate(rounds, start=1)
        for away in one.away
        if away.reason in _DIRECTIVES
    ]


def _turns(one: Round, numbers: Mapping[str, int]) -> dict[str, Turn]:
    """What each player of a round did; who is not in it stayed away (Z)."""
    turns = {away.player: Turn(result="U" if away.reason is Reason.BYE else "Z") for away in one.away}
    for game in one.games:
        white, black = _TRF[game.result] if game.result else ("", "")
        turns[game.white] = Turn(numbers[game.black], "w", white)
        turns[game.black] = Turn(numbers[game.white], "b", black)
    return turns


def _trf_player(
    player: Player, number: int, rank: int | None, told: Sequence[Mapping[str, Turn]]
) -> TrfPlayer:
    turns = tuple(one.get(player.id, Turn()) for one in told)
    points = sum((_points(turn) for turn in turns), Fraction(0))
    name = _one_line(player.name or player.id)[:NAME_WIDTH].strip()
    return TrfPlayer(number, name, turns, points, rank, player.rating)


def _points(turn: Turn) -> Fraction:
    if turn.result in WON or turn.result == "U":
        return Fraction(1)
    return Fraction(1, 2) if turn.result in DRAWN else Fraction(0)


def results_table(
    heading: Heading,
    players: Sequence[Player],
    rounds: Sequence[Round],
    ranking: Sequence[str],
    *,
    new: Collection[str] = (),
) -> Table:
    """The tournament for a turnering.txt: the players in the order of *ranking*, their results round by round.

    A name "Last, First" is parted at its comma; a name without one is a last name.

    Args:
        heading: The tournament.
        players: All of them.
        rounds: What happened.
        ranking: The ids of all players in the order of the final standings.
        new: The ids of those who are new to rated tournaments.

    Raises:
        ExportError: a game has no result yet, or *ranking* is not of these players.
    """
    by_id = {player.id: player for player in players}
    if sorted(ranking) != sorted(by_id):
        raise ExportError("the ranking has to name every player once")
    numbers = {one: number for number, one in enumerate(ranking, start=1)}
    told = [_cells(one, number, numbers) for number, one in enumerate(rounds, start=1)]
    rows = []
    for one in ranking:
        last, _, first = (by_id[one].name or one).partition(",")
        cells = tuple(turn.get(one, Cell(0, "-")) for turn in told)
        row = Row(numbers[one], last.strip(), first.strip(), cells, new=one in new)
        rows.append(row)
    start, end = min(heading.days, default=None), max(heading.days, default=None)
    place = [part for part in (heading.name, heading.city, heading.federation) if part]
    return Table(
        ", ".join(place), end, start if start != end else None, heading.time_control, rows=tuple(rows)
    )


def _cells(one: Round, number: int, numbers: Mapping[str, int]) -> dict[str, Cell]:
    cells = {away.player: Cell(0, "+" if away.reason is Reason.BYE else "-") for away in one.away}
    for game in one.games:
        white, black = _marks(game, number)
        played = game.result is not None and game.result.played
        cells[game.white] = Cell(numbers[game.black] if played else 0, white)
        cells[game.black] = Cell(numbers[game.white] if played else 0, black)
    return cells


def _marks(game: ClubGame, number: int) -> tuple[str, str]:
    if game.result is None:
        raise ExportError(f"round {number}: {game.white} – {game.black} has no result yet")
    return _MARKS[game.result]
