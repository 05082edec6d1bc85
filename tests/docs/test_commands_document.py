"""docs/commands.md, and the help of every command."""

import click
import pytest
from rich.cells import cell_len

from daemon.cli.context import Context
from tests.docs.commands import FILE, document, every_command, own_options

COMMANDS = dict(every_command())


def test_the_document_is_what_the_commands_say() -> None:
    """`make commands` writes it; it is as the commands are now."""
    assert FILE.read_text() == document()


def test_every_command_and_option_is_named() -> None:
    """By its whole name, with every option of its own."""
    text = FILE.read_text()
    for name, command in COMMANDS.items():
        section = text.partition(f"# `{name}`\n")[2].partition("\n#")[0]
        assert section, name
        for option in own_options(command):
            assert f"`{option.opts[-1]}`" in section, (name, option.opts)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_readable_at_80_columns(name: str) -> None:
    """No line is longer than a usual terminal, there is something to read, and every option says what it does."""
    command = COMMANDS[name]
    context = click.Context(command, info_name=name, obj=Context(), terminal_width=80)
    lines = command.get_help(context).splitlines()
    assert all(cell_len(line) <= 80 for line in lines), max(lines, key=cell_len)
    assert (command.help or "").strip()
    assert all(option.help for option in own_options(command))
