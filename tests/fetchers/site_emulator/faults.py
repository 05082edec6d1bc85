"""What can go wrong with an answer, and for which requests it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Literal, get_args

Kind = Literal[
    "cut",
    "gzip_cut",
    "reset",
    "short_length",
    "close_delimited",
    "drip",
    "status",
    "rate_limit",
    "html",
    "hang",
    "stall",
    "refuse",
    "redirect",
    "gzip_bomb",
    "endless_line",
    "endless_headers",
]
KINDS: Final = frozenset(get_args(Kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong. Which fields count for which kind stands with `Emulator.fault`.

    *after* is a number of bytes of the body (int) or a share of it (float between 0 and 1).
    """

    kind: Kind
    after: int | float | None = None
    clean: bool = False
    rate: float = 4.0
    code: int | None = None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    retry_after: str | None = None
    location: str = ""
    size: int = 0

    def cut_at(self, length: int) -> int:
        """After how many bytes of a body of that length it happens."""
        if self.after is None:
            return length // 2
        return round(self.after * length) if isinstance(self.after, float) else min(self.after, length)


@dataclass(slots=True)
class _Pending:
    site: str
    path_prefix: str | None
    account: str | None
    skip: int
    times: int | None
    fault: Fault

    def concerns(self, site: str, path: str) -> bool:
        if self.site != site or not path.startswith(self.path_prefix or ""):
            return False
        return self.account is None or self.account.lower() in path.lower().split("/")


class Faults:
    """The faults still to come; safe to use from all threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pending: list[_Pending] = []

    def add(
        self,
        site: str,
        fault: Fault,
        *,
        path_prefix: str | None,
        account: str | None,
        skip: int,
        times: int | None,
    ) -> None:
        """Let *fault* happen to the next *times* requests (None: all) that fit, after *skip* good ones."""
        if fault.kind not in KINDS:
            raise ValueError(f"no such kind of fault: {fault.kind}")
        with self._lock:
            self._pending.append(_Pending(site, path_prefix, account, skip, times, fault))

    def clear(self) -> None:
        """Let everything go well again."""
        with self._lock:
            self._pending.clear()

    def take(self, site: str, path: str) -> Fault | None:
        """The fault for this request, used up."""
        with self._lock:
            for pending in self._pending:
                if pending.concerns(site, path):
                    return self._use(pending)
        return None

    def _use(self, pending: _Pending) -> Fault | None:
        if pending.skip:
            pending.skip -= 1
            return None
        if pending.times is not None:
            pending.times -= 1
            if pending.times <= 0:
                self._pending.remove(pending)
        return pending.fault
