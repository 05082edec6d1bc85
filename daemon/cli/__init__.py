"""The command `gamekeeper`: one module per command, loaded when it is called."""

from importlib import import_module
from typing import Final

import click

from daemon.cli import exits, options
from daemon.cli.context import Context

COMMANDS: Final = {
    "run": ("daemon.cli.run", "Run the daemon: download, watch the PGN folders, serve the API."),
    "sync": ("daemon.cli.sync", "Download now, due or not."),
    "import": ("daemon.cli.import_", "Take in PGN files and folders."),
    "search": ("daemon.cli.search", "Find players by name."),
    "games": ("daemon.cli.games", "List games of the archive."),
    "dossier": ("daemon.cli.dossier", "List, show, check and add dossiers."),
    "status": ("daemon.cli.status", "What the archive has, and when what is due."),
    "quarantine": ("daemon.cli.quarantine", "Games that could not be read."),
    "explain": ("daemon.cli.explain", "Who a name is, or why two games are the same, and why."),
    "check-config": ("daemon.cli.check_config", "Check the configuration and show all of its problems."),
    "init": ("daemon.cli.init", "Write a commented configuration."),
}
"""The commands in the order in which --help lists them: module and one line."""


class Gamekeeper(click.Group):
    """The group that loads a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name with the common options; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        known = super().get_command(ctx, cmd_name)
        if known is None:
            known = import_module(COMMANDS[cmd_name][0]).command
            assert isinstance(known, click.Command), cmd_name
            known.short_help = COMMANDS[cmd_name][1]
            options.add_to(known)
            self.add_command(known, cmd_name)
        return known

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but "Did you mean" knows the commands that are not loaded yet."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.NoSuchCommand(args[0], possibilities=list(COMMANDS), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list for --help, without loading a single command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; whatever goes wrong ends in one sentence and the right exit code."""
        context = ctx.ensure_object(Context)
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001 - the last one to see it: told, never swallowed
            exits.tell(error, debug=context.debug)
            ctx.exit(exits.code_of(error))
        finally:
            context.close()


@click.group(cls=Gamekeeper, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gamekeeper", message="gamekeeper %(version)s")
def main() -> None:
    """One archive of a chess player's games."""
    # The common options have filled the context.


options.add_to(main)
