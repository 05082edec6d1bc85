"""When a part of an event (a round, a group, a board) is worth asking for again.

Sites do not say which parts are final: boards are corrected after the round, accuracies come later, a match has one
more game. So each part is asked the less often the longer it has been quiet.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Self

from fetchers.http.json_fields import Record, flag, number, text
from fetchers.http.responses import Validators

QUIET_SHARE: Final = 4
"""A part that has been quiet for so long is asked again after the fourth part of that time …"""
LONGEST_MS: Final = timedelta(days=30) // timedelta(milliseconds=1)
"""… but not later than this …"""
SETTLED_MS: Final = timedelta(days=90) // timedelta(milliseconds=1)
"""… and never again when it has been quiet for so long."""
NOT_SHOWN: Final = "not shown"
"""Reason, and digest, of a part that the site names but does not give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """How a part was when it was last asked for.

    Attributes:
        checked: when (ms) the site last said how it is; None: never.
        changed: when (ms) it was last another than before.
        validators: of its last answer, byte for byte.
        digest: of its last answer, where the site gives no validators.
        busy: a game of it was being played.
        final: it is never asked for again.
        games: how many it had in its last answer, where that is noted.
        short: how many whole answers in a row had fewer.
        ailing: it could not be had when it was last asked for.
    """

    checked: int | None = None
    changed: int = 0
    validators: Validators = Validators()  # noqa: RUF009 - frozen
    digest: str | None = None
    busy: bool = False
    final: bool = False
    games: int | None = None
    short: int = 0
    ailing: bool = False

    @classmethod
    def read(cls, told: Record) -> Self:
        """As `told` wrote it; what makes no sense is as if it were not there."""
        return cls(
            checked=number(told, "checked"),
            changed=number(told, "changed") or 0,
            validators=Validators(etag=text(told, "etag"), last_modified=text(told, "last_modified")),
            digest=text(told, "digest"),
            busy=flag(told, "busy"),
            final=flag(told, "final"),
            games=number(told, "games"),
            short=number(told, "short") or 0,
            ailing=flag(told, "ailing"),
        )

    def told(self) -> dict[str, object]:
        """As a cursor keeps it."""
        if self.final:
            return {"final": True}
        pairs: dict[str, object] = {
            "checked": self.checked,
            "changed": self.changed,
            "etag": self.validators.etag,
            "last_modified": self.validators.last_modified,
            "digest": self.digest,
            "busy": self.busy,
            "games": self.games,
            "short": self.short,
            "ailing": self.ailing,
        }
        return {name: value for name, value in pairs.items() if value}

    def due_at(self, busy_ms: int = 0) -> int | None:
        """When (ms) to ask again (None: never); *busy_ms* after the last time, while games are being played."""
        if self.final:
            return None
        if self.checked is None:
            return 0
        quiet = max(0, self.checked - self.changed)
        return self.checked + (busy_ms if self.busy else min(quiet // QUIET_SHARE, LONGEST_MS))

    def is_due(self, now: int, busy_ms: int = 0) -> bool:
        """Is it worth asking?"""
        at = self.due_at(busy_ms)
        if at is None or self.checked is None:
            return at is not None
        return at <= now or self.checked > now  # a clock that was wrong must not silence a part for years

    def same(self, now: int) -> "Visit":
        """The site said that it is as it was."""
        return replace(self, checked=now, short=0, ailing=False)

    def is_suddenly_empty(self, games: int) -> bool:
        """Does a whole answer have no game, though the one before had some? Not believed before the tenth time."""
        return not games and bool(self.games) and self.short < MOST_SHORT

    def doubted(self) -> "Visit":
        """A whole answer had fewer games than the one before: it is asked for again, and whole."""
        return replace(self, checked=None, validators=Validators(), short=self.short + 1, ailing=False)

    def anew(
        self,
        now: int,
        *,
        validators: Validators = Validators(),  # noqa: B008 - frozen
        digest: str | None = None,
        busy: bool = False,
        since: int | None = None,
        games: int | None = None,
    ) -> "Visit":
        """Its answer was read to the end.

        Args:
            now: ms.
            validators: of the answer.
            digest: an answer with the digest of the one before is no change.
            busy: see there.
            since: when (ms) it became as it is, as far as it tells; counts for the first answer only.
            games: how many it had.
        """
        if self.checked is None:
            changed = now if since is None else min(since, now)
        else:
            changed = self.changed if digest is not None and digest == self.digest else now
        return Visit(
            checked=now, changed=changed, validators=validators, digest=digest, busy=busy, games=games
        )

    def settled(self) -> "Visit":
        """The same, or final if it has been quiet for long enough."""
        quiet = (self.checked or 0) - self.changed
        return FINAL if quiet >= SETTLED_MS and not self.busy else self


MOST_SHORT: Final = 10
"""So many whole answers in a row with fewer games than before are believed."""

FINAL: Final = Visit(final=True)


def quiet_s(dues: Iterable[int | None], now: int) -> float | None:
    """Seconds until the first of these moments (ms; None: never), at most 30 days; None where that is now."""
    first = min((due for due in dues if due is not None), default=now + LONGEST_MS)
    return min(first - now, LONGEST_MS) / 1000 if first > now else None
