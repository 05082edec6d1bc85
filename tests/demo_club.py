"""A club evening, offline: the part of `make demo` that shows `gamekeeper club`. Alone: `python -m tests.demo_club`.

Twelve members, two of them absent; one board played online, its result picked up from the downloaded games; the
standings. Then two more evenings: somebody comes late, somebody leaves, a game is postponed, a wrong result is corrected
two rounds later, and steps are undone. Every line under a `$` is what the real command printed.
"""

import shlex
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from tests.daemon.installation import Installation
from tests.fetchers.site_emulator.emulator import LICHESS, Emulator
from tests.fetchers.site_emulator.sample import ME, RIVALS, sample_world
from tests.fetchers.site_emulator.values import Game

_MEMBERS = f"""name,rating,category,handles
"Bianchi, Laura",2210,,lichess:{RIVALS[LICHESS]}
"Rossi, Mario",1840,,lichess:{ME[LICHESS]}
"Neri, Anna",1790,,
"Verdi, Gino",1735,,
"O'Neill, Zoë",1690,U18,
"Müller, Jörg",1655,,
"Conti, Paola",1600,,
"Galli, Piero",1540,U18,
"Ferri, Elio",1485,,
"Greco, Ida",1430,,
"Villa, Ugo",1375,U18,
"Sala, Rita",1310,,
"""
_CLUB = "demo26"


class ClubEvening:
    """One evening; the games of the two sites are in the archive already."""

    def __init__(self, place: Installation, sites: Emulator) -> None:
        self._place = place
        self._online = _game_of_both(sites)

    def show(self) -> None:
        """From the founding to the step back."""
        _say("A club evening: twelve members, two are absent, one board is played online")
        self._found()
        self._before()
        self._play()
        self._second_evening()
        self._third_evening()
        self._mistakes()

    def _found(self) -> None:
        members = self._place.folder / "members.csv"
        members.write_text(_MEMBERS)
        self._command("new", "Club championship", "--short", _CLUB, "--rounds", "8")
        self._command("members", "import", _CLUB, str(members))

    def _before(self) -> None:
        self._command("present", _CLUB, "--excused", "greco", "--club-duty", "villa")
        white, black = _surnames(self._online)
        self._command("pair", _CLUB, "--manual", white, black, "--first-white")
        began = datetime.fromtimestamp(self._online.started / 1000).astimezone()
        self._command(
            *("pair", _CLUB, "--date", f"{began:%Y-%m-%d}"),
            *("--from", f"{began:%H:%M}", "--to", f"{began + timedelta(minutes=1):%H:%M}"),
        )

    def _play(self) -> None:
        self._command("result", _CLUB, "2", "1-0", "3", "1/2", "4", "0-1", "5", "1-0f")
        self._command("collect", _CLUB, answer="y\n")

        self._command("standings", _CLUB)

    def _second_evening(self) -> None:
        _say("The second evening: somebody comes late, when the list hangs on the wall already")
        self._command("pair", _CLUB)
        self._command("members", "add", _CLUB, "Riva, Dora", "1510")
        self._command("undo", _CLUB, answer="y\n")
        self._command("present", _CLUB, "--excused", "sala")
        self._command("pair", _CLUB)
        self._command(
            "result", _CLUB, "1", "1-0", "2", "1/2", "3", "0-1", "4", "1-0", "5", "1-0", "6", "postponed"
        )

    def _third_evening(self) -> None:
        _say("The third evening: somebody has left, and the postponed game is played")
        self._command("player", "edit", _CLUB, "ferri", "--withdraw")
        self._command("result", _CLUB, "--round", "2", "6", "1/2")
        self._command("pair", _CLUB)
        self._command("result", _CLUB, "1", "1/2", "2", "1-0", "3", "1-0", "4", "0-1", "5", "1-0", "6", "0-1")
        self._command("standings", _CLUB)

    def _mistakes(self) -> None:
        _say("Board 2 of the first evening was written down wrongly; and was the third really over?")
        self._command("result", _CLUB, "--round", "1", "2", "0-1", answer="y\n")
        self._command("standings", _CLUB)
        self._command("undo", _CLUB, "--show")
        self._command("undo", _CLUB, answer="y\n")
        self._command("undo", _CLUB, "--redo", answer="y\n")
        self._command("crosstable", _CLUB)
        self._command("log", _CLUB)

    def _command(self, *arguments: str, answer: str = "") -> None:
        print(f"\n$ gamekeeper club {shlex.join(arguments)}")
        ended = self._place.call("club", *arguments, stdin=answer)
        # What is asked is asked before the answer.
        print((ended.stderr + "\n" * bool(answer) + ended.stdout).strip())
        assert ended.returncode == 0, arguments


def _game_of_both(sites: Emulator) -> Game:
    """A decided game of the two members with handles, on a minute in which they played no other."""
    names = {ME[LICHESS].lower(), RIVALS[LICHESS].lower()}
    games = [
        game
        for game in sites.world.games(LICHESS, ME[LICHESS])
        if {seat.name.lower() for seat in (game.white, game.black)} == names
    ]
    minutes = Counter(game.started // 120_000 for game in games)
    return next(
        game
        for game in games
        if game.variant == "standard"
        and game.status in {"mate", "resign", "outoftime"}
        and minutes[game.started // 120_000] == 1
    )


def _surnames(game: Game) -> tuple[str, str]:
    mine = game.white.name.lower() == ME[LICHESS].lower()
    return ("rossi", "bianchi") if mine else ("bianchi", "rossi")


def _say(title: str) -> None:
    print(f"\n── {title} " + "─" * max(0, 100 - len(title)))


def main() -> None:
    """Show it on its own: the games are downloaded first."""
    with (
        tempfile.TemporaryDirectory(prefix="gamekeeper-demo-") as folder,
        Emulator(sample_world(seed=1, games=60)) as sites,
    ):
        place = Installation(Path(folder), sites)
        place.configure(mine=[f"{LICHESS}:{ME[LICHESS]}"])
        synced = place.run("sync")
        assert synced.returncode == 0, synced.stderr
        ClubEvening(place, sites).show()
        if sites.violations:
            sys.exit(1)


if __name__ == "__main__":
    main()
