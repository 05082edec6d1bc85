"""schemathesis: whatever a client may send by the description of the API, and what it may not, over real connections.

Ten seconds with a fixed seed; ``make fuzz`` goes on for ten minutes, with another seed each time.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from core.players import Profile
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.club.foundation import NewTournament, found
from daemon.club.members import NewMember, add_members
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.config.configured import ConfiguredDossier
from daemon.config.values import Listen
from tests.daemon.club.evenings import evening_of
from tests.daemon.seeding import NOW
from tests.examples import FUZZING

CLUB: Final = "vm-2026"
TOKEN: Final = "s3cret"
SECONDS: Final = 600 if FUZZING else 10

# A cursor is a text that only we can write, and a club's file may not be there yet: of these a schema says less
# than we know.
CONFIG: Final = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "503"]
"""


@pytest.fixture
def address(small_archive: Archive) -> Iterator[str]:
    """A running server over the small archive, in which what the examples of the description name is there."""
    with small_archive.writing() as connection:
        sync_dossiers(connection, [ConfiguredDossier("Magnus Carlsen", "magnus-carlsen", 1503014, [], [])])
    found(small_archive, NewTournament("Club championship 2026", "VM 2026", {}), now_ms=NOW)
    members = [NewMember("Rossi", 1800), NewMember("Bianchi", 1900)]
    add_members(small_archive, CLUB, members, now_ms=NOW)
    pair_round(small_archive, CLUB, evening_of(), now_ms=NOW)
    enter(small_archive, CLUB, {1: BoardResult(read_result("1-0"))}, number=1, now_ms=NOW, confirmed=None)
    app = create_app(small_archive, Profile("Mario", "Rossi"), version="1", token=TOKEN)
    server = Server(app, Listen("127.0.0.1", 0), has_token=True)
    server.start()
    yield f"http://127.0.0.1:{server.addresses[0][1]}"
    server.stop()


@pytest.mark.slow
@pytest.mark.timeout(SECONDS * 5)
def test_nothing_is_found(address: str, tmp_path: Path) -> None:
    """No answer is an error of ours, none is other than described, and what is wrong is refused as a problem."""
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    seed = random.randrange(1 << 32) if FUZZING else 1
    ended = subprocess.run(
        [
            *(
                Path(sys.executable).with_name("schemathesis"),
                "--config-file",
                tmp_path / "schemathesis.toml",
            ),
            *("run", f"{address}/api/v1/openapi.json", "--header", f"Authorization: Bearer {TOKEN}"),
            # A stream of events has no end that one could wait for; test_events.py asks for it.
            *("--exclude-path", "/api/v1/events/stream"),
            *("--seed", str(seed), "--max-time", str(SECONDS), "--request-timeout", "30"),
            *("--continue-on-failure", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"seed {seed}\n{ended.stdout}\n{ended.stderr}"
