"""What happens at both sites during the soak: games begin and end, accounts come, go and change their names."""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import count
from random import Random
from typing import Final

from daemon.config.configured import ConfiguredAccount
from daemon.sync.pacing import DAY, HOUR, MINUTE
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator, Game
from tests.fetchers.site_emulator.events import Board, Person

SITES: Final = (LICHESS, CHESSCOM)
FOLLOWED: Final = 14
"""Accounts of each site that are followed from the beginning."""
STRANGERS: Final = 4
"""Others that they play with."""
_EVERY: Final = (1800, 3600, 2 * 3600, 4 * 3600)
_ARENA, _CAST, _ROUND, _CLUB = "Arena001", "Broadca1", "Round001", "circolo-rossi"
_PEOPLE: Final = ("Rossi, Mario", "Bianchi, Laura", "Verdi, Giuseppe", "Neri, Anna")
_NOT_SHOWN: Final = {"aborted", "created"}

Truth = tuple[str, int]
"""Result, and number of plies."""


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@dataclass(order=True, slots=True)
class _Planned:
    at: float
    order: int
    do: Callable[[float], object] = field(compare=False)


class Life:
    """Everything is planned by the seed, and happens when the clock says so.

    Attributes:
        wanted: the accounts and events of the configuration, by key; the soak writes them into the archive.
    """

    def __init__(self, sites: Emulator, seed: str, begin: float, end: float) -> None:
        self.wanted: dict[str, ConfiguredAccount] = {}
        self._sites = sites
        self._world = sites.world
        self._rng = Random(seed)
        self._begin, self._end = begin, end
        self._planned: list[_Planned] = []
        self._order = count()
        self._numbers: dict[str, set[int]] = {LICHESS: set(), CHESSCOM: set()}
        self._away: set[tuple[str, str]] = set()
        self._troubled: set[str] = set()
        self._renamed: set[str] = set()
        self._boards: list[Board] = []
        for site in SITES:
            self._people(site)
            self._plan_site(site)
        self._plan_events()

    # the clock

    def next_at(self) -> float:
        """When the next thing happens."""
        return self._planned[0].at if self._planned else float("inf")

    def happen(self, now: float) -> None:
        """Let everything happen whose time has come."""
        while self.next_at() <= now:
            planned = heapq.heappop(self._planned)
            planned.do(planned.at)

    def settle(self) -> None:
        """The end: nothing happens any more, everybody is back, the caches have caught up. Running games stay so."""
        self._planned.clear()
        for site, handle in self._away:
            self._world.change_player(site, handle, state="active", silent=False)
        for game in self._world.games(CHESSCOM):
            self._world.tell(game)

    def _plan(self, at: float, do: Callable[[float], object]) -> None:
        if at < self._end:
            heapq.heappush(self._planned, _Planned(at, next(self._order), do))

    def _sometime(self, after: float = 2 * HOUR) -> float:
        return self._rng.uniform(self._begin + after, self._end)

    def explains(self, account: str) -> bool:
        """Did something happen to this account of which the program is right to complain?"""
        return account in self._troubled

    def is_gone(self, account: str) -> bool:
        """Has this account another handle now?"""
        return account in self._renamed

    # who there is

    def _people(self, site: str) -> None:
        for number in range(FOLLOWED):
            self._follow(site, f"rossi{number}")
        for number in range(STRANGERS):
            self._world.add_player(site, f"Altro{number}")
        for handle in self._active(site):
            for _ in range(6):
                self._finished_game(site, handle, self._begin - self._rng.uniform(HOUR, 80 * DAY))

    def _follow(self, site: str, handle: str) -> None:
        self._world.add_player(site, handle)
        self._want(site, handle)

    def _want(self, site: str, handle: str) -> None:
        self._numbers[site].add(self._world.player(site, handle).number)
        account = ConfiguredAccount(site, handle.lower(), handle, mine=False, every=self._rng.choice(_EVERY))
        self.wanted[account.key] = account

    def _want_event(self, site: str, kind: str, event_id: str) -> None:
        handle = f"{kind}/{event_id}"
        event = ConfiguredAccount(site, handle, handle, mine=False, every=1800, kind=kind)
        self.wanted[event.key] = event

    def _active(self, site: str) -> list[str]:
        """The handles of those who may begin a game now."""
        return [
            player.handle
            for player in self._world.players(site)
            if player.state == "active" and not player.silent and (site, player.handle) not in self._away
        ]

    def _pair(self, site: str) -> tuple[str, str]:
        one, other = self._rng.sample(self._active(site), 2)
        return one, other

    def _finished_game(self, site: str, handle: str, at: float) -> Game:
        other = self._rng.choice([name for name in self._active(site) if name != handle])
        return self._world.add_game(
            site, handle, other, at=_at(at), ended=_at(at + 9 * MINUTE), plies=self._rng.randrange(6, 28)
        )

    # what is planned

    def _plan_site(self, site: str) -> None:
        hours = (self._end - self._begin) / HOUR
        for _ in range(round(hours * 2)):
            self._plan(self._sometime(0), lambda at: self._begin_live(site, at))
        for _ in range(round(hours / 3)):
            self._plan(self._sometime(-20 * DAY), lambda at: self._begin_slow(site, at))
            self._plan(self._sometime(), lambda at: self._begin_slow(site, at))
        for _ in range(3):
            self._begin_slow(site, self._begin - self._rng.uniform(0, 30 * DAY))
        for number in range(max(1, round(hours / 24))):
            self._plan(self._sometime(), partial(self._newcomer, site, f"nuovo{number}"))
            self._plan(self._sometime(), lambda at: self._leave(site, at, silent=False))
            self._plan(self._sometime(), lambda at: self._leave(site, at, silent=True))
            self._plan(self._sometime(), partial(self._rename, site, number))
            self._plan(self._sometime(), lambda at: self._unfollow(site, at))

    def _begin_live(self, site: str, at: float) -> None:
        white, black = self._pair(site)
        plies = self._rng.randrange(6, 28)
        if self._rng.random() < 0.05:
            status = {LICHESS: self._rng.choice(("aborted", "noStart")), CHESSCOM: "abandoned"}[site]
            self._world.add_game(
                site, white, black, at=_at(at), ended=_at(at + 30), plies=plies, status=status
            )
            return
        variant = self._rng.choice(("standard",) * 8 + ("chess960", "crazyhouse"))
        if site == CHESSCOM and self._rng.random() < 0.05:
            variant = "bughouse"
        game = self._world.add_game(
            site, white, black, at=_at(at), plies=plies, variant=variant, status="started", played=plies // 2
        )
        self._plan(at + self._rng.uniform(2 * MINUTE, HOUR), lambda then: self._end_game(game, then))

    def _begin_slow(self, site: str, at: float) -> None:
        """A correspondence game, which ends days later with its old start, or not at all."""
        white, black = self._pair(site)
        game = self._world.add_game(
            site, white, black, at=_at(at), time_control="1/86400", status="started", plies=24, played=3
        )
        for _ in range(3):
            self._plan(self._sometime(0), lambda then: self._move(game, then))
        self._plan(
            self._rng.uniform(max(at, self._begin), self._end + DAY), lambda then: self._end_game(game, then)
        )

    def _move(self, game: Game, at: float) -> None:
        if self._world.game(game.site, game.id).running:
            self._world.move_on(game, 3, _at(at))

    def _end_game(self, game: Game, at: float) -> None:
        self._world.finish_game(game, at=_at(at))
        if game.site == CHESSCOM:
            self._after_chesscom(game, at)

    def _after_chesscom(self, game: Game, at: float) -> None:
        """The cache lags, accuracies come later."""
        if self._rng.random() < 0.3:
            late = {"cached": False} if self._rng.random() < 0.7 else {"listed": False}
            self._world.change_game(game, **late)
            self._plan(at + self._rng.uniform(MINUTE, 20 * HOUR), lambda _: self._tell(game))
        if self._rng.random() < 0.3:
            self._plan(at + self._rng.uniform(HOUR, 30 * HOUR), lambda _: self._analyse(game))

    def _tell(self, game: Game) -> None:
        self._world.tell(game)

    def _analyse(self, game: Game) -> None:
        self._world.analyse(game)

    def _newcomer(self, site: str, handle: str, at: float) -> None:
        self._world.add_player(site, handle)
        for number in range(5):
            self._finished_game(site, handle, at - (number + 1) * 7 * DAY)
        self._want(site, handle)

    def _leave(self, site: str, at: float, *, silent: bool) -> None:
        """Somebody's account is closed, or tells of nothing, for some hours."""
        handle = self._rng.choice(self._active(site))
        self._away.add((site, handle))
        self._troubled.add(f"{site}:{handle.lower()}")
        self._world.change_player(site, handle, **({"silent": True} if silent else {"state": "closed"}))
        self._plan(at + self._rng.uniform(HOUR, 3 * HOUR), lambda _: self._return(site, handle))

    def _return(self, site: str, handle: str) -> None:
        self._away.discard((site, handle))
        self._world.change_player(site, handle, state="active", silent=False)

    def _rename(self, site: str, number: int, at: float) -> None:
        """chess.com: another handle, which the configuration gets hours later. lichess: only other capitals."""
        handle = self._rng.choice([name for name in self._active(site) if name.startswith("rossi")])
        new = f"cambiato{number}" if site == CHESSCOM else handle.upper()
        followed = self._world.player(site, handle).number in self._numbers[site]
        self._world.rename(site, handle, new)
        if site == CHESSCOM:
            self._renamed.add(f"{site}:{handle.lower()}")
            self._troubled.add(f"{site}:{handle.lower()}")
        if site == CHESSCOM and followed:
            until = min(at + self._rng.uniform(0, 6 * HOUR), self._end - 1)
            self._plan(until, lambda _: self._want(site, new))

    def _unfollow(self, site: str, at: float) -> None:
        """An account leaves the configuration for some hours."""
        account = self.wanted.pop(
            self._rng.choice([key for key in self.wanted if key.startswith(f"{site}:rossi")])
        )

        def back(_: float) -> None:
            self.wanted[account.key] = account

        until = min(at + self._rng.uniform(HOUR, 10 * HOUR), self._end - 1)
        self._plan(until, back)

    # events

    def _plan_events(self) -> None:
        events = self._world.events
        events.add_tourney("arena", id=_ARENA, starts=_at(self._begin))
        events.add_broadcast("Torneo di Pasqua", id=_CAST)
        events.add_round(_CAST, id=_ROUND, starts=_at(self._begin), state="ongoing")
        events.add_club(_CLUB)
        self._want_event(LICHESS, "arena", _ARENA)
        self._want_event(LICHESS, "broadcast", _CAST)
        self._want_event(CHESSCOM, "club", _CLUB)
        for _ in range(12):
            self._plan(self._begin + self._rng.uniform(0, 5 * HOUR), self._arena_game)
            self._plan(self._begin + self._rng.uniform(0, 5 * HOUR), self._add_board)
        self._plan(self._begin + 6 * HOUR, lambda _: events.change_tourney(_ARENA, state="finished"))
        self._plan(self._begin + 8 * HOUR, lambda at: events.finish_round(_ROUND, _at(at)))
        for _ in range(10):
            self._plan(self._begin + self._rng.uniform(5 * HOUR, 12 * HOUR), self._correct)
        for _ in range(4):
            self._plan(self._begin + self._rng.uniform(0, self._end - self._begin), self._club_match)

    def _arena_game(self, at: float) -> None:
        white, black = self._rng.sample([f"Altro{number}" for number in range(STRANGERS)], 2)
        game = self._world.add_game(
            LICHESS, white, black, at=_at(at), status="started", plies=16, played=4,
            source="arena", event="Torneo serale", event_id=_ARENA,
        )  # fmt: skip
        self._plan(at + 10 * MINUTE, lambda then: self._end_game(game, then))

    def _add_board(self, at: float) -> None:
        white, black = self._rng.sample(_PEOPLE, 2)
        events = self._world.events
        board = events.add_board(_ROUND, white, black, plies=30, played=8, date=f"{_at(at):%Y.%m.%d}")
        self._boards.append(board)
        self._plan(
            at + self._rng.uniform(0, HOUR),
            lambda _: events.change_board(_ROUND, board, played=len(board.line.sans), result="1-0"),
        )

    def _correct(self, _at: float) -> None:
        if self._boards:
            board = self._rng.choice(self._boards)
            self._world.events.change_board(_ROUND, board, white=Person(name=self._rng.choice(_PEOPLE)))

    def _club_match(self, at: float) -> None:
        games = [self._finished_game(CHESSCOM, "Altro0", at - n * HOUR) for n in range(1, 3)]
        self._world.events.add_match(_CLUB, [games], starts=_at(at - DAY), state="finished")

    # the truth

    def truth(self) -> Mapping[tuple[str, str], Truth]:
        """All games that the archive should have now, by site and native id."""
        shown = {
            (site, game.id): game for site in SITES for game in self._world.games(site) if self._counts(game)
        }
        truth = {key: (game.result, game.played) for key, game in shown.items()}
        for board in self._world.events.round(_ROUND).boards:
            truth[LICHESS, f"broadcast/{_ROUND}/{board.id}"] = (board.result, board.played)
        return truth

    def _counts(self, game: Game) -> bool:
        if game.running or game.status in _NOT_SHOWN or game.variant == "bughouse":
            return False
        matches = self._world.events.matches.values()
        of_events = {game_id for match in matches for board in match.boards for game_id in board.games}
        ours = {game.white.number, game.black.number} & self._numbers[game.site]
        return bool(ours) or game.event_id == _ARENA or game.id in of_events
