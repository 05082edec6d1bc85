"""An evening before it is paired: who is present, and manual pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from core.club.manual_pairs import Manual, ManualPairs, problems, why_not_absent
from core.club.tournament import AbsenceReason
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import ByHandRow, MemberRow, RoundRow
from daemon.club.change import changing
from daemon.club.coming_round import coming
from daemon.club.errors import ClubError
from daemon.club.season import Season


@dataclass(frozen=True, slots=True)
class When:
    """The day of an evening, and the time in which online games belong to it (milliseconds since 1970)."""

    day: date
    begins_at: int
    ends_at: int


@dataclass(frozen=True, slots=True)
class Flags:
    """Who is present and who is not, by names.

    *only* these are present: all others get the reason *rest*, unless they were flagged before.
    """

    here: Sequence[str] = ()
    away: Mapping[str, AbsenceReason] = field(default_factory=dict)
    only: Sequence[str] = ()
    rest: AbsenceReason = AbsenceReason.EXCUSED


@dataclass(frozen=True, slots=True)
class EveningSetting:
    """What a director sets before a round is paired; *pairs* and *remove* are pairs of names.

    Attributes:
        first_white: Whether the first of each pair has White; else the usual rules decide.
        bye: Who gets the bye; "" for nobody in particular.
    """

    pairs: Sequence[tuple[str, str]] = ()
    first_white: bool = False
    remove: Sequence[tuple[str, str]] = ()
    bye: str | None = None


def set_flags(
    archive: Archive, slug: str, flags: Flags, *, now_ms: int, confirmed: int | None = None
) -> RoundRow:
    """Set and clear absent flags for the coming round.

    Raises:
        ClubError: somebody is unknown, does not play in that round, or is set by hand (club P5).
        Confirm: the round before it is still being played.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        season, round_ = coming(change, "set this for")
        absences = _flagged(season, round_, flags)
        if absences == round_.absences:
            return round_
        _refuse_paired(season, round_, absences)
        changed = replace(round_, absences=absences)
        tournaments.put_round(change.connection, change.id, changed)
        sentence, back = (
            f"round {round_.n}: {'; '.join(_flag_sentences(season, one, other))}"
            for one, other in ((round_.absences, absences), (absences, round_.absences))
        )
        change.note("present", sentence, dict(round_.absences), back=back)
    return changed


def _flagged(season: Season, round_: RoundRow, flags: Flags) -> dict[int, str]:
    """The flags of the round with these. With *only*, members who were flagged before keep the reason."""
    absences = dict(round_.absences)
    if flags.only:
        there = {_playing(season, name, round_.n).id for name in flags.only}
        playing = [member for member in season.members if member.plays(round_.n)]
        absences = {
            member.id: absences.get(member.id, flags.rest.value)
            for member in playing
            if member.id not in there
        }
    for member, reason in _said(season, round_.n, flags).items():
        if reason is None:
            absences.pop(member, None)
        else:
            absences[member] = reason.value
    return absences


def _said(season: Season, number: int, flags: Flags) -> dict[int, AbsenceReason | None]:
    """The flag of each named member, None for "present".

    Raises:
        ClubError: one has two different flags.
    """
    said: dict[int, AbsenceReason | None] = {}
    for name, reason in (*((name, None) for name in (*flags.here, *flags.only)), *flags.away.items()):
        member = _playing(season, name, number)
        if said.setdefault(member.id, reason) != reason:
            raise ClubError(f"{member.label} cannot be {said[member.id] or 'there'} and {reason}")
    return said


def _playing(season: Season, name: str, number: int) -> MemberRow:
    member = season.find(name)
    if number < member.joined:
        raise ClubError(
            f"{member.label} takes part only from round {member.joined} on, not in round {number}"
        )
    if not member.plays(number):
        raise ClubError(
            f"{member.label} does not play in round {number}: they have withdrawn "
            f"(`gamekeeper club player edit {season.tournament.slug} {member.n} --return`)"
        )
    return member


