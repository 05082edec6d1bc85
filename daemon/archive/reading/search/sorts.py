"""What the list of games can be sorted by, as people ask for it; `orders` has the same in SQL."""

from typing import Final, Literal, get_args

from typing_extensions import TypeAliasType

SortWord = Literal[
    "date",
    "-date",
    "id",
    "-id",
    "white",
    "-white",
    "black",
    "-black",
    "rating",
    "-rating",
    "plies",
    "-plies",
    "event",
    "-event",
    "eco",
    "-eco",
]
Sort = TypeAliasType("Sort", SortWord)

SORTS: Final[tuple[SortWord, ...]] = get_args(SortWord)
NEWEST: Final[SortWord] = "-date"

MEANING: Final = (
    "by what the games are sorted; a hyphen before it turns the order round: date, id (the order of intake), white and"
    " black (names), rating (the higher one of the two), plies, event, eco. What is unknown comes last either way"
)
