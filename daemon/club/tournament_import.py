"""A tournament from a results file: what would be created, and creating it.

Nothing is written before that is known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from core.club.findings import FileFinding, errors
from core.club.keizer_settings import KeizerSettings
from core.club.pairing_settings import PairingSettings
from core.club.record import RecordPlayer, TournamentRecord
from core.club.results_files import READABLE, read_source
from core.club.setting_texts import as_texts
from core.club.tournament import Away, TournamentRound
from core.players import PlayerKey, identify
from core.plurals import count_of
from daemon.archive.archive import Archive, Connection
from daemon.archive.club import tournaments
from daemon.archive.club.rows import PairingRow, RoundRow, SourceRow
from daemon.archive.games.cache import KnownIds
from daemon.club.errors import ClubError
from daemon.club.foundation import read_settings
from daemon.club.members import LONGEST
from daemon.club.own_terms import checked
from daemon.club.short_names import slug_of
from daemon.club.tournament_record import clean, cleaned

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of a file that is kept with its tournament: 9,999 players with 150 rounds."""
MOST_ROUNDS: Final = 999
_SHOWN: Final = 20
"""How many errors are shown; a file can have thousands."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """A tournament to be created from a file: *notes* say what the director should know before."""

    record: TournamentRecord
    source: SourceRow
    notes: tuple[str, ...]


def plan(kind: str, name: str, data: bytes, *, keizer: bool = False) -> ImportPlan:
    """What a file would become.

    Args:
        kind: what kind of file it is.
        name: what it is called.
        data: the file.
        keizer: go on as a Keizer tournament, whatever system the file has.

    Raises:
        ClubError: it cannot become a tournament; the reasons, one a line.
    """
    if kind not in READABLE:
        raise ClubError(
            f"{name}: tournaments are imported from FIDE tournament reports (TRF), turnering.txt and FESA's tables"
        )
    if len(data) > LARGEST:
        raise ClubError(f"{name} is larger than {LARGEST // 1024 // 1024} MB, so it is not one tournament")
    source = read_source(kind, data)
    _refuse(name, errors(source.findings))
    record = cleaned(source.record)
    if keizer:
        record = replace(record, kind="keizer")
    wrong = [*_wrong(record), *(_wrong_ratings(record) if record.kind == "keizer" else ())]
    if wrong:
        raise ClubError("\n".join([f"{name} cannot become a tournament:", *_first(wrong)]))
    _check_own(record)
    notes = [_sentence(one) for one in source.findings]
    notes += [*record.notes, *_about_keizer(record, asked=keizer and source.record.kind != "keizer")]
    return ImportPlan(record, SourceRow(kind, name, data), tuple(notes))


def _refuse(name: str, bad: tuple[FileFinding, ...]) -> None:
    if bad:
        head = f"{name} has {count_of(len(bad), 'error')}: correct the file first"
        raise ClubError("\n".join([head, *_first([str(one) for one in bad])]))


def _sentence(note: FileFinding) -> str:
    where = f"line {note.line}: " if note.line else ""
    return f"{where}{note.message} ({note.mend})"


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], *([f"and {more} more"] if more > 0 else [])]


def _wrong(record: TournamentRecord) -> Iterator[str]:
    """What the archive cannot store."""
    if not record.heading.name:
        yield "it has no name (012)"
    planned = record.heading.planned_rounds or 0
    if max(planned, len(record.rounds)) > MOST_ROUNDS:
        yield f"it has more than {MOST_ROUNDS} rounds: {max(planned, len(record.rounds))}"
    if not record.entries:
        yield "it has no players"
    seen: dict[PlayerKey, RecordPlayer] = {}
    for entry in record.entries:
        key = identify(entry.player.name, entry.fide_id)
        if key.kind == "unknown":
            yield f'player {entry.number}: "{entry.player.name}" names nobody'
        elif key in seen:
            yield (
                f"players {seen[key].number} and {entry.number} would be one player of the archive, "
                f"{entry.player.name}: give one of them their FIDE id in the file"
            )
        else:
            seen[key] = entry


def _wrong_ratings(record: TournamentRecord) -> Iterator[str]:
    """Keizer's first order is that of the ratings."""
    seen: dict[int, RecordPlayer] = {}
    for entry in record.entries:
        rating = entry.player.rating
        if rating is None:
            yield f"player {entry.number} {entry.player.name} has no rating: estimate one in the file"
        elif rating in seen and record.settings.get("start_order", "rating") == "rating":
            yield (
                f"players {seen[rating].number} and {entry.number} have the rating {rating}, and ratings decide the "
                "first order: change one of them in the file"
            )
        else:
            seen[rating] = entry


def _about_keizer(record: TournamentRecord, *, asked: bool) -> Iterator[str]:
    if asked:
        yield (
            "goes on as a Keizer tournament: the table is another than the file's; half-point and asked byes are "
            "excused absences, other byes count as the setting says"
        )
    elif record.kind == "points":
        yield "the table is by points, as in the file; pairing is only for Keizer tournaments (--keizer)"


