"""A tournament as turnering.txt: what our own check finds on it is shown, with what to do."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Final

from core.club import spelling, turnering
from core.club.crosstable import Crosstable, CrosstableRow
from core.club.fesa_rating_list import RatingList
from core.club.file_text import beyond_latin
from core.club.findings import FileFinding, errors
from core.club.ranks import ranked
from core.club.record import Heading
from core.club.results_files import FESA, crosstable
from core.club.spelling import Spelling
from core.club.turnering import TurneringError
from core.club.turnering_export import Details, ExportError, results_table, without_table_ends
from core.club.turnering_record import with_halves
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow
from daemon.club.change import changing
from daemon.club.errors import ClubError
from daemon.club.exported_file import Export
from daemon.club.labels import numbered
from daemon.club.season import Season
from daemon.club.tournament_record import is_as_it_came, table_as_it_came

_FACTS: Final = {"name": "name", "city": "city", "federation": "federation", "time_control": "time control"}


@dataclass(frozen=True, slots=True)
class TurneringFile(Export):
    """The file. *found* are spellings of the rating list, by the ids of members."""

    found: Mapping[int, Spelling] = field(default_factory=dict)


def write(
    season: Season,
    heading: Heading,
    *,
    new: Iterable[str] = (),
    known: RatingList | None = None,
    today: date | None = None,
) -> TurneringFile:
    """The results file that FESA rates, with the complete rounds.

    Args:
        season: The tournament.
        heading: What the file says of it.
        new: Members who are new to rated tournaments, beside those of whom that is kept.
        known: The rating list, which knows how names are spelled.
        today: For the reminders of what is due when.

    Raises:
        ClubError: FESA's program, or our own check, would refuse it; the reasons and what to do, one a line.
    """
    order = _order(season)
    newcomers = {season.find(name).id for name in new}
    found = {} if known is None else spellings_in(season, known)
    details = {
        season.labels[one.id]: details_of(one, found.get(one.id), new=one.id in newcomers)
        for one in season.members
    }
    if wrong := [*_wrong_facts(season), *_wrong_names(season, details)]:
        raise _refused(wrong)
    data, ending = _data(season, heading, order, details)
    findings = turnering.check(data, known=known, today=today)
    if bad := errors(findings):
        raise _refused(_advised(season, order, bad))
    notes = [
        *_spelled(season, details, found),
        *(_ending(season.by_label[order[row.number - 1]]) for row in ending),
        *_advised(season, order, findings),
    ]
    return TurneringFile(f"{season.tournament.slug}-turnering.txt", data, tuple(notes), found)


def _order(season: Season) -> list[str]:
    """The final placing: that of the file where the tournament is as it came, else that of the last table."""
    source = season.source
    if source is not None and source.kind in FESA and is_as_it_came(season, season.report):
        return [member.label for member in sorted(season.members, key=lambda member: member.n)]
    table = season.tables[-1]
    if season.kind == "points":
        return [*table.order, *table.withdrawn]
    first = [row.player for row in ranked(table, season.settings)]
    return [*first, *(player for player in table.order if player not in first), *table.withdrawn]


def _data(
    season: Season, heading: Heading, order: Sequence[str], details: Mapping[str, Details]
) -> tuple[bytes, tuple[CrosstableRow, ...]]:
    """As `_written`; what cannot be written is refused, with what to do."""
    try:
        table = results_table(heading, season.players, season.evenings(season.complete), order, details)
        return _written(season, table, order)
    except ExportError as error:
        enter = f"enter it: gamekeeper club result {season.tournament.slug} --round ROUND BOARD RESULT"
        raise _refused([f"{error}; {enter}"]) from error
    except TurneringError as error:
        raise _refused(_advised(season, order, error.findings)) from error


def _written(
    season: Season, table: Crosstable, order: Sequence[str]
) -> tuple[bytes, tuple[CrosstableRow, ...]]:
    """The file, and the rows whose 0# is written 0-. A turnering.txt of which nothing has changed is as it came."""
    source = season.source
    if source is not None and source.kind in FESA:
        as_it_came = source.kind == "turnering" and table == table_as_it_came(source)
        if as_it_came and not errors(turnering.check(source.data)):
            return source.data, ()
        numbers = [season.by_label[label].n for label in order]
        table = with_halves(table, numbers, crosstable(source.kind, source.data))
    table, ending = without_table_ends(table)
    return turnering.write(table), ending


def _ending(member: MemberRow) -> str:
    said = "stayed away in every round without a word; a row of 0# ends the table for FESA's program"
    return f"{numbered(member.n, member.name)}: {said}, so 0- is written"


def _refused(reasons: Sequence[str]) -> ClubError:
    return ClubError("\n".join(["no turnering.txt can be written:", *reasons]))


def spellings_in(season: Season, known: RatingList) -> dict[int, Spelling]:
    """The spellings of the list that are not kept, nor usual for the name, by the ids of members."""
    found: dict[int, Spelling] = {}
    for member in season.members:
        now = _spelling(member)
        if now.name in known:
            continue
        listed = spelling.listed(_own_name(member), (member.fide_id,) if member.fide_id else (), known)
        if listed is not None and listed != now.name:
            found[member.id] = spelling.parted(listed, now)
    return found


