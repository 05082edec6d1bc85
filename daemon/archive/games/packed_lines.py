"""The quick way from the bytes of a game to its packed record: the compiled core asks what each spelling means, once.

Names, dates, events, openings are the same in many games. What they are in a record is worked out by the rules of the
ordinary way (`core.pgn.reader`), and remembered by the bytes of the tags. Whatever is unusual is left to that way: odd
values, results that differ, other starts and rules, bytes of no encoding.
"""

import re
import struct
from collections.abc import Callable, Sequence
from functools import partial
from json.encoder import encode_basestring_ascii
from typing import Any, Final

from core.compiled import NATIVE, Native
from core.game import STANDARD, PartialDate, Side, first_tag
from core.openings import of_page
from core.origin import is_place
from core.pgn import encodings
from core.pgn.movetext import Fault
from core.pgn.positions import read_start
from core.pgn.reader import Occasion, first_said, occasion_of, odd_ids, odd_values, side_of
from core.pgn.tags import unescaped
from core.pgn.variants import named_variant
from core.players import UNKNOWN, identify
from daemon.archive.database.packed_rows import integer, text
from daemon.archive.games.named import Named
from daemon.archive.games.packed_columns import (
    ENTRY,
    LETTER,
    EventColumns,
    Places,
    derived_columns,
    event_columns,
    opening_column,
    side_columns,
    text_reference,
)
from daemon.archive.games.prepared import LONGEST, divided_site, said
from daemon.openings import book

Line = tuple[bytes, bytes, bytes, bool]
"""The columns of the game's row after its key and the digest, what is hashed to the key, the places, and whether there are comments."""
_Parts = tuple[bytes, ...]

IGNORED, LEFT, BY_VALUE, BY_PRESENCE = range(4)
"""What a tag matters for: nothing; the game is left to the ordinary way; the event, by its value, or by whether it says anything."""
_FIELDS: Final = (
    *("White", "WhiteFideId", "WhiteTitle", "WhiteTeam", "Black", "BlackFideId", "BlackTitle", "BlackTeam"),
    *("WhiteElo", "BlackElo", "Date", "Result", "Round", "ECO", "Termination", "Site", "Link"),
    *("Opening", "ECOUrl", "UTCDate", "UTCTime"),
)
"""Tags that the compiled core looks at by themselves, in its order."""
KINDS: Final = {
    **{name: kind for kind, name in enumerate(_FIELDS, BY_PRESENCE + 1)},
    **dict.fromkeys(("FEN", "SetUp", "VerbatimNames"), LEFT),
    **dict.fromkeys(("Event", "TimeControl", "Annotator", "Variant"), BY_VALUE),
    **dict.fromkeys(
        ("GameURL", "BroadcastURL", "BroadcastName", "ChapterURL", "FICSGamesDBGameNo"), BY_VALUE
    ),
    **dict.fromkeys(
        ("StudyName", "WhiteRatingDiff", "BlackRatingDiff", "Timezone", "ICCResult"), BY_PRESENCE
    ),
    **dict.fromkeys(("WhiteCountry", "WhiteEloChange", "Board", "SourceTitle", "SourceQuality"), BY_PRESENCE),
    **dict.fromkeys(("EventType", "EventRounds"), BY_PRESENCE),
    **dict.fromkeys(("GameId", "EndDate", "EndTime"), IGNORED),
}
"""What each tag that the ordinary way looks at matters for. GameId and EndTime matter where the address of a game has no id, see `_HOSTS`."""

_VALUE, _END, _ID = "\r", "\n", "\x03"
"""Signs in keys: between the name of a tag and its value, after a value, and in place of each sign of the game's id."""
_PLAIN: Final = "\x04"
"""In keys of events the sign for a Site that is only a place, which has a memo of its own."""
_HOLE: Final = struct.Struct("<BH")
_PLACE: Final = struct.Struct("<I")
_HOSTS: Final = ("lichess.org", "chess.com")
"""Of the sites where names and ratings count for what a game is, unless its address has its id."""
_TAIL, _TELLING = 2, 6


