"""The parts of the shapes: fixed words, each with its own name in the API's description, and times."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from pydantic.fields import FieldInfo

# See shapes.py: pydantic takes typing's own only from Python 3.12 on.
from typing_extensions import TypeAliasType

from core.club.tournament import AbsenceReason
from core.oddities import Odd
from core.sites import ACCOUNT, SITE_OF_KIND, site_keys

if TYPE_CHECKING:
    SiteKey = str
    AccountKind = str
    OddCode = str
    AbsenceWord = str
else:  # `core` says which there are; a type checker cannot read that
    SiteKey = TypeAliasType("SiteKey", Literal[site_keys()])
    AccountKind = TypeAliasType("AccountKind", Literal[(ACCOUNT, *SITE_OF_KIND)])
    OddCode = TypeAliasType("OddCode", Literal[tuple(odd.value for odd in Odd)])
    AbsenceWord = TypeAliasType("AbsenceReason", Literal[tuple(reason.value for reason in AbsenceReason)])
MineSide = Literal["white", "black", "both"]
AccountState = TypeAliasType(
    "AccountState",
    Literal["new", "active", "not_found", "closed", "renamed", "rate_limited", "blocked", "down"],
)
SiteState = TypeAliasType("SiteState", Literal["ok", "rate_limited", "blocked", "down"])
ClubResult = TypeAliasType("ClubResult", Literal["1-0", "0-1", "1/2", "+-", "-+", "--"])
CreditOf = TypeAliasType("CreditOf", Literal["opponent", "own"])

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""RFC 3339 in UTC: ``2024-05-12T10:00:00Z``."""

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""``2024-05-12``."""


def says(what: str) -> FieldInfo:
    """The description of a property in the API."""
    info: FieldInfo = Field(description=what)
    return info
