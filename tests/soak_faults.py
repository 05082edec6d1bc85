"""Faults at random for the soak: whatever the emulator can do wrong, now and then, for a few requests in a row."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from typing import Any, Final

from fetchers.http.deadlines import Patience
from fetchers.http.responses import AnswerLimits
from tests.fetchers.site_emulator.emulator import LICHESS
from tests.fetchers.site_emulator.faults import Fault

_PATIENCE: Final = Patience(silence_s=2.0, window_s=3.0, total_s=30)
SHORT: Final = AnswerLimits(
    answer=_PATIENCE,
    stream=_PATIENCE,
    answer_bytes=8 << 20,
    stream_bytes=8 << 20,
    item_bytes=1 << 20,
    retry_wait_s=0.002,
)
"""Limits that make a silent site cost a second instead of minutes."""

SHARE: Final = 0.05
"""Of the requests that begin a row of faults."""
_IN_A_ROW: Final = (1, 1, 1, 2, 3, 5)
_MEBIBYTE: Final = 1 << 20
_DATE: Final = "a date"
_WAITS: Final = (None, None, "1", "60", "90", "600", "0", "-5", "2.5", "soon", "", _DATE, "315360000")
"""All forms of Retry-After; ten years come seldom enough."""

Make = Callable[[Random, float], Fault]


def _after(rng: Random) -> float:
    return rng.uniform(0.05, 0.95)


def _limited(rng: Random, now: float) -> Fault:
    wait = rng.choice(_WAITS)
    if wait == _DATE:
        wait = format_datetime(
            datetime.fromtimestamp(now, UTC) + timedelta(seconds=rng.randrange(7200)), True
        )
    return Fault(kind="rate_limit", retry_after=wait)


def _status(rng: Random, _now: float) -> Fault:
    code = rng.choice((500, 500, 502, 503, 503, 404, 400, 403, 401))
    headers = {"Retry-After": rng.choice(("30", "300"))} if code == 503 and rng.random() < 0.5 else {}
    return Fault(kind="status", code=code, headers=headers, body=rng.choice((b"", b'{"error":"no"}')))


def _page(rng: Random, _now: float) -> Fault:
    return Fault(kind="html", code=rng.choice((200, 200, 503, 404)))


def _redirect(rng: Random, _now: float) -> Fault:
    where = rng.choice(("", "/nowhere", "http://example.invalid/", "http://[", "//"))
    return Fault(kind="redirect", code=rng.choice((301, 302, 307, 308)), location=where)


_MAKERS: Final[dict[str, tuple[float, Make]]] = {
    "cut": (2, lambda rng, _: Fault(kind="cut", after=_after(rng))),
    "clean cut": (1, lambda rng, _: Fault(kind="cut", after=_after(rng), clean=True)),
    "gzip_cut": (2, lambda rng, _: Fault(kind="gzip_cut", after=_after(rng))),
    "reset": (2, lambda rng, _: Fault(kind="reset", after=_after(rng))),
    "short_length": (1, lambda _, __: Fault(kind="short_length")),
    "close_delimited": (1, lambda _, __: Fault(kind="close_delimited")),
    "drip": (0.4, lambda _, __: Fault(kind="drip", rate=60)),
    "status": (3, _status),
    "rate_limit": (2, _limited),
    "html": (1, _page),
    "redirect": (1, _redirect),
    "hang": (0.4, lambda _, __: Fault(kind="hang")),
    "stall": (0.4, lambda rng, _: Fault(kind="stall", after=_after(rng))),
    "refuse": (2, lambda _, __: Fault(kind="refuse")),
    "gzip_bomb": (0.3, lambda _, __: Fault(kind="gzip_bomb", size=64 * _MEBIBYTE)),
    "endless_line": (0.3, lambda _, __: Fault(kind="endless_line", size=3 * _MEBIBYTE)),
    "endless_headers": (0.3, lambda _, __: Fault(kind="endless_headers", size=_MEBIBYTE)),
}
"""By name: how often beside the others, and one of them."""


class Chance:
    """Stands where the emulator keeps its faults, one for each site, whose requests come one after another.

    Attributes:
        happened: how many faults there were, by name.
        on: whether there are any more.
    """

    def __init__(self, site: str, seed: str, clock: Callable[[], float]) -> None:
        self.happened: Counter[str] = Counter()
        self.on = False
        self._site = site
        self._rng = Random(f"{seed} {site}")
        self._clock = clock
        self._left = 0
        self._name = ""

    def take(self, site: str, path: str) -> Fault | None:
        """The fault for this request."""
        assert site == self._site
        if not self.on:
            return None
        if not self._left:
            if self._rng.random() >= SHARE:
                return None
            self._left = self._rng.choice(_IN_A_ROW)
            self._name = _drawn(self._rng)
        self._left -= 1
        return self._kept(_MAKERS[self._name][1](self._rng, self._clock()), path)

    def _kept(self, fault: Fault, path: str) -> Fault | None:
        # A cut of a stream of lines neatly between two of them looks like a site that tells less. It may not be made.
        if fault.clean and (self._site == LICHESS and path.endswith(("/games", ".pgn"))):
            return None
        self.happened[self._name] += 1
        return fault


def _drawn(rng: Random) -> str:
    names: Sequence[str] = list(_MAKERS)
    weights: Any = [weight for weight, _ in _MAKERS.values()]
    return rng.choices(names, weights)[0]
