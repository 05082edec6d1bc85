"""`gamekeeper club player`: changes or removes a member."""

from typing import TYPE_CHECKING, Any

import click

from daemon.cli.club.common import asked, reported, season, tournament_argument, yes_option
from daemon.cli.club.shogi_options import shogi_facts, shogi_options
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.archive.club.rows import MemberRow


@click.group()
def command() -> None:
    """Change or remove a member."""


@command.command()
@tournament_argument
@click.argument("player")
@click.option("--name", help="The new spelling of the name; PLAYER is then the player of this name.")
@click.option("--rating", type=click.IntRange(1, 9999), help="The new rating.")
@click.option("--fide-id", help='The FIDE id; "" removes it.')
@click.option("--category", help='The category; "" removes it.')
@click.option(
    "--handle",
    "handles",
    multiple=True,
    metavar="SITE:NAME",
    help="Plays online as; replaces all earlier ones.",
)
@click.option(
    "--withdraw/--return",
    "withdrawn",
    default=None,
    help="From the next round on; with --from from that one.",
)
@click.option("--from", "without", type=click.IntRange(1, 999), metavar="ROUND", help="With --withdraw.")
@click.option("--joined", type=click.IntRange(1, 999), metavar="ROUND", help="Takes part from this round on.")
@shogi_options
@pass_context
def edit(context: Context, /, tournament: str, player: str, handles: tuple[str, ...], **facts: Any) -> None:
    """Change PLAYER: name and rating at any time; withdraw them, or let them return.

    In the rounds in between they count as absent without notice, which `club present --round` can change.

    PLAYER is a name, words that match only that member, or the number in the list of members.
    """
    from daemon.club.members import MemberEdit, edit_member
    from daemon.club.views import member

    if facts["without"] is not None and not facts["withdrawn"]:
        raise click.UsageError("--from says from which round on somebody withdraws: --withdraw --from 3")
    shogi = shogi_facts(facts)
    change = MemberEdit(handles=handles or None, shogi=shogi, **facts)
    if change == MemberEdit():
        raise click.UsageError("say what is to change")
    archive = context.archive()  # what writes brings an older archive to this version first
    before = season(context, tournament)[1].version
    changed = reported(edit_member, archive, tournament, player, change, now_ms=now_ms())
    same = season(context, tournament)[1].version == before
    if context.json:
        context.emit(member(changed))
    elif same:
        click.echo("nothing has changed")
    else:
        from daemon.cli.output import print_facts

        shown = {**member(changed), "handles": ", ".join(changed.handles) or None}
        shown["newcomer"] = "yes" if changed.newcomer else None
        print_facts((fact, value) for fact, value in shown.items() if isinstance(value, str | int))


@command.command()
@tournament_argument
@click.argument("player")
@yes_option
@pass_context
def remove(context: Context, tournament: str, player: str, *, yes: bool) -> None:
    """Remove PLAYER, who has no game yet. A player with a game can only withdraw.

    Their results count for the others.
    """
    from daemon.cli.output import printable
    from daemon.club.members import remove_member
    from daemon.club.views import member

    archive = context.archive()
    removed = asked(
        lambda version: remove_member(archive, tournament, player, now_ms=now_ms(), confirmed=version),
        yes=yes,
    )
    if context.json:
        context.emit(member(removed))
    else:
        click.echo(f"{printable(removed.label)} is removed")


@command.command()
@tournament_argument
@click.argument("player")
@click.option(
    "--set", "given", multiple=True, metavar="SETTING=VALUE", help="This setting differs for PLAYER."
)
@click.option("--clear", is_flag=True, help="Remove all other own terms: everybody's rules apply again.")
@yes_option
@pass_context
def terms(
    context: Context, tournament: str, player: str, given: tuple[str, ...], *, clear: bool, yes: bool
) -> None:
    """Show or set what rounds without a game are worth for PLAYER alone, such as a shift worker."""
    from daemon.cli.club.setting_options import settings_of
    from daemon.club.own_terms import set_terms

    wanted = settings_of(given)
    if not (wanted or clear):
        member = reported(season(context, tournament)[1].find, player)
    else:
        archive = context.archive()
        member = asked(
            lambda version: set_terms(
                archive, tournament, player, wanted, clear=clear, now_ms=now_ms(), confirmed=version
            ),
            yes=yes,
        )
    _print_terms(context, tournament, member)


def _print_terms(context: Context, tournament: str, member: "MemberRow") -> None:
    from core.club.keizer_settings import KeizerSettings
    from core.club.setting import explained
    from core.club.setting_texts import from_texts
    from daemon.cli.output import printable

    if context.json:
        context.emit(dict(member.terms))
        return
    row = season(context, tournament)[1]
    label = next(one.label for one in row.members if one.id == member.id)
    if not member.terms:
        click.echo(printable(f"{label} has no terms of their own: gamekeeper club settings {tournament}"))
    own = from_texts(KeizerSettings, {**row.tournament.settings, **member.terms})
    for one in explained(own):
        if one.name in member.terms:
            counts = "" if one.counts else f" It does not count without {one.needs}."
            click.echo(printable(f"{label}: {one.says} ({one.name}={one.value}){counts}"))
