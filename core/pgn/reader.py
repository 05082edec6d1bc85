"""PGN text to `core.game.Game`: never raises because of a text, and one bad game costs one game.

`split` cuts a stream into games, `parse` reads one, `read` does both. What cannot be read comes out as
`Unreadable` with the reason and the place; nothing is guessed and no token is skipped in silence.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO, Final, NamedTuple

from core import blanks, time_control
from core.game import Game, PartialDate, Side, Unreadable, read_result
from core.oddities import Odd, Oddity
from core.openings import of_page
from core.origin import origin_of
from core.pgn import encodings, quick, quick_splitter
from core.pgn.cut import Cut
from core.pgn.limits import DEFAULT_LIMITS, Limits
from core.pgn.movetext import Fault, Movetext, read_movetext, shorten
from core.pgn.positions import Start, read_start
from core.pgn.replay import Backend, PlayedLine, replay
from core.pgn.splitter import Piece
from core.pgn.tags import Header, read_tags, refuse_contradictions
from core.players import UNKNOWN, identify, read_fide_id
from core.results import USUAL

__all__ = ["Cut", "Limits", "Piece", "cuts", "not_pgn", "parse", "read", "read_header", "split"]


NO_END: Final = Oddity(Odd.NO_END)
"""A game ends without a result after the moves; it is kept all the same."""
CUT_OFF: Final = "the input breaks off inside this game"
"""The reason for a game whose end never came; read alone, it may look complete."""


def read(source: str | bytes | BinaryIO, *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Game | Unreadable]:
    """Read all games of *source*, one after another, in constant memory."""
    if isinstance(source, str):
        source = _encode(source)
    for piece in split(source, limits):
        yield read_piece(piece, limits=limits)


def read_piece(
    piece: Piece, *, limits: Limits = DEFAULT_LIMITS, backend: Backend | None = None
) -> Game | Unreadable:
    """Read one piece that `split` has cut."""
    if piece.too_large:
        return Unreadable(raw=piece.raw, reason=f"the game is longer than {limits.max_bytes} bytes")
    game = parse(piece.raw, limits=limits, backend=backend, encoding=piece.encoding)
    if piece.cut_off and isinstance(game, Game) and NO_END in game.oddities:
        return Unreadable(raw=piece.raw, reason=CUT_OFF, tags=game.tags)
    return game


def split(
    source: BinaryIO | bytes, limits: Limits = DEFAULT_LIMITS, *, encoding: str | None = None
) -> Iterator[Piece]:
    """Cut *source* into games without reading them (see `core.pgn.splitter`); *encoding* goes with each piece."""
    return quick_splitter.split(source, limits.max_bytes, encoding)


def cuts(
    source: BinaryIO | bytes, limits: Limits = DEFAULT_LIMITS, *, encoding: str | None = None
) -> Iterator[Cut]:
    """The same, with many games in one text where that is quicker."""
    return quick_splitter.cuts(source, limits.max_bytes, encoding)


def parse(
    raw: bytes,
    *,
    limits: Limits = DEFAULT_LIMITS,
    backend: Backend | None = None,
    encoding: str | None = None,
) -> Game | Unreadable:
    """Read one game; *encoding* is what the user named for what is not UTF-8, see `core.pgn.encodings`.

    The compiled core reads what it can. With a *backend* Python reads all, and plays it with that.
    """
    quickly = quick.read(raw, limits, encoding) if backend is None else None
    if quickly is not None:
        return _game(raw, *quickly)
    return _parse(raw, limits, backend or replay, encoding)


def _parse(raw: bytes, limits: Limits, backend: Backend, encoding: str | None) -> Game | Unreadable:
    reason = not_pgn(raw[:4096])
    if reason is not None:
        return Unreadable(raw=raw, reason=reason)
    text = encodings.decode(raw, encoding)
    tags: tuple[tuple[str, str], ...] = ()
    try:
        header = read_tags(text, limits.max_tags)
        tags = header.tags
        refuse_contradictions(text, header)
        start = read_start(tags)
        result = first_said(tags).get("Result")
        movetext = read_movetext(
            text, header.end, result=result, max_moves=limits.max_plies, overdue=limits.overdue
        )
        _require_a_game(movetext, tags, result)
        played = backend(start, movetext, limits.overdue)
    except Fault as fault:
        position = None if fault.at is None else encodings.position(raw, fault.at, encoding)
        return Unreadable(raw=raw, reason=encodings.shown(fault.reason), position=position, tags=tags)
    game = _game(raw, header, start, movetext, played)
    return replace(game, encoding=encodings.of(raw, encoding)) if encoding is not None else game


def read_header(
    raw: bytes, *, limits: Limits = DEFAULT_LIMITS, encoding: str | None = None
) -> tuple[tuple[str, str], ...]:
    """The tags of one game, whatever its moves are; none if they cannot be read."""
    try:
        return read_tags(encodings.decode(raw, encoding), limits.max_tags).tags
    except Fault:
        return ()


def _require_a_game(movetext: Movetext, tags: tuple[tuple[str, str], ...], result: str | None) -> None:
    """Refuse a text with neither moves nor a result; a header with a result is a game without moves."""
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
_CONTROL: Final = bytes(set(range(32)) - set(map(ord, blanks.CHARACTERS)))


def not_pgn(head: bytes) -> str | None:
    """What *head*, the first bytes of a body or game, is if it is not PGN; None if it may be."""
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            return f"not PGN but {what}"
    text = blanks.plain(head).lstrip()
    if _HTML.match(text):
        return "not PGN but HTML"
    if _JSON.match(text):
        return "not PGN but JSON"
    inner = head.strip(b"\x00")  # a file that was not written to its end may be filled up with NUL
    odd = len(inner) - len(inner.translate(None, _CONTROL))
    if odd * 20 > len(inner) or inner.count(0) * 4 > len(inner):
        return "not PGN but binary data"
    return None


def _encode(text: str) -> bytes:
    """*text* as bytes; one that was read with ``surrogateescape`` gets its own bytes back."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


