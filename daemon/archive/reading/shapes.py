"""What the API sends and ``--json`` prints: games, players, and who asks for them.

How the daemon does is in `daemon_shapes`, club tournaments are in `club_shapes`. What is unknown is None.
"""

from typing import Annotated, Generic, NotRequired, TypeVar

# pydantic documents the API from these and takes typing's own TypedDict only from Python 3.12 on.
from typing_extensions import TypedDict

from core.doubles import DoubleKind
from core.players import PlayerKind
from core.vocabulary import Result, TimeClass, Variant
from daemon.archive.reading.daemon_shapes import Account, Health, Quarantined, Round, Site, Status, Totals
from daemon.archive.reading.shape_words import (
    MineSide,
    OddCode,
    SiteKey,
    Time,
    says,
)
from daemon.archive.tables.words import EditKind

__all__ = [
    "Account",
    "Dossier",
    "Double",
    "Edit",
    "Game",
    "Health",
    "Me",
    "MyGame",
    "Oddity",
    "Page",
    "Player",
    "Quarantined",
    "Round",
    "Side",
    "Site",
    "Status",
    "Suggestion",
    "Suggestions",
    "Telling",
    "Totals",
    "WholeGame",
]

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list."""

    items: Annotated[list[Item], says("the items, in the order of the list")]
    next: Annotated[str | None, says("the cursor of the next page; null on the last one")]
    total: NotRequired[
        Annotated[int, says("how many items the whole list has; only where `total=true` was asked for")]
    ]


class Player(TypedDict):
    """A player."""

    id: Annotated[int, says("given in the order of intake, and never to another player")]
    name: Annotated[str, says("as it is shown everywhere")]
    kind: Annotated[PlayerKind, says("what they are recognised by")]
    fide_id: Annotated[str | None, says("the FIDE id")]
    verbatim: Annotated[bool, says("the name is shown as it was written: a nickname, or a handle")]
    games: Annotated[int, says("how many games they played")]


class Side(TypedDict):
    """One side of a game."""

    player_id: Annotated[int, says("the player, see `/players/{player_id}`")]
    name: Annotated[str, says("the player's name as it is shown everywhere")]
    written: Annotated[str | None, says("the name as it is written in this game")]
    fide_id: Annotated[str | None, says("the player's FIDE id")]
    verbatim: Annotated[bool, says("the name is shown as it was written: a nickname, or a handle")]
    rating: Annotated[int | None, says("the rating in this game")]
    title: Annotated[str | None, says("the title in this game: GM, WIM, …")]
    team: Annotated[str | None, says("the team in this game")]


class Telling(TypedDict):
    """One source's account of a game: a download, or a game in a file."""

    n: Annotated[int, says("its number within the game, from 1 on; never given again")]
    site: Annotated[
        SiteKey | str | None, says("the site that it was downloaded from, or that the file's game names")
    ]
    native_id: Annotated[str | None, says("the site's own id of the game")]
    url: Annotated[str | None, says("where the site shows the game")]
    accounts: Annotated[list[str], says("the accounts that led to the download: `lichess:mrossi90`")]
    file: Annotated[str | None, says("the path of the file; null for a download")]
    fetched_at: Annotated[Time, says("when it was taken in, or last refreshed")]
    left_at: Annotated[
        Time | None, says("since when its file is known to have it no longer, or its round or study")
    ]


