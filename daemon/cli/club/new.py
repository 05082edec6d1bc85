"""`gamekeeper club new`: creates a tournament."""

from typing import Any

import click

from core.plurals import count_of
from daemon.cli.club.common import reported, season
from daemon.cli.club.setting_options import preset_settings, settings_of
from daemon.cli.club.times import today
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


@click.command()
@click.argument("name", nargs=-1, required=True)
@click.option("--short", help="The short name that commands and file names use (default: the name).")
@click.option("--rounds", type=click.IntRange(1, 999), help="How many rounds are planned (default: 7).")
@click.option("--city", default="", help="For results files.")
@click.option("--federation", default="", help="For results files.")
@click.option("--arbiter", default="", help="For results files.")
@click.option("--time-control", default="", help='For results files: "20min + 40sec".')
@click.option("--fesa", is_flag=True, flag_value="yes", default="", help="It is for FESA's rating (shogi).")
@click.option(
    "--begins", default="", metavar="DATE", help="Its first day; FESA wants to know it two weeks before."
)
@click.option(
    "--preset", metavar="KIND", help="The rules of a kind of club; `club settings --presets` lists them."
)
@click.option(
    "--after",
    metavar="TOURNAMENT",
    help="With the rules, members and groups of this one, in the order of its table.",
)
@click.option(
    "--move",
    type=click.IntRange(0, 99),
    default=0,
    help="With --after: how many go up and down between groups.",
)
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
    **more: Any,
) -> None:
    """Create the Keizer tournament NAME."""
    from daemon.club.foundation import reminders

    after, move, preset = more.pop("after"), more.pop("move"), more.pop("preset")
    rules = _rules(preset, rounds, settings)
    full = " ".join(name)
    slug = _found(context, after, move, name=full, short_name=short or full, settings=rules, **more)
    row = season(context, slug)[1]
    if context.json:
        from daemon.club.views import whole

        context.emit(whole(row))
        return
    if after:
        click.echo(f"{slug} is created with the members of {after}: gamekeeper club log {slug}")
    else:
        click.echo(f"{slug} is created; add members: gamekeeper club members add {slug} NAME RATING")
    needed = max(1, row.settings.games_needed)
    click.echo(
        f"ranked at the end: players with at least {needed} of {count_of(row.settings.planned_rounds, 'game')}; "
        f"another number: gamekeeper club settings {slug} --set minimum_games=NUMBER"
    )
    for one in reminders(row, today()):
        context.note(one)


def _rules(preset: str | None, rounds: int | None, settings: tuple[str, ...]) -> dict[str, str]:
    """The rules from the options: those of the kind of club, and the given settings.

    Raises:
        click.UsageError: there is no such kind.
    """
    rules = preset_settings(preset) if preset else {}
    if rounds is not None:
        rules["planned_rounds"] = str(rounds)
    return rules | settings_of(settings)


def _found(context: Context, after: str | None, move: int, **facts: Any) -> str:
    from daemon.club.foundation import NewTournament, found
    from daemon.club.next_cycle import found_after

    if move and not after:
        raise click.UsageError("--move needs --after")
    founding = NewTournament(**facts)
    if not after:
        return reported(found, context.archive(), founding, now_ms=now_ms())
    return reported(found_after, context.archive(), founding, after, move=move, now_ms=now_ms())
