"""Reads results files of any kind as tournaments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.club import fesa_table, fesa_table_checks, trf_checks, trf_reader, turnering_record
from core.club.crosstable import Crosstable
from core.club.findings import FileFinding, errors
from core.club.record import Heading, TournamentRecord
from core.club.trf import Document
from core.club.trf_record import record


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """What a file says; *findings* are faults and notes. With errors the record means nothing."""

    record: TournamentRecord
    findings: tuple[FileFinding, ...]


def _trf(data: bytes) -> ResultsFile:
    return ResultsFile(record(trf_reader.read(data).document), trf_checks.check(data))


def _turnering(data: bytes) -> ResultsFile:
    table, findings = turnering_record.read(data)
    bad = errors(findings)
    return ResultsFile(
        TournamentRecord(Heading(table.name)) if bad else turnering_record.record(table), findings
    )


def _published(data: bytes) -> ResultsFile:
    """A published table: faults in its ratings do not make its results bad."""
    findings = tuple(
        replace(one, note=one.note or one.rule.startswith("R")) for one in fesa_table_checks.check(data)
    )
    found = fesa_table.read(data)
    bad = errors(findings)
    return ResultsFile(
        TournamentRecord(Heading(found.name)) if bad else turnering_record.record_of_published(found),
        findings,
    )


_READERS: Final[Mapping[str, Callable[[bytes], ResultsFile]]] = {
    "trf": _trf,
    "turnering": _turnering,
    "published": _published,
}
FESA: Final = frozenset(("turnering", "published"))
READABLE: Final = frozenset(_READERS)
"""The kinds of files that can become a tournament."""


def read_source(kind: str, data: bytes) -> ResultsFile:
    """The tournament of a file of one of the kinds in `READABLE`. Never fails."""
    return _READERS[kind](data)


def report_of(kind: str, data: bytes, base: Document) -> Document:
    """The file as a FIDE report: *base*, what this program makes of it, with what only the file says."""
    if kind == "trf":
        return trf_reader.read(data).document
    return turnering_record.document(crosstable(kind, data), base)


def crosstable(kind: str, data: bytes) -> Crosstable:
    """The results of one of FESA's files."""
    return fesa_table.read(data).table if kind == "published" else turnering_record.read(data)[0]
