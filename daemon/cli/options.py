"""The common options of all commands, before or after the command's name; they fill the `Context`."""

from collections.abc import Callable
from pathlib import Path

import click

from daemon.cli.context import Context
from daemon.cli.plain_words import use_plain_words


def add_to(command: click.Command) -> None:
    """Give *command*, and the commands below it, the missing common options, and plain error messages."""
    use_plain_words(command)
    taken = {name for parameter in command.params for name in parameter.opts}
    for option in _options():
        if not taken.intersection(option.opts):
            command.params.append(option)
    if isinstance(command, click.Group):
        for below in command.commands.values():
            add_to(below)


def _options() -> list[click.Option]:
    return [
        click.Option(
            ["--config"],
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="PATH",
            expose_value=False,
            callback=_set_config,
            help="The configuration file (default: ./gamekeeper.toml, then the user's and the system's folder).",
        ),
        _flag(["--json"], _set_json, "Print JSON."),
        click.Option(
            ["-v", "--verbose"],
            count=True,
            expose_value=False,
            callback=_add_verbosity(1),
            help="More output (-vv: everything).",
        ),
        _flag(["-q", "--quiet"], _add_verbosity(-1), "Errors only."),
        _flag(["--debug"], _add_verbosity(2), "Like -vv, with tracebacks."),
    ]


def _flag(
    names: list[str], callback: Callable[[click.Context, click.Parameter, int], None], text: str
) -> click.Option:
    return click.Option(names, is_flag=True, expose_value=False, callback=callback, help=text)


def _set_config(context: click.Context, _parameter: click.Parameter, value: Path | None) -> None:
    if value is not None:
        context.ensure_object(Context).config_path = value


def _set_json(context: click.Context, _parameter: click.Parameter, value: int) -> None:
    if value:
        context.ensure_object(Context).json = True


def _add_verbosity(step: int) -> Callable[[click.Context, click.Parameter, int], None]:
    def add(context: click.Context, _parameter: click.Parameter, value: int) -> None:
        context.ensure_object(Context).verbosity += step * int(value)

    return add
