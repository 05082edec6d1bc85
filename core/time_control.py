"""When a game was played and how much time there was, as far as the tags say.

`time_class` is what the site that the game was played on would call it (`core.sites.TimeClasses`), by the estimated
length of the game (base + 40 increments). If no site wrote the tags, a base under ten minutes may be meant in
minutes ("90+30"), and says nothing.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from core.sites import SITES, TimeClasses

_USUAL: Final = TimeClasses()
_PERIOD = re.compile(r"(?:\d+/)?(\d{1,6})(?:\+(\d{1,5}))?")
_PER_MOVE = re.compile(r"1/\d+")
_DAYS = re.compile(r"\d+ days? per move")
_ZONE = re.compile(r"(\d{1,2}:\d\d:\d\d)(?: (?:UTC|GMT)(?:\+0000)?)?")
_SURE_SECONDS: Final = 600
_LONGEST_REMEMBERED: Final = 200


def time_class(control: str | None, event: str | None, site: str | None, *, online: bool) -> str | None:
    """The class of time of the game; None if the tags do not say."""
    if len(control or "") + len(event or "") <= _LONGEST_REMEMBERED:
        return _remembered_class(control, event, site, online)
    return _time_class(control, event, site, online)


def _time_class(control: str | None, event: str | None, site: str | None, online: bool) -> str | None:
    its_site = SITES.get(site or "")
    classes = its_site.time_classes if its_site else _USUAL
    named = classes.in_event(event or "")
    if named is not None:
        return named
    control = control or ""
    if _PER_MOVE.fullmatch(control) or _DAYS.fullmatch(control):
        return classes.days
    base, increment = _first_period(control)
    if base is None or (not online and base < _SURE_SECONDS):
        return None
    return classes.by_length(base + 40 * increment)


_remembered_class: Final = lru_cache(maxsize=1 << 12)(_time_class)  # games of a file are of few events


def _first_period(control: str) -> tuple[int | None, int]:
    """Base and increment in seconds; of several periods the first base, and the last increment."""
    base, increment = None, 0
    for period in control.split(":"):
        found = _PERIOD.fullmatch(period)
        if found is None:
            return None, 0
        base = int(found[1]) if base is None else base
        increment = int(found[2] or 0)
    return base, increment


def started_at(tags: Mapping[str, str]) -> datetime | None:
    """UTCDate and UTCTime as one moment."""
    return _moment(tags.get("UTCDate"), tags.get("UTCTime"))


def ended_at(tags: Mapping[str, str]) -> datetime | None:
    """EndDate and EndTime, if a tag or the time itself says that they are in UTC."""
    time = _ZONE.fullmatch(tags.get("EndTime", ""))
    if time is None or (tags.get("Timezone") != "UTC" and time[0] == time[1]):
        return None
    return _moment(tags.get("EndDate"), time[1])


def _moment(date: str | None, time: str | None) -> datetime | None:
    try:
        return datetime.strptime(f"{date} {time}", "%Y.%m.%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
