"""The made-up world of both sites: who plays there, and every game once, however many players tell of it."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from threading import RLock
from typing import Any

from tests.fetchers.site_emulator import making, play
from tests.fetchers.site_emulator.event_world import EventWorld
from tests.fetchers.site_emulator.values import (
    CHESSCOM,
    LICHESS,
    Ai,
    Colour,
    Game,
    Guest,
    Named,
    Player,
    Seat,
    TimeControl,
    milliseconds,
)

_FIRST_GAME = milliseconds(datetime(2024, 3, 1, 18, tzinfo=UTC))
_BETWEEN_GAMES = 7 * 3600 * 1000
_PATTERNS = 40
Who = str | Ai | Guest | Named


class World:
    """Players and games of both sites. Every method may be called while the sites are being asked.

    The same seed and the same calls give the same world, to the letter.
    """

    def __init__(self, seed: int = 0) -> None:
        self._lock = RLock()
        self._rng = Random(seed)
        self._players: dict[str, dict[int, Player]] = {LICHESS: {}, CHESSCOM: {}}
        self._numbers: dict[str, dict[str, int]] = {LICHESS: {}, CHESSCOM: {}}
        self._games: dict[str, dict[str, Game]] = {LICHESS: {}, CHESSCOM: {}}
        self._of: dict[str, dict[int, dict[str, None]]] = {LICHESS: {}, CHESSCOM: {}}
        self._patterns: dict[str, list[Game]] = {}
        self._next_start = _FIRST_GAME
        self.events = EventWorld(seed)
        """Broadcasts, studies, tournaments, clubs."""
        self.tokens: set[str] = set()
        """lichess tokens that are good."""
        self.scopes: dict[str, frozenset[str]] = {}
        """What they may be used for, beyond what is public."""
        self.generated: dict[str, int] = {}
        """chess.com: when (ms) its cache last wrote the answer of a path, where that is not the last game's end."""

    def add_token(self, token: str, *scopes: str) -> None:
        """A good token of lichess, with these scopes."""
        with self._lock:
            self.tokens.add(token)
            self.scopes[token] = frozenset(scopes)

    # players

    def add_player(self, site: str, handle: str, **traits: Any) -> Player:
        """A new account; *traits* are fields of `Player` (rating, title, fide_id, state, marked, joined)."""
        with self._lock:
            if self.find_player(site, handle) is not None:
                raise ValueError(f"{site} has a player {handle!r} already")
            number = 1000 + 7 * len(self._players[site])
            fresh = Player(
                number=number, handle=handle, uuid=self._uuid(), joined=_FIRST_GAME - 86_400_000 * 900
            )
            return self._keep_player(site, replace(fresh, **traits))

    def find_player(self, site: str, handle: str) -> Player | None:
        """The account of that handle, in whatever case."""
        with self._lock:
            number = self._numbers[site].get(handle.lower())
            return None if number is None else self._players[site][number]

    def player(self, site: str, handle: str) -> Player:
        """As `find_player`.

        Raises:
            KeyError: there is none.
        """
        player = self.find_player(site, handle)
        if player is None:
            raise KeyError(f"{site} has no player {handle!r}")
        return player

    def by_number(self, site: str, number: int) -> Player:
        """The account with that permanent number."""
        with self._lock:
            return self._players[site][number]

    def players(self, site: str) -> tuple[Player, ...]:
        """All accounts of a site."""
        with self._lock:
            return tuple(self._players[site].values())

    def change_player(self, site: str, handle: str, **traits: Any) -> Player:
        """Change fields of an account."""
        with self._lock:
            return self._keep_player(site, replace(self.player(site, handle), **traits))

    def close_account(self, site: str, handle: str, state: str = "closed") -> Player:
        """Close an account. Its games stay where the site leaves them."""
        return self.change_player(site, handle, state=state)

    def rename(self, site: str, old: str, new: str) -> Player:
        """Give an account another handle. Its number stays; nobody answers to the old one."""
        with self._lock:
            if old.lower() != new.lower() and self.find_player(site, new) is not None:
                raise ValueError(f"{site} has a player {new!r} already")
            return self._keep_player(site, replace(self.player(site, old), handle=new))

    def withhold(self, site: str, handle: str, *, withheld: bool = True) -> Player:
        """Let the site tell of no game of this account all at once, as a site gone wrong does."""
        return self.change_player(site, handle, silent=withheld)

    # games

    def add_game(
        self,
        site: str,
        white: Who,
        black: Who,
        *,
        at: datetime | None = None,
        ended: datetime | None = None,
        plies: int = 30,
        moves: str | Sequence[str] | None = None,
        played: int | None = None,
        variant: str = "standard",
        start: str | None = None,
        status: str | None = None,
        winner: Colour | None = None,
        time_control: str = "180+2",
        id: str | None = None,  # noqa: A002 - the sites call it so
        **traits: Any,
    ) -> Game:
        """A new game, random in all that is not said. Handles that the site does not know become accounts.

        *moves* are SAN; *played* of them have been made (a running game); *status* is a word of that site
        (``started`` for a running game); *time_control* as ``180+2``, ``1/86400`` or ``-``; *traits* are
        further fields of `values.Game` (rated, event, accuracies, url_form, cached, source, …).
        """
        with self._lock:
            rng = Random(self._rng.getrandbits(64))
            line = self._line(rng, variant, start, plies, moves, status)
            if status is None:
                status, winner = making.ending(rng, site, line, winner)
            elif winner is None and making.may_be_won(site, status):
                winner = making.winner(rng, line, status)
            control = TimeControl.parse(time_control)
            started = self._started(at)
            made = len(line.sans) if played is None else min(played, len(line.sans))
            last = milliseconds(ended) if ended else started + making.duration(rng, control, made)
            game = Game(
                site=site,
                id=id or self._fresh_id(rng, site, control),
                uuid=str(uuid.UUID(int=rng.getrandbits(128), version=1)),
                white=self._seat(rng, site, white),
                black=self._seat(rng, site, black),
                started=started,
                ended=last,
                line=line,
                played=made,
                clocks=making.clocks(rng, control, len(line.sans)),
                variant=variant,
                status=status,
                winner=winner,
                time_control=control,
            )
            return self._keep_game(making.rated(rng, replace(game, **traits)))

    def add_many(self, site: str, handle: str, count: int, *, at: datetime, hours: float = 1.0) -> None:
        """*count* finished games of one account, *hours* apart; all share a few lines, so that they cost little."""
        with self._lock:
            patterns = self._patterns_for(site, handle, min(count, _PATTERNS))
            seat = self._seat(self._rng, site, handle)
            for number in range(count):
                pattern = patterns[number % len(patterns)]
                begun = milliseconds(at) + number * round(hours * 3_600_000)
                self._keep_game(
                    replace(
                        pattern,
                        id=self._fresh_id(self._rng, site, pattern.time_control),
                        white=replace(seat, change=pattern.white.change),
                        started=begun,
                        ended=begun + pattern.ended - pattern.started,
                    )
                )

    def _patterns_for(self, site: str, handle: str, count: int) -> list[Game]:
        """At least so many games to make others from."""
        patterns = self._patterns.setdefault(site, [])
        for number in range(len(patterns), count):
            made = self.add_game(site, handle, f"rival{number}", plies=60 + number)
            self.remove_game(made)
            patterns.append(made)
        return patterns

    def game(self, site: str, id: str) -> Game:  # noqa: A002 - the sites call it so
        """The game of that id.

        Raises:
            KeyError: there is none.
        """
        with self._lock:
            return self._games[site][id]

    def find_game(self, site: str, id: str) -> Game | None:  # noqa: A002 - the sites call it so
        """The game of that id, if there is one."""
        with self._lock:
            return self._games[site].get(id)

    def games(self, site: str, handle: str | None = None) -> tuple[Game, ...]:
        """All games of a site, or those of one account, in the order in which they were made up."""
        with self._lock:
            if handle is None:
                return tuple(self._games[site].values())
            own = self._of[site].get(self.player(site, handle).number, {})
            return tuple(self._games[site][game_id] for game_id in own)

    def games_of(self, site: str, player: Player) -> tuple[Game, ...]:
        """Those of an account's games that the site tells of: all, or none (see `withhold`)."""
        return () if player.silent else self.games(site, player.handle)

    def change_game(self, game: Game, **traits: Any) -> Game:
        """Change fields of a game as the site now has it."""
        with self._lock:
            return self._keep_game(replace(self.game(game.site, game.id), **traits))

    def move_on(self, game: Game, plies: int, at: datetime | None = None) -> Game:
        """Let a running game go on by that many plies of its line."""
        with self._lock:
            now = self.game(game.site, game.id)
            last = milliseconds(at) if at else now.ended + 60_000 * plies
            return self.change_game(now, played=min(now.played + plies, len(now.line.sans)), ended=last)

    def finish_game(
        self,
        game: Game,
        *,
        at: datetime | None = None,
        status: str | None = None,
        winner: Colour | None = None,
    ) -> Game:
        """End a running game, with all moves of its line: by default one side resigns."""
        with self._lock:
            now = self.game(game.site, game.id)
            over = status or making.DECISIVE[game.site][0]
            if winner is None and making.may_be_won(now.site, over):
                winner = making.winner(Random(now.id), now.line, over)
            last = milliseconds(at) if at else now.ended + 60_000
            done = replace(now, status=over, winner=winner, played=len(now.line.sans), ended=last)
            return self._keep_game(making.rated(Random(now.id), done))

    def analyse(self, game: Game, white: float = 81.25, black: float = 77.5) -> Game:
        """chess.com: let the accuracies of a finished game appear."""
        return self.change_game(game, accuracies=(white, black))

    def tell(self, game: Game) -> Game:
        """chess.com: let its cache catch up with a game that was added with ``cached=False`` or ``listed=False``."""
        return self.change_game(game, cached=True, listed=True)

    def remove_game(self, game: Game) -> None:
        """Let the site forget a game."""
        with self._lock:
            self._forget_seats(self._games[game.site].pop(game.id))

    def regenerate(self, path: str, at: datetime) -> None:
        """chess.com: write the answer of *path* again, the same games with another Last-Modified."""
        with self._lock:
            self.generated[path] = milliseconds(at)

    # inside

    def _keep_player(self, site: str, player: Player) -> Player:
        before = self._players[site].get(player.number)
        if before is not None:
            del self._numbers[site][before.key]
        self._players[site][player.number] = player
        self._numbers[site][player.key] = player.number
        return player

    def _keep_game(self, game: Game) -> Game:
        if game.status not in making.STATUSES[game.site]:
            raise ValueError(f"{game.site} has no status {game.status!r}")
        before = self._games[game.site].get(game.id)
        if before is not None and (before.white.number, before.black.number) != (
            game.white.number,
            game.black.number,
        ):
            self._forget_seats(before)
        self._games[game.site][game.id] = game
        for number in game.numbers:
            self._of[game.site].setdefault(number, {})[game.id] = None
        return game

    def _forget_seats(self, game: Game) -> None:
        for number in game.numbers:
            self._of[game.site][number].pop(game.id, None)

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._rng.getrandbits(128), version=1))

    def _started(self, at: datetime | None) -> int:
        if at is not None:
            return milliseconds(at)
        self._next_start += _BETWEEN_GAMES
        return self._next_start + self._rng.randrange(1000)

    def _seat(self, rng: Random, site: str, who: Who) -> Seat:
        if not isinstance(who, str):
            if site == CHESSCOM:
                raise ValueError("at chess.com everybody has an account (a coach too: Coach-Magnus)")
            return Seat(other=who)
        player = self.find_player(site, who) or self.add_player(site, who)
        return Seat(number=player.number, name=player.handle, rating=player.rating + rng.randrange(-40, 41))

    def _fresh_id(self, rng: Random, site: str, control: TimeControl) -> str:
        while True:
            made = making.lichess_id(rng) if site == LICHESS else making.chesscom_id(rng, control)
            if made not in self._games[site]:
                return made

    def _line(
        self,
        rng: Random,
        variant: str,
        start: str | None,
        plies: int,
        moves: str | Sequence[str] | None,
        status: str | None,
    ) -> play.Line:
        if variant == "chess960" and start is None:
            start = play.random_start(rng)
        if status in making.NOT_PLAYED and moves is None:
            plies = 0 if status == "noStart" else min(plies, 1)
        if status in {"mate", "checkmated"} and moves is None and start is None:
            moves = rng.choice(play.MATES)
        if moves is None:
            return play.random_line(rng, variant, plies, start)
        return play.given_line(variant, moves.split() if isinstance(moves, str) else moves, start)
