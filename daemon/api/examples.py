"""Example answers in the OpenAPI description: one made-up evening of made-up people."""

import re
from collections.abc import Mapping
from typing import Final

from daemon.api.examples_club import CLUB
from daemon.archive.reading import shapes

MARIO: Final[shapes.Side] = {
    "player_id": 2,
    "name": "mrossi90",
    "written": "mrossi90",
    "fide_id": None,
    "verbatim": True,
    "rating": 1810,
    "title": None,
    "team": None,
}
LAURA: Final[shapes.Side] = {
    "player_id": 3,
    "name": "LauraBianchi",
    "written": "LauraBianchi",
    "fide_id": "999001238",
    "verbatim": True,
    "rating": 2240,
    "title": "WFM",
    "team": None,
}
DOWNLOAD: Final[shapes.Telling] = {
    "n": 1,
    "site": "lichess",
    "native_id": "0qzplISJ",
    "url": "https://lichess.org/0qzplISJ",
    "accounts": ["lichess:mrossi90"],
    "file": None,
    "fetched_at": "2026-11-30T08:12:44Z",
    "left_at": None,
}
GAME: Final[shapes.Game] = {
    "id": 29,
    "white": MARIO,
    "black": LAURA,
    "date": "2026.06.01",
    "result": "0-1",
    "event": "rated blitz game",
    "site": "https://lichess.org/0qzplISJ",
    "round": None,
    "eco": "C50",
    "eco_derived": False,
    "opening": "Italian Game",
    "opening_derived": False,
    "time_control": "180+2",
    "time_class": "blitz",
    "variant": "standard",
    "start_fen": None,
    "ply_count": 5,
    "termination": "Normal",
    "annotator": None,
    "started_at": "2026-06-01T18:20:31Z",
    "tellings": [DOWNLOAD],
}
WHOLE_GAME: Final[shapes.WholeGame] = {
    **GAME,
    "moves": "e2e4 e7e5 g1f3 b8c6 f1c4",
    "tags": {"Event": "rated blitz game", "White": "mrossi90", "Black": "LauraBianchi", "Result": "0-1"},
    "oddities": [],
}
MY_GAME: Final[shapes.MyGame] = {**GAME, "why": "alias mrossi90", "mine": "white"}
PLAYER: Final[shapes.Player] = {
    "id": 5,
    "name": "Rossi, Mario",
    "kind": "person",
    "fide_id": None,
    "verbatim": False,
    "games": 17,
}
ME: Final[shapes.Me] = {
    "first_name": "Mario",
    "last_name": "Rossi",
    "fide_id": None,
    "aliases": ["lichess:mrossi90"],
    "accounts": ["lichess:mrossi90"],
    "games": 42,
}
DOSSIER: Final[shapes.Dossier] = {
    "slug": "laura-bianchi",
    "name": "Laura Bianchi",
    "fide_id": "999001238",
    "names": ["Bianchi, Laura"],
    "accounts": ["lichess:laurabianchi"],
    "games": 12,
}
ACCOUNT: Final[shapes.Account] = {
    "account": "lichess:mrossi90",
    "site": "lichess",
    "kind": "account",
    "name": "mrossi90",
    "state": "active",
    "since": "2026-01-01T12:00:00Z",
    "until": None,
    "mine": True,
    "configured": True,
    "dossiers": [],
    "every": 1800,
    "games": 28,
    "last_success": "2026-11-30T08:12:44Z",
    "last_attempt": "2026-11-30T08:12:44Z",
    "next_due": "2026-11-30T08:42:44Z",
    "failures": 0,
    "error": None,
}
SITE: Final[shapes.Site] = {
    "site": "lichess",
    "state": "ok",
    "since": None,
    "until": None,
    "failures": 0,
    "error": None,
    "accounts": 2,
    "backlog": 0,
    "last_success": "2026-11-30T08:12:44Z",
}
STATUS: Final[shapes.Status] = {
    "version": "0.1.0",
    "running": True,
    "archive": {"games": 29, "players": 17, "tellings": 31, "files": 1, "quarantine": 0},
    "sites": [SITE],
    "accounts": [ACCOUNT],
    "events": [],
    "errors": [],
}
QUARANTINED: Final[shapes.Quarantined] = {
    "id": 1,
    "source": "/home/mario/chess/pgn/club.pgn",
    "account": None,
    "file": "/home/mario/chess/pgn/club.pgn",
    "site": None,
    "native_id": None,
    "url": None,
    "place": 2048,
    "position": 117,
    "line": 9,
    "column": 14,
    "reason": "illegal move Ke3",
    "size": 311,
    "first_seen": "2026-11-30T08:12:47Z",
    "last_seen": "2026-11-30T08:12:47Z",
    "seen": 1,
    "mended": False,
    "left_at": None,
}
ROUND: Final[shapes.Round] = {
    "id": 3,
    "kind": "sync",
    "source": "lichess:mrossi90",
    "account": "lichess:mrossi90",
    "started_at": "2026-11-30T08:12:40Z",
    "ended_at": "2026-11-30T08:12:44Z",
    "outcome": "done",
    "read": 30,
    "new": 28,
    "added": 1,
    "unchanged": 1,
    "refreshed": 0,
    "collapsed": 0,
    "quarantined": 0,
    "left_out": 0,
    "error": None,
}
DOUBLE: Final[shapes.Double] = {
    "id": 1,
    "kind": "date",
    "reason": "the same moves, players and result; the dates are one day apart",
    "game": GAME,
    "other": {**GAME, "id": 30, "date": "2026.06.02"},
}
EDIT: Final[shapes.Edit] = {
    "id": 4,
    "batch": 3,
    "at": "2026-11-30T08:12:47Z",
    "kind": "game",
    "game_id": 29,
    "other_id": None,
    "player_id": None,
    "field": "date",
    "before": "2026.06.??",
    "after": "2026.06.01",
    "undone_at": None,
}
SUGGESTIONS: Final[shapes.Suggestions] = {"items": [{"name": "Rossi, Mario"}, {"name": "Rossini, Matteo"}]}
HEALTH: Final[shapes.Health] = {"status": "ok", "version": "0.1.0"}

EXAMPLES: Final[Mapping[str, object]] = {
    "Account": ACCOUNT,
    "Dossier": DOSSIER,
    "Double": DOUBLE,
    "Edit": EDIT,
    "Game": GAME,
    "Health": HEALTH,
    "Me": ME,
    "MyGame": MY_GAME,
    "Player": PLAYER,
    "Quarantined": QUARANTINED,
    "Round": ROUND,
    "Status": STATUS,
    "Suggestions": SUGGESTIONS,
    "WholeGame": WHOLE_GAME,
    **CLUB,
}
"""By the names of the shapes in the description."""

PARAMETERS: Final[Mapping[str, object]] = {
    "limit": 50,
    "cursor": "WyJnYW1lcyIsMCwiMjAyNC4wNS4xMiIsMjld",
    "player_id": 2,
    "game_id": 29,
    "item_id": 1,
    "n": 1,
    "what": "players",
    "mine": True,
    "round": 1,
}
"""Those whose own definition does not show what they look like."""


def example(name: str) -> object | None:
    """An example answer of the shape with this name; None if there is none yet."""
    page = re.fullmatch(r"(\w+)Page", name)
    if page is None:
        return EXAMPLES.get(name)
    return {"items": [EXAMPLES[page[1]]], "next": None} if page[1] in EXAMPLES else None
