"""The commands `gamekeeper club …`: one module per command, loaded when it is called."""

from typing import Final

import click

from daemon.cli.lazy import LazyGroup

COMMANDS: Final = {
    "new": ("daemon.cli.club.new", "Create a tournament."),
    "import": ("daemon.cli.club.import_", "Create a tournament from a results file (TRF)."),
    "list": ("daemon.cli.club.list_", "List the tournaments."),
    "settings": ("daemon.cli.club.settings", "Show or change the rules of a tournament."),
    "members": ("daemon.cli.club.members", "List, add and import members."),
    "player": ("daemon.cli.club.player", "Change, withdraw or remove a member."),
    "group": ("daemon.cli.club.group", "Members who meet each other first, with a table of their own."),
    "present": ("daemon.cli.club.present", "Who is present tonight, and who is not."),
    "pair": ("daemon.cli.club.pair", "Pair the coming round, or set pairs by hand."),
    "result": ("daemon.cli.club.result", "Enter or show the results of a round."),
    "handicap": ("daemon.cli.club.handicap", "Shogi: what a board was played with."),
    "collect": ("daemon.cli.club.collect", "Find the results of games played online."),
    "rounds": ("daemon.cli.club.rounds", "List the rounds, with the games that are open."),
    "standings": ("daemon.cli.club.standings", "The table after a round."),
    "crosstable": ("daemon.cli.club.crosstable", "The cross table: who played whom."),
    "undo": ("daemon.cli.club.undo", "Undo the last step."),
    "log": ("daemon.cli.club.log", "What was done, newest first."),
    "export": ("daemon.cli.club.export", "Write files: turnering.txt, TRF, HTML, CSV."),
    "check": ("daemon.cli.club.check", "Check a results file: turnering.txt, TRF, FESA's result table."),
    "rate": ("daemon.cli.club.rate", "What a tournament changes in ratings: FIDE, DWZ, FESA."),
}
"""The commands in the order in which --help lists them: module and one line."""


class Club(LazyGroup):
    """The group below `gamekeeper club`."""

    table = COMMANDS


@click.group(cls=Club)
def command() -> None:
    """Club evenings: tournaments, results files and ratings."""
