"""PGN text to `core.game.Game`: never raises for what a text holds, and one bad game costs one game.

`split` cuts a stream into games, `parse` reads one, `read` does both. What cannot be read comes out as `Unreadable`
with the reason and the place; nothing is guessed and no token is skipped in silence.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final

from core import clocks, splitting
from core.game import Game, PartialDate, Side, Unreadable, read_result
from core.movetext import Fault, Movetext, read_movetext, shorten
from core.oddities import Odd, Oddity
from core.openings import of_page
from core.origin import origin
from core.players import read_fide_id
from core.positions import Start, read_start
from core.replay import Backend, Played, replay
from core.splitting import Piece
from core.tags import Header, read_tags

__all__ = ["Limits", "Piece", "not_pgn", "parse", "read", "read_header", "split"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a game may be.

    Attributes:
        max_bytes: of one game, comments and all.
        max_plies: of the main line; no game by the rules of chess can have more than 11,797.
        max_tags: of one game.
        overdue: asked now and then while moves are played; True ends the reading of this game.
    """

    max_bytes: int = 8 << 20
    max_plies: int = 12_000
    max_tags: int = 1_000
    overdue: Callable[[], bool] | None = None


DEFAULT_LIMITS: Final = Limits()
NO_END: Final = Oddity(Odd.NO_END)
"""A game stops without a result behind the moves; it is kept all the same."""
CUT_OFF: Final = "the input breaks off inside this game"
"""The reason of a game whose end never came; read alone, it may look like a whole one."""


def read(source: str | bytes | BinaryIO, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Game | Unreadable]:
    """Read all games of *source*, one after the other, in constant memory."""
    if isinstance(source, str):
        source = _encode(source)
    for piece in split(source, limits):
        yield read_piece(piece, limits=limits)


def read_piece(
    piece: Piece, *, limits: Limits = DEFAULT_LIMITS, backend: Backend = replay
) -> Game | Unreadable:
    """Read one piece that `split` has cut."""
    if piece.too_large:
        return Unreadable(raw=piece.raw, reason=f"the game is longer than {limits.max_bytes} bytes")
    game = parse(piece.raw, limits=limits, backend=backend)
    if piece.cut_off and isinstance(game, Game) and NO_END in game.oddities:
        return Unreadable(raw=piece.raw, reason=CUT_OFF, tags=game.tags)
    return game


def split(source: BinaryIO | bytes, limits: Limits = DEFAULT_LIMITS) -> Iterator[Piece]:
    """Cut *source* into games without reading them (see `core.splitting`)."""
    return splitting.split(source, limits.max_bytes)


def parse(raw: bytes, *, limits: Limits = DEFAULT_LIMITS, backend: Backend = replay) -> Game | Unreadable:
    """Read one game."""
    reason = not_pgn(raw[:4096])
    if reason is not None:
        return Unreadable(raw=raw, reason=reason)
    text, encoding = decode(raw)
    tags: tuple[tuple[str, str], ...] = ()
    try:
        header = read_tags(text, limits.max_tags)
        tags = header.tags
        start = read_start(tags)
        result = _first(tags).get("Result")
        movetext = read_movetext(
            text, header.end, result=result, max_moves=limits.max_plies, overdue=limits.overdue
        )
        _require_a_game(movetext, tags, result)
        played = backend(start, movetext, limits.overdue)
    except Fault as fault:
        position = None if fault.at is None else _byte(text, fault.at, encoding)
        return Unreadable(raw=raw, reason=fault.reason, position=position, tags=tags)
    return _game(raw, header, start, movetext, played)


def read_header(raw: bytes, *, limits: Limits = DEFAULT_LIMITS) -> tuple[tuple[str, str], ...]:
    """The tags of one game, whatever its moves are; none where they cannot be read."""
    try:
        return read_tags(decode(raw)[0], limits.max_tags).tags
    except Fault:
        return ()


def _require_a_game(movetext: Movetext, tags: tuple[tuple[str, str], ...], result: str | None) -> None:
    """Refuse what holds neither moves nor a result; a result after a header is a game of no moves."""
    if not movetext.moves and not (tags and (movetext.end or result)):
        raise Fault("there are neither moves nor tags with a result")