class QuickReader:
    """Reads games the quick way, for one list of places.

    Args:
        native: The compiled core.
        places: The places that its columns refer to.

    Attributes:
        read: What the record of a game has; None if the game is left to the ordinary way.
        size: How many bytes of memory are used, about.
    """

    def __init__(self, native: Native, places: Places) -> None:
        self.size = 0
        self._places = places
        self._by_memo = self._answers()
        self._memos: tuple[dict[Any, Any], ...] = tuple({} for _ in self._by_memo)
        kinds = bytes(KINDS[name] for name in native.KNOWN_TAGS)
        self.read: Callable[[bytes], Line | None] = partial(
            native.line, self._memos, self._ask, kinds, *book().tables
        )

    @classmethod
    def usual(cls, places: Places) -> "QuickReader | None":
        """The quick way, if there is one here."""
        return None if NATIVE is None else cls(NATIVE, places)

    def _answers(self) -> tuple[Callable[[Any], object], ...]:
        """Who answers for each memo, in the order of the compiled core."""
        return (
            self._kind_of, self._event, self._side, self._rating, self._date, self._text,
            self._opening, self._derived, self._site,
        )  # fmt: skip

    def _ask(self, memo: int, key: Any) -> object:
        self.size += ENTRY + (LETTER * len(key) if isinstance(key, bytes) else 0)
        try:
            return self._by_memo[memo](key)
        except Exception:  # noqa: BLE001 - the ordinary way meets the fault too, and then the game shows it in quarantine
            return None

    def _kind_of(self, name: bytes) -> int:
        text = name.decode("ascii")
        return LEFT if text.lower().startswith("chesstempo") else KINDS.get(text, IGNORED)

    def _event(self, key: bytes) -> _Parts | None:
        """The columns of an event, and where in them the game's own id is."""
        decoded = _decoded(key)
        if decoded is None:
            return None
        length = decoded.count(_ID)
        if length:
            return self._event_with_id(decoded, length)
        if any(host in decoded.lower() for host in _HOSTS):
            return None  # the names may count
        found = _occasion(_tags(decoded))
        if found is not None and found.site == _PLAIN:
            found = found._replace(site=None)
        return None if found is None else (*_event_parts(event_columns(self._places, found)), b"")

    def _event_with_id(self, decoded: str, length: int) -> _Parts | None:
        """The same of a game with an id: where two ids make a difference."""
        of_lichess = f"{_HOSTS[0]}/{_ID}" in decoded
        signs = ("A", "B") if of_lichess else ("1", "2")
        one, other = (_occasion(_tags(decoded.replace(_ID, sign))) for sign in signs)
        if one is None or other is None or divided_site(one)[0] != divided_site(other)[0]:
            return None
        columns, twin = event_columns(self._places, one), event_columns(self._places, other)
        holes = _holes(columns, twin, *(sign.encode() * length for sign in signs))
        if holes is None or (not holes and any(host in decoded.lower() for host in _HOSTS)):
            return None
        return (*_event_parts(columns), holes)

    def _site(self, value: bytes) -> _Parts | None:
        """The column of a Site that is only a place; None if the Site may say more."""
        site = (_said("Site", value) or {}).get("Site")
        if site is None or not is_place(site):
            return None
        place = self._places.text("site", site)
        return text_reference(place), _PLACE.pack(place)

    def _side(self, key: bytes) -> _Parts | None:
        decoded = _decoded(key)
        if decoded is None:
            return None
        name, *values, online = decoded.split(_END)
        side = _side_of(name, values) if any(values) else Side(name=name)
        identity = identify(name, side.fide_id)
        if side.fide_id is not None and not _is_usual_id(side, identity.fide_id):
            return None
        columns, place, team = side_columns(self._places, Named(identity, name, online == "1"), side)
        by_name = identity if side.fide_id is None else identify(name)
        alike = b"" if by_name == UNKNOWN else str(by_name).encode()
        return columns, _as_json(str(identity)), alike, _PLACE.pack(place), _PLACE.pack(team)

    def _rating(self, value: bytes) -> bytes | None:
        said = _said("WhiteElo", value)
        return (
            None
            if said is None or any(odd_values(PartialDate(), said))
            else integer(side_of("White", "", said).rating)
        )

    def _date(self, value: bytes) -> _Parts | None:
        said = _said("Date", value)
        date = None if said is None else PartialDate.parse(said.get("Date"))
        return None if date is None or date.text is not None else (text(str(date)), _as_json(str(date)))

    def _text(self, value: bytes) -> bytes | None:
        found = _said("Round", value)
        return None if found is None else text(said(found.get("Round")))

    def _opening(self, key: bytes) -> _Parts | None:
        decoded = _decoded(key)
        if decoded is None:
            return None
        found = first_said(tuple(zip(("Opening", "ECOUrl"), decoded.split(_END)[:-1], strict=True)))
        columns, place = opening_column(self._places, found.get("Opening") or of_page(found.get("ECOUrl")))
        return columns, _PLACE.pack(place)

    def _derived(self, key: int) -> _Parts:
        """The columns of the opening at a place in the book, where the tags have the name, the code, or neither."""
        place, has_name, has_eco = key >> 2, key & 2, key & 1
        found = book().at(place)
        columns, used = derived_columns(
            self._places, None if has_eco else found.eco, None if has_name else found.name
        )
        return columns, _PLACE.pack(used)


