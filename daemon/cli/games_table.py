"""The table of games: its columns, and what is cut on a narrow terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.game import BLACK_WINS, DRAW, WHITE_WINS
from daemon.cli import colours
from daemon.cli.columns import CellValue, Column, Shown

if TYPE_CHECKING:
    from core.players import Profile
    from daemon.archive.reading import shapes

_COLUMNS: Final = (
    "id",
    "date",
    Column("white", least=10),
    Column("black", least=10),
    "result",
    Column("eco", 4),
    Column("event", 3),
    Column("site", 2),
)
_OF_SOMEBODY: Final = (Column("outcome", 1, style=colours.of_state), Column("time class", 5))
_OUTCOMES: Final = {
    (WHITE_WINS, "white"): "won",
    (WHITE_WINS, "black"): "lost",
    (BLACK_WINS, "white"): "lost",
    (BLACK_WINS, "black"): "won",
    (DRAW, "white"): "drawn",
    (DRAW, "black"): "drawn",
}


def games_table(
    games: "Sequence[shapes.Game]", whose: "Profile | None" = None, *, heading: bool = True
) -> str:
    """Games as a table. With *whose*: also the time class, and the result from this person's side."""
    from daemon.cli.output import table

    columns = _COLUMNS if whose is None else (*_COLUMNS[:5], *_OF_SOMEBODY, *_COLUMNS[5:])
    return table(columns, [_line(game, whose) for game in games], heading=heading)


def of_dossier(dossier: "shapes.Dossier") -> "Profile":
    """The person that a dossier is about, by the configuration."""
    from core.players import Profile

    return Profile(aliases=(*dossier["names"], *dossier["accounts"]), fide_id=dossier["fide_id"])


def _line(game: "shapes.Game", whose: "Profile | None") -> tuple[CellValue, ...]:
    players = (_player(game["white"]), _player(game["black"]))
    seen = () if whose is None else (outcome(game, whose), game["time_class"])
    return (
        game["id"],
        game["date"],
        *players,
        game["result"],
        *seen,
        game["eco"],
        game["event"],
        _site(game),
    )


def outcome(game: "shapes.Game", whose: "Profile") -> str | None:
    """How the game ended for this person: ``won``, ``lost``, ``drawn``; None if that is not known."""
    from daemon.archive.reading.search.mine import why

    found = why(game, whose)
    return None if found is None else _OUTCOMES.get((game["result"], found[1]))


def _player(side: "shapes.Side") -> str:
    return side["name"] if side["rating"] is None else f"{side['name']} ({side['rating']})"


def _site(game: "shapes.Game") -> CellValue:
    """A terminal names the site of an online game, a pipe gets its URL."""
    full = game["site"]
    if full is None or "://" not in full:
        return full
    site = next((telling["site"] for telling in game["tellings"] if telling["site"]), None)
    return Shown(full, site or full.partition("://")[2].partition("/")[0])
