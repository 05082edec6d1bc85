"""What a game names; by what it needs a parser can work it out."""

import subprocess
import sys

from daemon.archive.games.named import named_in, texts_of
from daemon.archive.games.prepared import prepare
from tests.daemon.made_up import RUY, otb


def test_players_and_texts() -> None:
    """Both players as written, and each text that says something, in the order of the columns."""
    prepared = prepare(otb(" Rossi,Mario", moves=RUY, WhiteTeam="Milano", BlackTeam="?", Event="Club"))
    white, black = named_in(prepared)
    assert (white.name, white.key, white.online) == (" Rossi,Mario", prepared.white, False)
    assert black.key == prepared.black
    found = list(texts_of(prepared))
    assert found[:2] == [("team", "Milano"), ("event", "Club")]
    assert found[-1] == ("opening", prepared.derived_opening)


def test_a_parser_loads_no_sqlalchemy() -> None:
    """Loading it takes a fifth of a second, in a process that has no use for it."""
    code = "import sys, daemon.imports.parser_process; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
