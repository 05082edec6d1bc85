"""`gamekeeper club collect`: finds results of games played online."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from daemon.cli import exits
from daemon.cli.club.common import asked, reported, season, tournament_argument, yes_option
from daemon.cli.club.round_output import print_round
from daemon.cli.club.times import evening, when_of, when_options
from daemon.cli.columns import Column
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.club.online_results import BoardGame, Collected


@click.command()
@tournament_argument
@click.option(
    "--event",
    "account",
    metavar="KEY",
    help="Only games of this followed event: lichess:arena/ID, lichess:swiss/ID.",
)
@click.option("--time-class", help="Only these games: blitz, rapid, classical, …")
@click.option(
    "--take",
    multiple=True,
    metavar="BOARD=GAME",
    help="This game counts for the board, though it was unclear.",
)
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    help="An earlier round: look for its games without a result.",
)
@when_options
@yes_option
@pass_context
def command(
    context: Context,
    /,
    tournament: str,
    account: str | None,
    time_class: str | None,
    take: tuple[str, ...],
    number: int | None,
    *,
    yes: bool,
    **when: datetime | None,
) -> None:
    """Look in the archive for games of the boards without a result, show them, and enter them once you confirm.

    A game counts if both played it under their own name or a handle of theirs, on the evening of the round.
    If there are two, or it has no result, it is shown and not entered. Postponed games are looked for with
    --round, on the day to which they are postponed or on --date.
    """
    from daemon.club.online_results import Search, collect

    search = Search(when_of(**when), time_class, account, number, evening)
    found = reported(collect, context.archive(), tournament, search, take=_taken(take))
    if context.json:
        if yes:
            _enter(context, tournament, found, yes=yes)
        context.emit(_as_json(found, entered=yes))
    else:
        _show(found)
        if found.proposals:
            _enter(context, tournament, found, yes=yes)
            print_round(context, season(context, tournament)[1], found.round.n)
    if found.unclear or found.missing:
        click.get_current_context().exit(exits.PROBLEMS)


def _taken(given: tuple[str, ...]) -> Mapping[int, int]:
    parts = [one.split("=") for one in given]
    if not all(len(one) == 2 and all(half.isascii() and half.isdecimal() for half in one) for one in parts):
        raise click.UsageError("--take is BOARD=GAME, two numbers: --take 2=4711")
    return {int(board): int(game) for board, game in parts}


def _enter(context: Context, tournament: str, found: "Collected", *, yes: bool) -> None:
    from daemon.club.results import enter

    entries = {one.pairing.board: one.entry for one in found.proposals}
    if not entries:
        return
    if not yes:
        click.confirm(
            f"Enter {'this result' if len(entries) == 1 else 'these results'}?", abort=True, err=True
        )
    archive = context.archive()
    asked(
        lambda version: enter(
            archive, tournament, entries, number=found.round.n, now_ms=now_ms(), confirmed=version
        ),
        yes=False,  # a result that somebody has entered meanwhile is another question
    )


def _show(found: "Collected") -> None:
    from daemon.cli.output import print_table, printable

    labels = found.season.labels
    numbers = {one.id: one.n for one in found.season.members}
    rows = [
        (
            one.pairing.board,
            numbers[one.pairing.white],
            labels[one.pairing.white],
            numbers[one.pairing.black],
            labels[one.pairing.black],
            one.result.value,
            _described(one.found),
        )
        for one in found.proposals
    ]
    if rows:
        columns = ("board", "no.", "white", "no.", "black", "result", Column("game", least=20, wraps=True))
        print_table(columns, rows)
    for unclear in found.unclear:
        pair = f"{labels[unclear.pairing.white]} – {labels[unclear.pairing.black]}"
        click.echo(printable(f"board {unclear.pairing.board}, {pair}: {unclear.why}"))
        for one in unclear.games:
            click.echo(printable(f"    {_described(one)}  (--take {unclear.pairing.board}={one.game.id})"))
    for missing in found.missing:
        pair = f"{labels[missing.white]} – {labels[missing.black]}"
        click.echo(
            printable(f"board {missing.board}, {pair}: the archive has no game of theirs on that evening")
        )


def _described(one: "BoardGame") -> str:
    from daemon.archive.reading.times import rfc3339

    game = one.game
    when = rfc3339(game.started_at) or game.date
    said = [f"game {game.id}", when, f"{game.white} – {game.black}", game.result, game.time_class, game.url]
    return "  ".join(part for part in said if part)


def _as_json(found: "Collected", *, entered: bool) -> dict[str, object]:
    from daemon.club.views import member, pairing

    by_id = {one.id: member(one) for one in found.season.members}
    return {
        "tournament": found.season.tournament.slug,
        "round": found.round.n,
        "entered": entered and bool(found.proposals),
        "proposals": [
            {
                "pairing": pairing(one.pairing, by_id),
                "result": one.result.value,
                "game": _game(one.found),
            }
            for one in found.proposals
        ],
        "unclear": [
            {
                "pairing": pairing(one.pairing, by_id),
                "why": one.why,
                "games": [_game(game) for game in one.games],
            }
            for one in found.unclear
        ],
        "missing": [pairing(one, by_id) for one in found.missing],
    }


def _game(one: "BoardGame") -> dict[str, object]:
    from daemon.archive.reading.times import rfc3339

    game = one.game
    return {
        "id": game.id,
        "white": game.white,
        "black": game.black,
        "result": game.result,
        "turned": one.turned,
        "date": game.date,
        "started_at": rfc3339(game.started_at),
        "time_class": game.time_class,
        "url": game.url,
    }
