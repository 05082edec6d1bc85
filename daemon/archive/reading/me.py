"""The user, and the games that are theirs."""

from typing import Unpack

from sqlalchemy import Connection

from core.players import Profile
from daemon.archive.reading import shapes
from daemon.archive.reading.accounts import my_accounts
from daemon.archive.reading.games import EVERY, PageAsked, find_games
from daemon.archive.reading.search.filters import GameFilters, UnclearFilters
from daemon.archive.reading.search.mine import mine, why
from daemon.archive.reading.search.plan import count_games


def me(connection: Connection, profile: Profile) -> shapes.Me:
    """The user as configured, with the number of their games."""
    return {
        "first_name": profile.first_name,
        "last_name": profile.last_name,
        "fide_id": profile.own_id,
        "aliases": list(profile.aliases),
        "accounts": my_accounts(connection),
        "games": count_games(connection, mine(profile)),
    }


def my_games(
    connection: Connection, profile: Profile, filters: GameFilters = EVERY, **asked: Unpack[PageAsked]
) -> shapes.Page[shapes.MyGame]:
    """A page of the user's games that *filters* finds, newest first, each with the reason why it is theirs.

    Raises:
        BadCursor: *cursor* is not from this list.
        UnclearFilters: they ask for games of others, or make no sense together.
    """
    if filters.mine is False:
        raise UnclearFilters("these are your own games: ask for mine=false in the list of all games", "mine")
    page = find_games(connection, filters, profile, of_player=mine(profile, filters.colour), **asked)
    items: list[shapes.MyGame] = []
    for game in page["items"]:
        reason = why(game, profile)
        # The condition that found the game and the rule that explains it are one; a test compares them.
        assert reason is not None
        items.append({**game, "why": reason[0], "mine": reason[1]})
    return {**page, "items": items}
