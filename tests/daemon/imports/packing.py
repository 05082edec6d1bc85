"""Files made up at random, and all rows of an archive: both ways of an import have to store the same."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, Self

from core.pgn.reader import Piece
from daemon.archive.archive import Archive
from daemon.archive.games.packed_games import PackedRun, Packer
from daemon.archive.games.packed_places import PackedPlaces
from daemon.archive.games.prepared import Prepared
from daemon.archive.tables.metadata import metadata
from daemon.imports.bundles import AnyParsed, Bundle, Parsed, ParsedRun, bundled
from daemon.imports.parser_process import parse_one

PEOPLE: Final = [
    ("Rossi, Mario", "1234567"), ("Rossi, M", "1234567"), ("Rossi, Mario", ""), ("Bianchi, Gina", ""), ("Bianchi,G", ""),
    ("Åström, Kjell", "7654321"), ("Astrom, Kjell", "7654321"), ("mrossi90", ""), ("?", ""), ("Neri, Ada", "abc"),
]  # fmt: skip
MOVES: Final = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4 d5 2. c4 e6", "1. e4 c5 {a comment} 2. Nf3 d6", "1. e4 (1. c4) e5 $1", "",
    "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8", "1. e4 e5 2. Qd8",
]  # fmt: skip
TAGS: Final = [
    ("WhiteElo", "2100"), ("BlackElo", "none"), ("WhiteTitle", "GM"), ("WhiteTeam", "Torre & Cavallo"), ("ECO", "C60"),
    ("Opening", "Ruy Lopez"), ("TimeControl", "40/7200:3600"), ("Annotator", "Verdi"), ("Round", "3.1"), ("Termination", "normal"),
    ("EventDate", "2020.01.01"), ("Variant", "Chess960"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), ("Site", "https://lichess.org/AbCdEfGh"),
    ("Site", "Chess.com"), ("Link", "https://www.chess.com/game/live/123456"), ("UTCDate", "2024.05.12"), ("UTCTime", "12:00:01"),
]  # fmt: skip


def game(random: Random) -> bytes:
    """One game; many are like another one, some are odd or cannot be read."""
    (white, white_id), (black, black_id) = random.sample(PEOPLE, 2)
    tags = {
        "Event": random.choice(["Club", "Open", "?"]),
        "Site": random.choice(["Torino", "Roma", "?"]),
        "Date": random.choice(["2024.05.12", "2024.05.??", "1999.12.31", "yesterday"]),
        "White": white,
        "Black": black,
        "Result": random.choice(["1-0", "0-1", "1/2-1/2", "*"]),
    }
    tags |= {name: value for name, value in (("WhiteFideId", white_id), ("BlackFideId", black_id)) if value}
    tags |= dict(random.sample(TAGS, random.choice([0, 0, 1, 2, 4])))
    end = tags["Result"] if random.random() < 0.9 else random.choice(["1-0", ""])
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    text = f"{header}\n{random.choice(MOVES)} {end}\n\n"
    return text.encode("cp1252" if random.random() < 0.1 else "utf-8")


def file_of(random: Random, count: int, before: Iterable[bytes] = ()) -> list[bytes]:
    """Some games, of which some are in the file twice or were in other files *before*.

    One that cannot be read is there once: how often it is counted as seen depends on what is stored together.
    """
    games: list[bytes] = []
    others = list(before)
    while len(games) < count:
        known = games if random.random() < 0.5 else others
        new = random.choice(known) if known and random.random() < 0.3 else game(random)
        if new not in games or isinstance(parse_one(Piece(new, 0, 1)), Prepared):
            games.append(new)
    return games


def rows(archive: Archive) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the archive, by table."""
    found = {}
    with archive.reading() as connection:
        for table in metadata.sorted_tables:
            found[table.name] = sorted(map(tuple, connection.execute(table.select())), key=repr)
    return found


class PackedHere:
    """What `daemon.imports.parsers.Parsers` with *packed* gives, by the same packer, in this process."""

    def __init__(self, *_: object, **_more: object) -> None:
        self._packer = Packer(parse_one)
        self._places = PackedPlaces()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def parse(self, entries: Iterable[Any]) -> Iterator[AnyParsed | Any]:
        """Parse the games among *entries*."""
        for entry in bundled(entries):
            if isinstance(entry, Bundle):
                self._pack(entry)
                yield from entry.parsed
            else:
                yield entry

    def _pack(self, bundle: Bundle) -> None:
        pieces = [piece for cut in bundle.rest() for piece in cut.pieces()]
        for answer in self._packer.pack(pieces):
            if isinstance(answer, PackedRun):
                self._places = self._places.with_those_of(answer)
                bundle.parsed.append(ParsedRun(bundle.next_cuts(answer.count), answer, self._places))
            else:
                piece = bundle.next_piece()
                bundle.parsed.append(Parsed(piece, parse_one(piece)))