def _spelling(member: MemberRow) -> Spelling:
    return spelling.kept(member.spelled) if member.spelled else spelling.usual(_own_name(member))


def _own_name(member: MemberRow) -> str:
    """As the director or the file has it; the archive may show the player by the name of another source."""
    return member.called or member.written


def details_of(member: MemberRow, found: Spelling | None = None, *, new: bool = False) -> Details:
    """What FESA's file says of a member; *found* is a spelling that is not kept yet."""
    return Details(
        found or _spelling(member),
        member.nation or "",
        member.grade or "",
        None if member.macmahon is None else Fraction(member.macmahon),
        new or member.newcomer,
    )


def _wrong_facts(season: Season) -> Iterator[str]:
    for fact, shown in _FACTS.items():
        text: str = getattr(season.tournament, fact)
        if beyond_latin(text) or "[" in text or "]" in text:
            why = "has brackets" if not beyond_latin(text) else "has letters that FESA's program cannot read"
            yield f'the {shown} "{text}" {why}: gamekeeper club settings {season.tournament.slug} --set {fact}="…"'


def _wrong_names(season: Season, details: Mapping[str, Details]) -> Iterator[str]:
    for member in season.members:
        fault = details[season.labels[member.id]].spelling.fault
        if fault is not None:
            yield f"{numbered(member.n, member.name)}: {fault}; {_respell(season, member)}"


def _respell(season: Season, member: MemberRow) -> str:
    edit = f'gamekeeper club player edit {season.tournament.slug} {member.n} --spelled "Last, First"'
    return f"give the rating list with --list, or the spelling that it has: {edit}"


def _advised(season: Season, order: Sequence[str], findings: Iterable[FileFinding]) -> list[str]:
    """Findings on our own file, in words of the tournament: its lines and numbers are not the director's."""
    return [_sentence(season, order, one) for one in findings]


def _sentence(season: Season, order: Sequence[str], one: FileFinding) -> str:
    member = _meant(season, order, one)
    who = f"{numbered(member.n, member.name)}: " if member else ""
    when = f"round {one.round}: " if one.round else ""
    advice = _ADVICE.get(one.rule)
    mend = advice(season, member, one) if advice else one.mend
    return f"{who}{when}{one.message} ({mend})"


def _meant(season: Season, order: Sequence[str], one: FileFinding) -> MemberRow | None:
    number = (one.player or "").partition(" ")[0]
    if not number.isdecimal() or not 1 <= int(number) <= len(order):
        return None
    return season.by_label[order[int(number) - 1]]


def _name_advice(season: Season, member: MemberRow | None, one: FileFinding) -> str:
    if member is None or one.note:
        return one.mend
    slug = season.tournament.slug
    new = f"; if they are new to rated tournaments: gamekeeper club player edit {slug} {member.n} --new"
    similar, _, _ = one.mend.partition(" If not")
    hint = f"{similar} " if similar != one.mend else ""
    edit = f'gamekeeper club player edit {slug} {member.n} --spelled "Last, First"'
    return f"{hint}{edit}{new if 'not in the rating list' in one.message else ''}"


def _fact_advice(season: Season, _member: MemberRow | None, _one: FileFinding) -> str:
    return f'gamekeeper club settings {season.tournament.slug} --set name="…"'


def _day_advice(_season: Season, _member: MemberRow | None, one: FileFinding) -> str:
    return one.mend if one.note else "no round has a day: give one with `club pair --date`"


_ADVICE: Final[Mapping[str, Callable[[Season, MemberRow | None, FileFinding], str]]] = {
    "T1": _fact_advice,
    "T2": _day_advice,
    "T11": _name_advice,
}
"""What to do in the tournament, where it is something else than mending the file."""


def _spelled(season: Season, details: Mapping[str, Details], found: Mapping[int, Spelling]) -> Iterator[str]:
    for member in season.members:
        written = details[season.labels[member.id]].spelling
        if member.id in found:
            yield f'{numbered(member.n, member.name)} is written "{written.name}", as the rating list has it; this is remembered'
        elif member.spelled is None:
            yield from _usual_note(season, member, written)


def _usual_note(season: Season, member: MemberRow, written: Spelling) -> Iterator[str]:
    """Where a name is not simply written as it is."""
    edit = f'gamekeeper club player edit {season.tournament.slug} {member.n} --spelled "Last, First"'
    name = _own_name(member)
    plain = " ".join(part.strip() for part in name.split(",", 1)).strip()
    if plain != written.name:
        yield f'{numbered(member.n, member.name)} is written "{written.name}": if the rating list has it otherwise, {edit}'
    elif "," not in name and " " in name:
        yield f'{numbered(member.n, member.name)} is written as a last name, "{written}": if it is not one, {edit}'


def remember(archive: Archive, slug: str, found: Mapping[int, Spelling], *, now_ms: int) -> None:
    """Keep the spellings of the rating list with the members.

    Raises:
        ClubError: there is no such tournament.
    """
    with changing(archive, slug, now_ms) as change:
        for member in change.season.members:
            if member.id in found:
                text = str(found[member.id])
                tournaments.change_member(change.connection, member.id, {"spelled": text})
                change.note("player", f"{member.name} is spelled {text} in the rating list", member.spelled)
