"""Both sites with made-up players, for anybody who wants to try the program without a network.

python -m tests.fetchers.site_emulator [--lichess-port N] [--chesscom-port N] [--games N] [--pace N]
"""

import argparse
import signal
import sys
from threading import Event

from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.sample import ME, RIVALS, sample_world

_CONFIGURATION = """\
lichess   {lichess_url}
chess.com {chesscom_url}

# for the configuration:
[daemon]
contact = "emulator@example.org"
[me]
first_name = "Mario"
last_name = "Rossi"
aliases = ["lichess:{me_lichess}", "chesscom:{me_chesscom}"]
[[dossier]]
name = "Laura Bianchi"
accounts = ["lichess:{rival_lichess}", "chesscom:{rival_chesscom}"]
[sites.lichess]
base_url = "{lichess_url}"
[sites.chesscom]
base_url = "{chesscom_url}"

Ctrl-C ends it.
"""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fetchers.site_emulator", description="Made-up chess sites."
    )
    parser.add_argument("--lichess-port", type=int, default=0, metavar="N", help="default: any free port")
    parser.add_argument("--chesscom-port", type=int, default=0, metavar="N", help="default: any free port")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, other games")
    parser.add_argument("--games", type=int, default=60, metavar="N", help="ordinary games a site (60)")
    parser.add_argument(
        "--pace", type=float, metavar="N", help="games a second that lichess sends (no brake)"
    )
    return parser.parse_args()


def main() -> None:
    """Serve until a signal comes; then say what was asked."""
    given = _arguments()
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    world = sample_world(given.seed, given.games)
    with Emulator(world, lichess_port=given.lichess_port, chesscom_port=given.chesscom_port) as sites:
        sites.pace(given.pace)
        text = _CONFIGURATION.format(
            lichess_url=sites.lichess_url,
            chesscom_url=sites.chesscom_url,
            me_lichess=ME[LICHESS],
            me_chesscom=ME[CHESSCOM],
            rival_lichess=RIVALS[LICHESS],
            rival_chesscom=RIVALS[CHESSCOM],
        )
        sys.stdout.write(text)
        sys.stdout.flush()
        stop.wait()
        sys.stdout.write(f"requests: {len(sites.requests)}\n")
        for violation in sites.violations:
            sys.stdout.write(f"broken at {violation.site}: {violation.rule} ({violation.path})\n")


if __name__ == "__main__":
    main()
