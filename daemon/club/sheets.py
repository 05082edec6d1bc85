"""What the templates of a tournament show: lines, turns, and how they fit the paper.

The looks are up to the templates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from core.club.tournament import AbsenceReason
from core.vocabulary import Colour
from daemon.club import shapes
from daemon.club.paper import Layout, Paper, column, laid_out, wall_size, words
from daemon.club.views import sign

SIGNS: Final[Mapping[AbsenceReason, tuple[str, str]]] = {
    AbsenceReason.BYE: ("B", "bye"),
    AbsenceReason.EXCUSED: ("E", "excused"),
    AbsenceReason.SHORT_NOTICE: ("S", "excused at short notice"),
    AbsenceReason.UNEXCUSED: ("U", "away without a word"),
    AbsenceReason.CLUB: ("C", "away for the club"),
    AbsenceReason.EXTERNAL_WIN: ("X1", "won elsewhere"),
    AbsenceReason.EXTERNAL_DRAW: ("X½", "drew elsewhere"),
    AbsenceReason.EXTERNAL_LOSS: ("X0", "lost elsewhere"),
}
"""The sign of somebody without a game in a round, and its meaning."""
_LEAST_NAME: Final = 6
_MOST_NAME: Final = 12
"""Ems: a longer name may have to wrap."""


@dataclass(frozen=True, slots=True)
class MemberTurn:
    """What a member did in a round. Without an opponent *absence* says why; both are None for who was not in it.

    *result* is the member's own: `1`, `½`, `0`, or `+` and `-` for a game that was not played; None until it is known.
    """

    round: int
    opponent: shapes.Member | None = None
    colour: Colour | None = None
    result: str | None = None
    absence: str | None = None

    @property
    def text(self) -> str:
        """As a table shows it: the opponent's number, the colour, the result; or a sign of `SIGNS`."""
        if self.opponent is None or self.colour is None:
            return SIGNS[AbsenceReason(self.absence)][0] if self.absence else "·"
        return f"{self.opponent['n']}{self.colour[0]}{'−' if self.result == '-' else self.result or ''}"


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A member in the standings; *standing* is None for who has withdrawn."""

    member: shapes.Member
    standing: shapes.Standing | None
    turns: tuple[MemberTurn, ...]
    facts: tuple[str, ...] = ()
    """What is between name and rounds."""


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """The standings. Parts of the layout count from `FACTS` on: these columns first, tie-breaks, then the rounds."""

    table: shapes.Standings
    lines: tuple[StandingsLine, ...]
    layout: Layout

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns between name and rounds."""
        return _heads(self.table)


@dataclass(frozen=True, slots=True)
class CrossSheet:
    """The cross table; parts of the layout are columns."""

    table: shapes.CrossTable
    layout: Layout


FACTS: Final = ("Rating", "Category", "Points", "Value", "Next", "Games", "+", "=", "−")
"""What stands between name and rounds; "Value" and "Next" in Keizer's tables only."""


def _heads(table: shapes.Standings) -> tuple[str, ...]:
    facts = [head for head in FACTS if table["kind"] == "keizer" or head not in {"Value", "Next"}]
    return (*facts, *(table["items"][0]["tie_breaks"] if table["items"] else ()))


def standings_sheet(
    table: shapes.Standings, rounds: Sequence[shapes.ClubRound], paper: Paper
) -> StandingsSheet:
    """The standings with what everybody did in these rounds, those who have withdrawn at the end."""
    turns = _turns(rounds)
    lines = [
        *(StandingsLine(one["member"], one, _of(turns, one["member"])) for one in table["items"]),
        *(StandingsLine(one, None, _of(turns, one)) for one in table["withdrawn"]),
    ]
    heads = _heads(table)
    lines = [replace(line, facts=_facts(line, heads)) for line in lines]
    facts = [
        column([head, *(line.facts[at] for line in lines if line.standing)], most=8)
        for at, head in enumerate(heads)
    ]
    games = [
        column([f"R{number}", *(line.turns[at].text for line in lines)])
        for at, number in enumerate(one["n"] for one in rounds)
    ]
    layout = laid_out(_fixed([line.member for line in lines]), [facts, games], paper)
    return StandingsSheet(table, tuple(lines), layout)


