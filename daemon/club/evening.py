"""An evening before and while it is played: who is there, what is set by hand, the pairing list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from core.club.by_hand import ByHand, Manual, problems, why_not_absent
from core.club.pairing import CannotPair, Pairing, pair
from core.club.tournament import Reason
from daemon.archive import club
from daemon.archive.archive import Archive
from daemon.archive.club_rows import ByHandRow, MemberRow, PairingRow, RoundRow
from daemon.club.changing import Change, changing
from daemon.club.closing import close
from daemon.club.errors import ClubError
from daemon.club.season import Season


@dataclass(frozen=True, slots=True)
class When:
    """The day of an evening, and the time in which games played online are of it (milliseconds since 1970)."""

    day: date
    begins_at: int
    ends_at: int


@dataclass(frozen=True, slots=True)
class Flags:
    """Who is there and who is not, by names. *only* these are there: all others get the reason *rest*."""

    here: Sequence[str] = ()
    away: Mapping[str, Reason] = field(default_factory=dict)
    only: Sequence[str] = ()
    rest: Reason = Reason.EXCUSED


@dataclass(frozen=True, slots=True)
class Setting:
    """What a director sets before a round is paired; *pairs* and *remove* are pairs of names.

    Attributes:
        first_white: the first of each pair has White; else the usual rules decide.
        bye: who shall have the bye; "" for nobody in particular.
    """

    pairs: Sequence[tuple[str, str]] = ()
    first_white: bool = False
    remove: Sequence[tuple[str, str]] = ()
    bye: str | None = None


def coming(change: Change) -> tuple[Season, RoundRow]:
    """The round to be paired next, open for what is set before that, and the tournament with all tables before it.

    Raises:
        ClubError: the one before it is still played.
    """
    season = change.season
    playing = season.current
    if playing is not None:
        if not playing.has_all_results:
            raise ClubError(
                f"round {playing.n} is being played: enter its results (`gamekeeper club result`), or take its pairing "
                "list back (`gamekeeper club undo`)"
            )
        close(change, playing)
        season = change.again()
    return season, season.open or RoundRow(n=season.next_number)


def set_flags(archive: Archive, slug: str, flags: Flags, *, now_ms: int) -> RoundRow:
    """Set and clear absent flags for the coming round.

    Raises:
        ClubError: somebody is unknown, does not play in that round, or is paired by hand (P5).
    """
    with changing(archive, slug, now_ms) as change:
        season, round_ = coming(change)
        playing = [member for member in season.members if member.plays(round_.n)]
        absences = dict(round_.absences)
        if flags.only:
            there = {_playing(season, name, round_.n).id for name in flags.only}
            absences = {member.id: flags.rest.value for member in playing if member.id not in there}
        for name in flags.here:
            absences.pop(_playing(season, name, round_.n).id, None)
        for name, reason in flags.away.items():
            absences[_playing(season, name, round_.n).id] = reason.value
        _refuse_paired(season, round_, absences)
        changed = replace(round_, absences=absences)
        club.put_round(change.connection, change.id, changed)
        if absences != round_.absences:
            change.note("present", _told(season, changed), dict(round_.absences))
    return changed


def _playing(season: Season, name: str, number: int) -> MemberRow:
    member = season.find(name)
    if not member.plays(number):
        raise ClubError(f"{member.label} does not play in round {number}: they have withdrawn")
    return member


def _refuse_paired(season: Season, round_: RoundRow, absences: Mapping[int, str]) -> None:
    manual = [Manual(season.labels[one.one], season.labels[one.other]) for one in round_.by_hand]
    wrong = [why for member in absences if (why := why_not_absent(season.labels[member], manual))]
    if round_.bye_id in absences:
        wrong.append(f"{season.labels[round_.bye_id or 0]} is to have the bye: take that back first")
    if wrong:
        raise ClubError("\n".join(wrong))


def _told(season: Season, round_: RoundRow) -> str:
    away = [f"{season.labels[member]} {reason}" for member, reason in round_.absences.items()]
    return f"round {round_.n}: absent {', '.join(away) or 'nobody'}"


def set_by_hand(archive: Archive, slug: str, setting: Setting, *, now_ms: int) -> RoundRow:
    """Set pairings and the bye of the coming round by hand, and take such pairings back (P4).

    Raises:
        ClubError: it cannot be set so.
    """
    with changing(archive, slug, now_ms) as change:
        season, old = coming(change)
        by_hand = list(old.by_hand)
        for names in setting.remove:
            by_hand.remove(_existing(season, by_hand, names))
        for names in setting.pairs:
            one, other = (_playing(season, name, old.n).id for name in names)
            by_hand.append(ByHandRow(one, other, one if setting.first_white else None))
        bye = old.bye_id
        if setting.bye is not None:
            bye = _playing(season, setting.bye, old.n).id if setting.bye else None
        new = replace(old, by_hand=tuple(by_hand), bye_id=bye)
        # Whether the number is odd is not known before everybody's flag is.
        without_bye = replace(new, bye_id=None) if bye not in {*_paired(new), *new.absences} else new
        wrong = problems(season.order(new.n), _absent(season, new), _by_hand(season, without_bye))
        if wrong:
            raise ClubError("\n".join(wrong))
        club.put_round(change.connection, change.id, new)
        change.note("by hand", _set(season, new), _set(season, old))
    return new


def _paired(round_: RoundRow) -> set[int]:
    return {member for pair_ in round_.by_hand for member in (pair_.one, pair_.other)}


def _existing(season: Season, by_hand: Sequence[ByHandRow], names: tuple[str, str]) -> ByHandRow:
    wanted = {season.find(name).id for name in names}
    for pair_ in by_hand:
        if {pair_.one, pair_.other} == wanted:
            return pair_
    raise ClubError(f"{names[0]} and {names[1]} are not paired by hand")


def _set(season: Season, round_: RoundRow) -> str:
    pairs = [f"{season.labels[one.one]} – {season.labels[one.other]}" for one in round_.by_hand]
    bye = [f"bye {season.labels[round_.bye_id]}"] if round_.bye_id else []
    return f"round {round_.n}, by hand: {'; '.join([*pairs, *bye]) or 'nothing'}"


def _absent(season: Season, round_: RoundRow) -> dict[str, Reason]:
    return {season.labels[member]: Reason(reason) for member, reason in round_.absences.items()}


def _by_hand(season: Season, round_: RoundRow) -> ByHand:
    labels = season.labels
    pairs = tuple(
        Manual(labels[one.one], labels[one.other], labels[one.white] if one.white else None)
        for one in round_.by_hand
    )
    return ByHand(pairs, labels[round_.bye_id] if round_.bye_id else None)


def pair_round(
    archive: Archive,
    slug: str,
    when: When | None = None,
    *,
    usual: When | None = None,
    now_ms: int,
    confirmed: int | None = None,
) -> RoundRow:
    """Pair the coming round, by the last table. A pairing list without results is replaced when that is confirmed.

    Args:
        archive: where it is.
        slug: the tournament.
        when: the evening is; None leaves it as it is known.
        usual: the evening, if nothing is known of it.
        now_ms: the time.
        confirmed: see `Confirm`.

    Raises:
        ClubError: it cannot be paired.
        Confirm: there is a pairing list already.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        again = _to_replace(change)
        season, round_ = coming(change) if again is None else (change.season, again)
        paired = _paired_round(season, round_, when or (usual if round_.day is None else None))
        club.put_round(change.connection, change.id, paired)
        before = None if again is None else club.plain(again.pairings, season.labels)
        change.note("pair", f"round {paired.n} is {'paired again' if again else 'paired'}", before)
        if not paired.pairings:
            close(change, paired)
    return paired


