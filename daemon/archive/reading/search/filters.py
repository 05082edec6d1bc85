"""The search filters: which games are asked for, field by field (names R31, R34 to R38)."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo
from typing_extensions import TypeAliasType

from core import vocabulary
from core.edits import GREATEST_RATING
from core.game import read_result
from core.oddities import Odd
from core.sites import SITES, site_keys
from core.vocabulary import COLOURS, TIME_CLASSES, VARIANTS, Colour, TimeClass, Variant
from daemon.archive.reading.search.asked_dates import DATE_PATTERN, MOMENT_PATTERN, read_date, read_moment
from daemon.archive.reading.search.asked_values import PLAIN, TextValue, WholeNumber, YesOrNo, checked, one_of

FILES: Final = "file"
"""The source of games that are in files."""

SOURCES: Final = (*site_keys(), FILES)
"""All that can tell games: sites, some of which are known by the tags of their games alone, and files."""

_BY_HOST: Final = {site.host: site.key for site in SITES.values()}

OTHER: Final = "other"
"""The result of games that have none of the usual ones."""

ANY_ODDITY: Final = "any"
"""Asks for games with any oddity."""

RESULTS: Final = (*vocabulary.RESULTS, OTHER)
ODDITIES: Final = (ANY_ODDITY, *(odd.value for odd in Odd))

MOST_PLIES: Final = 100_000

if TYPE_CHECKING:
    ResultAsked = str
    OddAsked = str
    Source = str
else:  # a type checker cannot read these lists
    ResultAsked = TypeAliasType("ResultAsked", Literal[RESULTS])
    OddAsked = TypeAliasType("OddAsked", Literal[ODDITIES])
    Source = TypeAliasType("Source", Literal[SOURCES])

Typed = Annotated[str, TextValue(200), Field(json_schema_extra={"pattern": "^[^\\u0000]*$"}), PLAIN]
"""What somebody typed or chose."""


def _like(pattern: str) -> dict[str, Any]:
    return {"pattern": pattern}


def _account(text: str) -> str:
    site, colon, name = text.partition(":")
    if not (site.strip() and colon and name.strip()):
        raise ValueError(f"{text!r} names no account: write the site before it, lichess:mrossi90")
    # The capitals of an account do not count, those of an event (``lichess:study/AbCd1234``) do.
    return text.strip() if "/" in text else text.strip().lower()


def _variant(text: str) -> str:
    # Heavy, and only for other spellings: "Chess 960", "koth".
    from core.pgn.variants import variant_key

    return text if text in VARIANTS else variant_key(text) or text


def _site(text: str) -> str:
    return _BY_HOST.get(text.casefold(), text)


CHOICES: Final = {
    "result": RESULTS,
    "time_class": TIME_CLASSES,
    "variant": VARIANTS,
    "source": SOURCES,
    "colour": COLOURS,
    "odd": ODDITIES,
}
"""The fields of `GameFilters` that take one of some words, and these words."""

Date = Annotated[str, TextValue(16), Field(json_schema_extra=_like(DATE_PATTERN)), checked(read_date)]
MomentText = Annotated[
    str, TextValue(40), Field(json_schema_extra=_like(MOMENT_PATTERN)), checked(read_moment)
]
AccountText = Annotated[
    Typed,
    Field(json_schema_extra=_like(r"^[^:\s\u0000]+:[^\s\u0000]+$")),
    AfterValidator(_account),
]
"""The key of an account or event: ``lichess:mrossi90``."""

RatingText = Annotated[int, WholeNumber(0, GREATEST_RATING)]
Plies = Annotated[int, WholeNumber(0, MOST_PLIES)]


def _says(what: str, example: object = None, *, alias: str | None = None) -> FieldInfo:
    info: FieldInfo = Field(description=what, examples=None if example is None else [example], alias=alias)
    return info


class GameFilters(BaseModel):
    """Which games are asked for: those that fit every field that is given."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True)

    q: Annotated[
        Typed | None,
        _says(
            "words to find anywhere: each word, and each part of a hyphenated word, is the beginning of"
            " a word in any field: names, teams, event, site, opening, ECO code",
            "carlsen roma",
        ),
    ] = None
    white: Annotated[Typed | None, _says("words of the name of White", "ros mar")] = None
    black: Annotated[Typed | None, _says("words of the name of Black", "bianchi")] = None
    player: Annotated[Typed | None, _says("words of the name of one of the players", "ros mar")] = None
    team: Annotated[Typed | None, _says("words of the name of one of the teams", "torre")] = None
    event: Annotated[Typed | None, _says("words of the event", "tata-steel")] = None
    site: Annotated[Typed | None, _says("words of the place", "wijk")] = None
    opening: Annotated[Typed | None, _says("words of the opening", "caro-kann")] = None
    eco: Annotated[Typed | None, _says("the beginning of the ECO code", "b9")] = None
    fide_id: Annotated[Typed | None, _says("the whole FIDE id of one of the players", "1503014")] = None
    annotator: Annotated[
        Typed | None, _says("a piece of the annotator's name, or beginnings of its words", "verdi")
    ] = None
    title: Annotated[Typed | None, _says("the title of one of the players", "GM")] = None
    colour: Annotated[
        Annotated[Colour, one_of(COLOURS, "a colour")] | None,
        _says(
            "which side they had: of a player, FIDE id, dossier or yourself, whichever is asked for", "white"
        ),
    ] = None
    min_rating: Annotated[
        RatingText | None, _says("one of the players has this rating or a higher one", 2200)
    ] = None
    max_rating: Annotated[
        RatingText | None,
        _says(
            "one of the players has this rating or a lower one; the same player as for the lower bound", 2400
        ),
    ] = None
    time_class: Annotated[
        Annotated[TimeClass, one_of(TIME_CLASSES, "a time class")] | None,
        _says("the time class", "blitz"),
    ] = None
    time_control: Annotated[Typed | None, _says("the time control as PGN has it", "180+2")] = None
    termination: Annotated[Typed | None, _says("how the game ended", "Time forfeit")] = None
    result: Annotated[
        Annotated[ResultAsked, one_of(RESULTS, "a result", read_result)] | None,
        _says("the result; other for anything else", "1/2-1/2"),
    ] = None
    min_plies: Annotated[Plies | None, _says("at least this many half moves", 20)] = None
    max_plies: Annotated[Plies | None, _says("at most this many half moves", 80)] = None
    date_from: Annotated[
        Date | None,
        _says(
            "the first day (2024-05-12), month or year; a date with unknown parts fits if it may lie there",
            "2024-05-12",
            alias="from",
        ),
    ] = None
    date_to: Annotated[Date | None, _says("the last day, month or year", "2024", alias="to")] = None
    variant: Annotated[
        Annotated[Variant, one_of(VARIANTS, "a variant", _variant)] | None,
        _says("the variant", "chess960"),
    ] = None
    source: Annotated[
        Annotated[Source, one_of(SOURCES, "a source", _site)] | None,
        _says("the site that the game is from, or file for games in files", "lichess"),
    ] = None
    account: Annotated[AccountText | None, _says("the account that led to the game", "lichess:mrossi90")] = (
        None
    )
    dossier: Annotated[Typed | None, _says("the dossier, by its short name (slug)", "magnus-carlsen")] = None
    mine: Annotated[YesOrNo | None, _says("only your own games, or only those of others")] = None
    odd: Annotated[
        Annotated[OddAsked, one_of(ODDITIES, "an oddity")] | None,
        _says("something is odd about it: one kind of oddity, or any", "no-end"),
    ] = None
    since: Annotated[
        MomentText | None,
        _says(
            "taken in at or after this time or day, or after the game with this id",
            "2026-11-30T08:00:00Z",
        ),
    ] = None


