"""The documents say what is so."""

import re
from pathlib import Path

import pytest

from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import open_archive
from daemon.cli import COMMANDS

ROOT = Path(__file__).parents[2]


def test_the_api_document_names_every_route_and_no_other(sqlite_file: Path) -> None:
    """docs/api.md has a row for each route of the application."""
    with open_archive(sqlite_file) as archive:
        app = create_app(archive, Profile(), version="1")
        routes = {*app.openapi()["paths"], "/api/v1/openapi.json"}

    text = (ROOT / "docs/api.md").read_text()
    documented = {path.partition("?")[0] for path in re.findall(r"^\| `(/[^`]*)`", text, re.MULTILINE)}
    assert documented == routes


def test_the_api_document_names_every_parameter_of_games(sqlite_file: Path) -> None:
    """docs/api.md explains each filter of the list of games."""
    with open_archive(sqlite_file) as archive:
        app = create_app(archive, Profile(), version="1")
    parameters = {one["name"] for one in app.openapi()["paths"]["/api/v1/games"]["get"]["parameters"]}
    section = (
        (ROOT / "docs/api.md").read_text().partition("## Parameters of `/games`")[2].partition("\n## ")[0]
    )
    rows = "".join(re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE))

    assert set(re.findall(r"`(\w+)`", rows)) == parameters - {"limit", "cursor", "sort", "total"}
    assert {"sort", "total"} <= set(re.findall(r"`(\w+)(?:=\w+)?`", (ROOT / "docs/api.md").read_text()))


@pytest.mark.parametrize(
    "document", sorted(str(one.relative_to(ROOT)) for one in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    """A link to a file of the repository names one that is there."""
    file = ROOT / document
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text()):
        assert (file.parent / target).exists(), target


def test_the_readme_names_commands_that_exist() -> None:
    """Every `gamekeeper …` line of the README is a command of the program."""
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"^gamekeeper ([a-z-]+)", "".join(blocks), re.MULTILINE))

    assert named
    assert named <= set(COMMANDS)


def test_the_architecture_names_files_that_exist() -> None:
    """The code map of ARCHITECTURE.md is about files that are there."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    sections = re.findall(r"^`(\w+)/`\n((?:- .*\n|  .*\n)+)", text, re.MULTILINE)

    assert {name for name, _ in sections} == {"core", "fetchers", "daemon"}
    for folder, lines in sections:
        for name in re.findall(r"`([\w/]+(?:\.py|/))`", lines):
            assert (ROOT / folder / name).exists() or (ROOT / name).exists(), f"{folder}/{name}"


def test_the_architecture_says_where_things_are_that_exist() -> None:
    """The table "Where is …?" and the drawing of a game's way name files of the repository."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    table = set(
        re.findall(r"`((?:core|fetchers|daemon|tests)/[\w/]+(?:\.py|/))`", text.partition("## Code map")[0])
    )
    way = re.search(r"## One game's way\n.*?```\n(.*?)```", text, re.DOTALL)
    assert way is not None
    drawn = re.findall(r"[\w/]+\.py", way[1])

    assert len(table) > 20
    assert drawn
    assert [name for name in table if not (ROOT / name).exists()] == []
    assert [
        name
        for name in drawn
        if not any((ROOT / top / name).exists() for top in ("", "daemon", "daemon/archive", "fetchers"))
    ] == []


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    """A file with an empty archive."""
    with open_archive(tmp_path / "archive.sqlite") as archive:
        archive.migrate()
    return tmp_path / "archive.sqlite"


def _is_there(dotted: str) -> bool:
    """Whether a dotted name leads to a module, or to something that its module names."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        module = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if place.is_dir() or module.exists():
            rest = parts[length:]
            return not rest or re.search(rf"\b{rest[0]}\b", module.read_text()) is not None
    return False


def test_names_of_modules_in_texts_lead_somewhere() -> None:
    """What docstrings, comments and documents name by its dotted name between backticks is there under this name."""
    texts = [
        path for top in ("core", "fetchers", "daemon", "docs", "tests") for path in (ROOT / top).rglob("*.*")
    ]
    named = {
        (path.relative_to(ROOT).as_posix(), dotted)
        for path in [*texts, *ROOT.glob("*.md")]
        if path.suffix in {".py", ".md"} and "versions" not in path.parts
        for dotted in re.findall(r"`((?:core|fetchers|daemon)(?:\.\w+)+)`", path.read_text())
    }

    assert named
    assert sorted((path, dotted) for path, dotted in named if not _is_there(dotted)) == []
