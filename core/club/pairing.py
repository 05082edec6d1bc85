"""Pairs the players present, by the table, at least cost, with reasons (club P2 to P14)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.club.byes import Bye, unfair
from core.club.manual_pairs import Manual, ManualPairs, problems
from core.club.pairing_colours import Colours, colours
from core.club.pairing_history import History
from core.club.pairing_plan import PairingPlan, drawn, halves
from core.club.pairing_pool import Circle
from core.club.pairing_reasons import again_note, why
from core.club.pairing_search import Solution, solve
from core.club.pairing_settings import PairingSettings
from core.club.tournament import AbsenceReason, Away, ClubGame, TournamentRound


class CannotPair(ValueError):  # noqa: N818 - reads as what it says
    """There is no pairing; the text says why."""


@dataclass(frozen=True, slots=True)
class Board:
    """Two players, with sentences: *why* they meet, and *why_colours*."""

    white: str
    black: str
    why: str
    why_colours: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """A complete pairing of all present, the board of the best placed first.

    *notes* are what a director must know.
    """

    boards: tuple[Board, ...]
    bye: Bye | None
    notes: tuple[str, ...] = ()

    def evening(self, absent: Mapping[str, AbsenceReason]) -> TournamentRound:
        """The round that this pairing begins, still without results."""
        games = tuple(ClubGame(board.white, board.black) for board in self.boards)
        free = (Away(self.bye.player, AbsenceReason.BYE),) if self.bye else ()
        return TournamentRound(games, (*free, *(Away(player, reason) for player, reason in absent.items())))


def pair(
    order: Sequence[str],
    rounds: Sequence[TournamentRound],
    *,
    absent: Iterable[str] = (),
    by_hand: ManualPairs | None = None,
    settings: PairingSettings | None = None,
    plan: PairingPlan | None = None,
    name: Callable[[str], str] = str,
) -> RoundPairing:
    """The next round after *rounds*, for the ids in *order* of the table (before round 1: the start order).

    Players who are *absent* are left out (club P3). The same input gives the same pairing. *name* writes ids
    in the sentences. Raises CannotPair if nobody is there or the manual pairs are impossible. If not all can
    be paired, the rules for meeting again give way, and a note says so.
    """
    hand, plan, settings = by_hand or ManualPairs(), plan or PairingPlan(), settings or PairingSettings()
    away = frozenset(absent) & frozenset(order)
    present = [player for player in order if player not in away]
    if wrong := problems(order, away, hand):
        raise CannotPair("; ".join(wrong))
    if not present:
        raise CannotPair("nobody is present")
    everybody = Circle(present, History.of(rounds), settings, name, plan)
    rest = [player for player in present if player not in hand.paired]
    first = not rounds and settings.first_round != "table"
    ordered = _first_order(rest, hand.bye, settings, plan) if first else rest
    solution = solve(replace(everybody, players=ordered), hand.bye)
    if first and settings.first_round == "random" and solution.bye and hand.bye is None:
        drawn_bye = replace(solution.bye, why=f"{name(solution.bye.player)} has the bye by lot")
        solution = replace(solution, bye=drawn_bye)
    paired = _first_boards(solution, present) if first else _boards(solution, present)
    boards = [*paired, *(_set_board(everybody, manual) for manual in hand.pairs)]
    boards.sort(key=lambda board: min(present.index(board.white), present.index(board.black)))
    return RoundPairing(tuple(boards), solution.bye, tuple(_notes(everybody, solution, hand)))


def _first_order(
    players: Sequence[str], bye: str | None, settings: PairingSettings, plan: PairingPlan
) -> list[str]:
    """The order in which players are paired in round 1: the first with the second, and so on."""
    if settings.first_round == "random":
        return drawn(plan.lot, players)
    if settings.first_round == "halves":
        last = [bye] if bye is not None else []
        return [*halves([player for player in players if player != bye]), *last]
    return list(players)


def _boards(solution: Solution, present: Sequence[str]) -> Iterator[Board]:
    circle = solution.circle
    opponents = dict([*solution.pairs, *((other, place) for place, other in solution.pairs)])
    for place, other in solution.pairs:
        sides = colours(circle.players[place], circle.players[other], circle.history, circle.name)
        yield Board(sides.white, sides.black, why(circle, place, other, opponents, present), sides.why)


def _first_boards(solution: Solution, present: Sequence[str]) -> Iterator[Board]:
    """The boards of a round 1 that is not paired by the table."""
    places = {player: place for place, player in enumerate(present, start=1)}
    by_lot = solution.circle.settings.first_round == "random"
    for board in _boards(solution, present):
        if by_lot:
            yield replace(board, why="drawn by lot", why_colours="by lot")
        else:
            one, other = sorted((places[board.white], places[board.black]))
            yield replace(
                board,
                why=f"upper half against lower half: places {one} and {other} of {len(present)} present",
            )


def _set_board(everybody: Circle, manual: Manual) -> Board:
    better, other = sorted((manual.one, manual.other), key=everybody.players.index)
    if manual.white is None:
        sides = colours(better, other, everybody.history, everybody.name)
    else:
        black = other if manual.white == better else better
        sides = Colours(manual.white, black, f"{everybody.name(manual.white)} has White as set by hand")
    return Board(sides.white, sides.black, "set by hand", sides.why, by_hand=True)


def _notes(everybody: Circle, solution: Solution, hand: ManualPairs) -> Iterator[str]:
    circle = solution.circle
    for place, other in solution.broken:
        one, two = circle.players[place], circle.players[other]
        yield f"{circle.name(one)} and {circle.name(two)}: {again_note(circle, one, two)}"
    for manual in hand.pairs:
        if broken := everybody.broken(manual.one, manual.other):
            last = everybody.history.of_pair(manual.one, manual.other)[-1].round
            names = f"{everybody.name(manual.one)} and {everybody.name(manual.other)}"
            yield f"{names} are set by hand and meet again {broken}, after round {last}"
    if solution.bye and (note := unfair(solution.bye.player, everybody.players, circle.history, circle.name)):
        yield note
