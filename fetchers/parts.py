"""When a part of an event (a round, a group, a board) is worth asking for again.

Sites do not say which parts are final: boards are corrected after the round, accuracies come later, a match
has one more game. So a part is asked for less often the longer it has been quiet.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Self

from fetchers.http.json_fields import JsonRecord, flag, number, text
from fetchers.http.responses import Validators

QUIET_SHARE: Final = 4
"""A part that has been quiet for some time is asked for again after a quarter of that time …"""
LONGEST_MS: Final = timedelta(days=30) // timedelta(milliseconds=1)
"""… but not later than this …"""
SETTLED_MS: Final = timedelta(days=90) // timedelta(milliseconds=1)
"""… and never again when it has been quiet this long."""
NOT_SHOWN: Final = "not shown"
"""Reason, and digest, of a part that the site names but does not give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The state of a part when it was last asked for.

    Attributes:
        checked: When (ms) the site last said how it is; None: never.
        changed: When (ms) it last differed from before.
        validators: Of its last answer, byte for byte.
        digest: Of its last answer, if the site gives no validators.
        busy: A game of it was being played.
        final: It is never asked for again.
        games: How many it had in its last answer, if that is noted.
        short: How many complete answers in a row had fewer.
        ailing: It failed when it was last asked for.
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
    def read(cls, record: JsonRecord) -> Self:
        """The visit in a cursor; an invalid one counts as missing."""
        return cls(
            checked=number(record, "checked"),
            changed=number(record, "changed") or 0,
            validators=Validators(etag=text(record, "etag"), last_modified=text(record, "last_modified")),
            digest=text(record, "digest"),
            busy=flag(record, "busy"),
            final=flag(record, "final"),
            games=number(record, "games"),
            short=number(record, "short") or 0,
            ailing=flag(record, "ailing"),
        )

    def as_dict(self) -> dict[str, object]:
        """The visit as a cursor keeps it."""
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
        """When (ms) to ask again (None: never).

        *busy_ms* after the last time, while games are being played.
        """
        if self.final:
            return None
        if self.checked is None:
            return 0
        quiet = max(0, self.checked - self.changed)
        return self.checked + (busy_ms if self.busy else min(quiet // QUIET_SHARE, LONGEST_MS))

    def is_due(self, now: int, busy_ms: int = 0) -> bool:
        """Whether it is worth asking."""
        at = self.due_at(busy_ms)
        if at is None or self.checked is None:
            return at is not None
        return at <= now or self.checked > now  # a clock that was wrong must not silence a part for years

    def same(self, now: int) -> "Visit":
        """The visit after the site said that nothing has changed."""
        return replace(self, checked=now, short=0, ailing=False)

    def is_suddenly_empty(self, games: int) -> bool:
        """Whether a complete answer has no game, though the one before had some.

        Believed only the tenth time.
        """
        return not games and bool(self.games) and self.short < MOST_SHORT

    def doubted(self) -> "Visit":
        """The visit after a complete answer with fewer games: it is asked for again, and in full."""
        return replace(self, checked=None, validators=Validators(), short=self.short + 1, ailing=False)

    def visited(
        self,
        now: int,
        *,
        validators: Validators = Validators(),  # noqa: B008 - frozen
        digest: str | None = None,
        busy: bool = False,
        since: int | None = None,
        games: int | None = None,
    ) -> "Visit":
        """The visit after an answer was read to the end.

        Args:
            now: Ms.
            validators: Of the answer.
            digest: An answer with the same digest as before has not changed.
            busy: See there.
            since: When (ms) it became as it is, as far as it says; counts for the first answer only.
            games: How many it had.
        """
        if self.checked is None:
            changed = now if since is None else min(since, now)
        else:
            changed = self.changed if digest is not None and digest == self.digest else now
        return Visit(
            checked=now, changed=changed, validators=validators, digest=digest, busy=busy, games=games
        )

    def settled(self) -> "Visit":
        """The visit, final if it has been quiet for long enough."""
        quiet = (self.checked or 0) - self.changed
        return FINAL if quiet >= SETTLED_MS and not self.busy else self


MOST_SHORT: Final = 10
"""An answer with fewer games than before is believed after this many complete ones in a row."""

FINAL: Final = Visit(final=True)


def quiet_s(dues: Iterable[int | None], now: int) -> float | None:
    """Seconds until the first of these moments (ms; None: never), at most 30 days; None if that is now."""
    first = min((due for due in dues if due is not None), default=now + LONGEST_MS)
    return min(first - now, LONGEST_MS) / 1000 if first > now else None
