"""How long do commands that read take until they have answered, against a Python that does nothing?

    python -m benchmarks.start_up [GAMES] [--times N] [--archive FILE]

Each is a process of its own, from its start to its end, on an archive of so many games; all take turns. Compare the ratios: a
busy machine changes those of processor seconds least. It ends with an error where a command does not answer as it has to.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.large_archive import make, name_of
from benchmarks.peers import CONFIGURATION, check
from benchmarks.process_tree import Spent, run

NOTHING: Final = "python -c pass"
FAMILY: Final = name_of(0).split(",")[0]


def commands(config: Path) -> Mapping[str, tuple[Sequence[str | Path], str]]:
    """By name: the command, and what its answer has in it."""
    gamekeeper = Path(sys.executable).with_name("gamekeeper")
    with_config: list[str | Path] = ["--config", config]
    return {
        NOTHING: ([sys.executable, "-c", "pass"], ""),
        "--help": ([gamekeeper, "--help"], "import"),
        "check-config": ([gamekeeper, "check-config", *with_config], ""),
        "status": ([gamekeeper, "status", *with_config], "games"),
        "games": ([gamekeeper, "games", *with_config, "--limit", "20"], "1-0"),
        "games --json": ([gamekeeper, "games", *with_config, "--limit", "20", "--json"], '{"id": '),
        "search": ([gamekeeper, "search", *with_config, FAMILY], FAMILY),
    }


def measure(config: Path, times: int) -> dict[str, list[Spent]]:
    """Run each so often, in turns; once before, so that files are in memory."""
    found: dict[str, list[Spent]] = {name: [] for name in commands(config)}
    for _ in range(times + 1):
        for name, (command, answer) in commands(config).items():
            spent = run(command)
            check(f"{name} answers", holds=answer in spent.printed, found=spent.printed[:500])
            found[name].append(spent)
    return {name: spent[1:] for name, spent in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="?", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--archive", type=Path, help="an archive of `benchmarks.large_archive`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "gamekeeper.toml"
        config.write_text(CONFIGURATION.format(folder=folder))
        path = Path(folder) / "gamekeeper.sqlite"
        if options.archive:
            shutil.copy(options.archive, path)
        else:
            make(path, options.games)
        found = measure(config, options.times)
    nothing = statistics.median(spent.cpu for spent in found[NOTHING])
    print(f"{'':16}{'wall ms':>9}{'CPU ms':>9}   ratio to {NOTHING} (CPU)")
    for name, spent in found.items():
        wall, cpu = (
            statistics.median(values) for values in zip(*((s.wall, s.cpu) for s in spent), strict=True)
        )
        print(f"{name:16}{wall * 1000:9.0f}{cpu * 1000:9.0f}{cpu / nothing:8.1f}")


if __name__ == "__main__":
    main()
