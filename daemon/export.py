"""Games out of the archive, one after another, in constant memory and without a long transaction.

They come in the order of intake: a file of them, taken in again, makes the same games and shows the same
names.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic_core import to_json

from core.pgn.san import numbered_or_none
from core.players import Profile
from daemon.archive.archive import Archive, Connection
from daemon.archive.errors import ArchiveError, Damaged, GamesLeftOut
from daemon.archive.reading import shapes
from daemon.archive.reading.export import grouped, pgn_texts, tellings_as_they_came
from daemon.archive.reading.games import ids_after, whole_games
from daemon.archive.reading.search.filters import GameFilters
from daemon.logs import get_logger

log = get_logger(__name__)

ExportFormat = Literal["pgn", "ndjson", "csv"]

IDS_AT_ONCE: Final = 2000

COLUMNS: Final = (
    "id", "date", "white", "white_fide_id", "white_rating", "white_title", "white_team",
    "black", "black_fide_id", "black_rating", "black_title", "black_team",
    "result", "event", "site", "round", "eco", "opening", "time_control", "time_class", "variant", "start_fen",
    "ply_count", "termination", "annotator", "started_at", "url", "moves", "san",
)  # fmt: skip
"""The columns of the CSV file. *url* is that of the first telling that has one.

*moves* are UCI, *san* the same as people write it.
"""

_SIDE: Final = (
    ("", "name"), ("_fide_id", "fide_id"), ("_rating", "rating"), ("_title", "title"), ("_team", "team"),
)  # fmt: skip
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class ExportPart:
    """A piece of an export, and how many games have been written with it."""

    content: bytes
    games: int


def export(
    archive: Archive, filters: GameFilters, profile: Profile, form: ExportFormat, *, tellings: bool = False
) -> Iterator[ExportPart]:
    """The games that *filters* finds, in pieces of about a megabyte at most.

    Args:
        archive: Is read page by page. A game that is taken in, edited or merged meanwhile is there or not,
            but complete.
        filters: Which games.
        profile: Who the user is.
        form: ``pgn``: each game as its first telling has it, in UTF-8, with the user's edits; ``ndjson``:
            each as ``/games/{id}`` has it, one a line; ``csv``: a table with `COLUMNS`.
        tellings: Of ``pgn``, every telling instead, byte for byte as it came.

    Raises:
        ValueError: tellings are PGN.
        GamesLeftOut: at the end, some games are damaged; all others are written.
        ArchiveError: the archive cannot be read; what came before is good.
    """
    if tellings and form != "pgn":
        raise ValueError("tellings are PGN")
    write = _AS_THEY_CAME if tellings else _FORMATS[form]
    count = 0
    if form == "csv":
        yield ExportPart(_csv([COLUMNS]), 0)
    damaged: list[str] = []
    for group in _groups(archive, filters, profile):
        content, notes = _written(archive, write, group)
        damaged += notes
        count += len(group) - len(notes)
        yield ExportPart(content, count)
    if damaged:
        raise GamesLeftOut(damaged)


def _written(archive: Archive, write: "_Write", group: Sequence[int]) -> tuple[bytes, list[str]]:
    """The games of *group*, and a sentence for each damaged one that is left out."""
    found, note = _read(archive, write, group)
    if note is None:
        return found, []
    each = [_read(archive, write, [game_id]) for game_id in group]
    return b"".join(content for content, _ in each), [message for _, message in each if message is not None]


def _read(archive: Archive, write: "_Write", group: Sequence[int]) -> tuple[bytes, str | None]:
    """These games, or why they cannot be read although the archive can."""
    try:
        with archive.reading() as connection:
            return write(connection, group), None
    except Damaged as error:
        message = str(error)
        return b"", message if f"game {group[0]} " in message else f"game {group[0]}: {message}"
    except ArchiveError:
        raise
    except Exception as error:
        log.warning("a game cannot be read", games=group, exc_info=True)
        return (
            b"",
            f"game {group[0]} cannot be read ({error}); `gamekeeper verify` says what is wrong with it",
        )


def _groups(archive: Archive, filters: GameFilters, profile: Profile) -> Iterator[list[int]]:
    last = 0
    while True:
        with archive.reading() as connection:
            ids = ids_after(connection, filters, profile, last=last, limit=IDS_AT_ONCE)
            groups = list(grouped(connection, ids))
        yield from groups
        if len(ids) < IDS_AT_ONCE:
            return
        last = ids[-1]


def _pgn(connection: Connection, ids: Sequence[int]) -> bytes:
    return b"".join(text + b"\n" for text in pgn_texts(connection, ids))


def _as_they_came(connection: Connection, ids: Sequence[int]) -> bytes:
    return b"".join(text.rstrip() + b"\n\n" for text in tellings_as_they_came(connection, ids))


def _ndjson(connection: Connection, ids: Sequence[int]) -> bytes:
    return b"".join(to_json(game) + b"\n" for game in whole_games(connection, ids))


def _table(connection: Connection, ids: Sequence[int]) -> bytes:
    return _csv([_row(game) for game in whole_games(connection, ids)])


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    """As RFC 4180 has it."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([[_cell(value) for value in row] for row in rows])
    return out.getvalue().encode()


def _cell(value: object) -> object:
    """A safe cell: spreadsheets take a text that begins like a formula for one."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def _row(game: shapes.WholeGame) -> list[object]:
    url = next((telling["url"] for telling in game["tellings"] if telling["url"]), None)
    san = numbered_or_none(game["variant"], game["start_fen"], game["moves"].split())
    cells: dict[str, object] = {**game, "url": url, "san": san}
    for colour, side in (("white", game["white"]), ("black", game["black"])):
        message: dict[str, object] = {**side}
        cells.update((colour + column, message[name]) for column, name in _SIDE)
    return [cells[column] for column in COLUMNS]


_Write = Callable[[Connection, Sequence[int]], bytes]
_AS_THEY_CAME: Final[_Write] = _as_they_came
_FORMATS: Final[dict[ExportFormat, _Write]] = {"pgn": _pgn, "ndjson": _ndjson, "csv": _table}
