"""Numbers that are typed as ids: none is too large for an answer in words."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from daemon.cli import main
from daemon.cli.ids import GREATEST


def ids(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """Every parameter of every command that is an id of the archive."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from ids(below, (*path, name))
    for parameter in command.params:
        if isinstance(parameter.type, click.types.IntParamType) and (parameter.name or "").endswith(
            ("_id", "_ids")
        ):
            yield path, parameter


EVERY = list(ids(main))


def test_ids_are_found() -> None:
    """The walk meets the commands that take ids."""
    met = {" ".join(path) for path, _ in EVERY}
    assert {"edit game", "edits undo", "doubles same", "game", "quarantine show", "quarantine drop"} <= met


@pytest.mark.parametrize(
    ("path", "parameter"), EVERY, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_no_id_is_too_large(path: tuple[str, ...], parameter: click.Parameter) -> None:
    """What no database can hold is not an id, nor is a name: the command says so, and no driver is asked."""
    assert isinstance(parameter.type, click.IntRange)
    assert parameter.type.max == GREATEST
    refused = CliRunner().invoke(main, [*path, str(GREATEST + 1)])
    assert (refused.exit_code, "Traceback" in refused.output) == (2, False)
    named = CliRunner().invoke(main, [*path, "Rossi, Mario"])
    assert (named.exit_code, "'Rossi, Mario' is not a number" in named.output) == (2, True)
