"""Results files of any kind as tournaments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.club import trf_checks, trf_reading
from core.club.findings import Finding
from core.club.record import Record
from core.club.trf_record import record


@dataclass(frozen=True, slots=True)
class Source:
    """What a file says; *findings* are what is wrong with it, and notes. With errors the record means nothing."""

    record: Record
    findings: tuple[Finding, ...]


def _trf(data: bytes) -> Source:
    return Source(record(trf_reading.read(data).document), trf_checks.check(data))


_READERS: Final[Mapping[str, Callable[[bytes], Source]]] = {"trf": _trf}
READABLE: Final = frozenset(_READERS)
"""The kinds of files that can become a tournament."""


def read_source(kind: str, data: bytes) -> Source:
    """The tournament of a file of one of the kinds in `READABLE`; reading never fails."""
    return _READERS[kind](data)
