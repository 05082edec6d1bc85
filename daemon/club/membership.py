"""In which rounds somebody takes part, and what a change of that means for existing rounds."""

from collections.abc import Iterator
from dataclasses import replace

from core.club.tournament import AbsenceReason
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow, RoundRow
from daemon.club.change import Change
from daemon.club.errors import ClubError


def fit_rounds(change: Change, old: MemberRow, new: MemberRow) -> list[str]:
    """Make every round agree with the rounds in which *new* takes part; returns what changed, a sentence each.

    A member who takes part in a round that is paired without them was absent there: excused if they joined
    earlier, without notice if they had withdrawn and return.

    Raises:
        ClubError: they have a game or a bye in a round without them, or are in a manual pair there.
    """
    if new.withdrawn is not None and new.withdrawn < new.joined:
        raise ClubError(
            f"{new.label} cannot withdraw from round {new.withdrawn} on and join in round {new.joined}"
        )
    sentences: list[str] = []
    for round_ in change.season.rounds:
        if old.plays(round_.n) and not new.plays(round_.n):
            sentences += _leave(change, new, round_)
        elif new.plays(round_.n) and not old.plays(round_.n) and round_.state != "open":
            reason = AbsenceReason.EXCUSED if round_.n < old.joined else AbsenceReason.UNEXCUSED
            absences = {**round_.absences, new.id: reason.value}
            tournaments.put_round(change.connection, change.id, replace(round_, absences=absences))
            sentences.append(f"{reason.value} in round {round_.n}")
    return sentences


def _leave(change: Change, member: MemberRow, round_: RoundRow) -> Iterator[str]:
    refuse_held(member, round_)
    reason = round_.absences.get(member.id)
    if reason is not None:
        absences = {one: why for one, why in round_.absences.items() if one != member.id}
        tournaments.put_round(change.connection, change.id, replace(round_, absences=absences))
        yield f"not {reason} in round {round_.n} any more"


def refuse_held(member: MemberRow, round_: RoundRow) -> None:
    """Check that nothing in this round needs the member.

    Raises:
        ClubError: they have a game or a bye in it, or are in a manual pair.
    """
    why = _held_by(member, round_)
    if why is not None:
        raise ClubError(f"{member.label} {why}")


def _held_by(member: MemberRow, round_: RoundRow) -> str | None:
    """What the member does in this round, which then would be without them."""
    if any(member.id in {one.white, one.black} for one in round_.pairings):
        return f"has a game in round {round_.n}, so takes part in it"
    if round_.absences.get(member.id) == AbsenceReason.BYE:
        return f"has the bye in round {round_.n}, so takes part in it"
    if any(member.id in {pair.one, pair.other} for pair in round_.by_hand) and round_.state == "open":
        return f"is paired by hand in round {round_.n}: remove that pairing first (`gamekeeper club pair --remove`)"
    if round_.bye_id == member.id and round_.state == "open":
        return (
            f"is to have the bye in round {round_.n}: take that back first (`gamekeeper club pair --bye -`)"
        )
    return None
