"""Results of an evening played online, from the games of the archive: proposed, never guessed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from core.club.tournament import GameResult
from core.players import identify, without_site
from daemon.archive.archive import Archive, Connection
from daemon.archive.club.rows import MemberRow, PairingRow, RoundRow
from daemon.archive.reading.club_games import Evening, EveningGame, games_on, is_followed
from daemon.club.errors import ClubError
from daemon.club.evening import When
from daemon.club.results import BoardResult
from daemon.club.season import Season, read_season

_RESULTS: Final = {"1-0": GameResult.WHITE, "0-1": GameResult.BLACK, "1/2-1/2": GameResult.DRAW}


@dataclass(frozen=True, slots=True)
class Search:
    """Which games can be of the evening: *when* for the round's own time, *account* an event or account followed.

    *round* is an earlier one, whose open games are looked for; *day* makes the evening of a day to which one of them is
    postponed.
    """

    when: When | None = None
    time_class: str | None = None
    account: str | None = None
    round: int | None = None
    day: Callable[[date], When] | None = None


@dataclass(frozen=True, slots=True)
class BoardGame:
    """A game of the two of a board; *turned*: with the colours exchanged."""

    game: EveningGame
    turned: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """The one game of a board, and what it would enter."""

    pairing: PairingRow
    found: BoardGame
    result: GameResult

    @property
    def entry(self) -> BoardResult:
        """The entry that a director would make."""
        players = frozenset((self.pairing.white, self.pairing.black))
        return BoardResult(self.result, self.found.game.id, turned=self.found.turned, players=players)


@dataclass(frozen=True, slots=True)
class Unclear:
    """A board whose games do not decide the result; *why* is a sentence."""

    pairing: PairingRow
    games: tuple[BoardGame, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Collected:
    """What the archive has for the boards without a result. *missing* boards have no game at all."""

    season: Season
    round: RoundRow
    proposals: tuple[Proposal, ...]
    unclear: tuple[Unclear, ...]
    missing: tuple[PairingRow, ...]


def collect(
    archive: Archive, slug: str, search: Search, *, take: Mapping[int, int] | None = None
) -> Collected:
    """Look for the games of the boards that have no result yet. *take* names the game of a board that is unclear.

    Raises:
        ClubError: no round is being played, it is not known when, or a game that was named is none of the board's.
    """
    with archive.reading() as connection:
        season = read_season(connection, slug)
        round_ = _round(season, search)
        found = _games(connection, season, round_, search)
    open_ = _looked_for(round_, search)
    judged = [_judged(one, found[one.board], (take or {}).get(one.board)) for one in open_]
    _refuse_strange(take or {}, open_)
    return Collected(
        season,
        round_,
        tuple(one for one in judged if isinstance(one, Proposal)),
        tuple(one for one in judged if isinstance(one, Unclear)),
        tuple(one for one in judged if isinstance(one, PairingRow)),
    )


def _refuse_strange(take: Mapping[int, int], open_: Sequence[PairingRow]) -> None:
    strange = sorted(set(take) - {one.board for one in open_})
    if strange:
        raise ClubError(
            f"board {strange[0]} has a result already, is postponed, or is not a board of this round"
        )


def _round(season: Season, search: Search) -> RoundRow:
    if search.round is None:
        if season.current is None:
            raise ClubError(
                "no round is being played: pair one first, or name with --round the one whose open games are looked for"
            )
        return season.current
    for round_ in season.listed:
        if round_.n == search.round:
            return round_
    raise ClubError(f"round {search.round} is not paired")


def _looked_for(round_: RoundRow, search: Search) -> tuple[PairingRow, ...]:
    """The boards without a result; postponed ones only if their round is named."""
    return round_.awaited if search.round is None else round_.open_games


def _games(
    connection: Connection, season: Season, round_: RoundRow, search: Search
) -> dict[int, tuple[BoardGame, ...]]:
    """The games of the two of each open board, finished or not, with either colours."""
    if search.account is not None and not is_followed(connection, search.account):
        raise ClubError(
            f"the archive follows no {search.account}: write it into the configuration, then sync"
        )
    by_id = {member.id: member for member in season.members}
    found: dict[int, tuple[BoardGame, ...]] = {}
    for board in _looked_for(round_, search):
        two = (by_id[board.white], by_id[board.black])
        handles = [without_site(handle) for one in two for handle in one.handles]
        evening = _evening(round_, board, search)
        games = games_on(connection, evening, [one.player_id for one in two], handles)
        found[board.board] = tuple(_of_board(games, *two))
    return found


def _evening(round_: RoundRow, board: PairingRow, search: Search) -> Evening:
    when = search.when
    if when is None and board.postponed_to is not None and search.day is not None:
        when = search.day(date.fromisoformat(board.postponed_to))
    if when is not None:
        return Evening(when.day, when.begins_at, when.ends_at, search.time_class, search.account)
    if round_.day is None or round_.begins_at is None or round_.ends_at is None or board.postponed:
        what = f"board {board.board} of round {round_.n} is" if board.postponed else f"round {round_.n} was"
        raise ClubError(f"it is not known when {what} played: give the date")
    day = date.fromisoformat(round_.day)
    return Evening(day, round_.begins_at, round_.ends_at, search.time_class, search.account)


def _of_board(games: Sequence[EveningGame], white: MemberRow, black: MemberRow) -> Iterator[BoardGame]:
    for game in games:
        if _is_white(game, white) and _is_black(game, black):
            yield BoardGame(game, turned=False)
        elif _is_white(game, black) and _is_black(game, white):
            yield BoardGame(game, turned=True)


def _is_white(game: EveningGame, member: MemberRow) -> bool:
    return game.white_id == member.player_id or _bears_handle(game, game.white, game.white_fide_id, member)


def _is_black(game: EveningGame, member: MemberRow) -> bool:
    return game.black_id == member.player_id or _bears_handle(game, game.black, game.black_fide_id, member)


def _bears_handle(game: EveningGame, written: str, fide_id: str | None, member: MemberRow) -> bool:
    """Whether this is the name that they play under online.

    On a site the name decides, with or without an id.
    """
    if fide_id is not None and not game.online:
        return False
    key = identify(written)
    return any(
        key == identify(without_site(handle)) and _site(handle) in {None, *game.sites}
        for handle in member.handles
    )


def _site(handle: str) -> str | None:
    """The site that a handle names, None for one that counts on all sites."""
    return None if without_site(handle) == handle else handle.partition(":")[0].strip().lower()


def _judged(
    pairing: PairingRow, games: tuple[BoardGame, ...], taken: int | None
) -> Proposal | Unclear | PairingRow:
    if taken is not None:
        return _taken(pairing, games, taken)
    if not games:
        return pairing
    if len(games) > 1:
        return Unclear(pairing, games, f"{len(games)} games of these two: which one counts?")
    why = _why_unclear(games[0])
    return Unclear(pairing, games, why) if why else _proposal(pairing, games[0])


def _why_unclear(found: BoardGame) -> str | None:
    game = found.game
    if game.result not in _RESULTS:
        return "the game has no result"
    if game.variant != "standard":
        return f"the game is {game.variant}"
    if game.ply_count < 1:
        return "it has no moves"
    return "it was played with the colours exchanged" if found.turned else None


def _taken(pairing: PairingRow, games: tuple[BoardGame, ...], taken: int) -> Proposal:
    for one in games:
        if one.game.id == taken:
            if one.game.result not in _RESULTS:
                raise ClubError(f"game {taken} has no result")
            return _proposal(pairing, one)
    raise ClubError(f"game {taken} is not a game of board {pairing.board}")


def _proposal(pairing: PairingRow, found: BoardGame) -> Proposal:
    return Proposal(pairing, found, _RESULTS[found.game.result])
