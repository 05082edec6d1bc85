"""An app over a small archive, and a client in the same process."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.archive.schedule.rounds import begin_round, end_round
from daemon.config.configured import ConfiguredDossier
from tests.daemon.seeding import NOW, downloaded, fill, follow, game_between, named, online


@pytest.fixture
def small_archive(archive: Archive) -> Archive:
    """Five games, two accounts, a dossier, a round, one game in quarantine."""
    accounts = follow(archive, ["lichess:mrossi90", "lichess:gbianchi"])
    with archive.writing() as connection:
        wanted = ConfiguredDossier(
            name="Giulia Bianchi",
            slug="giulia-bianchi",
            fide_id=None,
            names=["Bianchi, Giulia"],
            accounts=["lichess:gbianchi"],
        )
        sync_dossiers(connection, [wanted])
    played = online("mrossi90", "gbianchi", "abcdefgh", event="Rated blitz game", eco="B90")
    for account in accounts.values():
        downloaded(archive, account, [played])
    fill(
        archive,
        [
            game_between("Rossi, Mario", named("Carlsen, Magnus", "1503014"), "2024.05.??", site="Roma"),
            game_between("Bianchi, Giulia", "Öberg, Lars", "????.??.??"),
            game_between("Rossini, Matteo", "?", "2020.01.01"),
            game_between("mrossi90", "gbianchi"),
            game_between(
                "Neri, Anna", "Verdi, Luca", "2021.01.01", raw=b'[Event "caf\xe9"]\n\n1. e4 e5 1-0\n'
            ),
        ],
    )
    with archive.writing() as connection:
        put(connection, [QuarantineItem(source="bad.pgn", raw=b"\xff1. e5", reason="illegal move e5")], NOW)
        end_round(
            connection, begin_round(connection, "import", "club.pgn", None, NOW), "done", None, NOW + 1000
        )
    return archive


@pytest.fixture
def app(small_archive: Archive) -> FastAPI:
    """The API for Mario Rossi."""
    profile = Profile("Mario", "Rossi", ("lichess:mrossi90",))
    return create_app(small_archive, profile, version="1.2.3", now_ms=lambda: NOW)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """Asks the app as a program on this machine does."""
    with TestClient(app, base_url="http://127.0.0.1:8470") as opened:
        yield opened