_MAGIC: Final = {
    b"\x1f\x8b": "gzip data",
    b"PK\x03\x04": "a zip archive",
    b"BZh": "bzip2 data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"%PDF": "a PDF document",
    b"SQLite format": "an SQLite database",
}
_HTML = re.compile(rb"<(?:!doctype|!--|\?xml|[a-z][a-z0-9]*[\s>/])", re.IGNORECASE)
_JSON = re.compile(rb'\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*\Z)|\[\s*(?:[\[{"\d-]|\]\s*\Z)')
_CONTROL: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x00"))


def not_pgn(head: bytes) -> str | None:
    """Say what *head*, the first bytes of a body or game, is if it is no PGN; None if it may be."""
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            return f"not PGN but {what}"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\v\f\x00")
    if _HTML.match(text):
        return "not PGN but HTML"
    if _JSON.match(text):
        return "not PGN but JSON"
    inner = head.strip(b"\x00")  # a file that was not written to its end may be filled up with NUL
    odd = len(inner) - len(inner.translate(None, _CONTROL))
    if odd * 20 > len(inner) or inner.count(0) * 4 > len(inner):
        return "not PGN but binary data"
    return None


# What cp1252 leaves undefined stays what it is in Latin-1.
_CP1252: Final = {
    byte: bytes([byte]).decode("cp1252")
    for byte in range(0x80, 0xA0)
    if byte not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}


def decode(raw: bytes) -> tuple[str, str]:
    """The text of a game and its encoding: UTF-8 where it is that, else cp1252."""
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1").translate(_CP1252), "cp1252"


def _byte(text: str, at: int, encoding: str) -> int:
    return len(text[:at].encode()) if encoding == "utf-8" else at


def _encode(text: str) -> bytes:
    """*text* as bytes; one that was read with ``surrogateescape`` gets its own bytes back."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _first(tags: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The first tag of each name, where it says something."""
    first: dict[str, str] = {}
    for name, value in tags:
        first.setdefault(name, value.strip())
    return {name: value for name, value in first.items() if value not in {"", "?"}}


def _game(raw: bytes, header: Header, start: Start, movetext: Movetext, played: Played) -> Game:
    said = _first(header.tags)
    source = origin(header.tags)
    control = said.get("TimeControl")
    return Game(
        white=_side("White", header.tags, said),
        black=_side("Black", header.tags, said),
        date=PartialDate.parse(said.get("Date")),
        result=read_result(said.get("Result"), movetext.end),
        variant=start.variant,
        start=start.normal,
        start_fen=start.fen,
        moves=played.moves,
        castlings=played.castlings,
        event=said.get("Event"),
        site=said.get("Site"),
        round=said.get("Round"),
        eco=said.get("ECO"),
        opening=said.get("Opening") or of_page(said.get("ECOUrl")),
        time_control=control,
        time_class=clocks.time_class(control, said.get("Event"), source.site, online=source.online),
        termination=said.get("Termination"),
        annotator=said.get("Annotator"),
        # In studies, broadcasts and imports these say when the file was made, not when the game was played.
        started_at=clocks.started_at(said) if source.online else None,
        ended_at=clocks.ended_at(said) if source.online else None,
        online=source.online,
        source=source.site,
        native_id=source.native_id,
        url=source.url,
        tags=header.tags,
        has_comments=movetext.has_comments,
        has_variations=movetext.has_variations,
        oddities=tuple(_oddities(header, movetext, said)),
        raw=raw,
    )


_NUMBER = re.compile(r"(\d{1,4})\??")


def _side(color: str, tags: tuple[tuple[str, str], ...], said: Mapping[str, str]) -> Side:
    rating = _NUMBER.fullmatch(said.get(f"{color}Elo", ""))
    title = said.get(f"{color}Title")
    return Side(
        name=next((value for name, value in tags if name == color), ""),
        fide_id=said.get(f"{color}FideId"),
        rating=(int(rating[1]) or None) if rating else None,
        title=None if title == "-" else title,
        team=said.get(f"{color}Team"),
    )


def _oddities(header: Header, movetext: Movetext, said: Mapping[str, str]) -> Iterator[Oddity]:
    yield from header.oddities
    result = read_result(said.get("Result"))
    if movetext.end is None:
        yield NO_END
    elif "Result" in said and result != read_result(movetext.end):
        yield Oddity(Odd.RESULT_DIFFERS, f"{shorten(result)} and {movetext.end}")
    ids = [read_fide_id(said.get(f"{color}FideId")) for color in ("White", "Black")]
    if ids[0] is not None and ids[0] == ids[1]:
        yield Oddity(Odd.SAME_FIDE_ID, ids[0])
