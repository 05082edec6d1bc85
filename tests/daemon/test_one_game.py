"""One game, however many places tell of it: through the commands and the API, as a user sees it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.installation import Installation
from tests.fetchers.site_emulator.emulator import Emulator, Game

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Both sites with two players."""
    with Emulator(seed=9) as sites:
        for site in ("lichess", "chesscom"):
            for handle in ("rossi-mario", "BianchiL"):
                sites.world.add_player(site, handle)
        yield sites


@pytest.fixture
def place(tmp_path: Path, sites: Emulator) -> Installation:
    """The user on lichess, their opponent as a dossier."""
    place = Installation(tmp_path, sites)
    place.configure(mine=["lichess:rossi-mario"], dossiers={"Luca Bianchi": ["lichess:BianchiL"]})
    return place


@pytest.fixture
def game(sites: Emulator) -> Game:
    """A game between the two on lichess."""
    return sites.world.add_game("lichess", "rossi-mario", "BianchiL", at=OCTOBER)


def _only(place: Installation) -> dict[str, Any]:
    items: list[dict[str, Any]] = place.json("games")["items"]
    assert len(items) == 1
    return items[0]


def test_downloaded_exported_and_copied_is_one_game_with_three_tellings(
    place: Installation, sites: Emulator, game: Game
) -> None:
    """The lichess game, the site's own export of it in a file, and its copy in a club's file are one game."""
    export = sites.lichess_export(game)
    place.pgn.mkdir()
    (place.pgn / "lichess_export.pgn").write_text(export)
    (place.pgn / "club.pgn").write_text(
        f'[Event "Club"]\n[White "Neri, Anna"]\n[Black "Verdi, Gino"]\n\n1. d4 d5 1/2-1/2\n\n{export}'
    )

    place.call("sync", "--me")
    place.call("import", str(place.pgn))

    shared = next(one for one in place.json("games")["items"] if len(one["tellings"]) > 1)
    tellings = [(one["site"], one["native_id"], bool(one["file"])) for one in shared["tellings"]]
    assert len(place.json("games")["items"]) == 2
    assert tellings == [
        ("lichess", game.id, False),
        ("lichess", game.id, True),
        ("lichess", game.id, True),
    ]


@pytest.mark.parametrize("order", [("import", "sync"), ("sync", "import")])
def test_the_order_of_intake_does_not_matter(
    place: Installation, sites: Emulator, game: Game, order: tuple[str, str]
) -> None:
    """File first or download first: one game."""
    (place.folder / "export.pgn").write_text(sites.lichess_export(game))
    steps = {"sync": ["sync", "--me"], "import": ["import", str(place.folder / "export.pgn")]}

    for step in order:
        assert place.call(*steps[step]).returncode == 0

    assert len(_only(place)["tellings"]) == 2


def test_two_tracked_players_in_one_game_are_one_download_with_two_accounts(
    place: Installation, game: Game
) -> None:
    """A game between two tracked players has one telling, which both accounts led to."""
    place.call("sync")

    (telling,) = _only(place)["tellings"]
    assert telling["accounts"] == ["lichess:rossi-mario", "lichess:bianchil"]


def test_a_nickname_and_a_name_of_the_same_words_stay_two_players(place: Installation, game: Game) -> None:
    """`rossi-mario` online and "Rossi, Mario" in a file are two players; a search finds both."""
    place.call("sync")
    (place.folder / "club.pgn").write_text('[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n\n1. e4 1-0\n')
    place.call("import", str(place.folder / "club.pgn"))

    found = place.json("search", "rossi-mario")["items"]

    assert {(one["name"], one["kind"], one["games"]) for one in found} == {
        ("Rossi, Mario", "person", 1),
        ("rossi-mario", "nickname", 1),
    }


def test_every_telling_comes_out_as_it_went_in(place: Installation, sites: Emulator, game: Game) -> None:
    """Comments, odd spacing and line ends of a file's telling survive byte for byte."""
    from urllib.request import urlopen

    strange = sites.lichess_export(game).strip().replace("\n", "\r\n") + " {a last word}\r\n"
    (place.folder / "strange.pgn").write_bytes(strange.encode())
    place.call("sync", "--me")
    place.call("import", str(place.folder / "strange.pgn"))

    with place.daemon():
        game_id = _only(place)["id"]
        with urlopen(f"http://127.0.0.1:{place.port}/api/v1/games/{game_id}/tellings/2/pgn") as answer:
            body = answer.read()

    assert body.strip() == strange.encode().strip()


def test_a_game_that_ran_when_it_was_imported_gets_its_end(place: Installation, sites: Emulator) -> None:
    """A correspondence game is taken in when it ends, not before, and then once."""
    slow = sites.world.add_game(
        "lichess", "rossi-mario", "BianchiL", at=OCTOBER, time_control="1/86400", status="started", played=4
    )
    place.call("sync")
    assert place.json("games")["items"] == []
    sites.world.finish_game(slow)

    place.call("sync")

    assert _only(place)["result"] in {"1-0", "0-1", "1/2-1/2"}
