"""A setting that clubs choose.

Its usual value, what is allowed, what it means, and who wants another value.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T")
_KEY: Final = "setting"
VALUE: Final = "{}"
"""The placeholder for the value in a sentence; as a key of sentences.

All values that have none of their own.
"""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a number can have, in words that follow "must be"."""

    words: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Setting:
    """What there is to say about a setting, and to check.

    Attributes:
        group: The heading under which it is shown, one of `GROUPS`.
        says: A plain sentence for each value, by the value's text.
        clubs: The kind of club that wants something else.
        allowed: For numbers; choices are the keys of *says*.
        needs: Another setting and the text that it must have for this one to count at all.
    """

    group: str
    says: Mapping[str, str]
    clubs: str
    allowed: Allowed | None = None
    needs: tuple[str, str] | None = None

    @property
    def words(self) -> str:
        """What is allowed, to follow "must be"."""
        return self.allowed.words if self.allowed else f"one of {', '.join(self.says)}"

    def problem(self, value: object) -> str | None:
        """Why it cannot have this value, to follow its name; None if it can."""
        if self.allowed is None:
            return None if text_of(value) in self.says else f"must be {self.words}, not {text_of(value)!r}"
        if value is None and "" in self.says:
            return None
        return None if self.allowed.holds(value) else f"must be {self.words}, not {value}"

    def sentence(self, text: str) -> str:
        """A sentence on what this value means."""
        return self.says.get(text) or self.says[VALUE].replace(VALUE, text)


TABLE: Final = "the table"
AWAY: Final = "not playing"
BONUS: Final = "the bonus for not playing"
FORFEITS: Final = "forfeits"
FIELD: Final = "entering late and leaving"
PAIRING: Final = "pairing"
RANKING: Final = "ranking"
GROUPS: Final = (TABLE, AWAY, BONUS, FORFEITS, FIELD, PAIRING, RANKING)
"""The headings, in the order in which they are shown."""


def setting(
    usual: _T,
    group: str,
    says: str | Mapping[str, str],
    clubs: str,
    allowed: Allowed | None = None,
    needs: tuple[str, str] | None = None,
) -> _T:
    """A field of a class of settings with its *usual* value; for the other arguments see `Setting`."""
    sentences = {VALUE: says} if isinstance(says, str) else says
    found: _T = field(default=usual, metadata={_KEY: Setting(group, sentences, clubs, allowed, needs)})
    return found


def at_least(least: int) -> Allowed:
    """A number from *least* on."""
    return Allowed(f"at least {least}", lambda value: value >= least)


def more_than(limit: int) -> Allowed:
    """A number above *limit*."""
    return Allowed(f"more than {limit}", lambda value: value > limit)


def up_to(most: int) -> Allowed:
    """A share: a number from 0 to *most*."""
    return Allowed(f"from 0 to {most}", lambda value: 0 <= value <= most)


def worth(what: str, whose: str) -> dict[str, str]:
    """The sentences of a share: "A bye is worth 1/2 of the own value.", nothing, or all of it."""
    return {
        "0": f"{what} is worth nothing.",
        "1": f"{what} is worth {whose}.",
        VALUE: f"{what} is worth {VALUE} of {whose}.",
    }


def points(what: str, share: str) -> dict[str, str]:
    """The sentences of fixed points that count instead of *share*, the name of a setting or a word for it."""
    return {
        "": f"{what} has no fixed points: {share} counts.",
        "0": f"{what} is worth nothing.",
        "1": f"{what} is worth 1 point for everybody.",
        VALUE: f"{what} is worth {VALUE} points for everybody.",
    }


def number_of(one: str, more: str, none: str | None = None) -> dict[str, str]:
    """The sentences of a number of things."""
    return {"1": one, VALUE: more} | ({} if none is None else {"0": none})


def yes_no(yes: str, no: str) -> dict[str, str]:
    """The sentences of a switch."""
    return {"yes": yes, "no": no}


def text_of(value: object) -> str:
    """A value as text: "2/3", "7", "yes", and "" for no number."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return str(value)
    return "" if value is None else str(value)


def settings_of(cls: "type[DataclassInstance]") -> dict[str, Setting]:
    """The description of each setting of this class, in order."""
    return {one.name: one.metadata[_KEY] for one in fields(cls)}


def refuse_wrong(settings: "DataclassInstance") -> None:
    """Check that all values are allowed.

    Raises:
        ValueError: it names each that is not, and what is allowed.
    """
    wrong = [
        f"{name} {problem}"
        for name, one in settings_of(type(settings)).items()
        if (problem := one.problem(getattr(settings, name))) is not None
    ]
    if wrong:
        raise ValueError("; ".join(wrong))


@dataclass(frozen=True, slots=True)
class Explained:
    """A setting of a tournament in plain words. *value* and *usual* are texts.

    *counts* says whether it has any effect.
    """

    name: str
    group: str
    value: str
    usual: str
    says: str
    clubs: str
    allowed: str
    needs: str | None
    counts: bool

    @property
    def changed(self) -> bool:
        """Whether it differs from the usual value."""
        return self.value != self.usual


def explained(*settings: "DataclassInstance") -> list[Explained]:
    """All settings of a tournament, group by group."""
    values = {name: value for each in settings for name, value in _texts(each)}
    found = [one for each in settings for one in _explained(each, values)]
    return sorted(found, key=lambda one: GROUPS.index(one.group))


def _texts(settings: "DataclassInstance") -> Iterator[tuple[str, str]]:
    for one in fields(settings):
        yield one.name, text_of(getattr(settings, one.name))


def _explained(settings: "DataclassInstance", values: Mapping[str, str]) -> Iterator[Explained]:
    usual = {one.name: text_of(one.default) for one in fields(settings)}
    for name, one in settings_of(type(settings)).items():
        yield Explained(
            name=name,
            group=one.group,
            value=values[name],
            usual=usual[name],
            says=one.sentence(values[name]),
            clubs=one.clubs,
            allowed=one.words,
            needs=f"{one.needs[0]}={one.needs[1]}" if one.needs else None,
            counts=one.needs is None or values[one.needs[0]] == one.needs[1],
        )
