"""lichess.org and api.chess.com/pub, as faithful fakes on loopback.

They are real HTTP servers, so that everything that can happen on a wire can happen here: a stream cut in the
middle of a line, RST, a gzip body without its end, a byte a second. Nothing of the program is imported, so that
the two sides cannot share an error.

    with Emulator() as sites:
        sites.world.add_player("lichess", "mrossi90", title="FM")
        game = sites.world.add_game("lichess", "mrossi90", "BianchiL", time_control="1/86400", status="started", played=6)
        sites.fault("lichess", account="mrossi90", kind="cut", after=0.4)
        ...                                    # the program asks sites.lichess_url, sites.chesscom_url
        sites.world.finish_game(game)
        assert not sites.violations
        print(sites.requests[-1].query)

What there is
    .lichess_url   ``http://127.0.0.1:PORT``; .chesscom_url ``http://127.0.0.1:PORT/pub``
    .world         players and games of both sites (`World`). Of players: add_player, change_player, close_account,
                   rename, withhold (the site suddenly tells of none of its games). Of games: add_game, move_on,
                   finish_game, change_game, remove_game; for chess.com analyse (accuracies come), tell (its cache
                   catches up with a game added with ``cached=False`` or ``listed=False``), regenerate (another
                   Last-Modified). `world.games(site, handle)` is the truth to compare with; `tokens` the good ones
    .world.events  broadcasts with rounds and boards, studies with chapters, arenas and Swiss tournaments (add_tourney);
                   chess.com's tournaments, clubs and matches. See `EventWorld`; what changes, the site tells at once
    .fault(…)      something goes wrong, see there; .clear_faults()
    .poison(game)  each answer breaks off at this game, always (the site cannot write it); .cure(game)
    .replay(…)     a recorded answer, verbatim
    .requests      list of `Request`: site, method, path, query, headers, body, started, ended, status
    .violations    list of `Violation`: site, rule, path, at. Rules: ``second request in flight``, ``too soon after
                   a 429`` (60 s, or its Retry-After), ``no contact in the User-Agent``, ``upper-case handle``
                   (chess.com), ``filter rated`` (perfType, color, analysed), ``since is not in milliseconds``
    .clock         the sites' own clock, seconds since 1970: put yours there (`sites.clock = lambda: 1_790_000_000.0`).
                   Each answer's Date, and lichess's `seenAt`, are by it
    .pace(n)       lichess sends n games a second (None: as fast as it can)
    .lichess_export(*games), .chesscom_export(*games)   the sites' own files of these games

A site's limit on requests at once sees a client's hang-up the moment it happens, so that a second request after a
closed stream is never a violation; a stream that is neither read nor closed keeps its slot, as it does there.

`sample_world(seed)` gives a peopled world; `python -m tests.fetchers.site_emulator` serves one.
"""

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from tests.fetchers.site_emulator import chesscom_format, chesscom_site, lichess_format, lichess_site
from tests.fetchers.site_emulator.answers import Answer
from tests.fetchers.site_emulator.faults import Fault, Faults, Kind
from tests.fetchers.site_emulator.log import Log, Request, Violation
from tests.fetchers.site_emulator.play import Line, Opening
from tests.fetchers.site_emulator.sample import sample_world
from tests.fetchers.site_emulator.server import SiteServer
from tests.fetchers.site_emulator.values import CHESSCOM, LICHESS, Ai, Clock, Game, Guest, Named, Player
from tests.fetchers.site_emulator.world import World

__all__ = [
    "CHESSCOM",
    "LICHESS",
    "Ai",
    "Emulator",
    "Game",
    "Guest",
    "Line",
    "Named",
    "Opening",
    "Player",
    "Request",
    "Violation",
    "World",
    "sample_world",
]

_HOP_BY_HOP = {"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"}


def _in_answers(game: Game) -> bytes:
    """What names a game in answers of its site."""
    return game.id.rpartition("/")[2].encode()


