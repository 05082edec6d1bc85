"""A name means one thing: no class twice, no module that is an activity, and nothing is called `told` or `behind`."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    file
    for part in ("core", "fetchers", "daemon")
    for file in (ROOT / part).rglob("*.py")
    if "versions" not in file.parts  # the migrations stay as they were
)

ALL = [*SOURCES, *(file for part in ("tests", "benchmarks") for file in sorted((ROOT / part).rglob("*.py")))]

SHOWN_BY_THE_API = {"Credit", "Game", "GroupRow", "Oddity", "Side", "Telling"}
"""What the API shows has the name of what it shows: the second class is its shape in JSON."""

NOUNS = {
    "evening": "a meeting of the club",
    "pacing": "the rule when a site is asked again",
    "setting": "a rule that a club can choose",
    "turnering": "the name of a program of FESA and of its file",
    "wiring": "the parts of the service, put together",
    **dict.fromkeys(("matching", "pairing", "spelling", "rating", "telling", "next_telling"), "what it says"),
    **{f"{system}_rating": "a rating" for system in ("dwz", "fesa", "fide")},
}
"""Modules that end in -ing and are nouns of the field, with what each is."""

STORED_NAMES = {"told_games", "told_players", "told_key", "told_n"}
"""Tables and columns that are called so: a name that is stored stays as it is."""

LOG_SENTENCE = {
    "daemon/archive/club/rows.py",
    "daemon/archive/club/steps.py",
    "daemon/archive/club/tournaments.py",
    "daemon/club/shapes.py",
    "daemon/club/views.py",
    "tests/daemon/club/test_evening.py",
}
"""Modules that read the column `told` of a club's log, or show it in JSON."""


ALIASES = {"networkx": "nx", "sqlalchemy": "sa", "hypothesis.strategies": "st"}
"""Libraries whose own documentation imports them so."""


@cache
def tree(file: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse(file.read_text("utf-8"))


def identifiers(file: Path) -> Iterator[str]:
    """All names that a module gives or uses."""
    for node in ast.walk(tree(file)):
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield name


def is_module(name: str) -> bool:
    """Whether this is a module or a package of ours."""
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def module_aliases(file: Path) -> Iterator[tuple[str, str, bool]]:
    """Each module with the other name that it is imported under, and whether two of that name meet."""
    imported = [node for node in ast.walk(tree(file)) if isinstance(node, ast.Import | ast.ImportFrom)]
    of_name = Counter(name.name for node in imported for name in node.names)
    for node in imported:
        within = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for name in node.names:
            module = within + name.name
            if name.asname and (not within or module in ALIASES or is_module(module)):
                yield module, name.asname, of_name[name.name] > 1


def test_a_class_name_means_one_thing() -> None:
    """Every class name is defined once, private ones included, but for the shapes of what the API shows."""
    defined: dict[str, list[str]] = defaultdict(list)
    for file in SOURCES:
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.ClassDef):
                defined[node.name.lstrip("_")].append(str(file.relative_to(ROOT)))
    twice = {name: files for name, files in defined.items() if len(files) > 1}
    shapes = ("shapes.py", "shape_words.py")
    assert {name for name in twice if name not in SHOWN_BY_THE_API} == set()
    assert set(twice) == SHOWN_BY_THE_API
    assert all(sum(file.endswith(shapes) for file in files) == 1 for files in twice.values())
    assert all(len(files) == 2 for files in twice.values())


def test_a_module_is_a_noun() -> None:
    """No module is called by an -ing word that says what happens instead of what is inside."""
    assert {file.stem for file in SOURCES if file.stem.endswith("ing")} == set(NOUNS)


def test_nothing_is_called_told() -> None:
    """No name has `told` or `behind` in it: they say neither what it is, nor of what. A test's name is a sentence."""
    named = {
        (str(file.relative_to(ROOT)), name)
        for file in ALL
        for name in (file.stem, *identifiers(file))
        if re.search("told|behind", name.lower())
        and name not in STORED_NAMES
        and not name.startswith("test_")
    }
    assert named == {(file, "told") for file in LOG_SENTENCE}


def test_a_module_keeps_its_name() -> None:
    """No module is imported under another name, but where two of one name meet: then its room's name comes first."""
    renamed = [
        (str(file.relative_to(ROOT)), f"{module} as {alias}")
        for file in ALL
        for module, alias, beside in module_aliases(file)
        if ALIASES.get(module) != alias and not (beside and alias == "_".join(module.split(".")[-2:]))
    ]
    assert renamed == []
