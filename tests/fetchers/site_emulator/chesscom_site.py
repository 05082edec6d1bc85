"""api.chess.com/pub: its routes. What each must do is in sites §2, with the evidence."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from tests.fetchers.site_emulator import chesscom_format
from tests.fetchers.site_emulator.answers import Answer, Asked, whole
from tests.fetchers.site_emulator.chesscom_events_site import GONE, ChessComEventsSite, SiteAnswer
from tests.fetchers.site_emulator.values import CHESSCOM, Clock, Game, Player, utc
from tests.fetchers.site_emulator.world import World

CONTACT: Final = re.compile(r"@|https?://|\bwww\.")
"""What makes a User-Agent acceptable."""
JSON: Final = "application/json; charset=utf-8"
PGN: Final = "application/vnd.chess-pgn; charset=utf-8; charset=utf-8"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What tells the headers of one kind of answer from another's: the recorded ones differ in this."""

    content_type: str
    context: str | None
    gmt: bool


_PROFILE = _Kind(JSON, "Player", gmt=True)
_PUZZLE = _Kind(JSON, "Puzzle", gmt=True)
_DAILY: Final = {
    "title": "Mate in one",
    "fen": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "publish_time": 1796022000,
}
_STATS = _Kind(JSON, None, gmt=False)
_CURRENT = _Kind(JSON, "Games", gmt=False)
_ARCHIVES = _Kind(JSON, "GameArchives", gmt=False)
_MONTH = _Kind(JSON, "Games", gmt=True)
_MONTH_PGN = _Kind(PGN, "GamesPgn", gmt=True)
_FORBIDDEN = (
    b'<!DOCTYPE html>\n<html lang="en-US"><head><title>Attention Required! | Cloudflare</title></head>'
    b"<body><h1>Sorry, you have been blocked</h1></body></html>\n"
)


def _error(status: int, message: str) -> Answer:
    return whole(status, JSON, chesscom_format.dumps({"code": 0, "message": message}))


def too_many() -> Answer:
    """The answer to a second request while another one is in flight."""
    return _error(429, "Too many requests")


