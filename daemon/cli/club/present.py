"""`gamekeeper club present`: shows or sets who is present tonight."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from daemon.cli.club.common import asked, season, tournament_argument, yes_option
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms

if TYPE_CHECKING:
    from core.club.tournament import AbsenceReason
    from daemon.club.evening import Flags
    from daemon.club.presence import Presence
    from daemon.club.season import Season


@click.command()
@tournament_argument
@click.option("--excused", multiple=True, metavar="PLAYER", help="Is absent, and said so in time.")
@click.option(
    "--short-notice", multiple=True, metavar="PLAYER", help="Is absent, and said so only shortly before."
)
@click.option("--unexcused", multiple=True, metavar="PLAYER", help="Is absent without notice.")
@click.option("--club-duty", "club", multiple=True, metavar="PLAYER", help="Is absent for the club.")
@click.option(
    "--external",
    multiple=True,
    metavar="PLAYER=win|draw|loss",
    help="Played for the club elsewhere, with this result.",
)
@click.option("--here", multiple=True, metavar="PLAYER", help="Is there after all.")
@click.option(
    "--only",
    multiple=True,
    metavar="PLAYER",
    help="Only these are present: all others are excused, or absent as they were flagged before.",
)
@click.option("--rest-unexcused", is_flag=True, help="With --only: the others are absent without notice.")
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    help="An earlier round: show it, or change why somebody was absent in it.",
)
@yes_option
@pass_context
def command(
    context: Context,
    /,
    tournament: str,
    number: int | None,
    *,
    rest_unexcused: bool,
    yes: bool,
    **players: tuple[str, ...],
) -> None:
    """Show or set who is present in the coming round: everybody who is not flagged absent.

    While a round is being played it shows that one. Flags are then for the next round, after a question if
    games have no result yet.
    """
    wanted = _flags(players, rest_unexcused=rest_unexcused)
    if wanted.away or wanted.here or wanted.only:
        asked(_change(context, tournament, number, wanted), yes=yes)
    _show(context, season(context, tournament)[1], number)


def _flags(players: "dict[str, tuple[str, ...]]", *, rest_unexcused: bool) -> "Flags":
    """What the options say of the players."""
    from core.club.tournament import AbsenceReason
    from daemon.club.evening import Flags

    here, only, external = (players.pop(option) for option in ("here", "only", "external"))
    away = [
        (name, AbsenceReason(reason.replace("_", " ")))
        for reason, absent in players.items()
        for name in absent
    ]
    flags = _once([*away, *map(_external, external)])
    rest = AbsenceReason.UNEXCUSED if rest_unexcused else AbsenceReason.EXCUSED
    return Flags(here=here, away=flags, only=only, rest=rest)


def _change(
    context: Context, tournament: str, number: int | None, wanted: "Flags"
) -> "Callable[[int | None], object]":
    """Sets the flags of the coming round, or changes the reasons of an earlier one, once confirmed."""
    from daemon.club.evening import set_flags
    from daemon.club.presence import change_reasons

    archive = context.archive()
    if number is None:
        return lambda version: set_flags(archive, tournament, wanted, now_ms=now_ms(), confirmed=version)
    if wanted.here or wanted.only:
        raise click.UsageError("with --round only the reasons of those who were absent can change")
    return lambda version: change_reasons(
        archive, tournament, number, wanted.away, now_ms=now_ms(), confirmed=version
    )


def _once(said: "Iterable[tuple[str, AbsenceReason]]") -> "dict[str, AbsenceReason]":
    """Who is absent and why, by names.

    Raises:
        click.UsageError: one name has two reasons.
    """
    flags: dict[str, AbsenceReason] = {}
    for name, reason in said:
        if flags.setdefault(name, reason) != reason:
            raise click.UsageError(f'"{name}" cannot be {flags[name]} and {reason}')
    return flags


def _external(given: str) -> "tuple[str, AbsenceReason]":
    """Who played elsewhere, with what result.

    Raises:
        click.UsageError: the result is missing or unknown.
    """
    name, sign, result = given.partition("=")
    found = {word: reason for reason, words in _external_words().items() for word in words}
    if not (name.strip() and sign) or result.strip().lower() not in found:
        raise click.UsageError(f'--external "{given}": write PLAYER=win, PLAYER=draw or PLAYER=loss')
    return name, found[result.strip().lower()]


def _external_words() -> "dict[AbsenceReason, tuple[str, ...]]":
    from core.club.tournament import AbsenceReason

    return {
        AbsenceReason.EXTERNAL_WIN: ("win", "won", "1", "+"),
        AbsenceReason.EXTERNAL_DRAW: ("draw", "drew", "1/2", "½", "0.5", "="),
        AbsenceReason.EXTERNAL_LOSS: ("loss", "lost", "0", "-"),
    }


def _show(context: Context, row: "Season", number: int | None) -> None:
    from daemon.cli.club.common import reported
    from daemon.club.presence import presence

    found = reported(presence, row, number)
    if context.json:
        context.emit(_as_json(found))
    else:
        _print(found)


def _as_json(found: "Presence") -> dict[str, object]:
    from daemon.club.views import member

    return {
        "round": found.round,
        "state": found.state,
        "present": [member(one.member) for one in found.states if one.reason is None],
        "absent": [
            {"member": member(one.member), "reason": one.reason}
            for one in found.states
            if one.reason is not None
        ],
    }


def _print(found: "Presence") -> None:
    from daemon.cli.output import print_table

    there = sum(one.reason is None for one in found.states)
    if found.state == "open":
        click.echo(f"round {found.round}: {there} of {len(found.states)} are there")
    elif found.state == "paired":
        click.echo(f"round {found.round} is being played: {there} of {len(found.states)} have a game")
    else:
        click.echo(f"round {found.round} has been played: {there} of {len(found.states)} had a game")
    print_table(
        ("no.", "name", "rating", "state"),
        [
            (
                one.member.n,
                one.member.label,
                one.member.rating,
                "club duty" if one.words == "club" else one.words,
            )
            for one in found.states
        ],
    )
