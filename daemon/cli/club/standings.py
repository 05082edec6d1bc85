"""`gamekeeper club standings`: shows the table after a round."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import click

from core.club.tie_breaks import PLAIN_WORDS
from daemon.cli.club.common import reported, season, tournament_argument
from daemon.cli.club.tie_break_options import TieBreakChoice, tie_break_options
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.club import shapes


_COLUMNS: Final = (
    "no.",
    Column("name", least=20),
    Column("rating", 3),
    "points",
    Column("value", 4),
    Column("next", 5),
    Column("games", 2),
    Column("+ = -", 1, least=8),
    Column("category", 6),
)


_BY_POINTS: Final = tuple(
    column for column in _COLUMNS if not (isinstance(column, Column) and column.title in {"value", "next"})
)
_WORDS: Final = "\b\n" + "\n".join(f"{code:6} {words}" for code, words in PLAIN_WORDS.items())


@click.command(epilog=_WORDS)
@tournament_argument
@click.option(
    "--round",
    "number",
    type=click.IntRange(0),
    help="After this round (default: the last); 0 is before the first.",
)
@click.option("--category", help="Only this category, with its own places.")
@click.option("--details", is_flag=True, help="With what each round brought, to check it by hand.")
@tie_break_options
@pass_context
def command(
    context: Context,
    tournament: str,
    number: int | None,
    category: str | None,
    broken: TieBreakChoice,
    *,
    details: bool,
) -> None:
    """Print the table after a round.

    "no." is the member's number, which commands accept. "value" is the value number that the table was made
    with: a win against a player is worth that. "next" is the one of the next table. After the last planned
    round players with too few games are listed without a rank. For the round that is being played --round
    shows the table so far.

    With --tie-breaks FIDE's tie-breaks are shown too, by the rules of the day on which the tournament began.
    In a tournament by points they decide the order of those with equal points; Keizer's order stays as it is.
    """
    from daemon.club.views import standings

    its = season(context, tournament)[1]
    found = reported(standings, its, number, broken.codes, broken.day)
    if found is None:
        raise click.ClickException(f"there is no table after round {number} yet")
    everybody = {one["label"]: one for one in _members(found)}
    if category is not None:
        found["items"] = _of_category(found, category)
    if context.json:
        context.emit(found)
        return
    if found["round"] > len(its.complete):
        click.echo("so far, not all results are there:")
    _print(found, by_category=category is not None)
    if details:
        _print_details(found, everybody)
    _print_notes(found)
    if number is None and its.current is not None:
        context.note(f"round {its.current.n} is being played: --round {its.current.n} shows the table so far")


def _members(found: "shapes.Standings") -> "list[shapes.Member]":
    return [*(one["member"] for one in found["items"]), *found["withdrawn"]]


def _of_category(found: "shapes.Standings", category: str) -> "list[shapes.Standing]":
    its = [one for one in found["items"] if _key(one["member"]["category"]) == _key(category)]
    if not its:
        there = sorted({one["category"] for one in _members(found) if one["category"]})
        known = f"there are {', '.join(there)}" if there else "no member has a category"
        raise click.ClickException(f'nobody is in the category "{category}": {known}')
    return its


def _key(category: str | None) -> str:
    return (category or "").casefold()


def _print(found: "shapes.Standings", *, by_category: bool) -> None:
    from daemon.cli.output import print_table

    click.echo(f"after round {found['round']}" + (", final" if found["final"] else ""))
    ranks = ("rank", "of all") if by_category else ("rank",)
    keizer = found["kind"] == "keizer"
    rows = [
        (
            *((one["category_rank"], one["rank"]) if by_category else (one["rank"],)),
            one["member"]["n"],
            one["member"]["label"],
            one["member"]["rating"],
            f"{one['points']:.2f}" if keizer else f"{one['points']:g}",
            *((_shown(one["value"]), _shown(one["next_value"])) if keizer else ()),
            one["played"],
            f"+{one['wins']} ={one['draws']} -{one['losses']}",
            one["member"]["category"],
            *map(_tie_break, one["tie_breaks"].values()),
        )
        for one in found["items"]
    ]
    codes = list(found["items"][0]["tie_breaks"]) if found["items"] else []
    print_table((*ranks, *(_COLUMNS if keizer else _BY_POINTS), *codes), rows)


def _tie_break(value: float | None) -> str | None:
    """As it is; nothing for a tie-break that only compares equal players."""
    return None if value is None else f"{value:g}"


def _print_details(found: "shapes.Standings", everybody: "Mapping[str, shapes.Member]") -> None:
    from daemon.cli.output import printable

    names = {label: _numbered(one) for label, one in everybody.items()}
    for one in found["items"]:
        own = _own(found, one)
        parts = [_credit(credit, names) for credit in one["credits"]]
        click.echo(
            printable(
                f"{_numbered(one['member'])}: {'; '.join([*own, *parts])}; together {_sum(one['exact'])}"
            )
        )


def _sum(number: str) -> str:
    """The whole sum: exact, and rounded if it does not end."""
    exact, shown = _exact(number), _shown(number)
    return f"{exact} = {shown}" if "/" in exact else exact


def _own(found: "shapes.Standings", one: "shapes.Standing") -> list[str]:
    """What counts besides the rounds.

    The own value number, or points that the file shows beyond its results.
    """
    if found["kind"] == "keizer":
        return [f"own value {_exact(one['own'])}"]
    return [f"in the file beside the results {_shown(one['own'])}"] if Fraction(one["own"]) else []


def _numbered(member: "shapes.Member") -> str:
    from daemon.club.labels import numbered

    return numbered(member["n"], member["name"])


def _credit(credit: "shapes.Credit", names: "Mapping[str, str]") -> str:
    against = f" against {names[credit['opponent']]}" if credit["opponent"] else ""
    if Fraction(credit["fixed"]) or not Fraction(credit["value"]):
        sum_ = f"{_exact(credit['fixed'])} {'point' if credit['fixed'] == '1' else 'points'}"
    else:
        sum_ = f"{_value(credit)} × {_exact(credit['factor'])} = {_exact(credit['points'])}"
    kind = "club duty" if credit["kind"] == "club" else credit["kind"]
    return f"round {credit['round']} {kind}{against} {sum_}"


def _value(credit: "shapes.Credit") -> str:
    """The value number that counts; both, if it is by rating and by place."""
    share, value = Fraction(credit["rating_share"]), Fraction(credit["value"])
    if share == 1:
        return f"{_exact(str(value))} (by rating)"
    if share:
        rating = Fraction(credit["rating_value"])
        place = (value - share * rating) / (1 - share)
        return (
            f"({_exact(str(share))} × {rating} by rating + {_exact(str(1 - share))} × {_exact(str(place))})"
        )
    whose = " (own)" if credit["opponent"] and credit["of"] == "own" else ""
    return f"{_exact(credit['value'])}{whose}"


def _exact(number: str) -> str:
    """A fraction without rounding: 7.5, or 71/6 if it does not end."""
    shown = f"{float(Fraction(number)):.6f}".rstrip("0").rstrip(".")
    return shown if Fraction(shown) == Fraction(number) else number


def _print_notes(found: "shapes.Standings") -> None:
    from daemon.cli.output import printable

    if found["held"]:
        click.echo("note: made with the value numbers of the table before (the last planned round)")
    for one in found["notes"]:
        click.echo(f"note: {one}")
    if found["tie_break_rules"]:
        click.echo(f"note: {found['tie_break_rules']}")
    if found["withdrawn"]:
        names = "; ".join(map(_numbered, found["withdrawn"]))
        click.echo(printable(f"withdrawn: {names}"))


def _shown(number: str) -> str:
    """An exact fraction for people: 7.5, or 11.833 if it does not end."""
    return f"{float(Fraction(number)):.3f}".rstrip("0").rstrip(".")
