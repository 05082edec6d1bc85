"""`gamekeeper club settings`: shows or changes the rules of a tournament."""

from typing import Any

import click

from core.plurals import count_of
from daemon.cli import complete
from daemon.cli.club.common import asked, season, yes_option
from daemon.cli.club.rules import print_presets, print_rule, print_rules
from daemon.cli.club.setting_options import preset_settings, settings_of
from daemon.cli.club.times import today
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


@click.command()
@click.argument("tournament", required=False, shell_complete=complete.tournaments)
@click.argument("name", required=False)
@click.option(
    "--set", "given", multiple=True, metavar="SETTING=VALUE", help="Change a rule, or the name, city, …"
)
@click.option(
    "--preset", metavar="KIND", help="Take the rules of a kind of club; those it does not name stay."
)
@click.option(
    "--start-order-of", metavar="OTHER", help="Order members before round 1 by this tournament's table."
)
@click.option(
    "--presets", is_flag=True, help="List the kinds of clubs whose rules `club new --preset` takes."
)
@yes_option
@pass_context
def command(
    context: Context, /, tournament: str | None, name: str | None, *, presets: bool, yes: bool, **changes: Any
) -> None:
    """Show the rules of a tournament in plain words, explain the one called NAME, or change some."""
    if presets:
        print_presets(context)
        return
    if tournament is None:
        raise click.UsageError("say which tournament, or --presets")
    earlier, preset = changes["start_order_of"], changes["preset"]
    wanted = (preset_settings(preset) if preset else {}) | settings_of(changes["given"])
    if earlier:
        _start_by(context, tournament, earlier, yes=yes)
    if wanted:
        _change(context, tournament, wanted, yes=yes)
    _show(context, tournament, name, changed=bool(wanted or earlier))


def _show(context: Context, tournament: str, name: str | None, *, changed: bool) -> None:
    from daemon.club.views import whole

    row = season(context, tournament)[1]
    found = whole(row)
    if name is not None:
        print_rule(context, found, name)
    elif context.json:
        context.emit(found)
    elif not changed:
        print_rules(found)
    for remark in row.settings.remarks:
        context.note(remark)


def _change(context: Context, tournament: str, wanted: dict[str, str], *, yes: bool) -> None:
    from daemon.club.foundation import change_settings, reminders

    archive = context.archive()
    changed = asked(
        lambda version: change_settings(archive, tournament, wanted, now_ms=now_ms(), confirmed=version),
        yes=yes,
    )
    for one in changed or ["nothing has changed"]:
        context.note(one)
    if {"fesa", "begins"} & wanted.keys():
        for one in reminders(season(context, tournament)[1], today()):
            context.note(one)


def _start_by(context: Context, tournament: str, earlier: str, *, yes: bool) -> None:
    from daemon.club.own_terms import start_by_table

    archive = context.archive()
    found = asked(
        lambda version: start_by_table(archive, tournament, earlier, now_ms=now_ms(), confirmed=version),
        yes=yes,
    )
    context.note(
        f"ordered by the table of {earlier}: {count_of(len(found), 'member')}; the others follow by rating"
    )
