"""Validates the text of a configuration file: gives its tables, or all its problems at once."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from core.sites import SITE_OF_KIND
from daemon.config import checks
from daemon.config.models import KEYS, WRONG_VALUE, ConfigTables
from daemon.config.problems import ConfigProblem, did_you_mean, nearest
from daemon.config.toml_positions import Location, TomlPosition, TomlPositions
from daemon.config.valid_part import ValidPart
from daemon.config.values import WrongValue

_TOML_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_KINDS: Final = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}
_WANTED: Final = {
    "string_type": "a text in quotes",
    "int_type": "a whole number without quotes",
    "bool_type": "true or false, without quotes",
    "tuple_type": "a list in square brackets",
    "model_type": "a table",
    "model_attributes_type": "a table",
}
_EXAMPLES: Final = {
    "name": 'name = "Magnus Carlsen"',
    "path": 'path = "~/chess/pgn"',
    "id": 'id = "…", or the address of its page',
}


_LISTS: Final = frozenset({"dossier", "pgn", *SITE_OF_KIND})
"""Tables that the file may have any number of times."""


@dataclass(slots=True)
class Validation:
    """The result of one reading: *tables* if there is no problem; hints need no action."""

    tables: ConfigTables | None = None
    problems: list[ConfigProblem] = field(default_factory=list)
    hints: list[ConfigProblem] = field(default_factory=list)


def validate(content: bytes, file: str, folder: Path) -> Validation:
    """Read the *content* of *file*; relative paths in it start from *folder*."""
    try:
        text = content.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return Validation(problems=[_not_utf8(content, error.start, file)])
    try:
        data = tomllib.loads(text)
        return _ConfigReading(file, folder, TomlPositions(text)).of(data)
    except tomllib.TOMLDecodeError as error:
        return Validation(problems=[_syntax(str(error), text, file)])
    except RecursionError:
        return Validation(
            problems=[ConfigProblem(file, 0, 0, "lists or tables are nested too deeply", "no key needs that")]
        )
    except ValueError as error:  # a number of thousands of digits, which Python reads no more
        what = f"this cannot be read: {str(error).partition(';')[0]}"
        return Validation(problems=[ConfigProblem(file, 0, 0, what, "write a smaller number")])


def _not_utf8(content: bytes, offset: int, file: str) -> ConfigProblem:
    line_start = content.rfind(b"\n", 0, offset) + 1
    place = TomlPosition(content.count(b"\n", 0, offset) + 1, offset - line_start + 1)
    return ConfigProblem(
        file, place.line, place.column, "the file is not written in UTF-8", "save it as UTF-8"
    )


def _syntax(message: str, text: str, file: str) -> ConfigProblem:
    match = _TOML_PLACE.fullmatch(message)
    what = match[1] if match else message
    if match and match[2]:
        line, column = int(match[2]), int(match[3])
    else:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    hint = 'texts need quotes: key = "text"' if what.startswith("Invalid value") else None
    return ConfigProblem(file, line, column, f"this is not TOML: {what[:1].lower()}{what[1:]}", hint)


@dataclass(frozen=True, slots=True)
class _ConfigReading:
    file: str
    folder: Path
    places: TomlPositions

    def of(self, data: dict[str, object]) -> Validation:
        try:
            tables = ConfigTables.model_validate(data, context=self.folder)
        except ValidationError as error:
            return self._with_errors(data, error.errors(include_url=False))
        problems = _in_order(list(self._findings(checks.faults(tables))))
        return Validation(tables, problems, list(self._findings(checks.hints(tables))))

    def _with_errors(self, data: dict[str, object], errors: Iterable[ErrorDetails]) -> Validation:
        """Faults of single values, and those of the rest of the file without them."""
        errors = list(errors)
        problems = [self._problem(error) for error in errors]
        kept = ValidPart({error["loc"] for error in errors if error["type"] != "missing"})
        tables = ConfigTables.model_validate(kept.of(data), context=self.folder)
        mended = {_meant(error) for error in errors}
        problems.extend(self._unless(mended, checks.faults(tables), kept))
        hints = list(self._unless(mended, checks.hints(tables), kept))
        return Validation(problems=_in_order(problems), hints=hints)

    def _unless(
        self, mended: set[Location], findings: Iterable[tuple[Location, WrongValue]], kept: ValidPart
    ) -> Iterator[ConfigProblem]:
        """The findings except those about what is left out or filled in."""
        return self._findings((one for one in findings if kept.original(one[0]) not in mended), kept)

    def _findings(
        self, findings: Iterable[tuple[Location, WrongValue]], kept: ValidPart | None = None
    ) -> Iterator[ConfigProblem]:
        for location, wrong in findings:
            place = self._place(location, kept)
            message = wrong.message
            if wrong.other is not None:
                message += f", in line {self._place(wrong.other, kept).line}"
            yield ConfigProblem(self.file, place.line, place.column, message, wrong.hint)

    def _place(self, location: Location, kept: ValidPart | None) -> TomlPosition:
        return self.places.of(kept.original(location) if kept else location)

    def _problem(self, error: ErrorDetails) -> ConfigProblem:
        location = error["loc"]
        place = self.places.of(location)
        message, hint = _explain(error)
        return ConfigProblem(self.file, place.line, place.column, message, hint)


def _in_order(problems: list[ConfigProblem]) -> list[ConfigProblem]:
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _explain(error: ErrorDetails) -> tuple[str, str | None]:
    """Message and hint for one of pydantic's errors."""
    name, table = _named(error["loc"])
    kind = error["type"]
    if kind == WRONG_VALUE:
        return str(error["ctx"]["message"]), error["ctx"]["hint"]
    if kind == "extra_forbidden":
        known = KEYS[table].model_fields
        return f"unknown {_key_in(name, table)}", did_you_mean(name, known) or f"known are {', '.join(known)}"
    if kind == "missing":
        return f"{name} is missing in {_title(table)}", f"add {_EXAMPLES.get(name, name)}"
    if kind in _WANTED:
        return (
            f"{name} must be {_WANTED[kind]}, not {_KINDS.get(type(error['input']), 'a date or time')}",
            None,
        )
    return f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}", None


def _named(location: Location) -> tuple[str, tuple[str, ...]]:
    """The last key of the location, and the table that it is in."""
    keys = tuple(part for part in location if isinstance(part, str))
    return (keys[-1], keys[:-1]) if keys else ("the file", ())


def _key_in(name: str, table: tuple[str, ...]) -> str:
    if table == ("sites",):
        return f"site {name}"
    return f"key {name} in {_title(table)}" if table else f"table or key {name}"


def _title(table: tuple[str, ...]) -> str:
    title = ".".join(table)
    return f"[[{title}]]" if title in _LISTS else f"[{title}]"


def _meant(error: ErrorDetails) -> Location:
    """The key that an error is about; for an unknown key, the known one that was probably meant."""
    location = error["loc"]
    if error["type"] != "extra_forbidden":
        return location
    name, table = _named(location)
    return (*location[:-1], nearest(name, KEYS[table].model_fields) or name)
