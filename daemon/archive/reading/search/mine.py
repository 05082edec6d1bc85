"""Which games are the user's (names R20 to R25), as SQL, and why."""

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.sql.elements import ColumnElement

from core.players import Profile, why_mine
from core.vocabulary import Colour
from daemon.archive.reading import shapes
from daemon.archive.reading.search.plan import Condition, DatedIndex, Wanted
from daemon.archive.reading.shape_words import MineSide
from daemon.archive.tables.main import games, player_names, players


def mine(profile: Profile, colour: Colour | None = None) -> Wanted:
    """Whether one of the game's players, or the one of this colour, is the user."""
    sides = {
        "white": (games.c.white_id, games.c.white_name),
        "black": (games.c.black_id, games.c.black_name),
    }
    asked = [sides[colour]] if colour else sides.values()
    return Wanted.any([_played_by_me(*side, profile) for side in asked])


def why(game: shapes.Game, profile: Profile) -> tuple[str, MineSide] | None:
    """Why the game is the user's and which side they played; None if it is not theirs."""
    white, black = (
        why_mine(side["written"] or "", side["fide_id"], profile) for side in (game["white"], game["black"])
    )
    if white and black:
        return white, "both"
    if white:
        return white, "white"
    return (black, "black") if black else None


def _played_by_me(player_id: ColumnElement[int], name: ColumnElement[str], profile: Profile) -> Wanted:
    digests = [key.digest for key in profile.keys]
    me: Condition = players.c.digest.in_(digests)
    if profile.own_id:
        # A player with another id is somebody else whatever they are called: only those without one go by name.
        me = or_(me, players.c.fide_id == profile.own_id)
    named = Wanted.refers([player_id], select(players.c.id).where(me))
    return named if profile.own_id else Wanted.any([named, _by_written_name(player_id, name, digests)])


def _by_written_name(player_id: ColumnElement[int], name: ColumnElement[str], digests: list[bytes]) -> Wanted:
    """A player with an id counts by their name in that game, as the user has no id (names R23, R24)."""
    mine_once = player_names.c.identity.in_(digests)
    namesakes = select(player_names.c.player_id).where(mine_once)
    written = exists().where(player_names.c.player_id == player_id, player_names.c.name == name, mine_once)
    ids = select(games.c.id).where(player_id.in_(namesakes), written)
    dated = (DatedIndex(player_id, namesakes, written),)
    return Wanted(and_((player_id + 0).in_(namesakes), written), ids, ids, dated)