class Emulator:
    """Both sites over one world. A context manager; stopping it closes all connections and ends all threads."""

    def __init__(
        self, world: World | None = None, *, seed: int = 0, lichess_port: int = 0, chesscom_port: int = 0
    ) -> None:
        self.world = World(seed) if world is None else world
        self.clock: Clock = time.time
        self._faults = Faults()
        self._log = Log(lambda: self.clock)
        lichess = lichess_site.LichessSite(self.world, lambda: self.clock)
        chesscom = chesscom_site.ChessComSite(self.world, lambda: self.clock, lambda: self.chesscom_url)
        log, faults = self._log, self._faults
        self._lichess = SiteServer(
            LICHESS, lichess_port, lichess, lichess_site.SLOTS, lichess_site.too_many, log, faults
        )
        self._chesscom = SiteServer(CHESSCOM, chesscom_port, chesscom, 1, chesscom_site.too_many, log, faults)
        self._servers = {LICHESS: self._lichess, CHESSCOM: self._chesscom}

    def __enter__(self) -> Self:
        for server in self._servers.values():
            server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers.values():
            server.stop()
        own = [mistake for server in self._servers.values() for mistake in server.errors]
        for mistake in own:
            if error is None:
                raise mistake
            error.add_note(f"the emulator itself failed: {mistake!r}")

    @property
    def lichess_url(self) -> str:
        """The base URL of lichess."""
        return f"http://127.0.0.1:{self._lichess.port}"

    @property
    def chesscom_url(self) -> str:
        """The base URL of the Published Data API."""
        return f"http://127.0.0.1:{self._chesscom.port}/pub"

    def pace(self, games_per_second: float | None) -> None:
        """Let lichess send so many games a second (20 is what it gives to strangers); None: no brake."""
        self._lichess.pace = games_per_second

    def fault(
        self,
        site: str,
        path_prefix: str | None = None,
        *,
        kind: Kind,
        account: str | None = None,
        times: int | None = 1,
        skip: int = 0,
        after: float | None = None,
        clean: bool = False,
        rate: float = 4.0,
        code: int | None = None,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        retry_after: str | None = None,
        location: str = "",
        size: int = 0,
    ) -> None:
        """Let the next *times* requests (None: all) to *path_prefix* or *account* go wrong, after *skip* good ones.

        Kinds, and what they look at:
            cut: the connection is closed after *after* bytes of the body (a share, if it is a float; default half),
                in spite of what the framing promised; *clean*: the framing agrees, only the content is cut.
            gzip_cut: the same share of a gzip body in good framing: only gzip's own end is missing.
            reset: as cut, but with RST.
            short_length: Content-Length is *size* (1000) more than what comes.
            close_delimited: neither length nor chunks, the end of the connection is the end (or *after* bytes).
            drip: *rate* bytes a second.
            status: *code* (500), *body*, *headers*.
            rate_limit: 429 with *retry_after* (verbatim) and *body* (the site's own).
            html: an HTML page with *code* (200).
            redirect: *code* (302) to *location*.
            hang: no answer at all. stall: silence after *after* bytes. Both until the client closes.
            refuse: the connection is closed without an answer.
            gzip_bomb, endless_line, endless_headers: *size* bytes (1 GiB) of it.
        """
        fault = Fault(
            kind=kind,
            after=after,
            clean=clean,
            rate=rate,
            code=code,
            body=body,
            headers=headers or {},
            retry_after=retry_after,
            location=location,
            size=size,
        )
        self._faults.add(site, fault, path_prefix=path_prefix, account=account, skip=skip, times=times)

    def poison(self, game: Game) -> None:
        """Let every answer that should tell this game break off where it would stand, whatever was asked for."""
        self._servers[game.site].poison.add(_in_answers(game))

    def cure(self, game: Game) -> None:
        """Let it be told again."""
        self._servers[game.site].poison.discard(_in_answers(game))

    def clear_faults(self) -> None:
        """Let everything go well again."""
        self._faults.clear()

    def replay(
        self, site: str, path: str, body: bytes, headers: Mapping[str, str] | None = None, status: int = 200
    ) -> None:
        """Answer *path* with a recorded answer, verbatim but for the headers of its way (length, coding)."""
        kept = tuple(
            (name, value) for name, value in (headers or {}).items() if name.lower() not in _HOP_BY_HOP
        )
        self._servers[site].replays[path] = Answer(
            status=status, headers=kept, chunks=(body,), compressible=False
        )

    @property
    def requests(self) -> list[Request]:
        """All requests so far, in the order of their arrival."""
        return self._log.requests

    @property
    def violations(self) -> list[Violation]:
        """The rules that were broken so far."""
        return self._log.violations

    def clear_log(self) -> None:
        """Forget the requests and violations so far."""
        self._log.clear()

    def lichess_export(self, *games: Game) -> str:
        """These games as lichess's own PGN export writes them (clocks and openings, as one downloads them)."""
        return "".join(lichess_format.as_pgn(g, self.world, lichess_format.ONE_GAME) for g in games)

    def chesscom_export(self, *games: Game) -> str:
        """These games as chess.com's website lets one download them: few tags, no id, wrapped lines."""
        return "\n".join(chesscom_format.website_pgn(game, self.world) for game in games)
