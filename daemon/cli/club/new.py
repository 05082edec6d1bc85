"""`gamekeeper club new`: found a tournament."""

import click

from daemon.cli.club.confirming import now_ms, season, told
from daemon.cli.club.setting_options import settings_of
from daemon.cli.context import Context, pass_context


@click.command()
@click.argument("name", nargs=-1, required=True)
@click.option("--short", help="The short name that commands and file names use (default: the name).")
@click.option("--rounds", type=click.IntRange(1, 999), help="How many rounds are planned (default: 7).")
@click.option("--city", default="", help="For results files.")
@click.option("--federation", default="", help="For results files.")
@click.option("--arbiter", default="", help="For results files.")
@click.option("--time-control", default="", help='For results files: "20min + 40sec".')
@click.option(
    "--set", "settings", multiple=True, metavar="SETTING=VALUE", help="A rule; `club settings` lists them."
)
@pass_context
def command(
    context: Context,
    /,
    name: tuple[str, ...],
    short: str | None,
    rounds: int | None,
    settings: tuple[str, ...],
    **facts: str,
) -> None:
    """Found the Keizer tournament NAME."""
    from daemon.club.founding import Founding, found

    rules = settings_of(settings)
    if rounds is not None:
        rules["planned_rounds"] = str(rounds)
    full = " ".join(name)
    founding = Founding(full, short or full, rules, **facts)
    slug = told(found, context.archive(), founding, now_ms=now_ms())
    row = season(context, slug)[1]
    if context.json:
        from daemon.archive.reading.club import whole

        context.emit(whole(row))
        return
    click.echo(f"{slug} is founded; add members: gamekeeper club members add {slug} NAME RATING")
    needed = max(1, row.settings.games_needed)
    click.echo(
        f"ranked at the end from {needed} of {row.settings.planned_rounds} games on; another number: "
        f"gamekeeper club settings {slug} --set minimum_games=NUMBER"
    )
