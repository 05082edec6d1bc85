"""Plain error messages for numbers, days and times of all commands, instead of click's."""

import click

from daemon.cli.days import MomentType
from daemon.cli.numbers import NumberType


def use_plain_words(command: click.Command) -> None:
    """Let every number that *command* takes be a `NumberType`, and every day and time a `MomentType`."""
    for parameter in command.params:
        kind = parameter.type
        if type(kind) is click.IntRange:
            low, high = kind.min, kind.max
            parameter.type = NumberType(
                None if low is None else int(low), None if high is None else int(high)
            )
        elif type(kind) is click.DateTime:
            parameter.type = MomentType(kind.formats)
