"""What the suites that every site passes must know of each: a new site is one line in CASES."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.fetchers.site_emulator.emulator import Emulator
from tests.fetchers.site_emulator.emulator import Game as EmulatedGame

START = datetime(2024, 5, 20, 18, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """What the suite must know of a site.

    *games* is the beginning of the paths under which the site tells games.
    """

    site: str
    games: str


CASES = [Case("lichess", "/api/games/user/"), Case("chesscom", "/pub/player/mrossi90/games/20")]


def peopled(sites: Emulator, site: str, count: int = 30) -> list[EmulatedGame]:
    """Games of mrossi90, a day and a bit apart, over some months."""
    return [
        sites.world.add_game(
            site, *_seats(number), at=START + number * timedelta(hours=31), plies=10 + number % 5
        )
        for number in range(count)
    ]


def _seats(number: int) -> tuple[str, str]:
    return ("mrossi90", "BianchiL") if number % 2 else ("Verdi_G", "mrossi90")
