"""Numbers that are typed: what is none is told in plain words, by every command."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from daemon.cli import main
from daemon.cli.ids import ID
from daemon.cli.numbers import NumberType


def parameters(command: click.Command) -> Iterator[click.Parameter]:
    """Every parameter of every command."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from parameters(below)
    yield from command.params


def test_no_command_speaks_of_integer_ranges() -> None:
    """Every number is one of ours, whose words are plain."""
    numbers = [
        one
        for one in parameters(main)
        if isinstance(one.type, click.types.IntParamType) and not getattr(one, "count", False)
    ]
    assert len(numbers) > 10
    assert [one.name for one in numbers if one.type is not ID and not isinstance(one.type, NumberType)] == []


@pytest.mark.parametrize(
    ("number", "text", "reason"),
    [
        (NumberType(1, 9999), "abc", "'abc' is not a whole number from 1 to 9999"),
        (NumberType(1, 9999), "0", "'0' is not a whole number from 1 to 9999"),
        (NumberType(1, 9999), "10000", "'10000' is not a whole number from 1 to 9999"),
        (NumberType(1), "1.5", "'1.5' is not a whole number from 1 on"),
        (NumberType(0), "-1", "'-1' is not a whole number from 0 on"),
    ],
)
def test_what_is_not_a_number(number: NumberType, text: str, reason: str) -> None:
    """What was typed is told, and what could be."""
    with pytest.raises(click.BadParameter, match=reason):
        number.convert(text, None, None)


def test_numbers() -> None:
    """Both bounds are allowed."""
    assert [NumberType(1, 9).convert(text, None, None) for text in ("1", "9", " 5 ")] == [1, 9, 5]
    assert NumberType(1).convert(str(10**30), None, None) == 10**30


def test_as_a_command_says_it() -> None:
    """The parameter, what was given, what is allowed."""
    result = CliRunner().invoke(main, ["club", "members", "add", "vm", "X", "abc"])
    assert result.exit_code == 2
    assert "Invalid value for 'RATING': 'abc' is not a whole number from 1 to 9999" in " ".join(
        result.stderr.split()
    )