class ChessComSite:
    """Answers requests out of a world. *links* is the base of the archive links: the site's own address."""

    def __init__(self, world: World, clock: Callable[[], Clock], links: Callable[[], str]) -> None:
        self._world = world
        self._clock = clock
        self._links = links

    @staticmethod
    def takes_slot(asked: Asked) -> bool:
        """Every request counts: there may be one at once."""
        return True

    def answer(self, asked: Asked) -> Answer:
        """The answer to one request that found the site free."""
        if not CONTACT.search(asked.header("user-agent")):
            return whole(403, "text/html; charset=UTF-8", _FORBIDDEN, ("Server", "cloudflare"))
        match asked.segments:
            case ("pub", "player", handle, *rest) if handle != handle.lower():
                target = "/".join([self._links(), "player", handle.lower(), *rest])
                return whole(301, "text/html; charset=UTF-8", b"", ("Location", target))
            case ("pub", "player", handle, *rest):
                player = self._world.find_player(CHESSCOM, handle)
                if player is None:
                    return _error(404, f'User "{handle}" not found.')
                return self._of_player(asked, player, tuple(rest))
            case ("pub", *path):
                return self._of_the_rest(asked, path)
        return _error(404, f'Data provider not found for key "{asked.path}".')

    def _of_the_rest(self, asked: Asked, path: list[str]) -> Answer:
        if path == ["puzzle"]:
            return self._cached(asked, _PUZZLE, chesscom_format.dumps(_DAILY), 0)
        answer = ChessComEventsSite(self._world, self._links()).answer(path)
        if isinstance(answer, SiteAnswer):
            kind = _Kind(JSON, answer.context, gmt=True)
            return self._cached(asked, kind, chesscom_format.dumps(answer.record), answer.changed)
        if answer == GONE:
            return _error(410, "Data will never be available")
        return _error(404, f'Data provider not found for key "{asked.path}".')

    def _of_player(self, asked: Asked, player: Player, rest: tuple[str, ...]) -> Answer:
        match rest:
            case ():
                return self._cached(asked, _PROFILE, chesscom_format.dumps(_profile(player)), player.joined)
            case ("stats",):
                return self._cached(asked, _STATS, chesscom_format.dumps(self._stats(player)), player.joined)
            case ("games",):
                current = [g for g in self._world.games_of(CHESSCOM, player) if _in_progress(g)]
                body = chesscom_format.dumps(
                    {"games": [chesscom_format.as_current(game, self._world) for game in current]}
                )
                return self._cached(asked, _CURRENT, body, _latest(current, player))
            case ("games", "archives"):
                return self._archives(asked, player)
            case ("games", year, month, *form) if form in ([], ["pgn"]) and re.fullmatch(
                r"\d{4}/\d\d", f"{year}/{month}"
            ):
                return self._month(asked, player, int(year), int(month), pgn=bool(form))
        return _error(404, f'Data provider not found for key "{asked.path}".')

    def _shown(self, player: Player) -> list[Game]:
        """The finished games that the cache knows, by their end."""
        games = (g for g in self._world.games_of(CHESSCOM, player) if g.cached and not g.running)
        return sorted(games, key=lambda game: game.ended // 1000)

    def _archives(self, asked: Asked, player: Player) -> Answer:
        games = self._shown(player)
        months = sorted({f"{utc(game.ended):%Y/%m}" for game in games if game.listed})
        links = [f"{self._links()}/player/{player.key}/games/{month}" for month in months]
        return self._cached(
            asked, _ARCHIVES, chesscom_format.dumps({"archives": links}), _latest(games, player)
        )

    def _month(self, asked: Asked, player: Player, year: int, month: int, *, pgn: bool) -> Answer:
        now = datetime.fromtimestamp(self._clock()(), UTC)
        if not 1 <= month <= 12 or (year, month) > (now.year, now.month):
            return _error(404, "Date cannot be set in the future")
        games = [g for g in self._shown(player) if (utc(g.ended).year, utc(g.ended).month) == (year, month)]
        if not pgn:
            body = chesscom_format.dumps(
                {"games": [chesscom_format.as_json(game, self._world) for game in games]}
            )
            return self._cached(asked, _MONTH, body, _latest(games, player))
        name = (
            "Content-Disposition",
            f'attachment; filename="ChessCom_{player.key}_{year:04}{month:02}.pgn"',
        )
        body = chesscom_format.month_pgn(games, self._world).encode()
        return self._cached(asked, _MONTH_PGN, body, _latest(games, player), name)

    def _stats(self, player: Player) -> dict[str, Any]:
        games = self._shown(player)
        wins = sum(g.winner == ("white" if g.white.number == player.number else "black") for g in games)
        draws = sum(game.winner is None for game in games)
        last = {"rating": player.rating, "date": _latest(games, player) // 1000, "rd": 45}
        record = {"win": wins, "loss": len(games) - wins - draws, "draw": draws}
        return {"chess_blitz": {"last": last, "record": record}} | (
            {"fide": player.rating} if player.fide_id else {}
        )

    def _cached(self, asked: Asked, kind: _Kind, body: bytes, changed: int, *more: tuple[str, str]) -> Answer:
        """The body with chess.com's caching headers, or 304 without it."""
        generated = utc(self._world.generated.get(asked.path, changed))
        expires = datetime.fromtimestamp(self._clock()() + 5, UTC)
        etag = f'W/"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
        modified = f"{generated:%A, %d-%b-%Y %H:%M:%S} GMT+0000"
        headers = (
            ("Cache-Control", "public, max-age=5"),
            ("etag", etag),
            ("last-modified", modified),
            ("expires", f"{expires:%a, %d %b %Y %H:%M:%S}" + " GMT" * kind.gmt),
            ("vary", "Accept-Encoding"),
            ("access-control-allow-origin", "*"),
            ("CF-Cache-Status", "REVALIDATED"),
            ("Server", "cloudflare"),
            *_link(kind.context),
            *more,
        )
        if _unchanged(asked, etag, modified):
            return Answer(status=304, headers=headers, compressible=False)
        return whole(200, kind.content_type, body, *headers)


def _link(context: str | None) -> tuple[tuple[str, str], ...]:
    if context is None:
        return ()
    relation = 'rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"'
    return (("link", f"<https://api.chess.com/context/{context}.jsonld>; {relation}"),)


def _unchanged(asked: Asked, etag: str, modified: str) -> bool:
    known = asked.header("if-none-match")
    if known:
        return known == "*" or etag in (tag.strip() for tag in known.split(","))
    return asked.header("if-modified-since") == modified


def _in_progress(game: Game) -> bool:
    return game.running and game.id.startswith("daily/")


def _latest(games: list[Game], player: Player) -> int:
    return max((game.ended for game in games), default=player.joined)


def _profile(player: Player) -> dict[str, Any]:
    answer: dict[str, Any] = {"player_id": player.number, "@id": f"{chesscom_format.API}/player/{player.key}"}
    answer |= {"url": f"{chesscom_format.SITE}/member/{player.handle}", "username": player.key}
    answer |= {"title": player.title} if player.title else {}
    answer |= {"followers": 3, "country": f"{chesscom_format.API}/country/IT"}
    answer |= {"last_online": player.joined // 1000 + 86400, "joined": player.joined // 1000}
    status = "basic" if player.state == "active" else player.state
    return answer | {"status": status, "is_streamer": False, "verified": False}
