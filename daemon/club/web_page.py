"""A tournament as one HTML file to show or print. It loads nothing and runs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

from daemon.club import shapes, sheets
from daemon.club.errors import ClubError
from daemon.club.group_views import group_tables
from daemon.club.paper import FOOT, MARGIN, Paper
from daemon.club.season import Season
from daemon.club.views import cross_table, round_, standings, summary

PagePart = Literal["standings", "crosstable", "rounds", "pairings"]
PARTS: Final[tuple[PagePart, ...]] = ("pairings", "standings", "crosstable", "rounds")
WHOLE: Final[tuple[PagePart, ...]] = ("standings", "crosstable", "rounds")
"""What is shown by default."""


@dataclass(frozen=True, slots=True)
class PageLook:
    """What a page shows, on which paper. *pairings* is the list of one round to hang up.

    *tie_breaks* and *day* are those of `daemon.club.views.standings`.
    """

    parts: Sequence[PagePart] = WHOLE
    paper: Paper = field(default_factory=Paper)
    tie_breaks: Sequence[str] = ()
    day: date | None = None


def html(season: Season, number: int | None = None, look: PageLook | None = None) -> bytes:
    """The tournament after a round, of the last table if none is named; UTF-8.

    The list to hang up is that of the round itself, of the last one that is paired if none is named.

    Raises:
        ClubError: there is no table after that round, it is not paired, or a tie-break cannot be worked out.
    """
    look = look or PageLook()
    template = TEMPLATES.get_template("tournament.html")
    return template.render(
        tournament=summary(season),
        paper=look.paper,
        margin=MARGIN,
        foot=MARGIN + FOOT,
        wall=sheets.wall_sheet(_hung_up(season, number), look.paper) if "pairings" in look.parts else None,
        **_tables(season, number, look),
    ).encode()


def _tables(season: Season, number: int | None, look: PageLook) -> dict[str, object]:
    """What the parts that belong to a table show; None for what is not wanted."""
    shown: dict[str, object] = {"standings": None, "cross": None, "groups": (), "rounds": (), "after": None}
    if not set(look.parts) & set(WHOLE):
        return shown
    table = standings(season, number, look.tie_breaks, look.day)
    cross = cross_table(season, number, look.tie_breaks, look.day)
    if table is None or cross is None or table["round"] > len(season.complete):
        raise ClubError(f"there is no table after round {number} yet")
    shown["after"] = table
    listed = [_round(season, one.n) for one in season.listed if number is None or one.n <= number]
    if "standings" in look.parts:
        complete = [one for one in listed if one["n"] <= table["round"]]
        shown["standings"] = sheets.standings_sheet(table, complete, look.paper)
        shown["groups"] = group_tables(season, number)
    if "crosstable" in look.parts:
        shown["cross"] = sheets.cross_sheet(cross, look.paper)
    if "rounds" in look.parts:
        shown["rounds"] = listed
    return shown


def _hung_up(season: Season, number: int | None) -> shapes.ClubRound:
    if not season.listed:
        raise ClubError("no round is paired yet: `gamekeeper club pair` does it")
    wanted = season.listed[-1].n if number is None else number
    if all(one.n != wanted for one in season.listed):
        raise ClubError(f"round {wanted} is not paired")
    return _round(season, wanted)


def _round(season: Season, number: int) -> shapes.ClubRound:
    found = round_(season, number)
    assert found is not None  # it is listed
    return found


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("daemon.club"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["number"] = sheets.number
    made.globals |= {"signs": sheets.SIGNS}
    return made


TEMPLATES: Final = _environment()
"""The templates; those in `parts` are macros that any page can use."""
