"""What the suite that every kind of event passes must know of each: a new kind is one line in EVENT_CASES."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from tests.fetchers.cases import START
from tests.fetchers.rounds import Followed
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.emulator import Game as EmulatedGame

PARTS = 3


@dataclass(frozen=True)
class EventCase:
    """What the suite must know of a kind of event.

    Attributes:
        games: beginning of the paths under which its games are told; *head* of those that tell of itself.
        fill: an event of that id with so many games that are over; returns their native ids in the order of telling.
        add: one more game of it; returns its native id.
        ends: whether it is ever over.
    """

    site: str
    kind: str
    id: str
    games: str
    head: str
    fill: Callable[[Emulator, int], list[str]]
    add: Callable[[Emulator], str]
    ends: bool = True

    @property
    def event(self) -> Followed:
        return Followed(self.kind, self.id)


def _shares(count: int) -> list[range]:
    """The numbers below *count*, in a few parts."""
    bounds = [count * part // PARTS for part in range(PARTS + 1)]
    return [range(begin, end) for begin, end in pairwise(bounds)]


def _broadcast(sites: Emulator, count: int) -> list[str]:
    events = sites.world.events
    events.add_broadcast(id="Broadca1", town="Bergamo")
    found = []
    for number, share in enumerate(_shares(count)):
        part = events.add_round("Broadca1", id=f"Round{number:03}", starts=START + timedelta(days=number))
        for board in share:
            made = events.add_board(
                part.id,
                "Rossi, Mario",
                "Bianchi, Laura",
                plies=10 + board % 5,
                result="1-0",
                round=f"{number + 1}.{board + 1}",
                date="2024.05.20",
            )
            found.append(f"broadcast/{part.id}/{made.id}")
        events.finish_round(part.id, START + timedelta(days=number, hours=5))
    return found


def _board(sites: Emulator) -> str:
    part = sites.world.events.broadcasts["Broadca1"].rounds[-1]
    sites.world.events.change_round(part.id, state="ongoing", finished=None)
    made = sites.world.events.add_board(part.id, "Verdi, Giuseppe", "Rossi, Mario", result="0-1")
    return f"broadcast/{part.id}/{made.id}"


def _study(sites: Emulator, count: int) -> list[str]:
    events = sites.world.events
    events.add_study(id="Study001")
    made = [
        events.add_board("Study001", "Rossi, Mario", "Bianchi, Laura", plies=10 + number % 5, result="1-0")
        for number in range(count)
    ]
    return [f"study/Study001/{chapter.id}" for chapter in made]


def _chapter(sites: Emulator) -> str:
    made = sites.world.events.add_board("Study001", "Verdi, Giuseppe", "Rossi, Mario", result="0-1")
    return f"study/Study001/{made.id}"


def _arena(kind: str) -> Callable[[Emulator, int], list[str]]:
    def fill(sites: Emulator, count: int) -> list[str]:
        sites.world.events.add_tourney(kind, id="Tourney1", starts=START, state="finished")
        games = [_pairing(sites, kind, number) for number in range(count)]
        return [game.id for game in reversed(games)]

    return fill


def _pairing(sites: Emulator, kind: str, number: int) -> EmulatedGame:
    return sites.world.add_game(
        LICHESS,
        "mrossi90",
        "BianchiL",
        at=START + timedelta(minutes=number),
        plies=10 + number % 5,
        source=kind,
        event="Torneo serale",
        event_id="Tourney1",
    )


def _late_pairing(kind: str) -> Callable[[Emulator], str]:
    def add(sites: Emulator) -> str:
        sites.world.events.change_tourney("Tourney1", state="ongoing")
        return _pairing(sites, kind, 500).id

    return add


def _daily(sites: Emulator, number: int) -> EmulatedGame:
    return sites.world.add_game(
        CHESSCOM, "rossi-mario", "bianchi-l", at=START + timedelta(minutes=number), plies=10 + number % 5
    )


def _tournament(sites: Emulator, count: int) -> list[str]:
    rounds = [[[_daily(sites, number) for number in share]] for share in _shares(count)]
    sites.world.events.add_tournament("torneo-sociale", rounds, state="finished")
    return [game.id for groups in rounds for games in groups for game in games]


def _late_group(sites: Emulator) -> str:
    game = _daily(sites, 500)
    old = sites.world.events.tournaments["torneo-sociale"]
    more = sites.world.events.add_tournament("altro", [[[game]]])
    sites.world.events.change_tournament(old.id, rounds=(*old.rounds, *more.rounds))
    return game.id


def _club(sites: Emulator, count: int) -> list[str]:
    sites.world.events.add_club("circolo-rossi")
    games = [[_daily(sites, number) for number in share] for share in _shares(count)]
    sites.world.events.add_match("circolo-rossi", games[:2], state="finished")
    sites.world.events.add_match("circolo-rossi", games[2:], id="live/77", state="finished")
    return [game.id for board in games for game in board]


def _late_match(sites: Emulator) -> str:
    game = _daily(sites, 500)
    sites.world.events.add_match("circolo-rossi", [[game]], state="finished")
    return game.id


EVENT_CASES = [
    EventCase(
        LICHESS,
        "broadcast",
        "Broadca1",
        "/api/broadcast/Broadca1.pgn",
        "/api/broadcast/Broadca1",
        _broadcast,
        _board,
    ),
    EventCase(LICHESS, "study", "Study001", "/api/study/", "/api/study/", _study, _chapter, ends=False),
    EventCase(
        LICHESS,
        "arena",
        "Tourney1",
        "/api/tournament/Tourney1/games",
        "/api/tournament/",
        _arena("arena"),
        _late_pairing("arena"),
    ),
    EventCase(
        LICHESS,
        "swiss",
        "Tourney1",
        "/api/swiss/Tourney1/games",
        "/api/swiss/",
        _arena("swiss"),
        _late_pairing("swiss"),
    ),
    EventCase(
        CHESSCOM,
        "tournament",
        "torneo-sociale",
        "/pub/tournament/torneo-sociale/1/1",
        "/pub/tournament/",
        _tournament,
        _late_group,
    ),
    EventCase(
        CHESSCOM, "club", "circolo-rossi", "/pub/match/10000/", "/pub/club/", _club, _late_match, ends=False
    ),
]
