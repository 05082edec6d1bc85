"""The search window: which games are asked for, field by field (RULES R31, R34-R38)."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from core.game import read_result
from daemon.archive.reading.dates import read_date


def _plain(text: str) -> str:
    """Neither database takes a NUL, and a lone surrogate is no text."""
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("there is a character in it that no text has")
    return text


_NOT_NUL: Final = {"pattern": "^[^\\u0000]*$"}
_UNKNOWN: Final = r"(00?|\?\??)"
_DATE: Final = (
    r"^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
    rf"([./-](0?[1-9]|1[0-2])([./-](0?[1-9]|[12][0-9]|3[01]|{_UNKNOWN}))?|[./-]{_UNKNOWN}([./-]{_UNKNOWN})?)?$"
)


def _date(text: str) -> str:
    if re.fullmatch(_DATE, text) is None:
        raise ValueError(f"{text!r} is no date: write 2024-05-12, 2024-05 or 2024")
    read_date(text)
    return text


Typed = Annotated[str, Field(max_length=200, json_schema_extra=_NOT_NUL), AfterValidator(_plain)]
"""What somebody typed or chose."""

Date = Annotated[str, Field(max_length=16, json_schema_extra={"pattern": _DATE}), AfterValidator(_date)]
Result = Annotated[
    str,
    Field(max_length=16, json_schema_extra=_NOT_NUL),
    AfterValidator(_plain),
    AfterValidator(read_result),
]


class GameFilters(BaseModel):
    """Which games are asked for: those that fit every field that is given."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True)

    q: Annotated[
        Typed | None,
        Field(
            description="the field above the list: each word, and each part of a hyphened word, is the beginning of"
            " a word in any field: names, teams, event, site, opening, ECO code",
            examples=["carlsen roma"],
        ),
    ] = None
    white: Annotated[Typed | None, Field(description="words of the name of White", examples=["ros mar"])] = (
        None
    )
    black: Annotated[Typed | None, Field(description="words of the name of Black", examples=["bianchi"])] = (
        None
    )
    player: Annotated[
        Typed | None, Field(description="words of the name of one of the players", examples=["ros mar"])
    ] = None
    team: Annotated[
        Typed | None, Field(description="words of the name of one of the teams", examples=["torre"])
    ] = None
    event: Annotated[Typed | None, Field(description="words of the event", examples=["tata-steel"])] = None
    site: Annotated[Typed | None, Field(description="words of the place", examples=["wijk"])] = None
    opening: Annotated[Typed | None, Field(description="words of the opening", examples=["caro-kann"])] = None
    eco: Annotated[Typed | None, Field(description="the beginning of the ECO code", examples=["b9"])] = None
    fide_id: Annotated[
        Typed | None, Field(description="the whole FIDE id of one of the players", examples=["1503014"])
    ] = None
    annotator: Annotated[
        Typed | None,
        Field(description="a piece of the annotator's name, or beginnings of its words", examples=["verdi"]),
    ] = None
    title: Annotated[Typed | None, Field(description="the title of one of the players", examples=["GM"])] = (
        None
    )
    time_class: Annotated[Typed | None, Field(description="the time class", examples=["blitz"])] = None
    termination: Annotated[
        Typed | None, Field(description="how the game ended", examples=["Time forfeit"])
    ] = None
    result: Annotated[Result | None, Field(description="the result", examples=["1/2-1/2"])] = None
    since: Annotated[
        Date | None,
        Field(
            alias="from",
            description="the first day (2024-05-12), month or year; a date with unknown parts fits if it may lie there",
            examples=["2024-05-12"],
        ),
    ] = None
    until: Annotated[
        Date | None, Field(alias="to", description="the last day, month or year", examples=["2024"])
    ] = None
    variant: Annotated[Typed | None, Field(description="the variant", examples=["chess960"])] = None
    source: Annotated[
        Typed | None,
        Field(description="the site that tells the game, or file for games in files", examples=["lichess"]),
    ] = None
    account: Annotated[
        Typed | None, Field(description="the account that led to the game", examples=["lichess:mrossi90"])
    ] = None
    dossier: Annotated[
        Typed | None, Field(description="the dossier, by its slug", examples=["magnus-carlsen"])
    ] = None
    mine: Annotated[bool | None, Field(description="only your own games, or only those of others")] = None
