"""`gamekeeper import` against every tool that people would take instead, on the same file in the same run.

    python -m benchmarks.peers [PGN] [--games N] [--made] [--rounds N] [--folder F] [--results F]

Each is a process of its own, from its start to its end: our import into a new archive, `pgn-extract -D`, scid's import with
its search for doubles, and python-chess's `read_game` alone on some of the games. They take turns (A B C A B C …), at two
sizes a factor of ten apart, and once on online games with clocks, which are made up. Compare the ratios: those of processor
seconds (of all processes of a command, see `benchmarks.process_tree`) change least on a busy machine. The games are Debian's
(see `benchmarks.corpora`), those of PGN, or with --made, or where there is no network, made up.

It ends with an error where a result is wrong: what was read, new and already known, in ours, in the archive and in the others'
own words. It never does because of a time.
"""

import argparse
import json
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmarks.corpora import Corpus, cache, made_corpus, real_games
from benchmarks.process_tree import Spent, run
from core.pgn.reader import split

TIMES: Final = 10
"""How many times as large the large file is."""
SLICE: Final = 1500
"""Games that python-chess reads, at most."""
OURS: Final = "gamekeeper import"

CONFIGURATION: Final = """
[daemon]
data_dir = "{folder}"
contact = "benchmark@example.org"
"""

READ_ALL: Final = """
import sys, chess.pgn
with open(sys.argv[1], encoding="latin-1") as file:
    print(sum(1 for _ in iter(lambda: chess.pgn.read_game(file), None)), "games")
"""

DOUBLES: Final = {
    **dict.fromkeys(("players", "colors", "year", "month", "day", "result", "moves"), "Yes"),
    **dict.fromkeys(("event", "site", "round", "eco", "skipshort"), "No"),
    **dict.fromkeys(("setfilter", "usefilter", "comments", "variations"), "No"),
    "delete": "Newer",
}
"""What scid takes two games for one by."""
SCID: Final = f"""
sc_base create [lindex $argv 0]
set base [sc_base current]
puts "[lindex [sc_base import $base [lindex $argv 1]] 0] imported"
puts "[sc_base duplicates $base {" ".join(f"-{name} {value}" for name, value in DOUBLES.items())}] doubles"
sc_base close $base
"""


class Wrong(Exception):  # noqa: N818 - what is the case
    """A result is not what it has to be."""


def check(what: str, *, holds: bool, found: object) -> None:
    """Raise unless it holds."""
    if not holds:
        raise Wrong(f"{what}: {found}")


@dataclass(frozen=True, slots=True)
class Contender:
    """One of those that are measured: a command for a file and a new folder, and what its result says."""

    name: str
    command: Callable[[Path, Path], Sequence[str | Path]]
    counts: Callable[[Spent, Path], dict[str, int]]
    slice: int | None = None
    """It reads so many games alone, because it takes too long."""


@dataclass(slots=True)
class Measured:
    """What a contender took in each round, and its counts, which are the same in each."""

    games: int
    spent: list[Spent] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, spent: Spent, counts: dict[str, int]) -> None:
        """Note a round."""
        check("the same command gives the same result", holds=self.counts in ({}, counts), found=counts)
        self.spent.append(spent)
        self.counts = counts

    def median(self, value: Callable[[Spent], float]) -> float:
        """Of all rounds."""
        return statistics.median(map(value, self.spent))

    def times(self, ours: "Measured", value: Callable[[Spent], float]) -> list[float]:
        """In each round: how many times as much as ours one game costs here."""
        return [
            (value(here) / self.games) / (value(there) / ours.games)
            for here, there in zip(self.spent, ours.spent, strict=True)
        ]


