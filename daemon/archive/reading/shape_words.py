"""The parts of the shapes: fixed words, each with its own name in the API's description, and times."""

from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

from pydantic import Field
from pydantic.fields import FieldInfo

# See shapes.py: pydantic takes typing's own only from Python 3.12 on.
from typing_extensions import TypeAliasType

from core import doubles, oddities, vocabulary
from core.sites import SITE_OF_KIND

Result = TypeAliasType("Result", vocabulary.Result)
TimeClass = TypeAliasType("TimeClass", vocabulary.TimeClass)
Variant = TypeAliasType("Variant", vocabulary.Variant)
SiteKey = TypeAliasType("SiteKey", vocabulary.SiteKey)
Colour = TypeAliasType("Colour", vocabulary.Colour)
OddCode = TypeAliasType("OddCode", oddities.Code)
DoubleKind = TypeAliasType("DoubleKind", doubles.DoubleKind)
PlayerKind = TypeAliasType("PlayerKind", Literal["fide", "person", "nickname", "unknown"])
if TYPE_CHECKING:
    AccountKind = str
else:  # which kinds of events there are, `core.sites` says
    AccountKind = TypeAliasType("AccountKind", Literal[("account", *SITE_OF_KIND)])
AccountState = TypeAliasType(
    "AccountState",
    Literal["new", "active", "not_found", "closed", "renamed", "rate_limited", "blocked", "down"],
)
SiteState = TypeAliasType("SiteState", Literal["ok", "rate_limited", "blocked", "down"])
RoundKind = TypeAliasType("RoundKind", Literal["sync", "import"])
ROUND_KINDS: Final = get_args(RoundKind.__value__)
RoundOutcome = TypeAliasType("RoundOutcome", Literal["done", "incomplete", "failed", "stopped"])
ROUND_OUTCOMES: Final = get_args(RoundOutcome.__value__)
ClubRoundState = TypeAliasType("ClubRoundState", Literal["open", "paired", "complete"])
ClubResult = TypeAliasType("ClubResult", Literal["1-0", "0-1", "1/2", "+-", "-+", "--"])
AbsenceReason = TypeAliasType(
    "AbsenceReason",
    Literal[
        "bye",
        "excused",
        "short notice",
        "unexcused",
        "club",
        "external win",
        "external draw",
        "external loss",
    ],
)
CreditOf = TypeAliasType("CreditOf", Literal["opponent", "own"])

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""RFC 3339 in UTC: ``2024-05-12T10:00:00Z``."""

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""``2024-05-12``."""


def says(what: str) -> FieldInfo:
    """The description of a property in the API."""
    info: FieldInfo = Field(description=what)
    return info
