"""Who is present in a round, exactly as it is paired; and corrections of reasons for earlier absences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.club.tournament import AbsenceReason
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow, RoundRow
from daemon.archive.tables.words import ClubRoundState
from daemon.club.change import Change, changing
from daemon.club.errors import ClubError
from daemon.club.season import Season


@dataclass(frozen=True, slots=True)
class MemberState:
    """What a member does in a round: *reason* is None with a game, or if they are present to be paired."""

    member: MemberRow
    reason: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Presence:
    """A round and all who take part in it, highest rating first."""

    round: int
    state: ClubRoundState
    states: tuple[MemberState, ...]


def presence(season: Season, number: int | None = None) -> Presence:
    """Who is there in a round: in the one that is being played, else in the coming one, if none is named.

    Raises:
        ClubError: there is no such round.
    """
    if number is None:
        number = season.current.n if season.current else season.next_number
    elif number > len(season.listed) + (season.current is None):
        raise ClubError(f"round {number} is not paired")
    row = next((one for one in season.rounds if one.n == number), RoundRow(n=number))
    playing = sorted((one for one in season.members if one.plays(number)), key=lambda one: -(one.rating or 0))
    states = (MemberState(one, *_state(season, row, one)) for one in playing)
    return Presence(number, row.state, tuple(states))


def _state(season: Season, row: RoundRow, member: MemberRow) -> tuple[str | None, str]:
    reason = row.absences.get(member.id)
    if reason is not None:
        return reason, reason
    for board in row.pairings:
        if member.id in {board.white, board.black}:
            return None, f"board {board.board}"
    if row.state != "open":
        return AbsenceReason.UNEXCUSED.value, AbsenceReason.UNEXCUSED.value
    for pair in row.by_hand:
        if member.id in {pair.one, pair.other}:
            return None, f"here; by hand: {season.by_hand(pair)}"
    return None, "here; by hand: the bye" if row.bye_id == member.id else "here"


def change_reasons(
    archive: Archive,
    slug: str,
    number: int,
    reasons: Mapping[str, AbsenceReason],
    *,
    now_ms: int,
    confirmed: int | None = None,
) -> RoundRow:
    """Correct why these members were absent in a round that is paired.

    Raises:
        ClubError: the round is not paired, or somebody has a game or the bye in it, or no part in it.
        Confirm: it has to be confirmed.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        round_ = next((one for one in change.season.listed if one.n == number), None)
        if round_ is None:
            raise ClubError(f"round {number} is not paired: its flags are set without --round")
        states = {one.member.id: one for one in presence(change.season, number).states}
        changes: dict[int, tuple[str, str]] = {}
        for name, reason in reasons.items():
            member = change.season.find(name)
            old = _reason(states.get(member.id), member, number)
            if old != reason.value:
                changes[member.id] = (old, reason.value)
        if not changes:
            return round_
        absences = {**round_.absences, **{member: new for member, (_, new) in changes.items()}}
        changed = replace(round_, absences=absences)
        _note_changes(change, changed, changes, dict(round_.absences))
        tournaments.put_round(change.connection, change.id, changed)
    return changed


def _reason(state: MemberState | None, member: MemberRow, number: int) -> str:
    if state is None:
        raise ClubError(f"{member.label} takes no part in round {number}")
    if state.reason is None:
        raise ClubError(f"{state.member.label} was not absent in round {number}: {state.words}")
    if state.reason == AbsenceReason.BYE:
        raise ClubError(f"{state.member.label} had the bye in round {number}")
    return state.reason


def _note_changes(
    change: Change, round_: RoundRow, changes: Mapping[int, tuple[str, str]], before: Mapping[int, str]
) -> None:
    labels = change.season.labels
    sentence = "; ".join(f"{labels[member]} {old} → {new}" for member, (old, new) in changes.items())
    back = "; ".join(f"{labels[member]} {new} → {old}" for member, (old, new) in changes.items())
    change.confirm(
        f"Round {round_.n}: {sentence}? All tables from then on are made again; the pairings stay."
    )
    change.note("present", f"round {round_.n}: {sentence}", before, back=f"round {round_.n}: {back}")