_NOTHING: Final = frozenset({"", "?"})


def first_said(tags: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The first tag of each name that says something."""
    said = {name: value.strip() for name, value in reversed(tags)}
    if _NOTHING.isdisjoint(said.values()):
        return said
    return {name: value for name, value in said.items() if value not in _NOTHING}


class Occasion(NamedTuple):
    """What the tags say around a game: where it was played, with how much time, and who wrote it down."""

    event: str | None
    site: str | None
    time_control: str | None
    time_class: str | None
    annotator: str | None
    online: bool
    source: str | None
    native_id: str | None
    url: str | None


def occasion_of(said: Mapping[str, str]) -> Occasion:
    """The occasion that the tags that say something give."""
    source = origin_of(said)
    event, control = said.get("Event"), said.get("TimeControl")
    return Occasion(
        event=event,
        site=said.get("Site"),
        time_control=control,
        time_class=time_control.time_class(control, event, source.site, online=source.online),
        annotator=said.get("Annotator"),
        online=source.online,
        source=source.site,
        native_id=source.native_id,
        url=source.url,
    )


def _game(raw: bytes, header: Header, start: Start, movetext: Movetext, played: PlayedLine) -> Game:
    said = first_said(header.tags)
    occasion = occasion_of(said)
    names = dict(reversed(header.tags))  # the first of each, as written
    white, black = (side_of(color, names.get(color, ""), said) for color in ("White", "Black"))
    date = PartialDate.parse(said.get("Date"))
    result = read_result(said.get("Result"), movetext.end)
    return Game(
        white=white,
        black=black,
        date=date,
        result=result,
        variant=start.variant,
        start=start.normal,
        start_fen=start.fen,
        moves=played.moves,
        castlings=played.castlings,
        event=occasion.event,
        site=occasion.site,
        round=said.get("Round"),
        eco=said.get("ECO"),
        opening=said.get("Opening") or of_page(said.get("ECOUrl")),
        time_control=occasion.time_control,
        time_class=occasion.time_class,
        termination=said.get("Termination"),
        annotator=occasion.annotator,
        # In studies, broadcasts and imports these say when the file was made, not when the game was played.
        started_at=time_control.started_at(said) if occasion.online else None,
        ended_at=time_control.ended_at(said) if occasion.online else None,
        online=occasion.online,
        source=occasion.source,
        native_id=occasion.native_id,
        url=occasion.url,
        tags=header.tags,
        has_comments=movetext.has_comments,
        has_variations=movetext.has_variations,
        oddities=(
            *header.oddities,
            *_odd_result(movetext, result, said),
            *odd_values(date, said),
            *_odd_players(white, black),
        ),
        raw=raw,
    )


_NUMBER = re.compile(r"(\d{1,4})\??")
_NO_RATING: Final = frozenset({"-", "0", "unr", "unrated", "Unrated", "UNR", "n/a", "----"})


def side_of(color: str, name: str, said: Mapping[str, str]) -> Side:
    """White or Black by what the tags say."""
    rating = _NUMBER.fullmatch(said.get(f"{color}Elo", ""))
    title = said.get(f"{color}Title")
    return Side(
        name=name,
        fide_id=said.get(f"{color}FideId"),
        rating=(int(rating[1]) or None) if rating else None,
        title=None if title == "-" else title,
        team=said.get(f"{color}Team"),
    )


def _odd_result(movetext: Movetext, result: str, said: Mapping[str, str]) -> Iterator[Oddity]:
    if movetext.end is None:
        yield NO_END
    elif "Result" in said and result != read_result(movetext.end):
        yield Oddity(Odd.RESULT_DIFFERS, f"{shorten(result)} and {movetext.end}")
    if movetext.spoken:
        yield Oddity(Odd.RESULT_FORM, shorten(" ".join(movetext.spoken.split())))
    if result not in USUAL:
        yield Oddity(Odd.UNUSUAL_RESULT, shorten(result))


def odd_values(date: PartialDate, said: Mapping[str, str]) -> Iterator[Oddity]:
    """What is odd about the date and the ratings."""
    if date.text is not None:
        yield Oddity(Odd.NOT_A_DATE, shorten(date.text))
    for name in ("WhiteElo", "BlackElo"):
        if name in said and said[name] not in _NO_RATING and not _NUMBER.fullmatch(said[name]):
            yield Oddity(Odd.NOT_A_RATING, f"{name} {shorten(said[name])}")


def _odd_players(white: Side, black: Side) -> Iterator[Oddity]:
    if white.fide_id is not None or black.fide_id is not None:
        yield from odd_ids(white, black)
    key = identify(white.name)
    if (
        key != UNKNOWN
        and key == identify(black.name)
        and None in {read_fide_id(side.fide_id) for side in (white, black)}
    ):
        yield Oddity(Odd.SAME_NAME, shorten(white.name))


def odd_ids(white: Side, black: Side) -> Iterator[Oddity]:
    """What is odd about the FIDE ids."""
    ids = [read_fide_id(side.fide_id) for side in (white, black)]
    for color, side, known in zip(("White", "Black"), (white, black), ids, strict=True):
        text = (side.fide_id or "").strip()
        if known is None and text.strip("0-"):
            yield Oddity(Odd.NOT_A_FIDE_ID, f"{color}FideId {shorten(text)}")
    if ids[0] is not None and ids[0] == ids[1]:
        yield Oddity(Odd.SAME_FIDE_ID, ids[0])
