"""The parameters of all lists."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from core.doubles import DOUBLE_KINDS, DoubleKind
from daemon.archive.reading.cursors import LONGEST as LONGEST_CURSOR
from daemon.archive.reading.games import PageAsked
from daemon.archive.reading.search.asked_values import TextValue, WholeNumber, YesOrNo, one_of
from daemon.archive.reading.search.filters import AccountText, GameFilters, Typed
from daemon.archive.reading.search.sorts import MEANING, NEWEST, SORTS, Sort
from daemon.archive.tables.words import ROUND_KINDS, ROUND_OUTCOMES, RoundKind, RoundOutcome

LONGEST_PAGE: Final = 500

Limit = Annotated[int, WholeNumber(1, LONGEST_PAGE), Field(description="how many items a page has at most")]
CursorParameter = Annotated[
    Annotated[str, TextValue(LONGEST_CURSOR)] | None,
    Field(description='where the page begins: "next" of the page before'),
]


Total = Annotated[
    YesOrNo, Field(description="count the whole list, too: `total` in the answer", examples=[True])
]


class PageQuery(BaseModel):
    """A page of a list."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: Limit = 50
    cursor: CursorParameter = None
    total: Total = False


class PlayersQuery(PageQuery):
    """A page of players."""

    q: Annotated[
        Typed | None,
        Field(
            description="beginnings of words of the name, in any order; a nickname is one word",
            examples=["ros mar"],
        ),
    ] = None


class GamesQuery(GameFilters):
    """A page of games."""

    limit: Limit = 50
    cursor: CursorParameter = None
    sort: Annotated[Sort, one_of(SORTS, "an order"), Field(description=MEANING, examples=["-rating"])] = (
        NEWEST
    )
    total: Total = False

    def page(self) -> PageAsked:
        """Which page."""
        return {"limit": self.limit, "cursor": self.cursor, "sort": self.sort, "total": self.total}


class DoublesQuery(PageQuery):
    """A page of near doubles."""

    kind: Annotated[
        Annotated[DoubleKind, one_of(DOUBLE_KINDS, "a kind")] | None,
        Field(description="only those of this kind", examples=["native_id"]),
    ] = None


class SyncsQuery(PageQuery):
    """A page of the history."""

    kind: Annotated[
        Annotated[RoundKind, one_of(ROUND_KINDS, "a kind")] | None,
        Field(description="only those of this kind", examples=["sync"]),
    ] = None
    outcome: Annotated[
        Annotated[RoundOutcome, one_of(ROUND_OUTCOMES, "an outcome")] | None,
        Field(description="only those that ended so", examples=["failed"]),
    ] = None
    account: Annotated[
        AccountText | None, Field(description="only those of this account", examples=["lichess:mrossi90"])
    ] = None


class SuggestQuery(BaseModel):
    """What was typed, to choose from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    q: Annotated[
        Typed | None,
        Field(
            description="beginnings of words of the name, in any order; without a word nothing is found",
            examples=["ros mar"],
        ),
    ] = None
    limit: Annotated[
        int, WholeNumber(1, LONGEST_PAGE), Field(description="how many names there are at most")
    ] = 20
