"""A group of commands whose modules are loaded on demand, so that --help is quick."""

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar

import click

from daemon.cli import options

Commands = Mapping[str, tuple[str, str]]
"""By name, in the order of --help: the module, which has a `command`, and one line of help."""


class LazyGroup(click.Group):
    """A group that loads a command's module when the command is called."""

    table: ClassVar[Commands] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name with the common options; None if there is none."""
        if cmd_name not in self.table:
            return None
        known = super().get_command(ctx, cmd_name)
        if known is None:
            known = import_module(self.table[cmd_name][0]).command
            assert isinstance(known, click.Command), cmd_name
            known.short_help = self.table[cmd_name][1]
            options.add_to(known)
            self.add_command(known, cmd_name)
        return known

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve as click does, but let "Did you mean" know the commands that are not loaded yet."""
        if args[0] not in self.table and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.NoSuchCommand(args[0], possibilities=list(self.table), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list for --help without loading any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])
