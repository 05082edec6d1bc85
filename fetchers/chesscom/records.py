"""Turns one game of a chess.com month into a step of the round."""

import re
from dataclasses import replace
from typing import Final

from core.game import BLACK_WINS, DRAW, UNFINISHED, WHITE_WINS, Game, Side, Unreadable
from core.oddities import Odd, Oddity
from core.pgn import reader
from fetchers.base import LeftOut, Step, Unread
from fetchers.http.json_fields import JsonRecord, as_record, inner, moment, number, raw_json, text

SITE: Final = "chesscom"

_NUMBERED: Final = re.compile(r"/(?:game/)?(live|daily|computer)/(?:game/)?(\d+)")
_BY_UUID: Final = re.compile(r"/game/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
_LINK: Final = re.compile(r'\[Link "([^"\n]*)"\]')
_COACH: Final = "coach-"
_DRAWS: Final = frozenset(
    {"agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient"}
)
_USUAL_RULES: Final = frozenset({"chess", "chess960", "oddschess"})
_STANDARD_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def read_game(value: object) -> Step:
    """The step for one item of a month's list."""
    record = as_record(value)
    if record is None:
        return Unread(Unreadable(raw=raw_json(value), reason="the item is not a JSON object"))
    native_id, url = _native_id(record), text(record, "url")
    if text(record, "rules") == "bughouse":  # two boards; the site gives no PGN of it (sites traps 36, 63)
        return LeftOut(native_id, "bughouse")
    written = record.get("pgn")
    if not isinstance(written, str) or not written.strip():
        return Unread(Unreadable(raw=raw_json(value), reason="the record has no PGN"), native_id, url)
    game = _parsed(written, record)
    if isinstance(game, Unreadable):
        return Unread(game, native_id, url)
    if game.result == UNFINISHED and number(record, "end_time") is None:
        return LeftOut(
            native_id, "running"
        )  # in groups and matches; there the players are addresses (sites trap 50)
    return _completed(game, record, native_id, url)


def _native_id(record: JsonRecord) -> str | None:
    """The site's id of the game: kind and number, as the numbers of the kinds overlap; else the uuid.

    The address had three forms over the years, and for some time contained a uuid while the PGN's Link kept
    the number. A game against a coach has the address of a daily game, with a number that belongs to another
    one.
    """
    for address in (text(record, "url"), _link(record)):
        if address and (match := _NUMBERED.search(address)):
            kind, digits = match.groups()
            return f"{'coach' if _is_coached(record) else kind}/{digits}"
    return _uuid(record)


def _uuid(record: JsonRecord) -> str | None:
    match = _BY_UUID.search(text(record, "url") or "")
    given = text(record, "uuid") or (match and match[1])
    return given.lower() if given else None


def _link(record: JsonRecord) -> str | None:
    match = _LINK.search(text(record, "pgn") or "")
    return match[1] if match else None


def _is_coached(record: JsonRecord) -> bool:
    names = (text(inner(record, side), "username") or "" for side in ("white", "black"))
    return text(record, "time_control") == "-" and any(name.lower().startswith(_COACH) for name in names)


def _parsed(written: str, record: JsonRecord) -> Game | Unreadable:
    """The game of the PGN. Where it lacks start and rules, the record gives them."""
    raw = written.encode(errors="surrogatepass")
    missing = _missing_tags(written, record)
    if not missing:
        return reader.parse(raw)
    lines = "".join(f'[{name} "{value}"]\n' for name, value in missing)
    game = reader.parse(lines.encode() + raw)
    if isinstance(game, Unreadable):
        return replace(game, raw=raw)
    added = ", ".join(name for name, _ in missing)
    return replace(
        game,
        raw=raw,
        tags=game.tags[len(missing) :],
        oddities=(*game.oddities, Oddity(Odd.FROM_RECORD, added)),
    )


def _missing_tags(written: str, record: JsonRecord) -> list[tuple[str, str]]:
    rules, start = text(record, "rules") or "chess", text(record, "initial_setup") or ""
    missing = []
    if rules not in _USUAL_RULES and "[Variant " not in written:
        missing.append(("Variant", rules))
    if start and " ".join(start.split()[:4]) != _STANDARD_START and "[FEN " not in written:
        missing += [("SetUp", "1"), ("FEN", start)]
    return [(name, value) for name, value in missing if '"' not in value and "\\" not in value]


def _completed(game: Game, record: JsonRecord, native_id: str | None, url: str | None) -> Game:
    """The game with what only the record says; players, date and result stay as the PGN has them."""
    uuid = _uuid(record)
    return replace(
        game,
        online=True,
        source=SITE,
        native_id=native_id or game.native_id,
        other_ids=(uuid,) if uuid and uuid != native_id else (),
        url=url or _link(record) or game.url,
        white=_side(game.white, inner(record, "white")),
        black=_side(game.black, inner(record, "black")),
        result=_result(record) if game.result == UNFINISHED else game.result,
        started_at=moment(_ms(record, "start_time")) or game.started_at,
        ended_at=moment(_ms(record, "end_time")) or game.ended_at,
        time_class=None if _is_coached(record) else text(record, "time_class"),
    )


def _ms(record: JsonRecord, name: str) -> int | None:
    seconds = number(record, name)
    return None if seconds is None else seconds * 1000


def _side(side: Side, record: JsonRecord) -> Side:
    """The player with the rating after the game, if the PGN has none."""
    return side if side.rating is not None else replace(side, rating=number(record, "rating"))


def _result(record: JsonRecord) -> str:
    """The result by the codes of both players. Never by the Termination text: its names may be old ones."""
    white, black = (text(inner(record, side), "result") for side in ("white", "black"))
    if white == "win":
        return WHITE_WINS
    if black == "win":
        return BLACK_WINS
    return DRAW if white in _DRAWS and black in _DRAWS else UNFINISHED
