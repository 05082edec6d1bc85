"""A tournament of the archive as a record, beside the file that it came from."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from core import names
from core.club.crosstable import Crosstable
from core.club.points_table import without_macmahon
from core.club.record import Heading, RecordPlayer, TournamentRecord
from core.club.results_files import read_source, report_of
from core.club.tournament import Competitor, start_order
from core.club.trf import Document, write
from core.club.trf_export import report
from core.club.trf_merge import merged
from core.club.turnering_export import Details, results_table
from core.players import read_fide_id
from daemon.archive.club.rows import MemberRow, SourceRow
from daemon.archive.games.quarantine import storable
from daemon.club.played_tournament import PlayedTournament

PLANNED: Final = 7
"""Rounds of a tournament whose file neither plans nor has any."""


def clean(text: str | None) -> str:
    """A text of a file as the archive keeps it."""
    return names.clean(storable(text) or "")


def cleaned(record: TournamentRecord) -> TournamentRecord:
    """A record as it comes back from the archive: with clean texts, and a planned number of rounds."""
    heading = record.heading
    return replace(
        record,
        heading=replace(
            heading,
            name=clean(heading.name),
            city=clean(heading.city),
            federation=clean(heading.federation),
            arbiter=clean(heading.arbiter),
            time_control=clean(heading.time_control),
            planned_rounds=heading.planned_rounds or len(record.rounds) or PLANNED,
        ),
        entries=tuple(map(_cleaned, record.entries)),
    )


def _cleaned(entry: RecordPlayer) -> RecordPlayer:
    return replace(
        entry,
        player=replace(entry.player, name=clean(entry.player.name)),
        fide_id=read_fide_id(entry.fide_id) or "",
        title=clean(entry.title),
        sex=clean(entry.sex),
        birth=clean(entry.birth),
        category=clean(entry.category),
        group=clean(entry.group),
    )


def record_of(season: PlayedTournament) -> TournamentRecord:
    """The tournament as it stands. Its players have the numbers of their file, else those of the start order.

    Raises:
        ValueError: the starting order is unclear.
    """
    imported = season.source and cleaned(read_source(season.source.kind, season.source.data).record)
    rounds = season.listed if imported else season.complete
    days = tuple(date.fromisoformat(one.day) if one.day else None for one in rounds)
    if imported:
        days += imported.heading.days[len(days) :]
    row = season.tournament
    return TournamentRecord(
        heading=Heading(
            row.name,
            row.city,
            row.federation,
            days,
            season.settings.planned_rounds,
            row.arbiter,
            row.time_control,
            *days_of_file(season),
        ),
        entries=_entries(season, numbered=bool(imported)),
        rounds=season.evenings(rounds),
        complete=len(season.complete),
        kind=season.kind,
        settings={**row.settings, **row.pairing_settings},
    )


def days_of_file(season: PlayedTournament) -> tuple[date | None, date | None]:
    """The first and the last day that the tournament's file tells."""
    if season.source is None:
        return None, None
    its = read_source(season.source.kind, season.source.data).record.heading
    return its.start, its.end


def _entries(season: PlayedTournament, *, numbered: bool) -> tuple[RecordPlayer, ...]:
    if numbered:
        members = sorted(season.members, key=lambda member: member.n)
        players = {player.id: player for player in season.players}
        return tuple(
            _entry(one.n, replace(players[season.labels[one.id]], name=one.called or one.written), one)
            for one in members
        )
    order = start_order(season.players)
    return tuple(
        _entry(number, player, season.by_label[player.id]) for number, player in enumerate(order, start=1)
    )


def _entry(number: int, player: Competitor, member: MemberRow) -> RecordPlayer:
    return RecordPlayer(
        number=number,
        # A member who leaves only later is not out of the tables yet.
        player=replace(player, withdrawn=member.withdrawn),
        fide_id=member.fide_id or "",
        title=member.title or "",
        sex=member.sex or "",
        birth=member.birth or "",
        category=member.category or "",
        group=member.in_group or "",
        terms=member.terms,
        handles=member.handles,
        nation=member.nation or "",
        grade=member.grade or "",
        macmahon=None if member.macmahon is None else Fraction(member.macmahon),
        spelled=member.spelled or "",
        newcomer=member.newcomer,
    )


def document_of(season: PlayedTournament) -> Document:
    """The tournament as a FIDE report: that of its file, with what has changed since. Ranks are those of the file.

    Raises:
        ValueError: the starting order is unclear.
    """
    now = report(record_of(season), ())
    if season.source is None:
        return now
    as_it_came = _as_it_came(season.source)
    return merged(report_of(season.source.kind, season.source.data, as_it_came), as_it_came, now)


def _as_it_came(source: SourceRow) -> Document:
    """What this program would have written for a file when it came."""
    return report(cleaned(read_source(source.kind, source.data).record), ())


def table_as_it_came(source: SourceRow) -> Crosstable:
    """What this program would have written as turnering.txt for a file when it came."""
    its = cleaned(read_source(source.kind, source.data).record)
    details = {entry.player.id: Details.of(entry) for entry in its.entries}
    return results_table(its.heading, its.players, its.rounds, [one.id for one in its.players], details)


def is_as_it_came(season: PlayedTournament, document: Document) -> bool:
    """Whether this report equals the tournament's file."""
    source = season.source
    return source is not None and report_of(source.kind, source.data, _as_it_came(source)) == document


def in_bytes(season: PlayedTournament, document: Document) -> bytes:
    """The report as a file: the very one that came if it says the same, else with its line ends.

    Raises:
        TrfError: a value does not fit into its columns.
    """
    source: SourceRow | None = season.source
    if source is None or source.kind != "trf":
        return write(without_macmahon(document))
    if is_as_it_came(season, document):
        return source.data
    return write(document, line_end=_line_end(source.data))


def _line_end(data: bytes) -> str:
    if b"\r\n" in data:
        return "\r\n"
    return "\r" if b"\r" in data and b"\n" not in data else "\n"
