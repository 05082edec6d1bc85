"""Looks at hundreds of lichess accounts in one request.

Who may have played since they were last asked for.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fetchers.base import AccountProfile, Glance
from fetchers.errors import BadAnswer
from fetchers.http.door import Door
from fetchers.http.json_fields import JsonRecord, as_record, flag, inner, moment, number, text

MOST_AT_ONCE: Final = 300
_NO_GAMES: Final = frozenset({"puzzle", "storm", "racer", "streak"})
_HANDLE: Final = re.compile(r"[a-z0-9_-]{1,40}")


def glance(door: Door, handles: Iterable[str]) -> dict[str, Glance]:
    """See `fetchers.base.Glancing`."""
    keys = list(dict.fromkeys(handle.lower() for handle in handles))
    seen = {key: Glance(handle=key, exists=False) for key in keys}
    # What cannot be a handle would only spoil the list for the others.
    for some in _batches([key for key in keys if _HANDLE.fullmatch(key)]):
        seen |= {account.handle: account for account in _asked(door, some) if account.handle in seen}
    return seen


def _batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(0, len(keys), MOST_AT_ONCE):
        yield keys[begin : begin + MOST_AT_ONCE]


def _asked(door: Door, keys: Sequence[str]) -> Iterator[Glance]:
    answer = door.json("api/users", body=",".join(keys))
    if not isinstance(answer, list):
        raise BadAnswer(f"{door.host} gives no list of accounts")
    for item in answer:
        record = as_record(item)
        key = text(record or {}, "id")
        if record is None or key is None:
            raise BadAnswer(f"{door.host} lists an account without saying which")
        yield _glance(key.lower(), record)


def read_profile(account: str, key: str, record: JsonRecord) -> AccountProfile:
    """What a record says of the account that was asked for; *key* is the account of the record."""
    # A deleted account is renamed to a ghost.
    closed = flag(record, "disabled") or key == "ghost" or key.startswith("!")
    games = number(inner(record, "count"), "all")
    return AccountProfile(
        handle=account if closed else key.lower(),
        display=text(record, "username") or account,
        state="closed" if closed else "active",
        games=_rated_games(inner(record, "perfs")) if games is None else games,
        created_at=moment(number(record, "createdAt")),
        marked=flag(record, "tosViolation"),
    )


def _glance(key: str, record: JsonRecord) -> Glance:
    profile = read_profile(key, key, record)
    if profile.state == "closed":
        return Glance(handle=key, closed=True, profile=profile)
    return Glance(
        handle=key,
        seen_at=moment(number(record, "seenAt")),
        games=_rated_games(inner(record, "perfs")),
        playing=number(inner(record, "count"), "playing"),
        profile=profile,
    )


def _rated_games(perfs: JsonRecord) -> int | None:
    """Games of all kinds together; None if the site says nothing of them."""
    counts = [number(inner(perfs, kind), "games") for kind in perfs if kind not in _NO_GAMES]
    account = [count for count in counts if count is not None]
    return sum(account) if account else None
