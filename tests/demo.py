"""The whole program at work, offline: `make demo`.

Two emulated sites with made-up players on loopback, the real daemon as a process of its own, a PGN folder, the
commands and the API. Every line under a `$` is what the real command printed; the commands run in this process, which is quicker.
Nothing is left behind.
"""

import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.daemon.installation import Installation
from tests.demo_club import ClubEvening
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.sample import ME, RIVALS, sample_world
from tests.fetchers.site_emulator.values import Game

_CLUB = """\
[Event "Club championship"]
[Site "Roma ITA"]
[Date "2026.11.05"]
[Round "3"]
[White "ROSSI,Mario"]
[Black "Neri, Anna"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0

[Event "Club championship"]
[White "Verdi, Gino"]
[Black "Rossi, Mario"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nxe9 0-1

"""


class Demo:
    """One showing."""

    def __init__(self, folder: Path, sites: Emulator) -> None:
        self._sites = sites
        self._place = Installation(folder, sites)
        self._shared = _shared_game(sites)

    def show(self) -> None:
        """All of it, from the configuration to the clean end."""
        _say(
            "Two made-up chess sites",
            f"lichess   {self._sites.lichess_url}\nchess.com {self._sites.chesscom_url}",
        )
        self._configure()
        self._command("check-config")
        _say("The daemon starts: it downloads, watches a PGN folder, and serves the API")
        with self._place.daemon():
            self._downloads()
            self._files()
            self._players()
            self._answers()
        _say("The daemon has ended cleanly (SIGTERM)")
        ClubEvening(self._place, self._sites).show()
        broken = len(self._sites.violations)
        print(
            f"The sites counted {len(self._sites.requests)} requests, and {broken} breaches of their rules."
        )

    def _configure(self) -> None:
        mine = [f"{site}:{ME[site]}" for site in (LICHESS, CHESSCOM)]
        rival = [f"{site}:{RIVALS[site]}" for site in (LICHESS, CHESSCOM)]
        self._place.configure(mine=mine, dossiers={"Laura Bianchi": rival})

    def _downloads(self) -> None:
        self._place.until(self._all_downloaded)
        self._command("status")

    def _all_downloaded(self) -> bool:
        status = self._place.get("status")
        return bool(status) and all(one["last_success"] for one in status["accounts"])

    def _files(self) -> None:
        game = self._shared
        _say(f"A game of both ({game.id}) is exported from lichess to a file, and copied into a club's file")
        export = self._sites.lichess_export(game)
        (self._place.pgn / "lichess_export.pgn").write_text(export)
        (self._place.pgn / "club.pgn").write_text(_CLUB + export)
        found = self._place.until(self._with_three_tellings)
        print(f"The watched folder is taken in: game {found['id']} now has three tellings.\n")
        for telling in found["tellings"]:
            where = Path(telling["file"]).name if telling["file"] else " and ".join(telling["accounts"])
            print(f"  {telling['n']}  {telling['site']}  {telling['native_id']}  {where}")
        self._command("import", str(self._place.pgn), "--again")
        _say("The game with an impossible move cost only itself")
        self._command("quarantine", "list")

    def _with_three_tellings(self) -> dict[str, Any] | None:
        answer = self._place.get("games?limit=500") or {"items": []}
        same = (one for one in answer["items"] if len(one["tellings"]) == 3)
        return next(same, None)

    def _players(self) -> None:
        _say("Who is who: a search is generous, recognition is strict")
        self._command("search", "ros mar")
        self._command("explain", "name", "ROSSI,Mario")

    def _answers(self) -> None:
        _say("The API answers")
        for path in ("me", "dossiers", "games?q=neri+roma", "me/games?limit=1"):
            print(f"\n$ curl http://127.0.0.1:{self._place.port}/api/v1/{path}")
            print(_short(self._place.get(path)))

    def _command(self, *arguments: str) -> None:
        print(f"\n$ gamekeeper {shlex.join(arguments)}")
        ended = self._place.call(*arguments)
        print((ended.stdout + ended.stderr).rstrip())


def _shared_game(sites: Emulator) -> Game:
    """A finished game of ordinary chess between the user and the opponent they track."""
    both = {game.id for game in sites.world.games(LICHESS, ME[LICHESS])}
    return next(
        game
        for game in sites.world.games(LICHESS, RIVALS[LICHESS])
        if game.id in both
        and game.variant == "standard"
        and game.status in {"mate", "resign", "draw", "outoftime"}
    )


def _short(answer: object, lines: int = 24) -> str:
    text = json.dumps(answer, ensure_ascii=False, indent=2).splitlines()
    return "\n".join(text if len(text) <= lines else [*text[:lines], f"… {len(text) - lines} more lines"])


def _say(title: str, text: str = "") -> None:
    print(f"\n── {title} " + "─" * max(0, 100 - len(title)))
    if text:
        print(text)


def main() -> None:
    """Show it."""
    with (
        tempfile.TemporaryDirectory(prefix="gamekeeper-demo-") as folder,
        Emulator(sample_world(seed=1, games=60)) as sites,
    ):
        Demo(Path(folder), sites).show()
        if sites.violations:
            sys.exit(1)


if __name__ == "__main__":
    main()
