"""Results: read as people write them, entered, corrected."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.club.tournament import Result
from daemon.archive import club
from daemon.archive.archive import Archive
from daemon.archive.club_rows import PairingRow, RoundRow
from daemon.club.changing import Change, changing
from daemon.club.closing import close
from daemon.club.errors import ClubError

_WRITTEN: Final = {
    Result.WHITE: ("1-0", "1:0", "1"),
    Result.BLACK: ("0-1", "0:1", "0"),
    Result.DRAW: ("1/2", "1/2-1/2", "½", "½-½", "½:½", "=", "0.5", "draw", "remis"),
    Result.WHITE_FORFEIT: ("1-0f", "+-", "+:-", "+/-"),
    Result.BLACK_FORFEIT: ("0-1f", "-+", "-:+", "-/+"),
    Result.BOTH_ABSENT: ("0-0f", "--", "-:-", "-/-"),
}
_READ: Final = {text: result for result, texts in _WRITTEN.items() for text in texts}


@dataclass(frozen=True, slots=True)
class Entry:
    """The result of a board. *game_id* told it; *turned*: that game was played with the colours exchanged."""

    result: Result
    game_id: int | None = None
    turned: bool = False


def read_result(text: str) -> Result:
    """A result as a director writes it.

    Raises:
        ClubError: it is none.
    """
    found = _READ.get("".join(text.split()).casefold().replace("–", "-"))
    if found is None:
        raise ClubError(
            f'"{text}" is not a result: 1-0, 0-1, 1/2, or 1-0f, 0-1f, 0-0f where one side or both did not come'
        )
    return found


def written(result: Result) -> str:
    """A result as a director types it: ``1-0f`` where Black did not come."""
    return _WRITTEN[result][0]


def enter(
    archive: Archive,
    slug: str,
    entries: Mapping[int, Entry],
    *,
    number: int | None = None,
    now_ms: int,
    confirmed: int | None = None,
) -> RoundRow:
    """Enter results by board, of the round that is played or of an earlier one. With the last one the table stands.

    Raises:
        ClubError: there is no such round or board.
        Confirm: another result stands there, or the round has its table.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        round_ = _round(change, number)
        boards = {one.board: one for one in round_.pairings}
        for board in entries:
            if board not in boards:
                raise ClubError(f"round {round_.n} has no board {board}: it has {len(boards)}")
        new = {board: _entered(boards[board], entry) for board, entry in entries.items()}
        changed = [board for board, one in new.items() if one != boards[board]]
        _confirm(change, round_, [board for board in changed if boards[board].result is not None], new)
        entered = replace(round_, pairings=tuple(new.get(one.board, one) for one in round_.pairings))
        club.put_round(change.connection, change.id, entered)
        for board in changed:
            before = club.plain([boards[board]], change.season.labels) if boards[board].result else None
            change.note("result", f"round {round_.n}: {_told(change, new[board])}", before)
        if entered.state == "paired" and entered.has_all_results:
            close(change, entered)
        return next(one for one in change.again().rounds if one.n == round_.n)


def _round(change: Change, number: int | None) -> RoundRow:
    listed = change.season.listed
    if not listed:
        raise ClubError("no round is paired yet")
    if number is None:
        return listed[-1]
    for round_ in listed:
        if round_.n == number:
            return round_
    raise ClubError(f"round {number} is not paired")


def _entered(pairing: PairingRow, entry: Entry) -> PairingRow:
    if entry.result.value == pairing.result and entry.game_id is None and not entry.turned:
        return pairing
    if not entry.turned:
        return replace(pairing, result=entry.result.value, game_id=entry.game_id)
    return replace(
        pairing,
        white=pairing.black,
        black=pairing.white,
        result=entry.result.value,
        game_id=entry.game_id,
        why_colours="as the game was played",
    )


def _confirm(change: Change, round_: RoundRow, standing: list[int], new: Mapping[int, PairingRow]) -> None:
    if not standing:
        return
    boards = {one.board: one for one in round_.pairings}
    told = "; ".join(f"{_told(change, boards[board])} by {new[board].result}" for board in standing)
    later = (
        " All tables from then on are made again, the pairings stay." if round_.state == "complete" else ""
    )
    change.confirm(f"Round {round_.n}: replace {told}?{later}")


def _told(change: Change, one: PairingRow) -> str:
    labels = change.season.labels
    return f"board {one.board}, {labels[one.white]} – {labels[one.black]} {one.result}"
