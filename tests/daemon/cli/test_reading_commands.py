"""search, games, status, dossier, quarantine: what the commands that read print."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from pydantic import TypeAdapter

from daemon.archive.archive import Archive
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.archive.lock import only_daemon
from daemon.archive.reading import shapes
from daemon.cli.dossier_block import block
from daemon.sync.site_lock import site_lock
from tests.daemon.cli.conftest import CONFIG
from tests.daemon.seeding import NOW, fill, follow, game_between
from tests.fetchers.site_emulator.emulator import Emulator

Run = Callable[..., Result]


def of(result: Result, shape: Any = None) -> Any:
    """What was printed as JSON, of the API's shape."""
    value = json.loads(result.stdout)
    if shape is not None:
        TypeAdapter(shape).validate_python(value, strict=True)
    return value


def test_search(run: Run) -> None:
    """Players are found by beginnings of words, those that begin so first, with their games counted."""
    lines = run("search", "ros").stdout.splitlines()
    assert lines[0].split() == ["ID", "NAME", "KIND", "FIDE", "ID", "GAMES"]
    assert [line.split()[1] for line in lines[1:]] == ["Rossi,", "Rossini,"]
    found = of(run("--json", "search", "ros", "mar"), shapes.Page[shapes.Player])
    assert [player["name"] for player in found["items"]] == ["Rossi, Mario"]
    assert len(of(run("search", "ros", "--limit", "1", "--json"))["items"]) == 1


def test_nobody_found(run: Run) -> None:
    """Where no player found, standard output is empty and standard error says so."""
    result = run("search", "xyz")
    assert (result.stdout, result.stderr) == ("", "no player found\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "2025", "--to", "12.05.2024"], "--from is 2025 and --to is 2024.05.12"),
        (["--min-rating", "2001", "--max-rating", "2000"], "--min-rating is 2001 and --max-rating is 2000"),
        (["--min-plies", "81", "--max-plies", "80"], "exchange them, or leave one out"),
        (["--colour", "white"], "add --player, --fide-id, --dossier or --mine."),
        (["--min-rating", "-1"], "'-1' is not a whole number from 0 to 9999"),
        (["--q", "a" * 201], "is not a text of at most 200 characters"),
    ],
)
def test_what_finds_nothing_ever(run: Run, arguments: list[str], words: str) -> None:
    """Options that make no sense are refused in the words of the commands, also where games are exported."""
    for command in ("games", "export"):
        message = run(command, *arguments, code=2).stderr
        assert words in message.replace("\n", " "), message


def test_games_for_people(run: Run) -> None:
    """Games are listed newest first in aligned lines; what others wrote cannot steer the terminal."""
    lines = run("games").stdout.splitlines()
    assert [line.split()[1] for line in lines[1:]] == [
        "2024.05.12",
        "2024.05.01",
        "2023.01.01",
        "2022.01.01",
        "2021.01.01",
    ]
    assert "\x1b" not in "".join(lines)
    assert "[bold]Verdi, Luca" in lines[-1]


def test_games_as_json(run: Run) -> None:
    """All games that match are one object of the API's shape; a limit leaves the oldest out."""
    found = of(run("games", "--json"), shapes.Page[shapes.Game])
    assert [game["id"] for game in found["items"]] == [1, 2, 3, 4, 5]
    assert [game["id"] for game in of(run("games", "--json", "--limit", "2"))["items"]] == [1, 2]
    assert of(run("games", "--json", "nothing"))["items"] == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["carlsen", "roma"], [2]),
        (["--q", "carlsen-roma"], [2]),
        (["--white", "ros", "--from", "2023"], [2]),
        (["--from", "2023-01-01", "--to", "2024-05-01"], [2, 3]),
        (["--mine"], [1, 2]),
        (["--not-mine"], [3, 4, 5]),
        (["--dossier", "giulia-bianchi"], [1, 3]),
        (["--account", "lichess:mrossi90"], [1]),
        (["--fide-id", "1503014"], [2]),
        (["--eco", "b9"], [1]),
        (["--source", "file", "--player", "oberg"], [3]),
    ],
)
def test_filters_of_games(run: Run, arguments: list[str], expected: list[int]) -> None:
    """The options are the filters of the API."""
    assert [game["id"] for game in of(run("games", "--json", *arguments))["items"]] == expected


