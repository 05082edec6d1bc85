"""What an edit of a game's tags means: which fields there are, their values, and whose game it becomes.

Moves, start position and rules cannot be edited: with others it is another game.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from core import names
from core.game import Game, PartialDate, Side, read_result
from core.players import PlayerKey, identify, read_fide_id
from core.vocabulary import COLOURS, RESULTS, TIME_CLASSES, Colour

_ECO = re.compile(r"[A-E][0-9]{2}.*")
GREATEST_RATING: Final = 9999
_LONGEST: Final = 1000
_LONGEST_ID: Final = 32


class EditError(ValueError):
    """This edit is not possible; the message says what to do."""


@dataclass(frozen=True, slots=True)
class TagField:
    """A tag that can be edited.

    Attributes:
        read: Gives the typed text in the form in which it is stored; "" if it says nothing. Raises EditError.
        colour: Of the player whom it is about; None for the game itself.
        attribute: Of `Side` or of `Game`.
    """

    read: Callable[[str], str]
    colour: Colour | None
    attribute: str


def _text(typed: str) -> str:
    text = names.clean(typed)
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise EditError("it has a character that no text may have")
    if len(text) > _LONGEST:
        raise EditError(f"it has {len(text)} characters, more than {_LONGEST}")
    return "" if text == "?" else text


def _name(typed: str) -> str:
    return names.display(_text(typed), online=True)


def _fide_id(typed: str) -> str:
    if _text(typed) in {"", "0"}:
        return ""
    known = read_fide_id(typed)
    if known is None or len(known) > _LONGEST_ID:
        raise EditError(f"{typed!r} is not a FIDE id: digits 0 to 9 are expected, or nothing")
    return known


def _rating(typed: str) -> str:
    text = _text(typed)
    if not text:
        return ""
    if not (text.isascii() and text.isdigit() and int(text) <= GREATEST_RATING):
        raise EditError(
            f"{typed!r} is not a rating: a number up to {GREATEST_RATING} is expected, or nothing"
        )
    return str(int(text))


def _date(typed: str) -> str:
    date = PartialDate.parse(typed)
    if date.text is not None:
        raise EditError(f"{typed!r} is not a date: write 2024.05.12, with ?? for what is unknown")
    return str(date)


def _result(typed: str) -> str:
    result = read_result(typed)
    if result not in RESULTS:
        raise EditError(f"{typed!r} is not a result: it is one of {', '.join(RESULTS)}")
    return result


def _time_class(typed: str) -> str:
    """One of the words that searches know, whatever its capitals; it cannot be removed."""
    text = _text(typed)
    known = next((word for word in TIME_CLASSES if word.casefold() == text.casefold()), None)
    if text and known is None:
        raise EditError(f"{typed!r} is not a time class: it is one of {', '.join(TIME_CLASSES)}, or nothing")
    return known or ""


def _eco(typed: str) -> str:
    text = _text(typed).upper()
    if text and not _ECO.fullmatch(text):
        raise EditError(f"{typed!r} is not an ECO code: A00 to E99 are expected, or nothing")
    return text


def _of_a_side(colour: Colour) -> dict[str, TagField]:
    return {
        colour: TagField(_name, colour, "name"),
        f"{colour}_fide_id": TagField(_fide_id, colour, "fide_id"),
        f"{colour}_rating": TagField(_rating, colour, "rating"),
        f"{colour}_title": TagField(_text, colour, "title"),
        f"{colour}_team": TagField(_text, colour, "team"),
    }


FIELDS: Final[Mapping[str, TagField]] = {
    **_of_a_side("white"),
    **_of_a_side("black"),
    "date": TagField(_date, None, "date"),
    "result": TagField(_result, None, "result"),
    "event": TagField(_text, None, "event"),
    "site": TagField(_text, None, "site"),
    "round": TagField(_text, None, "round"),
    "eco": TagField(_eco, None, "eco"),
    "opening": TagField(_text, None, "opening"),
    "time_control": TagField(_text, None, "time_control"),
    "time_class": TagField(_time_class, None, "time_class"),
    "termination": TagField(_text, None, "termination"),
    "annotator": TagField(_text, None, "annotator"),
}
"""Every tag of a game that can be edited, by the name under which edits are stored."""

TagValues = Mapping[str, str]
"""Fields and their values, in the form of `TagField.read`."""


def side(game: Game, colour: Colour) -> Side:
    """One of the two players of a game."""
    return game.white if colour == "white" else game.black


def player(game: Game, colour: Colour) -> PlayerKey:
    """The player of this colour."""
    one = side(game, colour)
    return identify(one.name, one.fide_id)


def value(game: Game, field: str) -> str:
    """The value of this field of a game, "" if it says nothing."""
    spec = FIELDS[field]
    found = getattr(game if spec.colour is None else side(game, spec.colour), spec.attribute)
    return "" if found is None else str(found)


def edited(game: Game, values: TagValues) -> Game:
    """The game with other values in these fields."""
    white, black = (replace(side(game, colour), **_changes(values, colour)) for colour in COLOURS)
    return replace(game, white=white, black=black, **_changes(values, None))


def _changes(values: TagValues, of: Colour | None) -> dict[str, Any]:
    """The changed attributes of a side, or of the game itself."""
    changed: dict[str, Any] = {}
    for name, text in values.items():
        field = FIELDS[name]
        if field.colour == of:
            changed[field.attribute] = _value(field.attribute, text)
    return changed


def _value(attribute: str, text: str) -> str | int | PartialDate | None:
    if attribute == "date":
        return PartialDate.parse(text)
    if attribute in {"name", "result"}:
        return text
    return int(text) if attribute == "rating" and text else text or None


def renamed(before: Game, after: Game, colour: Colour, shown: str) -> str | None:
    """The new shown name of a player, if the edit of their name only renames them (names R17); else None.

    A name of the same player is shown in all their games, as it was typed; a name of another player moves the
    game.

    Args:
        before: The game before the edit of this colour's name.
        after: The game after it.
        colour: Whose name was edited.
        shown: How they were shown before.
    """
    key = player(before, colour)
    name = side(after, colour).name
    if key != player(after, colour) or key.kind == "unknown" or name == shown:
        return None
    return name
