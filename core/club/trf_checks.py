"""Finds contradictions in a TRF."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.findings import FileFinding
from core.club.trf import BYE, BYES, PLAYED, Document, TrfPlayer, TrfTurn
from core.club.trf_line_checks import check_lines
from core.club.trf_player_checks import check_players, of
from core.club.trf_reader import read
from core.plurals import count_of

_FITS: Final = {
    "1": "0",
    "=": "=",
    "0": "1",
    "+": "-",
    # Both may have stayed away.
    "-": "+-",
    "W": "L",
    "D": "D",
    "L": "W",
    "": "",
}
"""For each result, those that the opponent can have."""
_VALUE: Final = {**dict.fromkeys("1+WF", "W"), **dict.fromkeys("=DH", "D"), **dict.fromkeys("0L", "L")}


def check(data: bytes, *, today: date | None = None) -> tuple[FileFinding, ...]:
    """All that is wrong with a file; empty if nothing is. Notes do not make it bad.

    Nobody was born after *today*.
    """
    reading = read(data)
    found = [*reading.findings, *check_document(reading.document, today)]
    found.sort(key=lambda one: (one.line or 0, one.round or 0))
    return tuple(found)


def check_document(document: Document, today: date | None = None) -> Iterator[FileFinding]:
    """All contradictions."""
    yield from _whole(document)
    yield from _numbers(document)
    yield from check_players(document, today)
    yield from check_lines(document)
    yield from _rounds(document)
    yield from _games(document)
    yield from _points(document)
    yield from _byes(document)


def _whole(document: Document) -> Iterator[FileFinding]:
    if not document.players:
        yield FileFinding("TRF", "there are no players", "write a line with the code 001 for each")
    if not document.name:
        yield FileFinding("TRF", "the tournament has no name", "write it with the code 012", note=True)


def _numbers(document: Document) -> Iterator[FileFinding]:
    seen: dict[int, int] = {}
    for player in document.players:
        if player.number in seen:
            message = f"line {seen[player.number]} has the same starting number"
            yield of(player, message, "give each player their own")
        elif player.number == 0:
            yield of(player, "0 is not a starting number", "number the players from 1 on")
        seen.setdefault(player.number, player.line)


def _rounds(document: Document) -> Iterator[FileFinding]:
    """Nobody has more rounds than the tournament, and a round is the same for all players."""
    if document.rounds is not None and document.played_rounds > document.rounds:
        message = f"the players have {count_of(document.played_rounds, 'round')}, planned: {document.rounds}"
        yield FileFinding("TRF", message, "write the number of rounds with 142 or XXR", note=True)
    present = [
        sum(number < len(player.turns) for player in document.players)
        for number in range(document.played_rounds)
    ]
    planned = document.rounds or document.played_rounds
    for number, count in enumerate(present, start=1):
        # Byes may be given before a round is paired; such a round is still to come.
        to_come = number <= (document.rounds or 0) and not _has_games(document, number)
        few = count * 2 < len(document.players) and not to_come
        if few or (planned < number and count < len(document.players)):
            first = next(player for player in document.players if len(player.turns) >= number)
            message = f"this round is there for only {count} of {count_of(len(document.players), 'player')}"
            yield of(first, message, "take it out, or write it for all players", number)


def _has_games(document: Document, number: int) -> bool:
    return any(
        player.turns[number - 1].opponent for player in document.players if len(player.turns) >= number
    )


def _games(document: Document) -> Iterator[FileFinding]:
    players: dict[int, TrfPlayer] = {}
    for player in document.players:
        players.setdefault(player.number, player)
    for player in document.players:
        for number, turn in enumerate(player.turns, start=1):
            if turn.opponent:
                yield from _game(player, number, turn, players)
            else:
                yield from _alone(player, number, turn)


def _alone(player: TrfPlayer, number: int, turn: TrfTurn) -> Iterator[FileFinding]:
    """A round without an opponent."""
    if turn.result in PLAYED:
        mend = "name the opponent, or write a bye: U, F, H, Z"
        yield of(player, f'"{turn.result}" is a result against nobody', mend, number)
    elif turn.colour != "-":
        yield of(player, f'a colour ("{turn.colour}") without an opponent', "write 0000 -", number, note=True)


def _game(
    player: TrfPlayer, number: int, turn: TrfTurn, players: dict[int, TrfPlayer]
) -> Iterator[FileFinding]:
    other = players.get(turn.opponent)
    if other is None:
        yield of(player, f"there is no player {turn.opponent}", "correct the opponent", number)
    elif turn.opponent == player.number:
        yield of(player, "they play themselves", "correct the opponent", number)
    elif turn.result in BYES:
        yield of(player, f"a bye ({turn.result}) has no opponent", "write 0000 -", number)
    elif number > len(other.turns) or other.turns[number - 1].opponent != player.number:
        theirs = other.turns[number - 1].opponent if number <= len(other.turns) else 0
        message = f"their opponent {other.label} has {theirs or 'none'} in this round"
        yield of(player, message, "each has to name the other", number)
    else:
        yield from _both(player, number, turn, other, other.turns[number - 1])


def _both(
    player: TrfPlayer, number: int, turn: TrfTurn, other: TrfPlayer, theirs: TrfTurn
) -> Iterator[FileFinding]:
    # One finding for the two lines is enough.
    if player.number > other.number:
        return
    if theirs.result not in _FITS.get(turn.result, "") or (not theirs.result) != (not turn.result):
        message = f'"{turn.result}" does not go with "{theirs.result}" of {other.label}'
        yield of(player, message, "write 1 and 0, = and =, or + and -", number)
    yield from _colours(player, number, turn, other, theirs)


def _colours(
    player: TrfPlayer, number: int, turn: TrfTurn, other: TrfPlayer, theirs: TrfTurn
) -> Iterator[FileFinding]:
    """A game has a colour on each side; one that was not played may have none."""
    played = turn.result in PLAYED or theirs.result in PLAYED
    if turn.colour == theirs.colour != "-":
        yield of(player, f"they and {other.label} have the same colour", "write w and b", number)
    elif "-" in {turn.colour, theirs.colour} and (played or turn.colour != theirs.colour):
        sides = "neither" if turn.colour == theirs.colour else "only one"
        message = f"{sides} of them and {other.label} has a colour"
        # Nobody can say who had White: that is only not known. One side alone contradicts the other.
        yield of(player, message, "write w and b", number, note=not played or sides == "neither")


def _points(document: Document) -> Iterator[FileFinding]:
    if any(field.code in {"299", "XXS", "BBW", "BBD"} for field in document.fields):
        # The points follow rules of their own.
        return
    values = document.values
    for player in document.players:
        possible = possible_points(player, values)
        if player.points is not None and player.points not in possible:
            shown = " or ".join(f"{float(value):g}" for value in sorted(possible))
            message = f"the points are {float(player.points):g}, but the results make {shown}"
            yield of(player, message, "correct the points or the results")


def possible_points(player: TrfPlayer, values: dict[str, Fraction]) -> frozenset[Fraction]:
    """What a player's results add up to by *values* (162).

    Two numbers if some programs count a U as nothing.
    """
    counts = Counter(turn.result for turn in player.turns)
    known = sum((count * _worth(result, values) for result, count in counts.items()), Fraction(0))
    return frozenset({known, known + counts[BYE] * values["P"]})


def _worth(result: str, values: dict[str, Fraction]) -> Fraction:
    """What any result except a U is worth."""
    if result in {BYE, ""}:
        return Fraction(0)
    return values[_VALUE.get(result, "A")]


def _byes(document: Document) -> Iterator[FileFinding]:
    with_bye: dict[int, list[TrfPlayer]] = {}
    for player in document.players:
        for number, turn in enumerate(player.turns, start=1):
            if turn.result == BYE:
                with_bye.setdefault(number, []).append(player)
    for number, players in sorted(with_bye.items()):
        if len(players) > 1:
            message = f"{len(players)} players have the bye of the pairing program (U)"
            yield of(players[1], message, "write Z for those who were absent", number, note=True)
