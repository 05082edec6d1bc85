"""lichess.org: its routes for events. Evidence: sites §1.1, §1.6, the recorded heads, and lila's sources."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Final

from tests.fetchers.site_emulator import lichess_boards_format
from tests.fetchers.site_emulator.answers import Answer, Asked, whole
from tests.fetchers.site_emulator.events import STUDY_READ, Broadcast, BroadcastRound, Study, Tourney
from tests.fetchers.site_emulator.lichess_format import dumps
from tests.fetchers.site_emulator.values import LICHESS, Clock, Game, utc
from tests.fetchers.site_emulator.world import World

PGN: Final = "application/x-chess-pgn"
Stream = Callable[[Asked, list[Game], str], Answer]
_HEADERS: Final = (("Access-Control-Allow-Origin", "*"), ("Vary", "Origin"))
_ID: Final = r"([A-Za-z0-9]{8})"
_MINUTE: Final = 60.0


def is_broadcast(asked: Asked) -> bool:
    """Is this asked of broadcasts?"""
    return asked.segments[:2] == ("api", "broadcast")


def token_of(asked: Asked) -> str:
    """The token that came with a request, "" for none."""
    return asked.header("authorization").removeprefix("Bearer ")


class LichessEventsSite:
    """Answers what is asked of events. *stream* writes games as the site's other exports do."""

    def __init__(self, world: World, stream: Stream, clock: Callable[[], Clock]) -> None:
        self._world = world
        self._stream = stream
        self._clock = clock
        self._asked_at: list[float] = []
        self._routes: tuple[tuple[re.Pattern[str], Callable[..., Answer | None]], ...] = (
            (re.compile(rf"/api/broadcast/round/{_ID}\.pgn"), self._round_pgn),
            (re.compile(rf"/api/broadcast/{_ID}\.pgn"), self._broadcast_pgn),
            (re.compile(rf"/api/broadcast/{_ID}"), self._broadcast),
            (re.compile(rf"/api/study/{_ID}\.pgn"), self._study_pgn),
            (re.compile(rf"/api/(tournament|swiss)/{_ID}"), self._tourney),
            (re.compile(rf"/api/(tournament|swiss)/{_ID}/games"), self._tourney_games),
        )

    def answer(self, asked: Asked) -> Answer | None:
        """The answer, None where there is none: 404."""
        if is_broadcast(asked) and self._too_many(asked):
            return _json({"error": "Too many requests"}, 429)
        for path, handle in self._routes:
            match = path.fullmatch(asked.path)
            if match and asked.method in {"GET", "HEAD"}:
                return handle(asked, *match.groups())
        return None

    def _too_many(self, asked: Asked) -> bool:
        """Broadcasts have a limit of their own, which is low without a token."""
        now = self._clock()()
        self._asked_at = [at for at in self._asked_at if 0 <= now - at < _MINUTE]
        events = self._world.events
        most = events.authorized_broadcasts if self._may(asked) else events.anonymous_broadcasts
        if len(self._asked_at) >= most:
            return True
        self._asked_at.append(now)
        return False

    def _may(self, asked: Asked, scope: str = STUDY_READ) -> bool:
        return scope in self._world.scopes.get(token_of(asked), ())

    def _refused(self, asked: Asked) -> Answer:
        if not token_of(asked):
            return _json({"error": "Unauthorized"}, 401)
        return _json({"error": f"Missing scope: {STUDY_READ}"}, 403)

    def _broadcast(self, asked: Asked, key: str) -> Answer | None:
        head = self._world.events.broadcasts.get(key)
        if head is not None and head.private and not self._may(asked):
            return self._refused(asked)
        return None if head is None else _json(lichess_boards_format.broadcast_json(head))

    def _round_pgn(self, asked: Asked, key: str) -> Answer | None:
        try:
            head = self._world.events.broadcast_of(key)
        except KeyError:
            return None
        part = self._world.events.round(key)
        if part.private or (head.private and not self._may(asked)):
            return self._refused(asked)
        return _pgn(
            _boards(head, part), f"lichess_broadcast_{lichess_boards_format.slug(part.name)}_{key}.pgn"
        )

    def _broadcast_pgn(self, asked: Asked, key: str) -> Answer | None:
        head = self._world.events.broadcasts.get(key)
        if head is None:
            return None
        if head.private and not self._may(asked):
            return self._refused(asked)
        shown = [part for part in head.rounds if not part.private]
        chunks = (chunk for part in shown for chunk in _boards(head, part))
        return _pgn(chunks, f"lichess_broadcast_{lichess_boards_format.slug(head.name)}_{key}.pgn")

    def _study_pgn(self, asked: Asked, key: str) -> Answer | None:
        study = self._world.events.studies.get(key)
        if study is None:
            return None
        if study.private and not self._may(asked):
            return _json({"error": "This study is now private"}, 403 if token_of(asked) else 401)
        touched = ("Last-Modified", format_datetime(utc(study.touched // 1000 * 1000), usegmt=True))
        if asked.method == "HEAD":
            return Answer(status=204, headers=(touched, *_HEADERS), compressible=False)
        return _pgn(_chapters(study), f"lichess_study_{lichess_boards_format.slug(study.name)}.pgn", touched)

    def _tourney(self, asked: Asked, path: str, key: str) -> Answer | None:
        tourney = self._found(path, key)
        if tourney is not None and tourney.private and not token_of(asked):
            return self._refused(asked)
        return None if tourney is None else _json(self._record_of(tourney))

    def _tourney_games(self, asked: Asked, path: str, key: str) -> Answer | None:
        tourney = self._found(path, key)
        if tourney is None:
            return None
        if tourney.private and not token_of(asked):
            return self._refused(asked)
        player = asked.query.get("player", "").lower()
        its = [game for game in self._games(tourney) if not player or player in _players(game)]
        games = sorted(its, key=lambda game: game.started, reverse=True)
        return self._stream(asked, games, f"lichess_{path}_{key}")

    def _found(self, path: str, key: str) -> Tourney | None:
        tourney = self._world.events.tourneys.get(key)
        return tourney if tourney and (tourney.kind == "arena") == (path == "tournament") else None

    def _games(self, tourney: Tourney) -> list[Game]:
        return [game for game in self._world.games(LICHESS) if game.event_id == tourney.id]

    def _record_of(self, tourney: Tourney) -> dict[str, Any]:
        games = self._games(tourney)
        starts = f"{datetime.fromtimestamp(tourney.starts / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
        fields: dict[str, Any] = {"id": tourney.id, "createdBy": "mrossi90", "startsAt": starts}
        fields |= {
            "variant": "standard",
            "rated": True,
            "nbPlayers": 2,
            "clock": {"limit": 180, "increment": 2},
        }
        if tourney.kind == "swiss":
            word = {"upcoming": "created", "ongoing": "started", "finished": "finished"}[tourney.state]
            ongoing = sum(game.running for game in games)
            return fields | {"name": tourney.name, "status": word, "nbRounds": 7, "nbOngoing": ongoing}
        fields |= {"fullName": tourney.name, "system": "arena", "minutes": 60}
        if tourney.state == "upcoming":
            return fields | {"secondsToStart": 3031}
        if tourney.state == "ongoing":
            return fields | {"isStarted": True, "secondsToFinish": 600}
        return fields | {"isFinished": True, "stats": {"games": sum(not game.running for game in games)}}


def _players(game: Game) -> set[str]:
    return {seat.name.lower() for seat in (game.white, game.black) if seat.name}


def _boards(head: Broadcast, part: BroadcastRound) -> Iterator[bytes]:
    return (lichess_boards_format.board_pgn(board, head, part).encode() for board in part.boards)


def _chapters(study: Study) -> Iterator[bytes]:
    return (lichess_boards_format.chapter_pgn(chapter, study).encode() for chapter in study.chapters)


def _json(record: object, status: int = 200) -> Answer:
    return whole(status, "application/json", dumps(record), *_HEADERS)


def _pgn(chunks: Iterator[bytes], name: str, *more: tuple[str, str]) -> Answer:
    headers = (
        ("Content-Type", PGN),
        ("Content-Disposition", f"attachment; filename={name}"),
        *more,
        *_HEADERS,
    )
    return Answer(headers=headers, chunks=chunks, streamed=True)