def test_a_filter_that_cannot_be_used(run: Run) -> None:
    """A wrong date is wrong use, told with the option and what to write."""
    result = run("games", "--from", "yesterday", code=2)
    assert "--from" in result.stderr
    assert "2024-05-12" in result.stderr


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--result", "remis", "1-0, 0-1, 1/2-1/2, * or other"),
        ("--time-class", "foo", "blitz, rapid"),
        ("--variant", "checkers", "chess960, kingOfTheHill"),
        ("--source", "gameknot", "or file"),
        ("--from", "2024-02-31", "no day 31"),
        ("--since", "2024-13-01", "2024-05-12T10:00:00Z"),
        ("--min-rating", "-1", "a whole number from 0 to 9999"),
    ],
)
def test_a_value_that_cannot_be(run: Any, option: str, value: str, message: str) -> None:
    """A value that an option cannot have is wrong use, told with those that it can have."""
    result = run("games", option, value, code=2)
    assert option in result.stderr
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("arguments", [["--dossier", "giulia"], ["--account", "lichess:mrossi"]])
def test_a_dossier_or_account_that_is_not_there(run: Run, arguments: list[str]) -> None:
    """It is wrong use: an empty list would hide that it is misspelt."""
    result = run("games", *arguments, code=2)
    assert arguments[0] in result.stderr
    assert arguments[1] in result.stderr


def test_the_account_of_games_may_be_written_as_its_owner_does(run: Run) -> None:
    """Capitals do not count."""
    assert [game["id"] for game in of(run("games", "--json", "--account", "Lichess:MRossi90"))["items"]] == [
        1
    ]


def test_games_as_pgn(run: Run) -> None:
    """PGN goes out as it came, game after game, and reads in again as the same games."""
    from core.pgn import reader

    printed = run("games", "--pgn").stdout_bytes
    games = list(reader.read(printed))
    assert [getattr(game, "white", None) and game.white.name for game in games][:3] == [  # type: ignore[union-attr] # None has no name
        "mrossi90",
        "Rossi, Mario",
        "Bianchi, Giulia",
    ]
    assert len(games) == 5


def test_games_go_on_beyond_a_page(run: Run, filled: Archive) -> None:
    """More games than a page holds are all printed, each once."""
    fill(filled, (game_between(f"p{number}", "q", "2020.01.01") for number in range(1200)), path="many.pgn")
    found = of(run("games", "--json"))["items"]
    assert len({game["id"] for game in found}) == len(found) == 1205
    assert len(run("games", "--limit", "1100").stdout.splitlines()) == 1101


def test_status(run: Run, filled: Archive, config: Path) -> None:
    """The status tells the totals, each account, and whether the daemon runs."""
    found = of(run("status", "--json"), shapes.Status)
    assert (found["running"], found["archive"]["games"]) == (False, 5)
    text = run("status").stdout
    assert "not running" in text
    assert "lichess:gbianchi" in text
    with only_daemon(filled, config.parent / "data"):
        assert of(run("status", "--json"))["running"] is True


def test_status_after_a_killed_daemon(run: Run, filled: Archive, config: Path) -> None:
    """The lock file of a killed daemon does not count as a running daemon."""
    (config.parent / "data" / "daemon.lock").write_text("4711")
    assert of(run("status", "--json"))["running"] is False


def test_dossier_list_and_show(run: Run) -> None:
    """Dossiers are listed with their games; one is shown with its newest."""
    assert "giulia-bianchi" in run("dossier", "list").stdout
    assert of(run("dossier", "list", "--json"), shapes.Page[shapes.Dossier])["items"][0]["games"] == 2
    assert "Öberg, Lars" in run("dossier", "show", "giulia-bianchi").stdout
    of(run("dossier", "show", "giulia-bianchi", "--json"), shapes.Dossier)
    assert "dossier list" in run("dossier", "show", "nobody", code=2).stderr


def test_dossier_add(run: Run) -> None:
    """The block is TOML as it stands; what the archive suggests is in comments that are TOML, too."""
    printed = run("dossier", "add", "Carlsen").stdout
    assert tomllib.loads(printed) == {"dossier": [{"name": "Carlsen"}]}
    uncommented = "\n".join(
        line.removeprefix("# ") for line in printed.splitlines() if "found in" not in line
    )
    assert tomllib.loads(uncommented) == {"dossier": [{"name": "Carlsen", "fide_id": 1503014}]}
    answer = of(run("dossier", "add", "--json", "gbianchi"))
    assert (answer["slug"], answer["suggestions"][0]["name"]) == ("gbianchi", "GBianchi")
    assert '# accounts = ["lichess:GBianchi"]' in answer["toml"]