class Game(TypedDict):
    """A game in a list."""

    id: Annotated[int, says("given in the order of intake, and never to another game")]
    white: Annotated[Side, says("who had White")]
    black: Annotated[Side, says("who had Black")]
    date: Annotated[str | None, says("year, month and day, `??` where a part is unknown: `2024.05.??`")]
    result: Annotated[
        Result | str, says("`*` where nobody says; a result of another kind is as it was written")
    ]
    event: Annotated[str | None, says("the event")]
    site: Annotated[str | None, says("the place, or the address of an online game")]
    round: Annotated[str | None, says("the round, as it was written")]
    eco: Annotated[str | None, says("the ECO code")]
    eco_derived: Annotated[bool, says("no source gives the code: it comes from the moves")]
    opening: Annotated[str | None, says("the name of the opening")]
    opening_derived: Annotated[bool, says("no source gives the name: it comes from the moves")]
    time_control: Annotated[str | None, says("as PGN has it: `180+2`, `40/5400:1800`")]
    time_class: Annotated[TimeClass | str | None, says("how quick the game was, in its site's word")]
    variant: Annotated[Variant, says("the variant")]
    start_fen: Annotated[str | None, says("where the game began; null for the standard position")]
    ply_count: Annotated[int, says("half moves in the main line")]
    termination: Annotated[str | None, says("how it ended, in its source's words")]
    annotator: Annotated[str | None, says("who annotated it")]
    started_at: Annotated[Time | None, says("when it began, where that is known to the second")]
    tellings: Annotated[list[Telling], says("the sources of the game, in the order of intake")]


class Oddity(TypedDict):
    """Something odd about a telling that could be read."""

    telling: Annotated[int, says("the number of the telling")]
    code: Annotated[OddCode | str, says("which oddity: a word of a fixed list")]
    text: Annotated[str, says("a sentence about it")]


class WholeGame(Game):
    """A single game."""

    moves: Annotated[str, says("the main line in UCI, divided by blanks")]
    tags: Annotated[dict[str, str], says("the tags of the first telling's PGN")]
    oddities: Annotated[list[Oddity], says("what is odd about its tellings; empty as a rule")]


class MyGame(Game):
    """A game of the user's."""

    why: Annotated[str, says("why the game is the user's")]
    mine: Annotated[MineSide, says("the side that the user had")]


class Me(TypedDict):
    """The user, as configured."""

    first_name: Annotated[str, says("as configured")]
    last_name: Annotated[str, says("as configured")]
    fide_id: Annotated[str | None, says("as configured")]
    aliases: Annotated[list[str], says("further names and accounts that are the user")]
    accounts: Annotated[list[str], says("their accounts, whose games are downloaded")]
    games: Annotated[int, says("how many games are theirs")]


class Dossier(TypedDict):
    """A tracked opponent."""

    slug: Annotated[str, says("the dossier in addresses: the folded words of its name, joined by hyphens")]
    name: Annotated[str, says("as configured")]
    fide_id: Annotated[str | None, says("as configured")]
    names: Annotated[list[str], says("the names that are theirs, as configured")]
    accounts: Annotated[list[str], says("their accounts, older handles of them too")]
    games: Annotated[int, says("how many games are theirs")]


class Edit(TypedDict):
    """Something that the user has changed: a field of a game, the name of a player, an answer about two games."""

    id: Annotated[int, says("in the order in which they were made")]
    batch: Annotated[int, says("the first edit of the command that made it")]
    at: Annotated[Time, says("when it was made")]
    kind: Annotated[EditKind, says("what it is about")]
    game_id: Annotated[int | None, says("the game")]
    other_id: Annotated[int | None, says("the other game of an answer about two")]
    player_id: Annotated[int | None, says("the player whose shown name it is about")]
    field: Annotated[str | None, says("what was changed")]
    before: Annotated[str | None, says("what was there before")]
    after: Annotated[str | None, says("what is there since")]
    undone_at: Annotated[Time | None, says("when it was undone; null while it has effect")]


class Double(TypedDict):
    """Two games that may be one."""

    id: Annotated[int, says("of the pair, for `gamekeeper doubles`")]
    kind: Annotated[DoubleKind, says("what the reason is about")]
    reason: Annotated[str, says("why they may be one, as a sentence")]
    game: Annotated[Game, says("the older one")]
    other: Annotated[Game, says("the younger one")]


class Suggestion(TypedDict):
    """A name to choose."""

    name: Annotated[str, says("as it is shown")]


class Suggestions(TypedDict):
    """Names to choose."""

    items: Annotated[list[Suggestion], says("those that start with everything typed, then the others")]
