"""A peopled world: made-up players with games of every kind that the sites tell of."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from tests.fetchers.site_emulator.values import CHESSCOM, LICHESS, Ai, Guest
from tests.fetchers.site_emulator.world import World

ME: Final = {LICHESS: "mrossi90", CHESSCOM: "rossi-mario"}
"""The user's own handles in the sample world."""
RIVALS: Final = {LICHESS: "LauraBianchi", CHESSCOM: "Laura-Bianchi"}
"""An opponent with accounts on both sites."""
_OTHERS = ("Verdi_G", "neri-anna", "Conti77", "il_Moro", "Gallo2000")
_RATINGS = (1480, 1755, 1610, 1920, 1340)
_BEGIN = datetime(2024, 3, 1, 18, tzinfo=UTC)
_TIME_CONTROLS = ("60+0", "180+2", "180", "300+3", "600", "900+10")


def sample_world(seed: int = 0, games: int = 60) -> World:
    """A world with about that many ordinary games on each site, and one of each odd kind."""
    world = World(seed)
    _people(world)
    rng = Random(seed)
    for site in (LICHESS, CHESSCOM):
        _ordinary_games(world, site, rng, games)
    _odd_lichess_games(world, _BEGIN + timedelta(days=120))
    _odd_chesscom_games(world, _BEGIN + timedelta(days=120))
    return world


def _people(world: World) -> None:
    world.add_player(LICHESS, ME[LICHESS], rating=1810)
    world.add_player(LICHESS, RIVALS[LICHESS], rating=2240, title="WFM", fide_id=999_001_238)
    world.add_player(CHESSCOM, ME[CHESSCOM], rating=1795)
    world.add_player(CHESSCOM, RIVALS[CHESSCOM], rating=2210, title="WFM")
    for site in (LICHESS, CHESSCOM):
        for handle, rating in zip(_OTHERS, _RATINGS, strict=True):
            world.add_player(site, handle, rating=rating)
    world.close_account(LICHESS, "Gallo2000")
    world.change_player(LICHESS, "il_Moro", marked=True)
    world.close_account(CHESSCOM, "Gallo2000", "closed:fair_play_violations")


def _ordinary_games(world: World, site: str, rng: Random, games: int) -> None:
    for number in range(games):
        who = rng.choice((ME[site], ME[site], RIVALS[site]))
        other = rng.choice([name for name in (*_OTHERS, RIVALS[site]) if name != who])
        white, black = (who, other) if rng.random() < 0.5 else (other, who)
        world.add_game(
            site,
            white,
            black,
            at=_BEGIN + timedelta(hours=34 * number + rng.randrange(20), milliseconds=rng.randrange(60_000)),
            plies=rng.randrange(12, 90),
            time_control=rng.choice(_TIME_CONTROLS),
            rated=rng.random() < 0.8,
        )


def _odd_lichess_games(world: World, at: datetime) -> None:
    me, rival = ME[LICHESS], RIVALS[LICHESS]
    days = iter(at + timedelta(days=number, seconds=number) for number in range(99))
    for variant in (
        "chess960",
        "crazyhouse",
        "antichess",
        "atomic",
        "horde",
        "kingOfTheHill",
        "racingKings",
        "threeCheck",
    ):
        world.add_game(LICHESS, me, rival, at=next(days), variant=variant)
    rook_ending = "8/8/8/8/3k4/8/R7/R3K3 w Q - 0 1"
    world.add_game(
        LICHESS,
        me,
        Ai(8),
        at=next(days),
        variant="fromPosition",
        start=rook_ending,
        plies=9,
        time_control="-",
        source="position",
    )
    world.add_game(LICHESS, Guest(), me, at=next(days), time_control="300+0", source="friend")
    world.add_game(LICHESS, me, rival, at=next(days), status="mate")
    arena: dict[str, Any] = {"event": 'Torneo del Martedì "Blitz"', "event_id": "aB3dE6gH", "source": "arena"}
    world.add_game(LICHESS, rival, me, at=next(days), **arena)
    world.add_game(LICHESS, rival, me, at=next(days), status="noStart", winner="white", **arena)
    world.add_game(LICHESS, me, rival, at=next(days), status="aborted")
    long: dict[str, Any] = {"time_control": "1/172800"}
    world.add_game(
        LICHESS, me, rival, at=next(days), ended=at + timedelta(days=90), status="resign", plies=40, **long
    )
    world.add_game(LICHESS, rival, me, at=next(days), status="started", plies=50, played=17, **long)


def _odd_chesscom_games(world: World, at: datetime) -> None:
    me, rival = ME[CHESSCOM], RIVALS[CHESSCOM]
    days = iter(at + timedelta(days=number, seconds=number) for number in range(99))
    for variant in ("chess960", "crazyhouse", "kingOfTheHill", "threeCheck", "bughouse"):
        world.add_game(CHESSCOM, me, rival, at=next(days), variant=variant)
    odds = "3k4/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
    world.add_game(CHESSCOM, rival, me, at=next(days), variant="oddschess", start=odds, rated=False)
    coach: dict[str, Any] = {
        "time_control": "-",
        "event": "Play vs Coach",
        "rated": False,
        "id": "daily/234150048",
    }
    world.add_game(CHESSCOM, me, "Coach-Magnus", at=next(days), **coach)
    world.add_game(CHESSCOM, me, rival, at=next(days), id="live/234150048")
    world.add_game(CHESSCOM, me, rival, at=next(days), url_form="old")
    world.add_game(CHESSCOM, rival, me, at=next(days), url_form="uuid")
    world.add_game(CHESSCOM, rival, me, at=next(days), status="checkmated", accuracies=(88.3, 91.7))
    long: dict[str, Any] = {"time_control": "1/259200"}
    world.add_game(CHESSCOM, me, rival, at=next(days), ended=at + timedelta(days=60), plies=44, **long)
    world.add_game(CHESSCOM, rival, me, at=next(days), status="started", plies=50, played=21, **long)
