"""`gamekeeper club settings`: the rules of a tournament."""

import click

from daemon.cli.club.confirming import asked, now_ms, season, tournament_argument, yes_option
from daemon.cli.club.setting_options import settings_of
from daemon.cli.context import Context, pass_context


@click.command()
@tournament_argument
@click.option(
    "--set", "given", multiple=True, metavar="SETTING=VALUE", help="Change a rule, or the name, city, …"
)
@yes_option
@pass_context
def command(context: Context, tournament: str, given: tuple[str, ...], *, yes: bool) -> None:
    """Show the rules of a tournament, or change some."""
    from daemon.archive.reading.club import whole
    from daemon.cli.printing import print_facts
    from daemon.club.founding import change_settings

    if given:
        wanted, archive = settings_of(given), context.archive()
        changed = asked(
            lambda version: change_settings(archive, tournament, wanted, now_ms=now_ms(), confirmed=version),
            yes=yes,
        )
        for one in changed or ["nothing has changed"]:
            context.note(one)
    row = season(context, tournament)[1]
    if context.json:
        context.emit(whole(row))
    elif not given:
        facts = ("name", "short_name", "city", "federation", "arbiter", "time_control")
        print_facts((fact, getattr(row.tournament, fact) or None) for fact in facts)
        click.echo()
        print_facts({**row.tournament.settings, **row.tournament.pairing_settings}.items())
