"""`gamekeeper edit`: the tags of games, and the names of players."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from core.edits import FIELDS, EditError
from core.plurals import count_of
from core.vocabulary import COLOURS, Colour
from daemon.cli.context import Context, pass_context
from daemon.cli.dates import year_first
from daemon.cli.filter_options import filter_options_but, read_filters
from daemon.cli.ids import ID
from daemon.cli.output import printable
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.edits.door import Edited

_HELP = {
    "white": "The name of White. One of the same player is shown in all their games; another moves this game.",
    "black": "The name of Black.",
    "date": "The date, year first: 2024.05.12, with ?? for what is unknown.",
    "result": "The result: 1-0, 0-1, 1/2-1/2 or *.",
}


@click.group()
def command() -> None:
    """Edit games and players.

    What the sources say stays in the archive, and an edit lasts whatever they say later. `gamekeeper edits`
    lists all edits and undoes them.
    """


def _field_options(function: Callable[..., None]) -> Callable[..., None]:
    for name in reversed(list(FIELDS)):
        text = _HELP.get(name) or f"{_called(name)}; empty removes it."
        function = click.option(_option(name), name, metavar="TEXT", help=text)(function)
    return function


def _called(name: str) -> str:
    words = name.replace("_", " ").replace("fide", "FIDE").replace("eco", "ECO code")
    side, _, what = words.partition(" ")
    return f"The {what} of {side.title()}" if side in COLOURS else f"The {words}"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _read(name: str, typed: str, option: str | None = None) -> str:
    """What was typed, in the form in which it is stored.

    Raises:
        BadParameter: the tag cannot have this value.
    """
    try:
        return FIELDS[name].read(year_first(typed) if name == "date" else typed)
    except EditError as error:
        raise click.BadParameter(printable(str(error)), param_hint=option or _option(name)) from None


@command.command("game")
@click.argument("game_id", metavar="ID", type=ID)
@_field_options
@pass_context
def edit_game(context: Context, /, game_id: int, **typed: str | None) -> None:
    """Edit the tags of one game.

    If it is then the same as another game, they are merged, with all tellings of both.
    """
    from daemon.edits import door

    values = {name: _read(name, text) for name, text in typed.items() if text is not None}
    if not values:
        raise click.UsageError("say what is to be edited, for example: --date 2024.05.12")
    archive = context.archive()
    _print_result(context, _made(lambda: door.edit_game(archive, game_id, values, now_ms=now_ms())))


@command.command("player")
@click.argument("player_id", metavar="ID", type=ID)
@click.option("--name", required=True, metavar="NAME", help="The name, as it is to be shown.")
@click.option("--yes", is_flag=True, help="Do not ask before games go to another player.")
@pass_context
def edit_player(context: Context, player_id: int, name: str, *, yes: bool) -> None:
    """Give a player another name.

    A name of the same player (other order, capitals, accents) is how they are shown in all their games. A
    name of another player moves all their games to that player: what will happen is shown first.
    """
    from daemon.edits import door

    read = _read("white", name, "--name")
    archive = context.archive()

    def edit(*, preview: bool) -> "Edited":
        return door.edit_player(archive, player_id, read, now_ms=now_ms(), preview=preview)

    _ask_and_do(context, edit, yes=yes)


@command.command("games")
@click.argument("query", nargs=-1)
@click.option("--white", metavar="OLD", help="Replace this player where they have White.")
@click.option("--black", metavar="OLD", help="Replace this player where they have Black.")
@click.option("--player", metavar="OLD", help="Replace this player, whichever colour they have.")
@click.option("--to", "new", required=True, metavar="NEW", help="The name to put in its place.")
@filter_options_but("white", "black", "player", "date_to")
@click.option("--until", "date_to", metavar="TEXT", help="The last day, month or year (here not --to).")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_context
def edit_games(
    context: Context,
    /,
    query: tuple[str, ...],
    new: str,
    *,
    yes: bool,
    white: str | None,
    black: str | None,
    player: str | None,
    **fields: Any,
) -> None:
    """Replace a player's name in many games.

    OLD is the whole name of a player without a FIDE id, in any order, capitals or accents. QUERY and the
    options say in which of their games, as for `gamekeeper games`. What will happen is shown first; with
    --json and without --yes it is only shown.
    """
    from daemon.edits import door

    old, colours = _whom(white, black, player)
    words = " ".join([*query, *([fields["q"]] if fields["q"] else [])])
    asked = door.Replacement(
        old=old,
        new=_read("white", new, "--to"),
        colours=colours,
        filters=read_filters({**fields, "q": words or None}),
        profile=context.config().profile(),
    )
    archive = context.archive()

    def edit(*, preview: bool) -> "Edited":
        return door.replace_player(archive, asked, now_ms=now_ms(), preview=preview)

    _ask_and_do(context, edit, yes=yes)


def _whom(white: str | None, black: str | None, player: str | None) -> tuple[str, tuple[Colour, ...]]:
    named = {("white",): white, ("black",): black, COLOURS: player}
    given: list[tuple[str, tuple[Any, ...]]] = [
        (old, where) for where, old in named.items() if old is not None
    ]
    if len(given) != 1:
        raise click.UsageError("name the player who is to be replaced: --white, --black or --player OLD")
    return given[0]


def _made(edit: Callable[[], "Edited"]) -> "Edited":
    try:
        return edit()
    except EditError as error:
        raise click.ClickException(printable(str(error))) from None


def _ask_and_do(context: Context, edit: Callable[..., "Edited"], *, yes: bool) -> None:
    """Show what will happen and ask, if it changes more than how a player is shown."""
    if not yes:
        seen = _made(lambda: edit(preview=True))
        if context.json:
            _emit(context, seen, preview=True)
            return
        if seen.games:
            for line in _lines(seen, will=True):
                click.echo(line)
            click.confirm("Do it?", abort=True, err=True)
    _print_result(context, _made(lambda: edit(preview=False)))


def _print_result(context: Context, done: "Edited") -> None:
    if context.json:
        _emit(context, done, preview=False)
        return
    for line in _lines(done, will=False):
        click.echo(line)
    if done.edits:
        first, last = done.edits[0], done.edits[-1]
        what = f"edit {first}" if first == last else f"edits {first} to {last}"
        click.echo(f"{what}; undo with: gamekeeper edits undo {first}{'' if first == last else ' --batch'}")


def _emit(context: Context, done: "Edited", *, preview: bool) -> None:
    facts = asdict(done)
    pairs = {
        "renamed": [{"before": before, "after": after} for before, after in done.renamed],
        "joined": [{"game_id": gone, "into_id": kept} for gone, kept in done.joined],
    }
    context.emit({"preview": preview, **facts, "edits": [] if preview else list(done.edits), **pairs})


_SHOWN = 10
"""So many pairs of games to be merged are listed, the others counted."""


def _lines(done: "Edited", *, will: bool) -> list[str]:
    """What was or will be done, a sentence each."""
    if not (done.games or done.renamed):
        return ["nothing to change"]
    lines = [f"{before} {'will be' if will else 'is'} shown as {after}" for before, after in done.renamed]
    if done.games:
        lines.append(
            f"{count_of(len(done.games), 'game')} {'will be' if will else 'was' if len(done.games) == 1 else 'were'} edited"
        )
    for move in done.moved:
        made = " (a new player)" if move.new else ""
        go = "will go" if will else "went"
        lines.append(f"{count_of(move.games, 'game')} {go} from {move.before} to {move.after}{made}")
    become = "will become" if will else "became"
    lines += [f"game {gone} {become} one with game {kept}" for gone, kept in done.joined[:_SHOWN]]
    if len(done.joined) > _SHOWN:
        lines.append(f"and so {become} {len(done.joined) - _SHOWN} more")
    return [printable(line) for line in lines]
