"""A round ends with its table, which can be taken back."""

from dataclasses import dataclass, replace
from typing import Literal

from core.club.tournament import Reason
from daemon.archive import club
from daemon.archive.archive import Archive
from daemon.archive.club_rows import RoundRow
from daemon.club.changing import Change, changing
from daemon.club.errors import ClubError


def close(change: Change, round_: RoundRow) -> None:
    """All results are there: let the round's table stand."""
    club.put_round(change.connection, change.id, replace(round_, state="complete"))
    change.note("table", f"the table after round {round_.n} stands")


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back."""

    what: Literal["flags", "pairings", "table"]
    round: int
    told: str


def undo(archive: Archive, slug: str, *, now_ms: int, confirmed: int | None = None) -> Undone:
    """Take back the last thing, step by step (P18): what is set for the coming round, a pairing list, or a table.

    A table that is taken back leaves its results, a pairing list leaves what was set before it.

    Raises:
        ClubError: there is nothing.
        Confirm: it has to be confirmed.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        season = change.season
        if season.open is not None:
            club.clear_round(change.connection, change.id, season.open.n)
            if season.open.absences or season.open.by_hand or season.open.bye_id:
                return _undo_flags(change, season.open)
        if season.current is not None:
            return _undo_pairings(change, season.current)
        if season.complete:
            return _undo_table(change, season.complete[-1])
    raise ClubError("there is neither a table nor a pairing list to take back")


def _undo_flags(change: Change, round_: RoundRow) -> Undone:
    flagged = [f"{change.season.labels[member]} {reason}" for member, reason in round_.absences.items()]
    pairs = len(round_.by_hand)
    set_ = f"{', '.join(flagged) or 'nobody'} absent, {pairs} pairings by hand"
    change.confirm(f"Take back what is set for round {round_.n} ({set_})?")
    told = f"round {round_.n}: what was set before the pairing is taken back ({set_})"
    change.note("undo", told, dict(round_.absences))
    return Undone("flags", round_.n, told)


def _undo_pairings(change: Change, round_: RoundRow) -> Undone:
    results = sum(one.result is not None for one in round_.pairings)
    entered = f" Its {results} results go with it." if results else ""
    change.confirm(
        f"Take back the pairing list of round {round_.n} ({len(round_.pairings)} boards)?{entered}"
    )
    flags = {member: reason for member, reason in round_.absences.items() if reason != Reason.BYE.value}
    bare = replace(round_, state="open", pairings=(), notes=(), absences=flags)
    club.put_round(change.connection, change.id, bare)
    told = f"the pairing list of round {round_.n} is taken back; what was set before it still is"
    change.note("undo", told, club.plain(round_.pairings, change.season.labels))
    return Undone("pairings", round_.n, told)


def _undo_table(change: Change, round_: RoundRow) -> Undone:
    change.confirm(f"Take back the table after round {round_.n}? Its results stay, and can be corrected.")
    club.put_round(change.connection, change.id, replace(round_, state="paired"))
    told = f"the table after round {round_.n} is taken back; its results are still entered"
    change.note("undo", told)
    return Undone("table", round_.n, told)