def test_dossier_add_with_accounts(run: Run) -> None:
    """Accounts among the words are accounts, by their address too; alone they give the name. A misspelt site is said."""
    answer = tomllib.loads(run("dossier", "add", "Luca", "Bianchi", "https://lichess.org/@/BianchiL").stdout)
    assert answer == {"dossier": [{"name": "Luca Bianchi", "accounts": ["lichess:BianchiL"]}]}
    alone = tomllib.loads(run("dossier", "add", "chesscom:Nobody7", "lichess:nobody_7").stdout)
    assert alone == {"dossier": [{"name": "Nobody7", "accounts": ["chesscom:Nobody7", "lichess:nobody_7"]}]}
    assert "did you mean lichess" in run("dossier", "add", "lichss:nobody", code=2).stderr


def test_dossier_add_of_nobody(run: Run) -> None:
    """A name without a sign is wrong use."""
    assert "the name is empty" in run("dossier", "add", " ", code=2).stderr


def test_dossier_add_of_a_known_one(run: Run) -> None:
    """A name that has a dossier already is said so."""
    assert "already" in run("dossier", "add", ["Bianchi", "Giulia"][1], "Bianchi").stderr


def test_block_of_odd_names() -> None:
    """Whatever a name holds, the block stays TOML and says nothing that was not asked."""
    player: shapes.Player = {
        "id": 1,
        "name": 'A "q" \\ \n[[dossier]]\x7f',
        "kind": "person",
        "fide_id": None,
        "verbatim": False,
        "games": 1,
    }
    text = block('B "q" \\ \n[x]', [player], {})
    assert list(tomllib.loads(text)) == ["dossier"]
    assert all(line.startswith(("#", "[[dossier]]", "name = ")) for line in text.splitlines())


def check(run: Run, *more: str, code: int = 0) -> dict[str, tuple[bool, str]]:
    items = of(run("dossier", "check", "--json", *more, code=code))["items"]
    return {item["subject"]: (item["problem"], item["detail"]) for item in items}


def at(config: Path, sites: Emulator) -> None:
    """Let the configuration ask the emulator."""
    config.write_text(f'{CONFIG}\n[sites.lichess]\nbase_url = "{sites.lichess_url}"\n')


def test_dossier_check(run: Run, config: Path) -> None:
    """An account that the site knows is fine, told as the site shows it."""
    with Emulator() as sites:
        at(config, sites)
        sites.world.add_player("lichess", "GBianchi")
        found = check(run)
        assert not sites.violations
    assert found["archive"] == (False, "2 games")
    assert found["lichess:gbianchi"][0] is False
    assert "GBianchi" in found["lichess:gbianchi"][1]


def test_dossier_check_finds_a_missing_account(run: Run, config: Path) -> None:
    """An account that the site does not know is a problem, and the exit code says so."""
    with Emulator() as sites:
        at(config, sites)
        assert check(run, code=1)["lichess:gbianchi"][0] is True
        assert "problem" in run("dossier", "check", code=1).stdout


def test_dossier_check_without_a_site(run: Run, config: Path) -> None:
    """A site that cannot be reached is an error of its accounts, and offline it is not asked."""
    with Emulator() as sites:
        at(config, sites)
    found = check(run, code=1)
    assert found["lichess:gbianchi"][0] is True
    assert set(check(run, "--offline")) == {"archive"}


def test_dossier_check_keeps_an_ordered_wait(run: Run, config: Path) -> None:
    """After a 429 the site is not asked again before its time is over."""
    with Emulator() as sites:
        at(config, sites)
        sites.world.add_player("lichess", "GBianchi")
        sites.fault("lichess", kind="rate_limit", retry_after="300")
        assert check(run, code=1)["lichess:gbianchi"][0] is True
        asked = len(sites.requests)
        sites.clear_faults()
        problem, detail = check(run, code=1)["lichess:gbianchi"]
        assert problem
        assert "ordered a wait until" in detail
        assert (len(sites.requests), sites.violations) == (asked, [])


def test_dossier_check_beside_the_daemon(run: Run, config: Path, filled: Archive) -> None:
    """While another process of ours asks the site, it is not asked: it never sees two requests at once."""
    with Emulator() as sites, site_lock(config.parent / "data", "lichess"):
        at(config, sites)
        problem, detail = check(run, code=1)["lichess:gbianchi"]
        assert (problem, detail) == (True, "not asked: another gamekeeper is asking the site now")
        assert not sites.requests