def program(name: str) -> str | None:
    """Where a program is: Debian has games in a folder that not every PATH has."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def contenders() -> list[Contender]:
    """Ourselves, and those that are installed."""
    found = [Contender(OURS, _import_command, _import_counts)]
    extract, tkscid = program("pgn-extract"), program("tkscid")
    if extract:
        found.append(
            Contender(
                "pgn-extract -D", lambda pgn, _: [extract, "-D", "-s", "-o/dev/null", pgn], lambda *_: {}
            )
        )
    if tkscid:
        found.append(
            Contender("scid, import and doubles", lambda pgn, to: _scid_command(tkscid, pgn, to), _words)
        )
    command = [sys.executable, "-c", READ_ALL]
    found.append(Contender("python-chess read_game", lambda pgn, _: [*command, pgn], _words, SLICE))
    missing = [name for name, there in (("pgn-extract", extract), ("scid", tkscid)) if not there]
    for name in missing:
        print(f"{name} is not installed (Debian: apt install {name}): not measured")
    return found


def _import_command(pgn: Path, folder: Path) -> list[str | Path]:
    file = folder / "gamekeeper.toml"
    file.write_text(CONFIGURATION.format(folder=folder))
    gamekeeper = Path(sys.executable).with_name("gamekeeper")
    return [gamekeeper, "import", "--quiet", "--json", "--config", file, pgn]


def _import_counts(spent: Spent, folder: Path) -> dict[str, int]:
    """What the import says, and what the archive has."""
    said: dict[str, Any] = json.loads(spent.printed)
    counts = {name: said[name] for name in ("read", "new", "added", "unchanged", "quarantined")}
    with sqlite3.connect(f"file:{next(folder.glob('*.sqlite'))}?mode=ro", uri=True) as connection:
        for table in ("games", "tellings"):
            counts[table] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        sizes = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")]
    counts["bytes kept"] = sizes[0] * sizes[1] // counts["games"]
    connection.close()
    return counts


def _scid_command(tkscid: str, pgn: Path, folder: Path) -> list[str | Path]:
    script = folder / "import.tcl"
    script.write_text(SCID)
    return [tkscid, script, folder / "base", pgn]


def _words(spent: Spent, _: Path) -> dict[str, int]:
    """Of lines such as ``12 games``."""
    return {word: int(number) for number, word in (line.split() for line in spent.printed.splitlines())}


def measure(corpus: Corpus, rounds: int, folder: Path | None) -> dict[str, Measured]:
    """Let all of them take turns."""
    all_of_them = contenders()
    with tempfile.TemporaryDirectory(dir=folder) as slices:
        files = {
            one: _beginning(corpus, one.slice, Path(slices)) if one.slice else corpus for one in all_of_them
        }
        found = {one.name: Measured(files[one].games) for one in all_of_them}
        for number in range(rounds):
            for one in all_of_them:
                print(f"\rround {number + 1} of {rounds}: {one.name:32}", end="", file=sys.stderr, flush=True)
                with tempfile.TemporaryDirectory(dir=folder) as place:
                    spent = run(one.command(files[one].path, Path(place)))
                    found[one.name].add(spent, one.counts(spent, Path(place)))
    print(f"\r{'':60}\r", end="", file=sys.stderr, flush=True)
    return found


def _beginning(corpus: Corpus, games: int, folder: Path) -> Corpus:
    """The first games of a file, in another one."""
    some = list(islice(pieces(corpus.path), games))
    path = folder / "beginning.pgn"
    path.write_bytes(b"".join(some))
    return Corpus(corpus.name, path, len(some))


def pieces(path: Path) -> Iterator[bytes]:
    """The games of a file, each with its own bytes."""
    with path.open("rb") as file:
        yield from (piece.raw for piece in split(file))


def every(step: int, corpus: Corpus, folder: Path) -> Corpus:
    """One in so many games of a file, from all over it."""
    path = folder / f"{corpus.path.stem}-{step}.pgn"
    some = list(islice(pieces(corpus.path), 0, None, step))
    path.write_bytes(b"".join(some))
    return Corpus(corpus.name, path, len(some))


def check_results(corpus: Corpus, found: Mapping[str, Measured]) -> None:
    """Compare what all of them say of this file.

    Raises:
        Wrong: they cannot all be right.
    """
    ours = found[OURS].counts
    doubles = ours["added"] + ours["unchanged"]
    check("we read every game", holds=(ours["read"], ours["quarantined"]) == (corpus.games, 0), found=ours)
    check("each is new or a double", holds=ours["new"] + doubles == ours["read"], found=ours)
    check("the archive has the new games", holds=ours["games"] == ours["new"], found=ours)
    check(
        "and what tells of them",
        holds=ours["tellings"] == ours["new"] + ours["added"] and ours["unchanged"] >= 0,
        found=ours,
    )
    if corpus.new is not None:
        check("as many are new as were made up", holds=ours["new"] == corpus.new, found=ours)
    same = len(set(pieces(corpus.path)))
    check("games with the same bytes are doubles", holds=ours["new"] <= same, found=(ours, same))
    for name, other in found.items():
        said = [other.counts[word] for word in ("imported", "games") if name != OURS and word in other.counts]
        check(f"{name} reads as many", holds=said in ([], [other.games]), found=other.counts)
    extract = program("pgn-extract")
    if extract:
        _check_by_pgn_extract(run([extract, "-D", "-o/dev/null", corpus.path]).printed, ours)


def _check_by_pgn_extract(printed: str, ours: Mapping[str, int]) -> None:
    """By its own words: it takes games of the same moves for one, with any players."""
    said = re.search(r"(\d+) games? matched out of (\d+)", printed)
    assert said is not None, printed
    different, read = map(int, said.groups())
    check("pgn-extract counts as many games", holds=read == ours["read"], found=(read, ours))
    check(
        "games that we take for one have the same moves",
        holds=ours["new"] >= different,
        found=(different, ours),
    )


def print_table(corpus: Corpus, found: Mapping[str, Measured]) -> None:
    """A line for each contender; the last columns say how many times as much as ours it costs."""
    size = corpus.path.stat().st_size
    rounds = len(found[OURS].spent)
    print(
        f"\n{corpus.name}: {corpus.games:,} games, {size / 1e6:.1f} MB; medians of {rounds}; results are right"
    )
    print(
        f"{'':26}{'wall s':>8}{'CPU s':>8}{'games/s':>9}{'/CPU s':>9}{'MB':>6}   ratio to ours: wall, CPU (lowest to highest)"
    )
    ours = found[OURS]
    for name, one in found.items():
        wall, cpu = one.median(lambda spent: spent.wall), one.median(lambda spent: spent.cpu)
        ratios = [one.times(ours, value) for value in (lambda spent: spent.wall, lambda spent: spent.cpu)]
        shown = (
            " ".join(f"{statistics.median(r):7.2f}" for r in ratios)
            + f"  ({min(ratios[1]):.2f} to {max(ratios[1]):.2f})"
        )
        memory = max(spent.memory for spent in one.spent) / 1e6
        of = f" of {one.games:,} games" if one.games != corpus.games else ""
        print(
            f"{name:26}{wall:8.2f}{cpu:8.2f}{one.games / wall:9,.0f}{one.games / cpu:9,.0f}{memory:6.0f}"
            f"   {'' if one is ours else shown}{of}"
        )
    for name, one in found.items():
        if one.counts:
            print(f"    {name}: " + ", ".join(f"{what} {count:,}" for what, count in one.counts.items()))


def chosen(options: argparse.Namespace, folder: Path) -> Corpus:
    """The file to measure with: given, real or made up, with at most so many games."""
    path = options.pgn or (None if options.made else real_games())
    if path is None:
        return made_corpus(options.games, folder)
    whole = Corpus(path.stem, path, sum(1 for _ in pieces(path)))
    return every(whole.games // options.games, whole, folder) if options.games < whole.games else whole


def corpora(options: argparse.Namespace, folder: Path) -> Iterator[Corpus]:
    """The files to measure with: the small one, the large one, and online games."""
    large, less = chosen(options, folder), max(options.games // TIMES, 1)
    yield made_corpus(less, folder) if large.new else every(TIMES, large, folder)
    yield large
    yield made_corpus(less, folder, clocks=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pgn", nargs="?", type=Path, help="games to measure with")
    parser.add_argument("--games", type=int, default=150_000, help="games of the large file, at most")
    parser.add_argument("--made", action="store_true", help="with games that are made up")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where archives go (a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for corpus in corpora(options, cache() if options.games > 50_000 and options.made else Path(folder)):
            found = measure(corpus, options.rounds, options.folder)
            check_results(corpus, found)
            print_table(corpus, found)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
