"""`gamekeeper club settings`: the rules of a tournament."""

import click

from daemon.cli import complete
from daemon.cli.club.confirming import asked, now_ms, season, yes_option
from daemon.cli.club.rules import print_rule, print_rules
from daemon.cli.club.setting_options import settings_of
from daemon.cli.context import Context, pass_context


@click.command()
@click.argument("tournament", shell_complete=complete.tournaments)
@click.argument("name", required=False)
@click.option(
    "--set", "given", multiple=True, metavar="SETTING=VALUE", help="Change a rule, or the name, city, …"
)
@yes_option
@pass_context
def command(
    context: Context, tournament: str, name: str | None, given: tuple[str, ...], *, yes: bool
) -> None:
    """Show the rules of a tournament in plain words, explain the one called NAME, or change some."""
    from daemon.archive.reading.club import whole

    if given:
        _change(context, tournament, given, yes=yes)
    row = season(context, tournament)[1]
    found = whole(row)
    if name is not None:
        print_rule(context, found, name)
    elif context.json:
        context.emit(found)
    elif not given:
        print_rules(found)
    for remark in row.settings.remarks:
        context.note(remark)


def _change(context: Context, tournament: str, given: tuple[str, ...], *, yes: bool) -> None:
    from daemon.club.founding import change_settings

    wanted, archive = settings_of(given), context.archive()
    changed = asked(
        lambda version: change_settings(archive, tournament, wanted, now_ms=now_ms(), confirmed=version),
        yes=yes,
    )
    for one in changed or ["nothing has changed"]:
        context.note(one)
