"""The words that columns of the tables hold, each list under its name in the API."""

from typing import Final, Literal, get_args

from typing_extensions import TypeAliasType

EditKind = Literal["game", "player", "same", "different"]
"""What an edit is about; the last two are answers about two games."""

RoundKind = TypeAliasType("RoundKind", Literal["sync", "import"])
RoundOutcome = TypeAliasType("RoundOutcome", Literal["done", "incomplete", "failed", "stopped"])
ClubRoundState = TypeAliasType("ClubRoundState", Literal["open", "paired", "complete"])

ROUND_KINDS: Final[tuple[RoundKind, ...]] = get_args(RoundKind.__value__)
ROUND_OUTCOMES: Final[tuple[RoundOutcome, ...]] = get_args(RoundOutcome.__value__)
