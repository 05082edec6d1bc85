"""The search as options, one for each field of `GameFilters`, described there."""

from collections.abc import Callable
from typing import Any, Final

import click
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from daemon.archive.reading.search.filters import CHOICES, GameFilters, UnclearFilters, check
from daemon.cli import complete
from daemon.cli.dates import year_first

_WIDEST: Final = 60
"""Cells of an option and its values next to the help; longer ones are above it."""

_COMPLETED: Final = {"dossier": complete.dossiers, "account": complete.accounts}


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give *command* an option for every filter."""
    return filter_options_but()(command)


def filter_options_but(*left_out: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that gives a command an option for every filter except these."""

    def give(command: Callable[..., None]) -> Callable[..., None]:
        for name, field in reversed(GameFilters.model_fields.items()):
            if name not in left_out:
                command = _option(name, field)(command)
        return command

    return give


def _option(name: str, field: FieldInfo) -> Callable[[Callable[..., None]], Callable[..., None]]:
    description = field.description or ""
    help_text = f"{description[0].upper()}{description[1:]}."
    if name == "mine":
        return click.option("--mine/--not-mine", "mine", default=None, help=help_text)
    if name in CHOICES:
        return _choice(name, help_text)
    example = f"  Example: {field.examples[0]}" if field.examples else ""
    number = name.startswith(("min_", "max_"))
    return click.option(
        _written(name),
        name,
        type=str,
        metavar="N" if number else "TEXT",
        shell_complete=_COMPLETED.get(name),
        help=help_text + example,
    )


def _choice(name: str, help_text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option for one of some words; `GameFilters` also reads other spellings of them."""
    words = CHOICES[name]

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        return [word for word in words if word.casefold().startswith(begun.casefold())]

    metavar = f"[{'|'.join(words)}]"
    if len(metavar) > _WIDEST:
        metavar, help_text = "WORD", f"{help_text.rstrip('.')}: {', '.join(words)}."
    return click.option(_written(name), name, metavar=metavar, shell_complete=complete, help=help_text)


def read_filters(fields: dict[str, Any]) -> GameFilters:
    """The filters of the options that were given.

    Raises:
        BadParameter: one of them cannot be used.
    """
    from daemon.config.links import without_address

    given = {name: value for name, value in fields.items() if value is not None}
    given |= {name: year_first(given[name]) for name in ("date_from", "date_to") if name in given}
    if "account" in given:
        given["account"] = without_address(given["account"])
    try:
        filters = GameFilters.model_validate(given, by_name=True)
        check(filters)
    except UnclearFilters as error:
        raise click.UsageError(f"{error.sentence(_option_of)}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        raise click.BadParameter(message, param_hint=_written(str(first["loc"][0]))) from error
    return filters


def _written(name: str) -> str:
    """The option of a field: ``--from`` for *date_from*, as in the API."""
    return _option_of(GameFilters.model_fields[name].alias or name)


def _option_of(parameter: str) -> str:
    return f"--{parameter}".replace("_", "-")
