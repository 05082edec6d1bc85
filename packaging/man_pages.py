"""Writes a man page for each command, from the commands' own help: python packaging/man_pages.py FOLDER."""

import os
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import click
from click_man.core import write_man_pages

from daemon.cli import main


def load(group: click.Group) -> None:
    """Load every command below *group*: click-man looks at those that are there."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            load(command)


def write(folder: Path) -> None:
    """Write them all into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    load(main)
    # A build that is repeated later is to make the same pages: https://reproducible-builds.org/specs/source-date-epoch/
    day = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    with warnings.catch_warnings(
        action="ignore", category=DeprecationWarning
    ):  # click-man asks for what click 9 drops
        write_man_pages(
            "gamekeeper",
            main,
            version=version("gamekeeper"),
            target_dir=str(folder),
            date=time.strftime("%Y-%m-%d", day),
        )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
