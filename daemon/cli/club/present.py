"""`gamekeeper club present`: who is there tonight."""

from typing import TYPE_CHECKING

import click

from daemon.cli.club.confirming import now_ms, season, told, tournament_argument
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from core.club.tournament import Reason


@click.command()
@tournament_argument
@click.option("--excused", multiple=True, metavar="PLAYER", help="Is absent, and had said so.")
@click.option(
    "--short-notice", multiple=True, metavar="PLAYER", help="Is absent, and said so only shortly before."
)
@click.option("--unexcused", multiple=True, metavar="PLAYER", help="Is absent without a word.")
@click.option("--club-duty", "club", multiple=True, metavar="PLAYER", help="Is absent for the club.")
@click.option(
    "--external",
    multiple=True,
    metavar="PLAYER=win|draw|loss",
    help="Played for the club elsewhere, with this result.",
)
@click.option("--here", multiple=True, metavar="PLAYER", help="Is there after all.")
@click.option("--only", multiple=True, metavar="PLAYER", help="Only these are there; all others are excused.")
@click.option("--rest-unexcused", is_flag=True, help="With --only: the others are absent without a word.")
@pass_context
def command(
    context: Context,
    /,
    tournament: str,
    here: tuple[str, ...],
    only: tuple[str, ...],
    external: tuple[str, ...],
    *,
    rest_unexcused: bool,
    **away: tuple[str, ...],
) -> None:
    """Show or set who is there in the coming round; everybody is who is not flagged absent."""
    from core.club.tournament import Reason
    from daemon.club.evening import Flags, set_flags

    flags = {name: Reason(reason.replace("_", " ")) for reason, players in away.items() for name in players}
    flags |= dict(map(_external, external))
    if flags or here or only:
        rest = Reason.UNEXCUSED if rest_unexcused else Reason.EXCUSED
        wanted = Flags(here=here, away=flags, only=only, rest=rest)
        told(set_flags, context.archive(), tournament, wanted, now_ms=now_ms())
    _show(context, tournament)


def _external(given: str) -> "tuple[str, Reason]":
    """Who played elsewhere, and what came of it.

    Raises:
        click.UsageError: it does not say what.
    """
    from core.club.tournament import Reason

    name, _, result = given.rpartition("=")
    found = {"win": Reason.EXTERNAL_WIN, "draw": Reason.EXTERNAL_DRAW, "loss": Reason.EXTERNAL_LOSS}
    if not name.strip() or result.strip().lower() not in found:
        raise click.UsageError(f'--external "{given}": write PLAYER=win, PLAYER=draw or PLAYER=loss')
    return name, found[result.strip().lower()]


def _show(context: Context, tournament: str) -> None:
    from daemon.archive.reading.club import member
    from daemon.cli.printing import print_table

    row = season(context, tournament)[1]
    number = row.next_number
    absences = row.open.absences if row.open else {}
    playing = sorted((one for one in row.members if one.plays(number)), key=lambda one: -(one.rating or 0))
    if context.json:
        context.emit(
            {
                "round": number,
                "present": [member(one) for one in playing if one.id not in absences],
                "absent": [
                    {"member": member(one), "reason": absences[one.id]}
                    for one in playing
                    if one.id in absences
                ],
            }
        )
        return
    there = sum(one.id not in absences for one in playing)
    click.echo(f"round {number}: {there} of {len(playing)} are there")
    print_table(
        ("no.", "name", "rating", "state"),
        [(one.n, row.labels[one.id], one.rating, absences.get(one.id, "here")) for one in playing],
    )
