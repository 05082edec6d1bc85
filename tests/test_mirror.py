"""The tests are laid out as the program is: a module's tests lie in the folder of its room and bear its name."""

import ast
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
HERE: Final = ROOT / "tests"
PACKAGES: Final = ("core", "fetchers", "daemon")
TESTS: Final = sorted(HERE.rglob("test_*.py"))
MIRRORED: Final = [file.relative_to(HERE) for file in TESTS if file.relative_to(HERE).parts[0] in PACKAGES]
THROUGH: Final = dict(
    line.split(": ") for line in (HERE / "tested_through.txt").read_text().splitlines() if line
)
"""Modules without tests of their own, by their dotted names: the test module in whose tests they do their work."""

WHOLE: Final = {
    "core/club/test_bonus_simulated.py": "hundreds of tournaments, by pairing and tables together",
    "core/club/test_seasons.py": "seasons by chance, by pairing and tables together",
    "daemon/api/test_answers.py": "what holds for every address",
    "daemon/api/test_client.py": "daemon.client against the running API",
    "daemon/api/test_fuzzing.py": "whatever the description allows, and what it does not",
    "daemon/api/test_generated_client.py": "a client made of the description",
    "daemon/api/test_resources.py": "what each address answers",
    "daemon/archive/games/test_handles.py": "handles that change their owners, from the intake to what is shown",
    "daemon/archive/test_backups.py": "copies of archives: made, thinned, restored",
    "daemon/archive/test_one_game_or_two.py": "are two games one: from the file to what is shown",
    "daemon/archive/test_one_player_or_two.py": "are two names one player: likewise",
    "daemon/archive/test_statement_plans.py": "every statement of the intake, in SQLite's plan",
    "daemon/archive/test_records.py": "the archive's files, rounds and quarantine",
    "daemon/cli/test_commands.py": "what holds for every command",
    "daemon/cli/test_first_steps.py": "the first commands of somebody new",
    "daemon/cli/test_following_a_person.py": "an opponent, from the account to the games",
    "daemon/cli/test_reading_commands.py": "the commands that read",
    "daemon/cli/test_reading_only.py": "archives that can only be read",
    "daemon/cli/test_safety.py": "backups and restoring, by the commands",
    "daemon/cli/test_start.py": "what commands load before they answer",
    "daemon/cli/test_users.py": "commands of several users of one machine",
    "daemon/club/test_earlier_rules.py": "tournaments that an earlier version has stored",
    "daemon/club/test_postponed.py": "a postponed game, from the pairing to the table",
    "daemon/club/test_printing.py": "pages as a real browser prints them",
    "daemon/club/test_stepping.py": "any commands in any order, there and back",
    "daemon/club/test_two_terminals.py": "two directors at once",
    "daemon/club/test_whole_season.py": "a season of nine evenings, by all commands",
    "daemon/openings/test_book.py": "book.tsv, which is not a module",
    "daemon/service/test_unit.py": "the unit of systemd, which is not a module",
    "daemon/sync/test_doubtful_answers.py": "answers that cannot be all there is, at every site",
    "daemon/sync/test_first_sync.py": "the first download of a very large account",
    "daemon/sync/test_followed_events.py": "events, from the configuration to what is shown",
    "daemon/sync/test_limits_and_outages.py": "days of refusals and outages",
    "daemon/sync/test_resuming.py": "clocks that jump, processes that sleep",
    "daemon/test_complete_downloads.py": "no game of an account is missed",
    "daemon/test_kill.py": "kill -9 in the middle of a sync",
    "daemon/test_messages.py": "every message of every part",
    "daemon/test_power_cut.py": "the power goes in the middle of a large import",
    "daemon/test_one_game.py": "one game on its whole way through the program",
    "fetchers/lichess/test_refusals.py": "what lichess says no with, for each of its modules",
    "fetchers/test_events_of_sites.py": "every site: its events",
    "fetchers/test_every_event.py": "every site: the contract of its events",
    "fetchers/test_every_site.py": "every site: the contract",
    "fetchers/test_every_site_unwell.py": "every site: the contract when it is unwell",
    "fetchers/test_records_of_sites.py": "every site: answers as they are recorded",
}
"""Test modules about a whole room, or the whole program, with what they are about."""

OURS: Final = {"fetchers/site_emulator", "daemon/third_site"}
"""Rooms of the tests alone, which have tests of their own."""


def names_of(file: Path) -> set[str]:
    """What a module's tests may be called by, before what they say more; a package by its folder."""
    return {file.parent.name if file.name == "__init__.py" else file.stem.rstrip("_")}


def is_named_after(test: Path, names: set[str]) -> bool:
    stem = test.stem.removeprefix("test_")
    return any(stem == name or stem.startswith(f"{name}_") for name in names)


def named_tests(module: Path) -> list[Path]:
    """The test modules that are named after this module (a path below the root)."""
    room = module.parent.parent if module.name == "__init__.py" else module.parent
    rooms = {room, module.parent}
    return [test for test in MIRRORED if test.parent in rooms and is_named_after(test, names_of(module))]


def has_logic(file: Path) -> bool:
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(ast.parse(file.read_text()))
    )


def modules() -> list[Path]:
    """Every module with logic of its own; the migrations are tested as one."""
    found = (
        file.relative_to(ROOT) for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))
    )
    return [file for file in found if "migrations" not in file.parts and has_logic(ROOT / file)]


def dotted(module: Path) -> str:
    return ".".join(module.parent.parts if module.name == "__init__.py" else module.with_suffix("").parts)


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.stem)
def test_every_test_states_its_fact(file: Path) -> None:
    """Every function of a test module that is a test has a docstring."""
    tests = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef))
    assert [one.name for one in tests if one.name.startswith("test_") and not ast.get_docstring(one)] == []


def test_every_test_module_lies_where_its_module_does() -> None:
    """In the folder of a room that is there, called as one of its modules is, unless it is about more than one."""
    lost = []
    for test in MIRRORED:
        room = ROOT / test.parent
        if str(test.parent) in OURS or str(test) in WHOLE:
            continue
        names = {room.name}.union(*(names_of(file) for file in room.glob("*.py")))
        names |= {folder.name for folder in room.iterdir() if folder.is_dir()} if room.is_dir() else set()
        if not room.is_dir() or not is_named_after(test, names):
            lost.append(str(test))
    assert lost == [], "call each after a module of its room, or say in WHOLE what it is about"


def test_what_is_about_a_whole_room_is_there() -> None:
    """Nothing is excused that is gone, or that has the name of a module by now."""
    assert [test for test in WHOLE if not (HERE / test).is_file()] == []


def test_every_module_is_tested_by_its_name_or_through_another() -> None:
    """A module's tests are found by its name, or by a line of tested_through.txt."""
    missing = [dotted(one) for one in modules() if not named_tests(one) and dotted(one) not in THROUGH]
    assert missing == [], "give each a test module of its name, or a line in tests/tested_through.txt"


def test_what_is_tested_through_another_is_there() -> None:
    """Each line names a module that is there, and a test module that is."""
    known = {dotted(one) for one in modules()}
    assert sorted(THROUGH.keys() - known) == []
    assert [module for module, test in THROUGH.items() if not (HERE / test).is_file()] == []
