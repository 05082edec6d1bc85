"""lichess.org: its routes. What each must do is in sites §1, with the evidence."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from tests.fetchers.site_emulator import lichess_format
from tests.fetchers.site_emulator.answers import Answer, Asked, whole
from tests.fetchers.site_emulator.lichess_events_site import LichessEventsSite
from tests.fetchers.site_emulator.lichess_format import FINISHED, ONE_GAME, STATUS_IDS, Flags
from tests.fetchers.site_emulator.values import LICHESS, Clock, Game, Player
from tests.fetchers.site_emulator.world import World

EARLIEST: Final = 1356998400070
"""The smallest `since` and `until`."""
ELASTIC: Final = ("rated", "perfType", "color", "analysed")
"""Any of these sends the query to the other search engine, where dates are those of the last move."""
TOO_MANY: Final = b'{"error":"Please only run 1 request(s) at a time"}'
SLOTS: Final = 2
"""Downloads at once from one address."""
_ELASTIC_MOST = 500_000
_IDS_MOST = 300
PROFILES_A_DAY: Final = 2285
"""Questions after one account that an address without a token may ask a day."""
USERS_AT_ONCE: Final = 8000
USERS_A_DAY: Final = 120_000
"""Accounts that may be asked for together within ten minutes, and within a day."""
_DAY = 86_400.0
_NOTED = 600_000
_CORS = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, DELETE"),
    ("Vary", "Origin"),
)
_CRAWLER = b"<!DOCTYPE html><html><head><title>Page not found</title></head><body><h1>404</h1></body></html>"


def _json(record: object, status: int = 200) -> Answer:
    return whole(status, "application/json", lichess_format.dumps(record), *_CORS)


def _error(status: int, message: str) -> Answer:
    return _json({"error": message}, status)


def too_many() -> Answer:
    """The answer to one download too many."""
    return whole(429, "application/json", TOO_MANY, *_CORS)


class LichessSite:
    """Answers requests out of a world."""

    def __init__(self, world: World, clock: Callable[[], Clock]) -> None:
        self._world = world
        self._clock = clock
        self._profiles_let = _Allowance(PROFILES_A_DAY, _DAY)
        self._users_let = (_Allowance(USERS_AT_ONCE, 600), _Allowance(USERS_A_DAY, _DAY))
        self._events = LichessEventsSite(world, self._stream, clock)
        self._routes: tuple[tuple[str, re.Pattern[str], Callable[..., Answer]], ...] = (
            ("GET", re.compile(r"/api/games/user/([^/]+)"), self._user_games),
            ("POST", re.compile(r"/api/games/export/_ids"), self._games_by_id),
            ("GET", re.compile(r"/game/export/(\w+)(?:\.pgn)?"), self._one_game),
            ("GET", re.compile(r"/api/user/([^/]+)"), self._profile),
            ("POST", re.compile(r"/api/users"), self._profiles),
            ("GET", re.compile(r"/api/users/status"), self._presence),
        )

    @staticmethod
    def takes_slot(asked: Asked) -> bool:
        """Is this a download, of which there may be two at once?"""
        games_of_an_event = asked.segments[:1] == ("api",) and asked.segments[-1:] == ("games",)
        return asked.segments[:2] == ("api", "games") or games_of_an_event

    def answer(self, asked: Asked) -> Answer:
        """The answer to one request that found a slot."""
        if not asked.header("user-agent"):
            return whole(404, "text/html; charset=utf-8", _CRAWLER)
        authorization = asked.header("authorization")
        if authorization and authorization.removeprefix("Bearer ") not in self._world.tokens:
            return _error(401, "No such token")
        for method, path, handle in self._routes:
            match = path.fullmatch(asked.path)
            if match and method == asked.method:
                return handle(asked, *match.groups())
        return self._events.answer(asked) or _error(404, "Not found")

    def _profile(self, _asked: Asked, handle: str) -> Answer:
        if not self._profiles_let.take(1, self._clock()()):
            return _error(429, "Too many requests. Try again later.")
        player = self._world.find_player(LICHESS, handle)
        return _error(404, "Not found") if player is None else _json(self._record_of(player, alone=True))

    def _record_of(self, player: Player, *, alone: bool = False) -> dict[str, Any]:
        """An account; asked for *alone* it comes with its address and the counts of its games."""
        if player.closed:
            return {"id": player.key, "username": player.handle, "disabled": True}
        every = self._world.games_of(LICHESS, player)
        games = [game for game in every if _finished(game)]
        fields: dict[str, Any] = {"id": player.key, "username": player.handle}
        fields |= {"title": player.title} if player.title else {}
        fields |= {"perfs": lichess_format.perfs(games, player)}
        fields |= {"tosViolation": True} if player.marked else {}
        fields |= {"createdAt": player.joined, "seenAt": _seen(player, every)}
        fields |= {"profile": {"fideRating": player.rating}} if player.fide_id else {}
        fields |= {"playTime": {"total": sum(game.ended - game.started for game in games) // 1000, "tv": 0}}
        if not alone:
            return fields
        won = sum(game.winner == lichess_format.colour_of(game, player) for game in games)
        drawn = sum(game.winner is None for game in games)
        playing = sum(game.running for game in every)
        counted = {"all": len(games), "rated": sum(game.rated for game in games), "draw": drawn}
        counted |= {"loss": len(games) - won - drawn, "win": won, "playing": playing}
        return fields | {"url": f"https://lichess.org/@/{player.handle}", "count": counted}

    def _profiles(self, asked: Asked) -> Answer:
        """Those that there are, in the order in which they were asked for."""
        keys = asked.body.decode(errors="replace").replace("\n", "").split(",")[:_IDS_MOST]
        if not all(let.take(len(keys), self._clock()()) for let in self._users_let):
            return _error(429, "Too many requests. Try again later.")
        found = (self._world.find_player(LICHESS, key.strip()) for key in keys)
        return _json([self._record_of(player) for player in found if player is not None])

    def _presence(self, asked: Asked) -> Answer:
        keys = [key for key in asked.query.get("ids", "").split(",") if key][:100]
        if not keys:
            return _error(400, "No user ids provided")
        found = (self._world.find_player(LICHESS, key) for key in keys)
        return _json([lichess_format.light_user(player) for player in found if player is not None])

    def _one_game(self, asked: Asked, native_id: str) -> Answer:
        game = self._world.find_game(LICHESS, native_id[:8])
        if game is None:
            return _error(404, "Not found")
        flags = _flags(asked, ONE_GAME)
        if "application/json" in asked.header("accept"):
            return _json(lichess_format.as_json(game, self._world, flags))
        name = ("Content-Disposition", f"attachment; filename=lichess_pgn_{native_id[:8]}.pgn")
        body = lichess_format.as_pgn(game, self._world, flags).encode()
        return whole(200, "application/x-chess-pgn", body, name, *_CORS)

    def _games_by_id(self, asked: Asked) -> Answer:
        ids = asked.body.decode(errors="replace").replace("\n", ",").split(",")[:_IDS_MOST]
        found = (self._world.find_game(LICHESS, native_id.strip()) for native_id in ids)
        games = sorted((g for g in found if g is not None), key=lambda g: g.started, reverse=True)
        return self._stream(asked, games, f"lichess_{self._today()}")

    def _user_games(self, asked: Asked, handle: str) -> Answer:
        player = self._world.find_player(LICHESS, handle)
        if player is None or player.closed:
            return _error(404, "Not found")
        opponent = asked.query.get("vs")
        rival = self._world.find_player(LICHESS, opponent) if opponent else None
        if opponent and rival is None:
            return _error(404, f"No such opponent: {opponent}")
        now = int(self._clock()() * 1000)
        shown = [g for g in self._world.games_of(LICHESS, player) if not _is_too_young(g, now)]
        games = [g for g in shown if rival is None or _has(g, rival)]
        elastic = any(name in asked.query for name in ELASTIC)
        wanted = _elastic(asked, games, player) if elastic else _mongo(asked, games)
        return self._stream(asked, wanted, f"lichess_{player.handle}_{self._today()}")

    def _today(self) -> str:
        return f"{datetime.fromtimestamp(self._clock()(), UTC):%Y-%m-%d}"

    def _stream(self, asked: Asked, games: list[Game], name: str) -> Answer:
        accept = asked.header("accept")
        as_json = "application/x-ndjson" in accept or "application/json" in accept
        ending, kind = ("json", "application/x-ndjson") if as_json else ("pgn", "application/x-chess-pgn")
        headers = (
            ("Content-Type", kind),
            ("Content-Disposition", f"attachment; filename={name}.{ending}"),
            *_CORS,
        )
        chunks = self._written(games, _flags(asked, Flags()), as_json=as_json)
        return Answer(headers=headers, chunks=chunks, streamed=True)

    def _written(self, games: list[Game], flags: Flags, *, as_json: bool) -> Iterator[bytes]:
        """Each game as it is when its turn comes: a game may finish while the stream runs."""
        for game in games:
            now = self._world.find_game(LICHESS, game.id) or game
            if as_json:
                yield lichess_format.dumps(lichess_format.as_json(now, self._world, flags)) + b"\n"
            else:
                yield lichess_format.as_pgn(now, self._world, flags).encode()


class _Allowance:
    """So many within so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._taken: list[tuple[float, int]] = []

    def take(self, count: int, now: float) -> bool:
        """Take some of it; False where that is too much."""
        self._taken = [(at, some) for at, some in self._taken if 0 <= now - at < self._seconds]
        if sum(some for _, some in self._taken) + count > self._most:
            return False
        self._taken.append((now, count))
        return True


