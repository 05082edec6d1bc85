"""Who a player is, by a name with or without a FIDE id (names R5 to R13), and whether it is the user."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from types import MappingProxyType
from typing import Final, Literal

from typing_extensions import TypeAliasType

from core import names
from core.game import Game, Side
from core.sites import SITES

PlayerKind = TypeAliasType("PlayerKind", Literal["fide", "person", "nickname", "unknown"])

_RULES_VERSION = "2"  # raise it when the rules of this module, of core.names or of core.sameness change
_LABELS: Final = {"fide": "fide", "person": "person", "nickname": "nick"}
_ID = re.compile(r"0*([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class PlayerKey:
    """Who a player is. Two names are one player if their keys are equal.

    The four kinds never meet (names R10, R11), because each has its own prefix in `str()`: no text can
    imitate an id.

    Attributes:
        text: The id in digits; the folded nickname; the sorted folded words of a person name; "" if unknown.
    """

    kind: PlayerKind
    text: str = ""

    def __str__(self) -> str:
        return "unknown" if self.kind == "unknown" else f"{_LABELS[self.kind]}:{self.text}"

    @property
    def fide_id(self) -> str | None:
        """The FIDE id without leading zeros, None for a player without one."""
        return self.text if self.kind == "fide" else None

    @property
    def digest(self) -> bytes:
        """16 bytes that represent the key, the same on every machine."""
        return blake2b(str(self).encode(), digest_size=16).digest()


UNKNOWN: Final = PlayerKey("unknown")


def key_version() -> str:
    """The version of the rules and data that keys depend on.

    When it changes, stored keys must be built again.
    """
    return f"{_RULES_VERSION}-{names.fold_version()}"


def read_fide_id(value: str | int | None) -> str | None:
    """The FIDE id that a tag or a number states, without leading zeros; None if it states none (names R6).

    Nothing is repaired: with one character that is not a digit 0-9 it is not an id. Ids have no greatest
    length.
    """
    match = _ID.fullmatch(str(value).strip()) if value is not None else None
    return match[1] if match else None


def identify(name: str, fide_id: str | int | None = None) -> PlayerKey:
    """Who plays under this name: their FIDE id alone if they have one, else the name by its kind (names R5, R7 to R9)."""
    known_id = read_fide_id(fide_id)
    return PlayerKey("fide", known_id) if known_id else _by_name(name)


@names.remembered
def _by_name(name: str) -> PlayerKey:
    kind = names.classify(name)
    if kind == "nickname":
        return PlayerKey("nickname", names.fold(names.clean(name)))
    return PlayerKey("person", " ".join(sorted(names.words(name)))) if kind == "person" else UNKNOWN


@dataclass(frozen=True, slots=True)
class Profile:
    """The user, by their names in the configuration (names R21, R22).

    An alias may name a site, ``lichess:mrossi90``; it counts in games from anywhere. What names nobody (an
    empty name, ``?``, the id 0) matches nobody (names R25).

    Attributes:
        own_id: The FIDE id that *fide_id* states, None if it states none.
        keys: Who the user is by their names alone; the keys of ids are not among them.
    """

    first_name: str = ""
    last_name: str = ""
    aliases: Sequence[str] = ()
    fide_id: str | int | None = None
    own_id: str | None = field(init=False, repr=False, compare=False)
    keys: frozenset[PlayerKey] = field(init=False, repr=False, compare=False)
    _reasons: Mapping[PlayerKey, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the names once; a frozen value can be filled in no other way."""
        reasons = {identify(f"{self.first_name} {self.last_name}"): "name"}
        for alias in map(without_site, self.aliases):
            reasons.setdefault(identify(alias), f"alias {names.clean(alias)}")
        reasons.pop(UNKNOWN, None)
        object.__setattr__(self, "aliases", tuple(self.aliases))
        object.__setattr__(self, "own_id", read_fide_id(self.fide_id))
        object.__setattr__(self, "keys", frozenset(reasons))
        object.__setattr__(self, "_reasons", MappingProxyType(reasons))

    def reason(self, name: str, fide_id: str | int | None = None) -> str | None:
        """Why this player is the user: "fide id", "name" or "alias mrossi90"; None if they are somebody else.

        If both have an id, only the ids decide; else the name does, as written in that game (names R23, R24).
        """
        other_id = read_fide_id(fide_id)
        if self.own_id and other_id:
            return "fide id" if self.own_id == other_id else None
        return self._reasons.get(identify(name))


def without_site(account: str) -> str:
    """The name in an account or alias that may begin with a site: ``mrossi90`` in ``lichess:mrossi90``."""
    site, colon, handle = account.partition(":")
    return handle if colon and names.clean(site).lower() in SITES else account


def is_mine(name: str, fide_id: str | int | None, profile: Profile) -> bool:
    """Whether this player, as written in a game, is the user (names R20)."""
    return profile.reason(name, fide_id) is not None


def why_mine(name: str, fide_id: str | int | None, profile: Profile) -> str | None:
    """Why this player is the user, see `Profile.reason`; None if they are not."""
    return profile.reason(name, fide_id)


def still_named(now: Game, before: Game) -> Game:
    """A game as a source gives it *now*, but a missing or ``?`` name does not replace the name of *before*.

    With the name stays what belongs to it and is missing now: FIDE id, rating, title, team. If a name is
    given, what is missing is gone.
    """
    return replace(
        now, white=_still_named(now.white, before.white), black=_still_named(now.black, before.black)
    )


def is_nameless(side: Side) -> bool:
    """Whether the source names nobody here."""
    return names.classify(side.name) == "unknown"


def _still_named(now: Side, before: Side) -> Side:
    if not is_nameless(now) or is_nameless(before):
        return now
    stated = {one.name: value for one in fields(Side) if (value := getattr(now, one.name)) is not None}
    return replace(before, **(stated | {"name": before.name}))


def account_takes(account_name: str, name: str, fide_id: str | int | None = None) -> bool:
    """Whether a dossier's account takes this player's games.

    The nickname itself, without an id (names R26).
    """
    account = identify(without_site(account_name))
    return account.kind == "nickname" and account == identify(name, fide_id)
