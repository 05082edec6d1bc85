"""Games to measure with: 145,716 real ones, which Debian has, and any number that are made up.

The real ones are the source of Debian's package gnuchess-book, which has them in one PGN of 86 MB. It is fetched once, checked,
and kept outside of the checkout ($XDG_CACHE_HOME/gamekeeper-benchmarks). Games that are made up are legal lines, played at
random and each different; every twentieth one is an earlier game again with another tag, so that it is known how many are
new.
"""

import hashlib
import os
import random
import sys
import tarfile
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

ADDRESS: Final = "https://deb.debian.org/debian/pool/main/g/gnuchess-book/gnuchess-book_1.02.orig.tar.gz"
TARBALL: Final = "d673ffa6986a3beca27cc23ef126ea0a73f1098762e3ccd00f791c096f2bfb48"
BOOK: Final = "33f5d31528f3c93c18adffa7a222b9b9d6097c2ae231147de2048acff5e06583"
_MEMBER: Final = "gnuchess-book-1.02/book_1.02.pgn"
REAL_GAMES: Final = 145_716

AGAIN: Final = 20
"""One in so many games that are made up is an earlier one again."""
_TRUNKS: Final = 40
_LONGEST: Final = 130
_OWN_PLIES: Final = 8


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of games: how many there are, and how many are new, where that is known."""

    name: str
    path: Path
    games: int
    new: int | None = None


def cache() -> Path:
    """The folder where corpora are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "gamekeeper-benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def real_games() -> Path | None:
    """The file of Debian's games, from the cache or the network; None where it cannot be had, and why is printed."""
    book = cache() / "book_1.02.pgn"
    if not book.exists():
        try:
            print(f"fetching {ADDRESS} (26 MB) …", file=sys.stderr)
            _extract(_fetched(cache() / "gnuchess-book.tar.gz"), book)
        except OSError as error:
            print(f"no real games, since they cannot be fetched: {error}")
            return None
    return book


def _fetched(target: Path) -> Path:
    part = target.with_suffix(".part")
    with urllib.request.urlopen(ADDRESS, timeout=60) as answer, part.open("wb") as file:
        while block := answer.read(1 << 20):
            file.write(block)
    _check(part, TARBALL)
    return part.replace(target)


def _extract(tarball: Path, target: Path) -> None:
    part = target.with_suffix(".part")
    with tarfile.open(tarball) as archive, part.open("wb") as file:
        member = archive.extractfile(_MEMBER)
        assert member is not None
        while block := member.read(1 << 20):
            file.write(block)
    _check(part, BOOK)
    part.replace(target)
    tarball.unlink()


def _check(path: Path, expected: str) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        path.unlink()
        raise OSError(f"{path.name} is not the expected file: its SHA-256 is {found}")


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place in a long line where other games go on by themselves."""

    board: chess.Board
    words: tuple[str, ...]


def made_games(count: int, *, clocks: bool = False, seed: int = 1) -> Iterator[str]:
    """So many games; *clocks*: as a site writes them, with a clock after every move."""
    chance = random.Random(seed)
    cuts = [cut for _ in range(min(_TRUNKS, count // 10 + 1)) for cut in _cuts(chance)]
    said: list[str] = []
    for number in range(count):
        if number % AGAIN == AGAIN - 1:
            head, line = chance.choice(said).split("\n\n", 1)
            yield f'{head}\n[Annotator "Again {number}"]\n\n{line}'
            continue
        text = (
            f"{_tags(number, chance, clocks=clocks)}\n{_line(chance.choice(cuts), chance, clocks=clocks)}\n\n"
        )
        if len(said) < 1000:
            said.append(text)
        yield text


def made_corpus(count: int, folder: Path, *, clocks: bool = False) -> Corpus:
    """Write a file of so many games that are made up, all with Result 1-0, in all of which somebody has moved."""
    name = "made-up online games with clocks" if clocks else "made-up games"
    path = folder / f"{name.replace(' ', '-')}-{count}.pgn"
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("w") as file:
            file.writelines(made_games(count, clocks=clocks))
        part.replace(path)
    return Corpus(name, path, count, count - count // AGAIN)


def _cuts(chance: random.Random) -> Iterator[_Cut]:
    board, words = chess.Board(), list[str]()
    while len(words) < _LONGEST:
        legal = list(board.legal_moves)
        if not legal:
            return
        move = chance.choice(legal)
        words.append(board.san(move))
        board.push(move)
        if len(words) >= 20 and len(words) % 10 == 0:
            yield _Cut(board.copy(stack=False), tuple(words))


def _line(cut: _Cut, chance: random.Random, *, clocks: bool) -> str:
    board, words = cut.board.copy(stack=False), list(cut.words)
    for _ in range(_OWN_PLIES):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = chance.choice(legal)
        words.append(board.san(move))
        board.push(move)
    return _clocked(words, chance) if clocks else _wrapped(words)


def _wrapped(words: Sequence[str]) -> str:
    """As many moves on a line as there is room for."""
    numbered = [f"{n // 2 + 1}.{word}" if n % 2 == 0 else word for n, word in enumerate(words)]
    rows = [" ".join(numbered[start : start + 14]) for start in range(0, len(numbered), 14)]
    return "\n".join([*rows, "1-0"])


def _clocked(words: Sequence[str], chance: random.Random) -> str:
    """All of it on one line, as sites do it."""
    left = [300.0, 300.0]
    parts = []
    for n, word in enumerate(words):
        left[n % 2] = max(left[n % 2] - chance.random() * 5, 0.1)
        minutes, seconds = divmod(left[n % 2], 60)
        parts.append(
            f"{n // 2 + 1}.{'..' * (n % 2)} {word} {{[%clk 0:{minutes:02.0f}:{int(seconds):02}.{chance.randrange(10)}]}}"
        )
    return " ".join([*parts, "1-0"])


def _tags(number: int, chance: random.Random, *, clocks: bool) -> str:
    white, black = chance.sample(range(5000), 2)
    day = f"{1990 + number % 30}.{number % 12 + 1:02}.{number % 28 + 1:02}"
    tags = {
        "Event": f"Open of Town {number // 200}",
        "Site": "Town",
        "Date": day,
        "Round": str(number % 9 + 1),
    }
    names = {"White": f"Rossi{white}, Mario", "Black": f"Bianchi{black}, Anna"}
    if clocks:
        names = {"White": f"rossi{white}", "Black": f"bianchi{black}"}
        time = f"{number % 24:02}:{number % 60:02}:{number % 59:02}"
        tags = {"Event": "Rated blitz game", "Site": f"https://lichess.org/{_id(number)}", "Date": day}
        tags |= {"UTCDate": day, "UTCTime": time, "TimeControl": "300+0", "Termination": "Normal"}
    tags |= names | {
        "Result": "1-0",
        "WhiteElo": str(1500 + white % 900),
        "BlackElo": str(1500 + black % 900),
    }
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items())


def _id(number: int) -> str:
    """Eight letters, as the site's."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    digits = [number * 7919 // 26**place % 26 for place in range(7)]
    return "g" + "".join(letters[digit] for digit in digits)
