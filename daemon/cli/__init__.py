"""The command `gamekeeper`: one module per command, loaded when it is called."""

import io
import sys
from typing import Final

import click

from daemon import garbage
from daemon.cli import exits, options
from daemon.cli.context import Context
from daemon.cli.lazy import LazyGroup

COMMANDS: Final = {
    "run": ("daemon.cli.run", "Run the daemon: download, watch the PGN folders, serve the API."),
    "sync": ("daemon.cli.sync", "Download now, due or not."),
    "import": ("daemon.cli.import_", "Take in PGN files and folders."),
    "search": ("daemon.cli.search", "Find players by name."),
    "games": ("daemon.cli.games", "List games of the archive."),
    "game": ("daemon.cli.game", "Show one game: its tags, sources and moves."),
    "export": ("daemon.cli.export", "Write games to a file: PGN, ndjson or CSV."),
    "edit": ("daemon.cli.edit", "Edit a game, many games, or the name of a player."),
    "edits": ("daemon.cli.edits", "List what was edited, and undo it."),
    "doubles": ("daemon.cli.doubles", "Games that may be one: list them, and say whether they are."),
    "dossier": ("daemon.cli.dossier", "List, show, check and add dossiers."),
    "status": ("daemon.cli.status", "What the archive has, and what is due when."),
    "quarantine": ("daemon.cli.quarantine", "Games that could not be read."),
    "club": ("daemon.cli.club", "Club evenings: tournaments, results files and ratings."),
    "backup": ("daemon.cli.backup", "Make a backup of the archive."),
    "restore": ("daemon.cli.restore", "Put a backup in the archive's place."),
    "verify": ("daemon.cli.verify", "Check everything in the archive, and repair what can be."),
    "explain": ("daemon.cli.explain", "Who a name is, or whether two games are the same, and why."),
    "check-config": ("daemon.cli.check_config", "Check the configuration and show all of its problems."),
    "init": ("daemon.cli.init", "Write a commented configuration."),
}
"""The commands in the order in which --help lists them: module and one line."""


class Gamekeeper(LazyGroup):
    """The group of all commands."""

    table = COMMANDS

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; every error ends in one sentence and the right exit code."""
        context = ctx.ensure_object(Context)
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A path is printed with the bytes that it has, also where they are not UTF-8.
            sys.stdout.reconfigure(errors="surrogateescape")
        try:
            with garbage.looked_for_seldom():  # a tenth of what a command takes that reads
                return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001 - the last one to see it: printed, never swallowed
            exits.print_error(error, debug=context.debug)
            ctx.exit(exits.code_of(error))
        finally:
            context.close()


@click.group(cls=Gamekeeper, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gamekeeper", message="gamekeeper %(version)s")
def main() -> None:
    """One archive of a chess player's games."""
    # The common options have filled the context.


options.add_to(main)