def found_from(archive: Archive, planned: ImportPlan, short_name: str, *, now_ms: int) -> str:
    """Found the tournament, with its members, rounds and results, and keep its file. Its slug.

    Raises:
        ClubError: there is one of this short name, or the settings that the file carries are wrong.
    """
    slug, record = slug_of(short_name), planned.record
    values = {"slug": slug, "short_name": clean(short_name), **_values(record)}
    with archive.writing() as connection:
        if tournaments.tournament(connection, slug) is not None:
            raise ClubError(f'there is a tournament "{slug}" already: choose another short name (--short)')
        number = tournaments.add_tournament(connection, values, now_ms)
        tournaments.add_source(connection, number, planned.source)
        ids = _add_members(connection, archive.known, number, record)
        for row in _rounds(record, ids):
            tournaments.put_round(connection, number, row)
        sentence = f"{record.heading.name} is imported from {planned.source.name}: {counts(record)}"
        tournaments.note(connection, number, now_ms, "import", sentence)
    return slug


def _values(record: TournamentRecord) -> dict[str, object]:
    heading = record.heading
    keizer, pairing = _settings(record)
    return {
        "name": heading.name,
        "city": heading.city,
        "federation": heading.federation,
        "arbiter": heading.arbiter,
        "time_control": heading.time_control,
        "kind": record.kind,
        "settings": as_texts(keizer),
        "pairing_settings": as_texts(pairing),
    }


def _settings(record: TournamentRecord) -> tuple[KeizerSettings, PairingSettings]:
    """The settings that the file carries; in a table by points everybody has a rank."""
    beside = {"minimum_games": "0"} if record.kind == "points" else dict(record.settings)
    if beside.get("start_order") == "lot":
        beside["start_order"] = "table"  # the lot went by other numbers: its order is that of the file
    return read_settings({"planned_rounds": str(record.heading.planned_rounds), **beside})


def _check_own(record: TournamentRecord) -> None:
    """The settings and the terms of players that our own files carry.

    Raises:
        ClubError: they cannot be so.
    """
    table = as_texts(_settings(record)[0])
    for entry in record.entries:
        checked(table, entry.terms)
        if max(len(entry.category), len(entry.group)) > LONGEST:
            raise ClubError(
                f"player {entry.number}: the category or group has more than {LONGEST} characters"
            )


def _add_members(
    connection: Connection, known: KnownIds, tournament_id: int, record: TournamentRecord
) -> dict[str, int]:
    """The members' ids, by the ids of the file's players."""
    placed = _settings(record)[0].start_order != "rating"
    members = [_member(connection, known, entry, placed=placed) for entry in record.entries]
    ids = tournaments.add_members(connection, tournament_id, members)
    return {entry.player.id: id_ for entry, id_ in zip(record.entries, ids, strict=True)}


def _member(
    connection: Connection, known: KnownIds, entry: RecordPlayer, *, placed: bool
) -> dict[str, object]:
    """The values of a member; *placed*: the order before round 1 is that of the numbers in the file."""
    name, fide_id = entry.player.name, entry.fide_id or None
    return {
        "n": entry.number,
        "player_id": tournaments.player_of(connection, known, name, fide_id),
        "written": name,
        "fide_id": fide_id,
        "rating": entry.player.rating,
        "joined": entry.player.joined,
        "withdrawn": entry.player.withdrawn,
        "category": entry.category or None,
        "seed": entry.number if placed else None,
        "in_group": entry.group or None,
        "terms": dict(entry.terms),
        "handles": list(entry.handles),
        "title": entry.title or None,
        "sex": entry.sex or None,
        "birth": entry.birth or None,
        "nation": entry.nation or None,
        "grade": entry.grade or None,
        "macmahon": None if entry.macmahon is None else str(entry.macmahon),
        "spelled": entry.spelled or None,
        "newcomer": entry.newcomer,
    }


def _rounds(record: TournamentRecord, ids: Mapping[str, int]) -> Iterator[RoundRow]:
    """The rounds as they were played; the last one may still be played."""
    last = len(record.rounds)
    for number, (one, day) in enumerate(zip_longest(record.rounds, record.heading.days[:last]), start=1):
        yield RoundRow(
            n=number,
            state="complete" if number <= record.with_table else "paired",
            day=day.isoformat() if day else None,
            pairings=tuple(_pairings(one, ids)),
            absences=_absences(one.away, ids),
        )
    if record.coming and record.with_table == last:
        yield RoundRow(n=last + 1, absences=_absences(record.coming, ids))


def _pairings(one: TournamentRound, ids: Mapping[str, int]) -> Iterator[PairingRow]:
    for board, game in enumerate(one.games, start=1):
        result = game.result.value if game.result else None
        yield PairingRow(
            board,
            ids[game.white],
            ids[game.black],
            by_hand=False,
            why="as in the file",
            why_colours="",
            result=result,
            handicap=game.handicap,
            giver_id=ids[game.giver] if game.giver else None,
        )


def _absences(away: tuple[Away, ...], ids: Mapping[str, int]) -> dict[int, str]:
    return {ids[one.player]: one.reason.value for one in away}


def counts(record: TournamentRecord) -> str:
    """Players, rounds and games of a file, for people."""
    games = sum(len(one.games) for one in record.rounds)
    parts = ((len(record.entries), "player"), (len(record.rounds), "round"), (games, "game"))
    return ", ".join(count_of(count, what) for count, what in parts)
