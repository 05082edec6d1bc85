"""Where each microsecond of an import goes: in the main process and in the parsers, by the functions of ours.

    python -m benchmarks.import_profile [PGN] [--games N] [--made] [--lines N] [--folder F]

`gamekeeper import` runs as users run it, into a new archive; in each of its processes `benchmarks.sampler` notes what the processor
time is spent on. All that a library does (SQLite, zstd) counts for the function of ours that has called it, and is shown with that
function's caller. Compare the shares, not the times.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.corpora import Corpus
from benchmarks.peers import OURS, chosen, contenders
from benchmarks.process_tree import run
from benchmarks.sampler import ROOT

SITE: Final = (
    "import sys; sys.path.append({root!r}); from benchmarks import sampler; sampler.start({folder!r})\n"
)
LEAST: Final = 0.005
"""Of all time: what is less is not shown by itself."""


@dataclass(slots=True)
class Process:
    """All processes of one kind: how many, and their seconds by functions from the inside."""

    count: int = 0
    seconds: float = 0.0
    spent: dict[tuple[str, ...], float] = field(default_factory=lambda: defaultdict(float))


def profiled(corpus: Corpus, folder: Path) -> dict[str, Process]:
    """Import this file."""
    notes, place = folder / "notes", folder / "archive"
    notes.mkdir()
    place.mkdir()
    (notes / "sitecustomize.py").write_text(SITE.format(root=ROOT, folder=str(notes)))
    ours = next(one for one in contenders() if one.name == OURS)
    run(ours.command(corpus.path, place), environment={"PYTHONPATH": str(notes)})
    found: dict[str, Process] = defaultdict(Process)
    for file in notes.glob("*.json"):
        noted = json.loads(file.read_text())
        one = found[noted["process"]]
        one.count += 1
        one.seconds += noted["seconds"]
        for key, seconds in noted["spent"].items():
            one.spent[tuple(key.split("\n"))] += seconds
    return found


def by_module(spent: Mapping[tuple[str, ...], float]) -> list[tuple[str, float]]:
    """Seconds by the innermost module."""
    found: dict[str, float] = defaultdict(float)
    for functions, seconds in spent.items():
        found[functions[0].partition(":")[0]] += seconds
    return most_first(found)


def by_function(spent: Mapping[tuple[str, ...], float], module: str) -> list[tuple[str, float]]:
    """Seconds by the innermost function, of this module, with the function of another module that called."""
    found: dict[str, float] = defaultdict(float)
    for functions, seconds in spent.items():
        inside, _, name = functions[0].partition(":")
        if inside == module and name:
            caller = next((other for other in functions[1:] if not other.startswith(f"{module}:")), "")
            found[f"{name} < {caller.rpartition('/')[2]}" if caller else name] += seconds
    return most_first(found)


def most_first(found: Mapping[str, float]) -> list[tuple[str, float]]:
    """With their seconds."""
    return sorted(found.items(), key=lambda item: -item[1])


def print_profile(corpus: Corpus, found: Mapping[str, Process], lines: int) -> None:
    """A table for each kind of process, in microseconds of processor time for each game."""
    total = sum(one.seconds for one in found.values())
    each = 1e6 / corpus.games
    print(f"{corpus.name}: {corpus.games:,} games; {total * each:.1f} µs of processor time a game")
    for name, one in sorted(found.items(), key=lambda item: -item[1].seconds):
        print(f"\n{one.seconds * each:8.1f} µs {one.seconds / total:4.0%}  {name} ({one.count})")
        for module, seconds in by_module(one.spent):
            if seconds < LEAST * total:
                continue
            print(f"{seconds * each:12.1f}  {module or 'outside of our functions'}")
            for function, part in by_function(one.spent, module)[:lines]:
                if part >= LEAST * total:
                    print(f"{part * each:16.1f}  {function}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pgn", nargs="?", type=Path, help="games to import")
    parser.add_argument("--games", type=int, default=150_000, help="at most so many, about")
    parser.add_argument("--made", action="store_true", help="with games that are made up")
    parser.add_argument("--lines", type=int, default=5, help="functions of a module, at most")
    parser.add_argument("--folder", type=Path, help="where the archive goes (a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        corpus = chosen(options, Path(folder))
        print_profile(corpus, profiled(corpus, Path(folder)), options.lines)


if __name__ == "__main__":
    main()
