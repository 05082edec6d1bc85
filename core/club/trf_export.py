"""Writes a tournament as a FIDE tournament report, TRF-2026 (rules C1 and C2)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Final
from urllib.parse import quote

from core.club.nations import for_fide
from core.club.record import RecordPlayer, TournamentRecord
from core.club.tournament import AbsenceReason, GameResult, TournamentRound
from core.club.trf import (
    DRAWN,
    ID_WIDTH,
    NAME_WIDTH,
    WON,
    Document,
    OtherLine,
    TrfPlayer,
    TrfTurn,
    directive,
    own_directive,
)
from core.club.trf_days import FIRST_DAY
from core.club.trf_record import KEIZER
from core.club.trf_shogi import handicap_comments, said_of

_RESULTS: Final = {
    GameResult.WHITE: ("1", "0"),
    GameResult.BLACK: ("0", "1"),
    GameResult.DRAW: ("=", "="),
    GameResult.WHITE_FORFEIT: ("+", "-"),
    GameResult.BLACK_FORFEIT: ("-", "+"),
    GameResult.BOTH_ABSENT: ("-", "-"),
}
"""White's and Black's results."""
_DIRECTIVES: Final = {AbsenceReason.EXCUSED: "excused", AbsenceReason.CLUB: "clubcommitment"}
"""What TRF has no code for, in chesspairing's words."""


def report(record: TournamentRecord, ranking: Sequence[str]) -> Document:
    """The tournament as a report. Points are 1, 1/2 and 0 for games and byes, whatever the club counts.

    Args:
        record: The tournament; the players' ids are those of its rounds.
        ranking: The ids in the order of the standings; a player who is not in it has no rank.
    """
    numbers = {entry.player.id: entry.number for entry in record.entries}
    ranks = {one: rank for rank, one in enumerate(ranking, start=1)}
    turns_of_rounds = [_turns(one, numbers) for one in record.rounds]
    own = _own(record, numbers) if record.kind == "keizer" else ()
    return Document(
        before=(*_fields(record), *own),
        players=tuple(
            _player(entry, ranks.get(entry.player.id), turns_of_rounds) for entry in record.entries
        ),
    )


def _fields(record: TournamentRecord) -> list[OtherLine]:
    heading = record.heading
    planned = max(heading.planned_rounds or 0, len(record.rounds))  # more can be played than were planned
    dates = "".join(f"{_day(day)[2:]:<10}" for day in heading.days).rstrip()
    texts = {
        "012": heading.name,
        "022": heading.city,
        "032": heading.federation,
        "042": _day(heading.first_day),
        "052": _day(heading.last_day),
        "062": str(len(record.entries)),
        "072": str(sum(entry.player.rating is not None for entry in record.entries)),
        "092": KEIZER if record.kind == "keizer" else "",
        "102": heading.arbiter,
        "122": heading.time_control,
        "132": " " * FIRST_DAY + dates if dates else "",
        "142": str(planned) if planned else "",
    }
    return [OtherLine(code, one_line(text)) for code, text in texts.items() if text]


def _day(day: date | None) -> str:
    return day.isoformat().replace("-", "/") if day else ""


def one_line(text: str) -> str:
    """The text without line ends and other control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _own(record: TournamentRecord, numbers: Mapping[str, int]) -> Iterator[OtherLine]:
    """Comments for what a TRF has no column for in a Keizer tournament."""
    rounds = len(record.rounds)
    playing = {"complete": record.with_table} if record.with_table < rounds else {}
    yield own_directive("tournament", rounds=rounds, **playing)
    if record.settings:
        yield own_directive("settings", **{name: quote(text) for name, text in record.settings.items()})
    for entry in record.entries:
        said = _said(entry)
        if said:
            yield own_directive("player", player=entry.number, **said)
    for number, one in enumerate(record.rounds, start=1):
        for away in one.away:
            if away.reason is not AbsenceReason.BYE:
                yield _reason(number, numbers[away.player], away.reason)
        yield from handicap_comments(number, one, numbers)


def _reason(number: int, player: int, reason: AbsenceReason) -> OtherLine:
    if reason in _DIRECTIVES:
        return directive("bye", round=number, player=player, type=_DIRECTIVES[reason])
    return own_directive("away", round=number, player=player, reason=quote(reason.value))


def _said(entry: RecordPlayer) -> dict[str, str | int]:
    said: dict[str, str | int] = {}
    if entry.player.joined > 1:
        said["joined"] = entry.player.joined
    if entry.player.withdrawn is not None:
        said["withdrawn"] = entry.player.withdrawn
    if entry.category:
        said["category"] = quote(entry.category)
    if entry.group:
        said["group"] = quote(entry.group)
    if entry.terms:
        said["terms"] = ",".join(f"{name}:{quote(text)}" for name, text in entry.terms.items())
    if entry.handles:
        said["handles"] = ",".join(map(quote, entry.handles))
    return said | said_of(entry)


def _turns(one: TournamentRound, numbers: Mapping[str, int]) -> dict[str, TrfTurn]:
    """What each player of a round did; a player who is not in it stayed away (Z)."""
    turns = {
        away.player: TrfTurn(result="U" if away.reason is AbsenceReason.BYE else "Z") for away in one.away
    }
    for game in one.games:
        white, black = _RESULTS[game.result] if game.result else ("", "")
        turns[game.white] = TrfTurn(numbers[game.black], "w", white)
        turns[game.black] = TrfTurn(numbers[game.white], "b", black)
    return turns


def _player(
    entry: RecordPlayer, rank: int | None, turns_of_rounds: Sequence[Mapping[str, TrfTurn]]
) -> TrfPlayer:
    player = entry.player
    turns = tuple(one.get(player.id, TrfTurn()) for one in turns_of_rounds)
    points = sum((_points(turn) for turn in turns), Fraction(0))
    name = one_line(player.name or player.id)[:NAME_WIDTH].strip()
    return TrfPlayer(
        entry.number,
        name,
        turns,
        points,
        rank,
        player.rating,
        sex=entry.sex,
        title=entry.title,
        fide_id=entry.fide_id if len(entry.fide_id) <= ID_WIDTH else "",
        birth=entry.birth,
        federation=for_fide(entry.nation),
    )


def _points(turn: TrfTurn) -> Fraction:
    if turn.result in WON or turn.result == "U":
        return Fraction(1)
    return Fraction(1, 2) if turn.result in DRAWN else Fraction(0)
