"""`gamekeeper club pair`: pairs the next round."""

from datetime import datetime

import click

from daemon.cli.club.common import asked, season, tournament_argument, yes_option
from daemon.cli.club.round_output import print_round
from daemon.cli.club.times import evening, today, when_of, when_options
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


@click.command()
@tournament_argument
@click.option(
    "--manual",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Make this a manual pair, before the others are paired.",
)
@click.option(
    "--first-white", is_flag=True, help="With --manual: A has White; else the rules give the colours."
)
@click.option("--remove", nargs=2, multiple=True, metavar="A B", help="Remove a manual pair.")
@click.option(
    "--bye", metavar="PLAYER", help='Who gets the bye if the number is odd; "-" for nobody in particular.'
)
@when_options
@yes_option
@pass_context
def command(
    context: Context,
    /,
    tournament: str,
    manual: tuple[tuple[str, str], ...],
    remove: tuple[tuple[str, str], ...],
    bye: str | None,
    *,
    first_white: bool,
    yes: bool,
    **when: datetime | None,
) -> None:
    """Pair all who are present, with reasons. With --manual, --remove, --bye it is only noted for the pairing.

    An existing pairing list is replaced after a question, as long as it has no results. If games of the round
    before have no result yet, you are asked whether they stay open.
    """
    if manual or remove or bye is not None:
        from daemon.club.evening import EveningSetting, set_by_hand

        setting = EveningSetting(manual, first_white, remove, "" if bye == "-" else bye)
        archive = context.archive()
        coming = asked(
            lambda version: set_by_hand(archive, tournament, setting, now_ms=now_ms(), confirmed=version),
            yes=yes,
        )
        print_round(context, season(context, tournament)[1], coming.n)
        return
    _pair(context, tournament, yes=yes, **when)


def _pair(
    context: Context,
    tournament: str,
    *,
    yes: bool,
    day: datetime | None,
    begins: datetime | None,
    ends: datetime | None,
) -> None:
    from daemon.club.foundation import reminders
    from daemon.club.pairing_list import pair_round

    archive, when = context.archive(), when_of(day, begins, ends)
    paired = asked(
        lambda version: pair_round(
            archive, tournament, when, usual=evening(today()), now_ms=now_ms(), confirmed=version
        ),
        yes=yes,
    )
    row = season(context, tournament)[1]
    print_round(context, row, paired.n, why=True)
    for one in reminders(row, today()):
        context.note(one)
