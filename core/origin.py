"""Which site wrote a PGN, by its tags alone, and whether its names are handles of that site.

The tests are in the order in which they are made; the first hit wins. A FIDE id proves nothing (players link
theirs to online accounts), nor does a site's address (imports, studies, broadcasts, relays of tournaments
over the board); "… INT" in files of TWIC means real names.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.names import remembered

Tags = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What the tags say of where a game was written down.

    Attributes:
        site: key of the site, None where no site or an unknown one is named.
        kind: ``game`` (played there), ``import``, ``study``, ``broadcast``, ``relay`` (a tournament shown there),
            ``event`` (played online under real names), ``correspondence``, ``training``, ``database`` or ``unknown``.
        online: the names are handles of the site.
        native_id: the site's id of the game.
        url: where the game can be seen.
    """

    site: str | None = None
    kind: str = "unknown"
    online: bool = False
    native_id: str | None = None
    url: str | None = None


_NOWHERE: Final = Origin()
_LICHESS_GAME = re.compile(
    r"https?://(?:[a-z]+\.)?lichess\.org/([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:[/?#]|$)"
)
_LICHESS_OTHER = re.compile(r"lichess\.org/(broadcast|study)/")
_LICHESS_HOME = re.compile(r"https?://(?:[a-z]+\.)?lichess\.org/?$")
_LICHESS_ID = re.compile(r"[A-Za-z0-9]{8}(?:[A-Za-z0-9]{4})?")
_CHESSCOM_GAME = re.compile(
    r"chess\.com/(?:game/(live|daily|computer)|(live|daily|computer)(?:/game)?)/(\d+)"
)
_CHESSCOM_EVENT = re.compile(r"(?:Live Chess|Let's Play!)(?: - .+)?|Play vs (?:Coach|Computer|Bot).*")
_CHESSCOM_ZONE_TIME = re.compile(r"\d{1,2}:\d\d:\d\d [A-Z]{2,5}(?:[+-]\d{4})?")
_RATING_IN_NAME = re.compile(r"\(\d{3,4}\)")
_ICC_EVENT = re.compile(r"ICC \d+ \d+ [ru]\b")
_ICCF_EVENT = re.compile(r"W[SCT]/")


def origin(tags: tuple[tuple[str, str], ...]) -> Origin:
    """Find out where the game comes from."""
    first: dict[str, str] = {}
    for name, value in tags:
        first.setdefault(name, value.strip())
    return origin_of({name: value for name, value in first.items() if value not in {"", "?"}})


def origin_of(said: Tags) -> Origin:
    """The same by the first tag of each name, of those that say something."""
    for test in _tests_of(said.get("Site", "")):
        found = test(said)
        if found is not None:
            return found
    return _NOWHERE


def _names(tags: Tags) -> tuple[str, str]:
    return tags.get("White", ""), tags.get("Black", "")


def _lichess_broadcast(tags: Tags) -> Origin | None:
    url = tags.get("GameURL")
    if "BroadcastURL" in tags or "BroadcastName" in tags or (url and "/broadcast/" in url):
        return Origin(site="lichess", kind="broadcast", url=url or tags.get("BroadcastURL"))
    return None


def _lichess_address(tags: Tags) -> Origin | None:
    site = tags.get("Site", "")
    found = _LICHESS_OTHER.search(site)
    return Origin(site="lichess", kind=found[1], url=site) if found else None


def _lichess_study(tags: Tags) -> Origin | None:
    by = tags.get("Annotator", "")
    if "ChapterURL" in tags or "StudyName" in tags or by.startswith("https://lichess.org/@/"):
        return Origin(site="lichess", kind="study", url=tags.get("ChapterURL"))
    return None


def _lichess_game(tags: Tags) -> Origin | None:
    site = tags.get("Site", "")
    found = _LICHESS_GAME.match(site)
    if found is None and not _LICHESS_HOME.match(site):
        return None
    game_id = found[1] if found else tags.get("GameId", "")
    native_id = game_id[:8] if _LICHESS_ID.fullmatch(game_id) else None
    url = f"https://lichess.org/{native_id}" if native_id else None
    if found is None or _imported(tags):
        return Origin(site="lichess", kind="import", native_id=native_id, url=url)
    return Origin(site="lichess", kind="game", online=True, native_id=native_id, url=url)


def _imported(tags: Tags) -> bool:
    """Whether a game on lichess was pasted in, perhaps with names of persons."""
    if "UTCDate" not in tags or tags.get("Event", "").startswith("Import") or tags.get("Date", "9") < "2010":
        return True
    rated = any(tags.get(name, "?") != "?" for name in ("WhiteElo", "BlackElo"))
    changed = "WhiteRatingDiff" in tags or "BlackRatingDiff" in tags
    odd_name = any(", " in name or _RATING_IN_NAME.search(name) for name in _names(tags))
    return not rated and not changed and odd_name


def _chesscom_id(text: str) -> str | None:
    found = _CHESSCOM_GAME.search(text)
    return f"{found[1] or found[2]}/{found[3]}" if found else None