def _side_of(name: str, values: Sequence[str]) -> Side:
    """A player with FIDE id, title and team."""
    tags = zip(("WhiteFideId", "WhiteTitle", "WhiteTeam"), values, strict=True)
    return side_of("White", name, first_said(tuple(tags)))


def _is_usual_id(side: Side, fide_id: str | None) -> bool:
    return not any(odd_ids(side, Side())) and len(fide_id or "") <= LONGEST["FIDE id"]


def _event_parts(columns: EventColumns) -> _Parts:
    *parts, event, site = columns
    return (*parts, _PLACE.pack(event) + _PLACE.pack(site))


def _tags(decoded: str) -> tuple[tuple[str, str], ...]:
    found = (tag.partition(_VALUE) for tag in decoded.split(_END)[:-1])
    return tuple((name, value) for name, _, value in found)


def _occasion(tags: tuple[tuple[str, str], ...]) -> Occasion | None:
    """What is around a game; None unless it starts as chess does, and can be stored."""
    if not _starts_as_usual(tags):
        return None
    found = occasion_of(first_said(tags))
    fits = len(found.source or "") <= LONGEST["site"] and len(found.native_id or "") <= LONGEST["native id"]
    return found if fits else None


def _starts_as_usual(tags: tuple[tuple[str, str], ...]) -> bool:
    if named_variant(first_tag(tags, "Variant"), first_tag(tags, "Event")) == STANDARD:
        return True
    try:
        start = read_start(tags)
    except Fault:
        return False
    return start.variant == STANDARD and not start.normal and start.fen is None


def _holes(one: EventColumns, other: EventColumns, its_id: bytes, other_id: bytes) -> bytes | None:
    """Where the id of the game is in these columns; None if the columns differ in anything else."""
    if one._replace(tail=b"", telling=b"") != other._replace(tail=b"", telling=b""):
        return None
    found = b""
    for which, column, twin in ((_TAIL, one.tail, other.tail), (_TELLING, one.telling, other.telling)):
        if column.replace(its_id, other_id) != twin:
            return None
        found += b"".join(
            _HOLE.pack(which, match.start()) for match in re.finditer(re.escape(its_id), column)
        )
    return found


def _as_json(value: str) -> bytes:
    return encode_basestring_ascii(value).encode()


def _decoded(key: bytes) -> str | None:
    """The text of values, each in its own encoding; None if one of them has stray bytes."""
    found = key.decode("ascii") if key.isascii() else encodings.decode(key)
    return None if encodings.has_stray_bytes(found) else unescaped(found)


def _said(name: str, value: bytes) -> dict[str, str] | None:
    """What a tag with this value says."""
    decoded = _decoded(value)
    return None if decoded is None else first_said(((name, decoded),))
