"""`gamekeeper club handicap`: sets the handicap of shogi games."""

import click

from daemon.cli.club.common import reported, season, tournament_argument
from daemon.cli.club.round_output import print_round
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


# "-2p" looks like an option.
@click.command(context_settings={"ignore_unknown_options": True})
@tournament_argument
@click.argument("given", nargs=-1, required=True, metavar="[BOARD HANDICAP]…")
@click.option("--round", "number", type=click.IntRange(1), help="An earlier round (default: the last one).")
@pass_context
def command(context: Context, tournament: str, given: tuple[str, ...], number: int | None) -> None:
    """Set the handicap that a game is or was played with, as FESA's files write it.

    HANDICAP is m (Sente instead of furigoma), l (left lance), b (bishop), r (rook), rl, 2p, 4p, 5p, 6p, or
    none. The stronger of the two gives it, or the one whom you name: 2p:rossi. It does not count in any
    table.
    """
    from daemon.club.handicaps import read_handicap, set_handicaps

    if len(given) % 2:
        raise click.UsageError("after each board comes its handicap: 1 2p 3 none")
    wanted = {
        _board(board): reported(read_handicap, text)
        for board, text in zip(given[::2], given[1::2], strict=True)
    }
    if len(wanted) < len(given) // 2:
        raise click.UsageError("a board is given twice")
    archive = context.archive()
    entered = reported(set_handicaps, archive, tournament, wanted, number=number, now_ms=now_ms())
    print_round(context, season(context, tournament)[1], entered.n)


def _board(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise click.UsageError(f'"{text}" is not a board')
    return int(text)