def _seen(player: Player, games: Sequence[Game]) -> int:
    """When the site saw the player last: by its own clock, now and then only; correspondence moves go unseen."""
    begun = (game.started // _NOTED * _NOTED for game in games if game.time_control.days is None)
    return player.seen if player.seen is not None else max(begun, default=player.joined)


def _finished(game: Game) -> bool:
    return STATUS_IDS[game.status] >= FINISHED


def _is_too_young(game: Game, now: int) -> bool:
    """Was a running game begun so lately that nobody is told of it? It takes 3 to 60 seconds, from game to game."""
    return game.running and 0 <= now - game.started < 1000 * (3 + sum(game.id.encode()) % 58)


def _has(game: Game, player: Player) -> bool:
    return player.number in {game.white.number, game.black.number}


def _flag(asked: Asked, name: str, default: bool) -> bool:
    value = asked.query.get(name)
    return default if value is None else value.lower() in {"true", "1"}


def _flags(asked: Asked, usual: Flags) -> Flags:
    return Flags(
        moves=_flag(asked, "moves", usual.moves),
        pgn_in_json=_flag(asked, "pgnInJson", usual.pgn_in_json),
        tags=_flag(asked, "tags", usual.tags),
        clocks=_flag(asked, "clocks", usual.clocks),
        opening=_flag(asked, "opening", usual.opening),
        division=_flag(asked, "division", usual.division),
        last_fen=_flag(asked, "lastFen", usual.last_fen),
    )


def _moment(asked: Asked, name: str) -> int | None:
    """`since` or `until`; what is not a number is as if it were not there."""
    text = asked.query.get(name, "")
    return max(int(text), EARLIEST) if text.isdecimal() else None


def _cut(asked: Asked, games: list[Game]) -> list[Game]:
    most = asked.query.get("max", "")
    return games[: int(most)] if most.isdecimal() else games


def _mongo(asked: Asked, games: list[Game]) -> list[Game]:
    """By createdAt, `since` inclusive, `until` exclusive; what is told depends on `ongoing` and `finished`."""
    since, until = _moment(asked, "since"), _moment(asked, "until")
    ongoing, finished = _flag(asked, "ongoing", default=False), _flag(asked, "finished", default=True)
    kept = [
        game
        for game in games
        if (since is None or game.started >= since)
        and (until is None or game.started < until)
        and game.source != "import"
        and _is_shown(game, ongoing=ongoing, finished=finished)
    ]
    kept.sort(key=lambda game: game.started, reverse=asked.query.get("sort") != "dateAsc")
    return _cut(asked, kept)


def _is_shown(game: Game, *, ongoing: bool, finished: bool) -> bool:
    if _finished(game):
        return finished
    return ongoing and (game.running or finished)  # aborted ones come with both, never with ongoing alone


def _elastic(asked: Asked, games: list[Game], player: Player) -> list[Game]:
    """By the time of the last move, inclusive on both sides, finished games only."""
    since, until = _moment(asked, "since"), _moment(asked, "until")
    kept = [
        game
        for game in games
        if _finished(game)
        and (since is None or game.ended >= since)
        and (until is None or game.ended <= until)
        and _fits(asked, game, player)
    ]
    kept.sort(key=lambda game: game.ended, reverse=asked.query.get("sort") != "dateAsc")
    return _cut(asked, kept[:_ELASTIC_MOST])


def _fits(asked: Asked, game: Game, player: Player) -> bool:
    query = asked.query
    return (
        ("rated" not in query or game.rated == _flag(asked, "rated", default=False))
        and ("perfType" not in query or lichess_format.perf(game) in query["perfType"].split(","))
        and ("color" not in query or query["color"] == lichess_format.colour_of(game, player))
        and (
            "analysed" not in query or not _flag(asked, "analysed", default=False)
        )  # nothing here is analysed
    )
