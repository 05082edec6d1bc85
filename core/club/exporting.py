"""A club tournament as FESA's turnering.txt sees it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from core.club.crosstable import Cell, Row, Table
from core.club.record import Heading
from core.club.tournament import ClubGame, Player, Reason, Result, Round

_MARKS: Final = {
    Result.WHITE: ("+", "-"),
    Result.BLACK: ("-", "+"),
    Result.DRAW: ("=", "="),
    Result.WHITE_FORFEIT: ("+", "#"),
    Result.BLACK_FORFEIT: ("#", "+"),
    Result.BOTH_ABSENT: ("#", "#"),
}


class ExportError(ValueError):
    """A tournament cannot be told in that format; the text says why."""


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
    start, end = heading.first_day, heading.last_day
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