def _turns(rounds: Sequence[shapes.ClubRound]) -> list[Mapping[int, MemberTurn]]:
    """What happened in each round, by the members' numbers."""
    return [
        {one["member"]["n"]: MemberTurn(played["n"], absence=one["reason"]) for one in played["absences"]}
        | {turn_of["n"]: turn for board in played["pairings"] for turn_of, turn in _sides(played["n"], board)}
        | {0: MemberTurn(played["n"])}
        for played in rounds
    ]


def _sides(number: int, board: shapes.Pairing) -> list[tuple[shapes.Member, MemberTurn]]:
    white, black, result = board["white"], board["black"], board["result"]
    return [
        (white, MemberTurn(number, black, "white", sign(result, white=True))),
        (black, MemberTurn(number, white, "black", sign(result, white=False))),
    ]


def _of(turns: Sequence[Mapping[int, MemberTurn]], member: shapes.Member) -> tuple[MemberTurn, ...]:
    return tuple(one.get(member["n"], one[0]) for one in turns)


def _fixed(members: Sequence[shapes.Member]) -> float:
    """The ems of rank, number and name."""
    names = (one["label"] for one in members)
    rank = column(["Rank", str(len(members))])
    number = column(["No.", *(str(one["n"]) for one in members)])
    return rank + number + column(names, _LEAST_NAME, _MOST_NAME)


def _facts(line: StandingsLine, heads: Sequence[str]) -> tuple[str, ...]:
    """The texts of the columns with these heads."""
    one, category = line.standing, line.member["category"] or ""
    facts = {"Rating": str(line.member["rating"] or ""), "Category": category}
    if one is not None:
        facts |= {
            "Category": f"{category} ({one['category_rank']})" if one["category_rank"] else category,
            "Points": f"{one['points']:.2f}",
            "Value": number(one["value"]),
            "Next": number(one["next_value"]),
            "Games": str(one["played"]),
            "+": str(one["wins"]),
            "=": str(one["draws"]),
            "−": str(one["losses"]),
            **{code: _decimal(value) for code, value in one["tie_breaks"].items()},
        }
    return tuple(facts.get(head, "–") for head in heads)


def number(exact: str) -> str:
    """An exact fraction with at most two places."""
    return f"{float(Fraction(exact)):.2f}".rstrip("0").rstrip(".")


def _decimal(value: float | None) -> str:
    """A tie-break; nothing for one that only compares those who are equal."""
    return "" if value is None else f"{value:g}"


def cross_sheet(table: shapes.CrossTable, paper: Paper) -> CrossSheet:
    """The cross table."""
    rows = table["items"]
    columns = [
        column(words([str(row["member"]["n"]), *(_games(other["cells"][at]) for other in rows)]))
        for at, row in enumerate(rows)
    ]
    return CrossSheet(table, laid_out(_fixed([row["member"] for row in rows]), [columns], paper))


def _games(cells: Sequence[shapes.CrossCell]) -> str:
    return " ".join(f"{one['result'] or ''}{one['colour'][0]}" for one in cells)


@dataclass(frozen=True, slots=True)
class WallSheet:
    """The boards of a round to hang up, in letters of so many points."""

    round: shapes.ClubRound
    points: int


_OTHERS: Final = column(["Board"]) + 2 * column(["No."]) + column(["postponed"])


def wall_sheet(round_: shapes.ClubRound, paper: Paper) -> WallSheet:
    """The list to hang up, on one page if it can be."""
    names = [(one["white"]["label"], one["black"]["label"]) for one in round_["pairings"]]
    below = "".join(f"no. 00 {one['member']['name']} ({one['reason']}); " for one in round_["absences"])
    return WallSheet(round_, wall_size(names, _OTHERS, below, paper))
