"""Numbers, days and times of every command in plain words, where click has those of a programmer."""

import click

from daemon.cli.days import Moment
from daemon.cli.numbers import Number


def use_plain_words(command: click.Command) -> None:
    """Let every number that *command* takes be a `Number`, and every day and time a `Moment`."""
    for parameter in command.params:
        kind = parameter.type
        if type(kind) is click.IntRange:
            low, high = kind.min, kind.max
            parameter.type = Number(None if low is None else int(low), None if high is None else int(high))
        elif type(kind) is click.DateTime:
            parameter.type = Moment(kind.formats)
