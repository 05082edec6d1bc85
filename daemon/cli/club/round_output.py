"""Prints a round for people: boards, absences, notes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from daemon.cli.columns import Column
from daemon.cli.context import Context

if TYPE_CHECKING:
    from daemon.archive.club.rows import ByHandRow, RoundRow
    from daemon.club.season import Season


def print_round(context: Context, season: "Season", number: int, *, why: bool = False) -> None:
    """Print a round as JSON or for people; *why*: with the reasons for each board."""
    from daemon.club.views import round_

    if context.json:
        context.emit(round_(season, number))
        return
    row = next(one for one in season.rounds if one.n == number)
    _print_boards(season, row)
    if why and row.pairings:
        _print_reasons(season, row)
    for line in _lines(season, row):
        click.echo(line)
    _print_state(row)


def _print_boards(season: "Season", row: "RoundRow") -> None:
    from daemon.cli.output import print_table
    from daemon.club.handicaps import said
    from daemon.club.results import outcome

    click.echo(f"round {row.n}" + (f", {row.day}" if row.day else ""))
    its = {one.id: one for one in season.members}
    handicaps = any(one.handicap for one in row.pairings)
    boards = [
        (
            one.board,
            its[one.white].n,
            its[one.white].label,
            its[one.black].n,
            its[one.black].label,
            one.result or (outcome(one) if one.postponed else None),
            *([said(season, one)] if handicaps else []),
        )
        for one in row.pairings
    ]
    if boards:
        white, black = Column("white", least=16), Column("black", least=16)
        columns: list[Column | str] = ["board", "no.", white, "no.", black, Column("result", least=8)]
        columns += ["handicap"] if handicaps else []
        print_table(columns, boards)


def _print_state(row: "RoundRow") -> None:
    open_ = ", ".join(f"board {one.board}" for one in row.open_games)
    if row.state == "complete":
        click.echo(f"the table after round {row.n} is complete" + (f" without {open_}" if open_ else ""))
    elif row.state == "paired" and row.has_all_results:
        click.echo(
            "all results are there, but the table was undone: it counts again when the next round is paired"
        )
    elif row.state == "paired" and not row.is_untouched:
        click.echo(f"no result yet: {open_}")


def _print_reasons(season: "Season", row: "RoundRow") -> None:
    from daemon.cli.output import printable

    click.echo("\nwhy:")
    for one in row.pairings:
        pair = f"{season.labels[one.white]} – {season.labels[one.black]}"
        click.echo(
            printable(f"  {one.board}  {pair}: {'; '.join(dict.fromkeys((one.why, one.why_colours)))}")
        )


def _lines(season: "Season", row: "RoundRow") -> list[str]:
    from daemon.cli.output import printable
    from daemon.club.labels import numbered

    labels = {one.id: numbered(one.n, one.name) for one in season.members}
    away = [
        f"{labels[member]} ({'club duty' if reason == 'club' else reason})"
        for member, reason in row.absences.items()
    ]
    by_hand = [_by_hand(one, labels) for one in row.by_hand if row.state == "open"]
    bye = [f"by hand: bye {labels[row.bye_id]}"] if row.bye_id and row.state == "open" else []
    said = [f"without a game: {'; '.join(away)}"] if away else []
    return [
        printable(line)
        for line in (
            *said,
            *(f"by hand: {pair}" for pair in by_hand),
            *bye,
            *(f"note: {one}" for one in row.notes),
        )
    ]


def _by_hand(pair: "ByHandRow", labels: Mapping[int, str]) -> str:
    return " – ".join(
        f"{labels[side]} (White)" if side == pair.white else labels[side] for side in (pair.one, pair.other)
    )