class UnclearFilters(ValueError):  # noqa: N818 - what they are
    """Fields that make no sense together.

    Args:
        sentence: What is wrong and what to do, with the fields in braces: "add {player}".
        fields: Those that do not go together, as URLs name them.
    """

    def __init__(self, sentence: str, *fields: str) -> None:
        super().__init__(sentence)
        self.fields = fields

    def __str__(self) -> str:
        return self.sentence(lambda name: "mine=true" if name == "mine" else name)

    def sentence(self, written: Callable[[str], str]) -> str:
        """The sentence with the fields named by *written*."""
        return re.sub(r"\{(\w+)\}", lambda field: written(field[1]), str(self.args[0]))


def check(filters: GameFilters, *, of_player: bool = False) -> None:
    """Check that the fields make sense together. *of_player*: the games of one player are asked for.

    Raises:
        UnclearFilters: they do not.
    """
    whose = filters.player or filters.fide_id or filters.dossier or filters.mine or of_player
    if filters.colour is not None and not whose:
        raise UnclearFilters(
            "{colour} says which side somebody had: add {player}, {fide_id}, {dossier} or {mine}", "colour"
        )
    _check_range("min_rating", filters.min_rating, "max_rating", filters.max_rating)
    _check_range("min_plies", filters.min_plies, "max_plies", filters.max_plies)
    if filters.date_from is not None and filters.date_to is not None:
        first, last = _first_day(filters.date_from), _last_day(filters.date_to)
        if first > last:
            raise UnclearFilters(_reversed("from", filters.date_from, "to", filters.date_to), "from", "to")


def _check_range(low: str, least: int | None, high: str, most: int | None) -> None:
    if least is not None and most is not None and least > most:
        raise UnclearFilters(_reversed(low, least, high, most), low, high)


def _reversed(low: str, least: object, high: str, most: object) -> str:
    return f"{{{low}}} is {least} and {{{high}}} is {most}, so that nothing lies between them: exchange them, or leave one out"


def _first_day(text: str) -> tuple[int, int, int]:
    date = read_date(text)
    return (date.year or 1, date.month or 1, date.day or 1)


def _last_day(text: str) -> tuple[int, int, int]:
    date = read_date(text)
    return (date.year or 9999, date.month or 12, date.day or 31)
