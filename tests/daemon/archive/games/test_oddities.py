"""What is odd about a game that could be read: kept with its telling, counted, shown, and searched for."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.game import Game, Side
from core.oddities import Odd, Oddity, general
from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.games.prepared import prepare
from daemon.archive.reading import games
from daemon.archive.reading.search.filters import ODDITIES, GameFilters
from daemon.archive.schedule import accounts
from daemon.archive.take_in import Download, Telling, take_in
from daemon.cli import main
from daemon.config.configured import ConfiguredAccount
from daemon.imports.run import import_paths

NOBODY = Profile("", "", (), None)


def game(number: int, *, more: str = "", end: str = " 1-0") -> str:
    head = f'[White "Rossi, Mario"]\n[Black "Neri, A{number}"]\n[Date "2024.05.12"]\n[Result "1-0"]\n'
    return f"{head}{more}\n1. e4 e5 2. Nf3{end}\n\n"


SAME_ID = '[WhiteFideId "1503014"]\n[BlackFideId "1503014"]\n'


def found(archive: Archive, odd: str) -> list[int]:
    with archive.reading() as connection:
        page = games.find_games(connection, GameFilters.model_validate({"odd": odd}), NOBODY, limit=50)
    return sorted(one["id"] for one in page["items"])


def shown(archive: Archive, number: int) -> list[tuple[int, str]]:
    with archive.reading() as connection:
        one = games.game(connection, number)
    assert one is not None
    return [(odd["telling"], odd["code"]) for odd in one["oddities"]]


def test_the_codes_are_those_of_the_vocabulary() -> None:
    """As a filter, and each with a sentence that stands alone."""
    assert ("any", *(code.value for code in Odd)) == ODDITIES
    assert all("{" not in general(code) and general(code).endswith(".") for code in Odd)


def test_they_are_kept_with_the_telling_and_found(archive: Archive, tmp_path: Path) -> None:
    """By their code, or whatever is odd; the import counts games and codes."""
    path = tmp_path / "a.pgn"
    path.write_text(game(1) + game(2, end="") + game(3, more=SAME_ID, end=" 0-1") + game(4, end=" 0-1"))
    summary = import_paths(archive, [path])
    assert summary.odd == 3
    assert {one.code: one.games for one in summary.oddities} == {
        "no-end": 1, "result-differs": 2, "same-fide-id": 1
    }  # fmt: skip
    assert shown(archive, 1) == []
    assert sorted(shown(archive, 3)) == [(1, "result-differs"), (1, "same-fide-id")]
    assert (found(archive, "any"), found(archive, "result-differs")) == ([2, 3, 4], [3, 4])
    assert found(archive, "quotes") == []


def test_reading_again_writes_them_once(archive: Archive, tmp_path: Path) -> None:
    """An archive of before learns of them so; another telling of the game has its own."""
    (tmp_path / "a.pgn").write_text(game(1, end=""))
    import_paths(archive, [tmp_path])
    with archive.writing() as connection:
        connection.exec_driver_sql("DELETE FROM oddities")
    assert found(archive, "any") == []
    for _ in range(2):
        import_paths(archive, [tmp_path], again=True)
    (tmp_path / "b.pgn").write_text(game(1, end=" 1/2-1/2"))
    import_paths(archive, [tmp_path])
    assert shown(archive, 1) == [(1, "no-end"), (2, "result-differs")]


def test_a_refreshed_download_has_those_of_its_last_answer(archive: Archive) -> None:
    """What was mended at the site is odd no longer; a detail that no database holds is made one that it does."""
    with archive.writing() as connection:
        wanted = [ConfiguredAccount("lichess", "rossi", "rossi", mine=True, every=60)]
        accounts.sync_accounts(connection, wanted)
    odd = (Oddity(Odd.REPEATED_TAG, "White \0\ud800" + "x" * 500),) * 30
    for raw, oddities in ((b"1", odd), (b"2", ())):
        found = Game(
            white=Side(name="a"), black=Side(name="b"), online=True, source="lichess", native_id="abcdefgh"
        )
        found = Game(**{**_fields(found), "raw": raw, "oddities": oddities})
        take_in(archive, [Telling(prepare(found), Download(1))], now_ms=1)
        assert len(shown(archive, 1)) == (20 if oddities else 0)


def _fields(one: Game) -> dict[str, Any]:
    return {name: getattr(one, name) for name in Game.__slots__}


def test_commands_tell_of_them(tmp_path: Path) -> None:
    """`import` counts them, `games --odd` lists the games, `game` says what is odd."""
    (tmp_path / "gamekeeper.toml").write_text(f'[daemon]\ndata_dir = "{tmp_path}/data"\n')
    (tmp_path / "a.pgn").write_text(game(1) + game(2, more=SAME_ID))

    def run(*args: str) -> str:
        return CliRunner().invoke(main, ["--config", str(tmp_path / "gamekeeper.toml"), *args]).stdout

    output = run("import", str(tmp_path / "a.pgn"))
    assert "odd          1 (read all the same" in output
    assert "1 x same-fide-id: White and Black have the same FIDE id." in output
    listed = json.loads(run("games", "--odd", "same-fide-id", "--json"))["items"]
    assert [one["id"] for one in listed] == [2]
    assert "odd in telling 1: White and Black have the same FIDE id (1503014). (same-fide-id)" in run(
        "game", "2"
    )


@pytest.mark.parametrize("odd", ["unheard-of", ""])
def test_an_unknown_code_is_refused(odd: str) -> None:
    """With the codes that there are."""
    with pytest.raises(ValueError, match="no-end"):
        GameFilters.model_validate({"odd": odd})