def _to_replace(change: Change) -> RoundRow | None:
    """The current round as it was before it was paired, if it is to be paired anew."""
    playing = change.season.current
    if playing is None or any(one.result for one in playing.pairings):
        return None
    change.confirm(f"Round {playing.n} is paired already. Replace its pairing list?")
    return playing


def _paired_round(season: Season, round_: RoundRow, when: When | None) -> RoundRow:
    flags = {member: reason for member, reason in round_.absences.items() if reason != Reason.BYE.value}
    unpaired = replace(round_, absences=flags)
    before = season.evenings(season.complete)
    try:
        found = pair(
            season.order(round_.n),
            before,
            absent=_absent(season, unpaired),
            by_hand=_by_hand(season, unpaired),
            settings=season.pairing_settings,
        )
    except CannotPair as error:
        raise ClubError(f"round {round_.n} cannot be paired: {error}") from error
    if found.bye is not None:
        flags[season.by_label[found.bye.player].id] = Reason.BYE.value
    notes = tuple(_notes(season, round_.n, found))
    return replace(
        unpaired if when is None else _on(unpaired, when),
        state="paired",
        pairings=_rows(season, found),
        absences=flags,
        notes=notes,
    )


def _on(round_: RoundRow, when: When) -> RoundRow:
    return replace(round_, day=when.day.isoformat(), begins_at=when.begins_at, ends_at=when.ends_at)


def _rows(season: Season, found: Pairing) -> tuple[PairingRow, ...]:
    ids = {label: member.id for label, member in season.by_label.items()}
    return tuple(
        PairingRow(number, ids[one.white], ids[one.black], one.by_hand, one.why, one.why_colours)
        for number, one in enumerate(found.boards, start=1)
    )


def _notes(season: Season, number: int, found: Pairing) -> list[str]:
    planned = season.settings.planned_rounds
    beyond = [f"round {number} is beyond the {planned} that are planned"] if number > planned else []
    bye = [found.bye.why] if found.bye else []
    return [*bye, *found.notes, *beyond]