def _refuse_paired(season: Season, round_: RoundRow, absences: Mapping[int, str]) -> None:
    manual = [Manual(season.labels[one.one], season.labels[one.other]) for one in round_.by_hand]
    wrong = [why for member in absences if (why := why_not_absent(season.labels[member], manual))]
    if round_.bye_id in absences:
        back = f"gamekeeper club pair {season.tournament.slug} --bye -"
        wrong.append(
            f"{season.labels[round_.bye_id or 0]} is to have the bye: take that back first (`{back}`)"
        )
    if wrong:
        raise ClubError("\n".join(wrong))


def _flag_sentences(season: Season, before: Mapping[int, str], after: Mapping[int, str]) -> list[str]:
    return [
        f"{season.labels[member]} {before.get(member, 'here')} → {after.get(member, 'here')}"
        for member in dict.fromkeys((*before, *after))
        if before.get(member) != after.get(member)
    ]


def set_by_hand(
    archive: Archive, slug: str, setting: EveningSetting, *, now_ms: int, confirmed: int | None = None
) -> RoundRow:
    """Set pairings and the bye of the coming round by hand, and take such pairings back (club P4).

    Raises:
        ClubError: it cannot be set so.
        Confirm: the round before it is still being played.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        season, old = coming(change, "set this for")
        new = _set_so(season, old, setting)
        if new == old:
            return old
        # Whether the number is odd is not known before everybody's flag is.
        bye = new.bye_id
        without_bye = replace(new, bye_id=None) if bye not in {*_paired(new), *new.absences} else new
        wrong = problems(season.order(new.n), absent(season, new), by_hand(season, without_bye))
        if wrong:
            raise ClubError("\n".join(wrong))
        tournaments.put_round(change.connection, change.id, new)
        sentence, back = (f"round {new.n}, by hand: {_set(season, one)}" for one in (new, old))
        change.note("by hand", sentence, back, back=back)
    return new


def _set_so(season: Season, old: RoundRow, setting: EveningSetting) -> RoundRow:
    by_hand = list(old.by_hand)
    for names in setting.remove:
        by_hand.remove(_existing(season, by_hand, names))
    for names in setting.pairs:
        one, other = (_playing(season, name, old.n).id for name in names)
        by_hand.append(ByHandRow(one, other, one if setting.first_white else None))
    bye = old.bye_id
    if setting.bye is not None:
        bye = _playing(season, setting.bye, old.n).id if setting.bye else None
    return replace(old, by_hand=tuple(by_hand), bye_id=bye)


def _paired(round_: RoundRow) -> set[int]:
    return {member for pair_ in round_.by_hand for member in (pair_.one, pair_.other)}


def _existing(season: Season, by_hand: Sequence[ByHandRow], names: tuple[str, str]) -> ByHandRow:
    wanted = {season.find(name).id for name in names}
    for pair_ in by_hand:
        if {pair_.one, pair_.other} == wanted:
            return pair_
    raise ClubError(f"{names[0]} and {names[1]} are not paired by hand")


def _set(season: Season, round_: RoundRow) -> str:
    bye = [f"bye {season.labels[round_.bye_id]}"] if round_.bye_id else []
    return "; ".join([*map(season.by_hand, round_.by_hand), *bye]) or "nothing"


def absent(season: Season, round_: RoundRow) -> dict[str, AbsenceReason]:
    """Who is flagged absent, in the terms of the rules."""
    return {season.labels[member]: AbsenceReason(reason) for member, reason in round_.absences.items()}


def by_hand(season: Season, round_: RoundRow) -> ManualPairs:
    """Manual pairs, in the terms of the rules."""
    labels = season.labels
    pairs = tuple(
        Manual(labels[one.one], labels[one.other], labels[one.white] if one.white else None)
        for one in round_.by_hand
    )
    return ManualPairs(pairs, labels[round_.bye_id] if round_.bye_id else None)
