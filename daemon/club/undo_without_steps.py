"""Undo in tournaments older than the steps: what is set, then a pairing list, then a table."""

from dataclasses import replace

from core.club.tournament import AbsenceReason
from daemon.archive.club import tournaments
from daemon.archive.club.rows import RoundRow
from daemon.club.change import Change
from daemon.club.errors import ClubError


def undo(change: Change) -> tuple[str, str]:
    """Take the last of these back; the command that had done it, and a sentence.

    Raises:
        ClubError: there is nothing.
        Confirm: it has to be confirmed.
    """
    season = change.season
    if season.open is not None:
        tournaments.clear_round(change.connection, change.id, season.open.n)
        if season.open.absences or season.open.by_hand or season.open.bye_id:
            return _flags(change, season.open)
    if season.current is not None:
        return _pairings(change, season.current)
    if season.complete:
        return _table(change, season.complete[-1])
    raise ClubError(
        "there is nothing to undo (members who were added stay: `gamekeeper club player remove` takes them out)"
    )


def _flags(change: Change, round_: RoundRow) -> tuple[str, str]:
    flagged = [f"{change.season.labels[member]} {reason}" for member, reason in round_.absences.items()]
    pairs = len(round_.by_hand)
    set_ = f"{', '.join(flagged) or 'nobody'} absent, pairings by hand: {pairs}"
    change.confirm(f"Undo what is set for round {round_.n} ({set_})?")
    sentence = f"round {round_.n}: what was set before the pairing is undone ({set_})"
    change.note("undo", sentence, dict(round_.absences))
    return "present", sentence


def _pairings(change: Change, round_: RoundRow) -> tuple[str, str]:
    results = sum(one.result is not None for one in round_.pairings)
    entered = f" The results go with it: {results}." if results else ""
    change.confirm(f"Undo the pairing list of round {round_.n} (boards: {len(round_.pairings)})?{entered}")
    flags = {
        member: reason for member, reason in round_.absences.items() if reason != AbsenceReason.BYE.value
    }
    bare = replace(round_, state="open", pairings=(), notes=(), absences=flags)
    tournaments.put_round(change.connection, change.id, bare)
    sentence = f"the pairing list of round {round_.n} is undone; what was set before it still is"
    change.note("undo", sentence, tournaments.plain(round_.pairings, change.season.labels))
    return "pair", sentence


def _table(change: Change, round_: RoundRow) -> tuple[str, str]:
    change.confirm(f"Undo the table after round {round_.n}? Its results stay, and can be corrected.")
    tournaments.put_round(change.connection, change.id, replace(round_, state="paired"))
    sentence = f"the table after round {round_.n} is undone; its results are still entered"
    change.note("undo", sentence)
    return "table", sentence
