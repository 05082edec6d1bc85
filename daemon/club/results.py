"""Results: read as people write them, entered, corrected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from core.club.tournament import GameResult
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import PairingRow, RoundRow
from daemon.club.change import Change, changing
from daemon.club.errors import ClubError
from daemon.club.round_end import close

_WRITTEN: Final = {
    GameResult.WHITE: ("1-0", "1:0", "1"),
    GameResult.BLACK: ("0-1", "0:1", "0"),
    GameResult.DRAW: ("1/2", "1/2-1/2", "½", "½-½", "½:½", "=", "0.5", "draw", "remis"),
    GameResult.WHITE_FORFEIT: ("1-0f", "+-", "+:-", "+/-"),
    GameResult.BLACK_FORFEIT: ("0-1f", "-+", "-:+", "-/+"),
    GameResult.BOTH_ABSENT: ("0-0f", "--", "-:-", "-/-"),
}
_READ: Final = {text: result for result, texts in _WRITTEN.items() for text in texts}
_POSTPONED: Final = frozenset(("postponed", "adjourned", "verlegt", "vertagt", "pp"))


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of a board, None if the game is postponed (to the day *until*, if that is known).

    *game_id* is the game that gave the result; *turned*: that game was played with the colours exchanged.
    *players* are the members for whom it is; None for whichever members are at the board.
    """

    result: GameResult | None
    game_id: int | None = None
    turned: bool = False
    until: date | None = None
    players: frozenset[int] | None = None


def read_result(text: str) -> GameResult:
    """A result as a director writes it.

    Raises:
        ClubError: it is not one.
    """
    found = _READ.get("".join(text.split()).casefold().replace("–", "-"))
    if found is None:
        raise ClubError(
            f'"{text}" is not a result: 1-0, 0-1, 1/2, or 1-0f, 0-1f, 0-0f where one side or both did not come, or '
            "postponed where they play on another day"
        )
    return found


def read_entry(text: str, until: date | None = None) -> BoardResult:
    """What a director writes for a board: a result, or that the game is postponed (to the day *until*).

    Raises:
        ClubError: it is neither.
    """
    if text.strip().casefold() in _POSTPONED:
        return BoardResult(None, until=until)
    return BoardResult(read_result(text))


def written(result: GameResult) -> str:
    """A result as a director types it: ``1-0f`` if Black did not come."""
    return _WRITTEN[result][0]


def enter(
    archive: Archive,
    slug: str,
    entries: Mapping[int, BoardResult],
    *,
    number: int | None = None,
    now_ms: int,
    confirmed: int | None = None,
) -> RoundRow:
    """Enter results by board, of the round that is played or of an earlier one.

    The table stands as soon as every board has a result or is postponed.

    Raises:
        ClubError: there is no such round or board.
        Confirm: there is another result, or the round has its table.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        round_ = _round(change, number)
        boards = {one.board: one for one in round_.pairings}
        for board, entry in entries.items():
            if board not in boards:
                raise ClubError(f"round {round_.n} has no board {board}: it has {len(boards)}")
            if entry.players not in {None, frozenset((boards[board].white, boards[board].black))}:
                raise ClubError(f"other players are now at board {board} of round {round_.n}: look again")
            if entry.until is not None and round_.day is not None and entry.until.isoformat() < round_.day:
                raise ClubError(f"{entry.until} is before round {round_.n}, which was on {round_.day}")
        new = {board: _entered(boards[board], entry) for board, entry in entries.items()}
        changed = [(boards[board], one) for board, one in new.items() if one != boards[board]]
        _confirm(change, round_, [(old, one) for old, one in changed if old.result is not None])
        entered = replace(round_, pairings=tuple(new.get(one.board, one) for one in round_.pairings))
        tournaments.put_round(change.connection, change.id, entered)
        for old, one in changed:
            _note(change, round_.n, old, one)
        if entered.state == "paired" and not entered.awaited:
            close(change, entered)
        return next(one for one in change.again().rounds if one.n == round_.n)


def _note(change: Change, number: int, old: PairingRow, new: PairingRow) -> None:
    was, is_ = outcome(old), outcome(new)
    untouched = old.result is None and not old.postponed
    before = None if untouched else tournaments.plain([old], change.season.labels)
    happened = is_ if untouched else f"{was} → {is_}"
    sentence = f"round {number}, {_board(change, new)}: {happened}{_turned(change, old, new)}"
    change.note("result", sentence, before, back=f"round {number}, {_board(change, old)}: {is_} → {was}")


def _turned(change: Change, old: PairingRow, new: PairingRow) -> str:
    if old.white == new.white:
        return ""
    before = f"; before: {_board(change, old)}" if old.result is not None else ""
    return f" (the colours exchanged, as the game was played{before})"


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


def _entered(pairing: PairingRow, entry: BoardResult) -> PairingRow:
    if entry.result is None:
        until = entry.until.isoformat() if entry.until else None
        return replace(pairing, result=None, game_id=None, postponed=True, postponed_to=until)
    if entry.result.value == pairing.result and entry.game_id is None and not entry.turned:
        return pairing
    entered = replace(
        pairing, result=entry.result.value, game_id=entry.game_id, postponed=False, postponed_to=None
    )
    if not entry.turned:
        return entered
    return replace(entered, white=pairing.black, black=pairing.white, why_colours="as the game was played")


def _confirm(change: Change, round_: RoundRow, replaced: Sequence[tuple[PairingRow, PairingRow]]) -> None:
    if not replaced:
        return
    sentence = "; ".join(f"{_board(change, old)} {old.result} by {outcome(new)}" for old, new in replaced)
    later = (
        " All tables from then on are made again; the pairings stay." if round_.state == "complete" else ""
    )
    change.confirm(f"Round {round_.n}: replace {sentence}?{later}")


def _board(change: Change, one: PairingRow) -> str:
    labels = change.season.labels
    return f"board {one.board}, {labels[one.white]} – {labels[one.black]}"


def outcome(one: PairingRow) -> str:
    """The state of a board: a result, that it is postponed, or that it has none."""
    if one.result is not None:
        return one.result
    if one.postponed:
        return f"postponed to {one.postponed_to}" if one.postponed_to else "postponed"
    return "no result"
