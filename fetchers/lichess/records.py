"""A record of lichess's game export, and the game that it tells."""

import json
import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from core.game import Game, Unreadable
from core.pgn import reader
from fetchers.base import LeftOut, Step, Unread
from fetchers.errors import BadAnswer, Incomplete
from fetchers.http.json_fields import JsonRecord, as_record, moment, number, text

SITE: Final = "lichess"

RUNNING: Final = frozenset({"created", "started"})
_IMPORTED: Final = frozenset({"import", "importlive"})
_TAG: Final = re.compile(rb'\s*\[[A-Za-z]+ "')
_ID: Final = re.compile(r"[A-Za-z0-9]{8}(?:[A-Za-z0-9]{4})?")


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """A record of the export, as it came.

    Attributes:
        raw: the line.
        fields: its JSON object; None where it is not one (half a line, say).
        key: equal for two records of one game.
        native_id: 8 characters; None where it names no game.
        created_at: ms, the start of the game, by which lichess sorts and cuts.
        running: it is still being played and must be asked for again.
    """

    raw: bytes
    fields: JsonRecord | None
    key: str
    native_id: str | None = None
    created_at: int | None = None
    running: bool = False

    def step(self, site_url: str) -> Step:
        """The game, or why it is left out or could not be read; *site_url*: of the server that was asked."""
        if self.fields is None:
            return _unread(self.raw, "the line is not a JSON object")
        if self.native_id is None:
            return _unread(self.raw, "the record has no id of a game")
        if self.running:
            return LeftOut(self.native_id, "running")
        if text(self.fields, "status") == "aborted":
            return LeftOut(self.native_id, "aborted")
        return _read(self.raw, self.fields, self.native_id, f"{site_url}/{self.native_id}")


def read_line(line: bytes) -> ExportRecord | None:
    """The record in a line of the stream; None for an empty one or a keep-alive (``{}``).

    Raises:
        BadAnswer: the line is an error message, or a web page: the stream is not what was asked for.
    """
    if not line.strip():
        return None
    fields = _fields(line)
    if fields is None:
        return ExportRecord(line, None, _digest(line))
    if not fields:
        return None
    native_id = _native_id(fields)
    if native_id is None:
        if error := text(fields, "error"):
            raise BadAnswer(f"the site says in the middle of its answer: {error[:200]}")
        return ExportRecord(line, fields, _digest(line))
    running = text(fields, "status") in RUNNING and text(fields, "source") not in _IMPORTED
    return ExportRecord(line, fields, native_id, native_id, number(fields, "createdAt"), running)


def whole_line(line: bytes) -> ExportRecord | None:
    """Like `read_line`, unless the line was cut off.

    Raises:
        Incomplete: it was.
    """
    record = read_line(line)
    if record is not None and record.fields is None and not line.endswith(b"\n"):
        raise Incomplete("the answer broke off in the middle of a line")
    return record


def _fields(line: bytes) -> JsonRecord | None:
    if line.lstrip()[:1] == b"<":
        raise BadAnswer("the site answers with a web page instead of games")
    if _TAG.match(line):
        raise BadAnswer("the site answers with PGN although JSON was asked for")
    try:
        return as_record(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _native_id(record: JsonRecord) -> str | None:
    """The game's id: 12 characters are a player's private link to it, of which the first 8 are the game."""
    given = text(record, "id") or ""
    return given[:8] if _ID.fullmatch(given) else None


def _unread(line: bytes, reason: str) -> Unread:
    return Unread(Unreadable(raw=line.rstrip(), reason=reason))


def _digest(line: bytes) -> str:
    return blake2b(line.rstrip(), digest_size=16).hexdigest()


def _read(line: bytes, record: JsonRecord, native_id: str, url: str) -> Step:
    written = record.get("pgn")
    if not isinstance(written, str):
        return Unread(Unreadable(raw=line, reason="the record has no PGN"), native_id, url)
    game = reader.parse(written.encode(errors="surrogatepass"))
    if isinstance(game, Unreadable):
        return Unread(game, native_id, url)
    return _completed(game, record, native_id, url)


def _completed(game: Game, record: JsonRecord, native_id: str, url: str) -> Game:
    """The game of its PGN, with what only the record says.

    Players, ratings, date and result stay as the PGN has them: the site's own export in a file must come out
    as the same game.
    """
    return replace(
        game,
        online=True,
        source=SITE,
        native_id=native_id,
        url=game.url if game.native_id == native_id and game.url else url,
        started_at=moment(number(record, "createdAt")) or game.started_at,
        ended_at=moment(number(record, "lastMoveAt")) or game.ended_at,
        time_class=_time_class(record),
    )


def _time_class(record: JsonRecord) -> str | None:
    """The speed; games without any clock (AI, imports) are not "correspondence", as lichess says."""
    speed = text(record, "speed")
    return None if speed == "correspondence" and number(record, "daysPerTurn") is None else speed