def test_dossier_check_sees_what_the_archive_lacks(run: Run, config: Path) -> None:
    """Dossiers that are new, changed or gone since the last sync are told, and whom a changed one leaves out now."""
    added = CONFIG.replace("Bianchi, Giulia", "Bianchi, G.") + '\n[[dossier]]\nname = "Luca Verdi"\n'
    config.write_text(added)
    items = of(run("dossier", "check", "--json", "--offline", code=1))["items"]
    assert [(item["dossier"], item["detail"].split(":")[0]) for item in items] == [
        ("giulia-bianchi", "changed since the last sync"),
        ("luca-verdi", "not in the archive yet"),
        ("giulia-bianchi", '"Bianchi, Giulia" (1 game) is left out; if it is the same person'),
    ]
    config.write_text(CONFIG.split("[[dossier]]", maxsplit=1)[0])
    [gone] = of(run("dossier", "check", "--json", "--offline", code=1))["items"]
    assert gone["detail"] == "in the archive, but no longer in the configuration"


@pytest.fixture(name="shelved")
def _shelved(filled: Archive) -> list[int]:
    """Three items: a good download and a good file's game that some older program could not read, and a bad one."""
    accounts = follow(filled, ["lichess:mrossi90", "lichess:gbianchi"])
    from daemon.archive.games.files import file_row

    with filled.writing() as connection:
        old = file_row(connection, "old.pgn")
        items = [
            QuarantineItem(
                source="lichess:mrossi90",
                raw=b'[White "mrossi90"]\n[Black "neri"]\n\n1. d4 d5 1-0\n',
                reason="unknown variant",
                account_id=accounts["lichess:mrossi90"],
                site="lichess",
                native_id="newgame1",
                url="https://lichess.example/newgame1",
            ),
            QuarantineItem(
                source=old.path, raw=b'[White "A b"]\n\n1. c4 1-0\n', reason="odd", file_id=old.id, place=7
            ),
            QuarantineItem(
                source=old.path, raw=b'[White "A b"]\n\n1. e5 1-0\n', reason="illegal move", file_id=old.id
            ),
        ]
        put(connection, items, NOW)
    return [1, 2, 3]


def test_quarantine_list_and_show(run: Run, shelved: list[int]) -> None:
    """What could not be read is listed with its reason, and shown as it came."""
    assert of(run("quarantine", "list", "--json"), shapes.Page[shapes.Quarantined])["items"][0]["id"] == 3
    assert "illegal move" in run("quarantine", "list").stdout
    assert "1. e5 1-0" in run("quarantine", "show", "3").stdout
    assert run("quarantine", "show", "3", "--raw").stdout_bytes == b'[White "A b"]\n\n1. e5 1-0\n'
    of(run("quarantine", "show", "3", "--json"), shapes.Quarantined)
    run("quarantine", "show", "99", code=2)


def test_quarantine_retry(run: Run, shelved: list[int]) -> None:
    """What reads now is taken in as what it was, a download or a file's game; the rest stays."""
    answer = of(run("quarantine", "retry", "--all", "--json", code=1))
    assert answer == {"taken_in": [1, 2], "still_unreadable": [3], "unknown": []}
    [download] = of(run("games", "--json", "--black", "neri"))["items"]
    assert download["tellings"][0]["native_id"] == "newgame1"
    assert (download["tellings"][0]["accounts"], download["white"]["verbatim"]) == (
        ["lichess:mrossi90"],
        True,
    )
    assert [item["id"] for item in of(run("quarantine", "list", "--json"))["items"]] == [3]


def test_quarantine_retry_of_some(run: Run, shelved: list[int]) -> None:
    """Only the named ones are tried, and one that is not there is said."""
    assert of(run("quarantine", "retry", "2", "9", "--json", code=1)) == {
        "taken_in": [2],
        "still_unreadable": [],
        "unknown": [9],
    }
    assert "taken in 1" in run("quarantine", "retry", "1").stdout
    run("quarantine", "retry", code=2)
    run("quarantine", "retry", "1", "--all", code=2)


def test_quarantine_drop(run: Run, shelved: list[int]) -> None:
    """Items are dropped for good; the exit code says if one was not there."""
    assert run("quarantine", "drop", "1", "2", "--yes").stdout == "dropped 2\n"
    assert of(run("quarantine", "drop", "2", "3", "--yes", "--json", code=1)) == {"dropped": 1}
    assert of(run("quarantine", "list", "--json"))["items"] == []