def _chesscom(tags: Tags) -> Origin | None:
    if tags.get("Site", "").lower() not in {
        "chess.com",
        "www.chess.com",
        "https://www.chess.com",
        "http://www.chess.com",
    }:
        return None
    link = tags.get("Link", "")
    if "chess.com/" in link and re.search(r"live|daily|game", link):
        native_id = _chesscom_id(link)
        return Origin(site="chesscom", kind="game", online=True, native_id=native_id, url=link)
    if (
        _CHESSCOM_EVENT.fullmatch(tags.get("Event", ""))
        or _CHESSCOM_ZONE_TIME.fullmatch(tags.get("EndTime", ""))
        or "Timezone" in tags
        or "ECOUrl" in tags
    ):
        return Origin(site="chesscom", kind="game", online=True)
    if all(", " in name for name in _names(tags)) and not link and "UTCDate" not in tags:
        return Origin(site="chesscom", kind="relay")
    return Origin(site="chesscom")


def _chesscom_address(tags: Tags) -> Origin | None:
    site = tags.get("Site", "")
    if re.match(r"https?://(?:www\.)?chess\.com/events/", site):
        return Origin(site="chesscom", kind="relay", url=site)
    native_id = _chesscom_id(site)
    if native_id or re.match(r"https?://(?:www\.)?chess\.com/game/", site):
        return Origin(site="chesscom", kind="game", online=True, native_id=native_id, url=site)
    return None


def _fics(tags: Tags) -> Origin | None:
    number = tags.get("FICSGamesDBGameNo")
    if number or tags.get("Site", "") in {"FICS freechess.org", "FICS", "freechess.org"}:
        return Origin(site="fics", kind="game", online=True, native_id=number)
    return None


def _icc(tags: Tags) -> Origin | None:
    if (
        "ICCResult" in tags
        or _ICC_EVENT.match(tags.get("Event", ""))
        or tags.get("Site") == "Internet Chess Club"
    ):
        return Origin(site="icc", kind="game", online=True)
    return None


def _online_event(tags: Tags) -> Origin | None:
    site = tags.get("Site", "").upper()
    return Origin(kind="event") if site.endswith(" INT") or site == "INTERNET ICC" else None


def _chess24(tags: Tags) -> Origin | None:
    if (
        tags.get("Site", "").lower() in {"chess24.com", "online"}
        and {"WhiteCountry", "WhiteEloChange", "Board"} & tags.keys()
    ):
        return Origin(site="chess24", kind="relay")
    return None


def _iccf(tags: Tags) -> Origin | None:
    if tags.get("Site") == "ICCF" or _ICCF_EVENT.match(tags.get("Event", "")):
        return Origin(site="iccf", kind="correspondence")
    return None


def _other_site(tags: Tags) -> Origin | None:
    address = tags.get("Site", "")
    for domain, site in (
        ("pychess.org", "pychess"),
        ("playstrategy.org", "playstrategy"),
        ("lishogi.org", "lishogi"),
    ):
        found = re.search(re.escape(domain) + r"(?:/(\w+))?", address)
        if found:
            return Origin(site=site, kind="game", online=True, native_id=found[1], url=address)
    return None


def _training(tags: Tags) -> Origin | None:
    if tags.get("Site") == "Chesstempo.com" or "\nchesstempo" in "\n".join(("", *tags)).lower():
        return Origin(site="chesstempo", kind="training")
    return None


def _database(tags: Tags) -> Origin | None:
    if {"SourceTitle", "SourceQuality", "EventType", "EventRounds"} & tags.keys():
        return Origin(kind="database")
    return None


def _through_study(tags: Tags) -> Origin | None:
    if (
        "UTCDate" in tags
        and tags.get("Variant") == "Standard"
        and "Opening" in tags
        and "://" not in tags.get("Site", "://")
    ):
        return Origin(kind="study")
    return None


_TESTS: Final[tuple[Callable[[Tags], Origin | None], ...]] = (
    _lichess_broadcast,
    _lichess_address,
    _lichess_study,
    _lichess_game,
    _chesscom,
    _chesscom_address,
    _fics,
    _icc,
    _online_event,
    _chess24,
    _iccf,
    _other_site,
    _training,
    _database,
    _through_study,
)


_SITES: Final[Mapping[Callable[[Tags], Origin | None], str]] = {
    _lichess_address: "lichess.org",
    _lichess_game: "lichess.org",
    _chesscom: "chess.com",
    _chesscom_address: "chess.com",
    _online_event: "int",
    _chess24: "chess24.com|online",
    _other_site: "pychess.org|playstrategy.org|lishogi.org",
}
"""The tests that look at the Site first: one of these words is in it, or they say nothing."""

_ANY_SITE: Final = re.compile(
    "|".join(re.escape(word) for words in _SITES.values() for word in words.split("|"))
)
_WHEREVER: Final = tuple(test for test in _TESTS if test not in _SITES)
"""The tests that may say something of games with any Site."""
_NAMED: Final = frozenset(
    {"FICS freechess.org", "FICS", "freechess.org", "Internet Chess Club", "ICCF", "Chesstempo.com"}
)
"""What other tests want the Site to be."""


def is_place(site: str) -> bool:
    """Whether this Site says no more than where a game was played: any other such place would give the same origin."""
    return site.isascii() and "://" not in site and site not in _NAMED and not _ANY_SITE.search(site.lower())


@remembered
def _tests_of(site: str) -> tuple[Callable[[Tags], Origin | None], ...]:
    """The tests that may say something of games with this Site; most games are played in a place."""
    text = site.lower()
    if not _ANY_SITE.search(text):
        return _WHEREVER
    return tuple(
        test for test in _TESTS if test not in _SITES or any(word in text for word in _SITES[test].split("|"))
    )
