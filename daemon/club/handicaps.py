"""Handicaps of shogi games, as FESA writes them: which board, which code, who gave it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.club.grades import HANDICAPS
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow, PairingRow, RoundRow
from daemon.club.change import Change, changing
from daemon.club.errors import ClubError
from daemon.club.season import Season


@dataclass(frozen=True, slots=True)
class BoardHandicap:
    """The handicap of a board; *code* None removes it, *giver* None is the stronger of the two."""

    code: str | None
    giver: str | None = None


def read_handicap(text: str) -> BoardHandicap:
    """A handicap as a director writes it: "2p", "2p:rossi" where Rossi gave it, "none".

    Raises:
        ClubError: it is not one.
    """
    code, _, giver = text.partition(":")
    code = code.strip().lower().lstrip("-+")
    if code in {"none", "0", ""}:
        return BoardHandicap(None)
    if code not in HANDICAPS:
        raise ClubError(f'"{text}" is not a handicap: {" ".join(HANDICAPS)}, or none')
    return BoardHandicap(code, giver.strip() or None)


def set_handicaps(
    archive: Archive,
    slug: str,
    handicaps: Mapping[int, BoardHandicap],
    *,
    number: int | None = None,
    now_ms: int,
) -> RoundRow:
    """Set the handicaps of boards, of the last paired round or of another one. They do not count in any table.

    Raises:
        ClubError: there is no such round or board, or the giver does not play there.
    """
    with changing(archive, slug, now_ms) as change:
        round_ = _round(change.season, number)
        boards = {one.board: one for one in round_.pairings}
        for board in handicaps:
            if board not in boards:
                raise ClubError(f"round {round_.n} has no board {board}: it has {len(boards)}")
        new = {board: _with(change.season, boards[board], one) for board, one in handicaps.items()}
        changed = [board for board, one in new.items() if one != boards[board]]
        entered = replace(round_, pairings=tuple(new.get(one.board, one) for one in round_.pairings))
        tournaments.put_round(change.connection, change.id, entered)
        for board in changed:
            _note(change, round_, boards[board], new[board])
    return entered


def _round(season: Season, number: int | None) -> RoundRow:
    if not season.listed:
        raise ClubError("no round is paired yet")
    for round_ in season.listed:
        if round_.n == (number or season.listed[-1].n):
            return round_
    raise ClubError(f"round {number} is not paired")


def _with(season: Season, board: PairingRow, handicap: BoardHandicap) -> PairingRow:
    if handicap.code is None:
        return replace(board, handicap=None, giver_id=None)
    by_id = {member.id: member for member in season.members}
    sides = (by_id[board.white], by_id[board.black])
    return replace(board, handicap=handicap.code, giver_id=_giver(season, board, sides, handicap).id)


def _giver(
    season: Season, board: PairingRow, sides: tuple[MemberRow, MemberRow], handicap: BoardHandicap
) -> MemberRow:
    if handicap.giver is None:
        return max(sides, key=lambda member: member.rating or 0)
    giver = season.find(handicap.giver)
    if giver not in sides:
        raise ClubError(f"{giver.label} does not play at board {board.board}")
    return giver


def _note(change: Change, round_: RoundRow, old: PairingRow, new: PairingRow) -> None:
    was, is_ = (said(change.season, one) or "none" for one in (old, new))
    board = f"round {round_.n}, board {new.board}, handicap"
    change.note("handicap", f"{board}: {was} → {is_}", back=f"{board}: {is_} → {was}")


def said(season: Season, board: PairingRow) -> str:
    """The handicap of a board for people: "2p by Rossi, Mario"; "" without one."""
    if board.handicap is None or board.giver_id is None:
        return ""
    return f"{board.handicap} by {season.labels[board.giver_id]}"
