"""How a made-up game gets what nobody has said about it: id, ending, clocks, rating changes."""

from dataclasses import replace
from random import Random
from typing import Final

from tests.fetchers.site_emulator.play import Line
from tests.fetchers.site_emulator.values import CHESSCOM, LICHESS, RUNNING, Colour, Game, TimeControl

_ID_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DECISIVE: Final = {LICHESS: ("resign", "outoftime"), CHESSCOM: ("resigned", "timeout")}
DRAWN: Final = {
    LICHESS: ("draw", "stalemate", "insufficientMaterialClaim"),
    CHESSCOM: ("agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient"),
}
OPEN: Final = {RUNNING, "created", "aborted", "unknownFinish"}
"""Statuses without a winner that are not draws either."""
STATUSES: Final = {
    LICHESS: {
        *DECISIVE[LICHESS],
        *DRAWN[LICHESS],
        *OPEN,
        "mate",
        "timeout",
        "cheat",
        "noStart",
        "variantEnd",
    },
    CHESSCOM: {
        *DECISIVE[CHESSCOM],
        *DRAWN[CHESSCOM],
        RUNNING,
        "checkmated",
        "abandoned",
        "lose",
        "kingofthehill",
        "threecheck",
        "bughousepartnerlose",
    },
}
"""The words of each site. chess.com: the loser's, or both players' in a draw."""
NOT_PLAYED: Final = {"aborted", "noStart", "created"}


def may_be_won(site: str, status: str) -> bool:
    """Has a game with this status a winner?"""
    return status not in OPEN and status not in DRAWN[site]


def lichess_id(rng: Random) -> str:
    """Eight letters and digits, case-sensitive."""
    return "".join(rng.choices(_ID_LETTERS, k=8))


def chesscom_id(rng: Random, control: TimeControl) -> str:
    """Kind and number; the numbers do not follow the time."""
    if control.initial is None:
        return f"daily/{rng.randrange(10**8, 10**9)}"
    return f"live/{rng.randrange(10**11, 2 * 10**11)}"


def ending(rng: Random, site: str, line: Line, winner: Colour | None) -> tuple[str, Colour | None]:
    """Status and winner: what the board says, or else chance."""
    board = line.board(len(line.sans))
    outcome = board.outcome()
    if outcome is not None and site == LICHESS:
        return _lichess_ending(board.is_checkmate(), board.is_stalemate(), outcome.winner)
    if outcome is not None:
        return _chesscom_ending(line.variant, board.is_checkmate(), board.is_stalemate(), outcome.winner)
    if winner is None and rng.random() < 0.15:
        return DRAWN[site][0], None
    return rng.choice(DECISIVE[site]), winner or rng.choice(("white", "black"))


def _colour(winner: bool | None) -> Colour | None:
    if winner is None:
        return None
    return "white" if winner else "black"


def _lichess_ending(mate: bool, stalemate: bool, winner: bool | None) -> tuple[str, Colour | None]:
    if mate:
        return "mate", _colour(winner)
    if winner is not None:
        return "variantEnd", _colour(winner)
    return ("stalemate" if stalemate else "draw"), None


def _chesscom_ending(
    variant: str, mate: bool, stalemate: bool, winner: bool | None
) -> tuple[str, Colour | None]:
    if mate:
        return "checkmated", _colour(winner)
    if winner is not None:
        return (variant.lower() if variant in {"kingOfTheHill", "threeCheck"} else "lose"), _colour(winner)
    return ("stalemate" if stalemate else "insufficient"), None


def winner(rng: Random, line: Line, status: str) -> Colour:
    """Who won: by the board in a mate, else by chance."""
    if status in {"mate", "checkmated"}:
        return "white" if len(line.sans) % 2 else "black"
    return rng.choice(("white", "black"))


def duration(rng: Random, control: TimeControl, plies: int) -> int:
    """Milliseconds that the moves took."""
    if plies < 2:
        return 0
    per_ply = 5 * 3600 * 1000 if control.initial is None else 1000 * max(1, control.estimate // 60)
    return plies * per_ply + rng.randrange(1000)


def clocks(rng: Random, control: TimeControl, plies: int) -> tuple[int, ...]:
    """Remaining centiseconds after each ply, and one entry more, as lichess often has it."""
    if control.initial is None or not plies:
        return ()
    left = [max(control.initial * 100, 300) + 3] * 2
    clocks = []
    for ply in range(plies + 1):
        spent = 0 if ply < 2 else rng.randrange(max(2, left[ply % 2] // 12))
        left[ply % 2] += control.increment * 100 * (ply >= 2) - spent
        clocks.append(left[ply % 2])
    return tuple(clocks)


def rated(rng: Random, game: Game) -> Game:
    """The game with the rating changes that it brings; casual, if somebody has no account."""
    if game.white.number is None or game.black.number is None:
        return replace(game, rated=False)
    if not game.rated or game.running or game.status in NOT_PLAYED or game.white.change is not None:
        return game
    score = {"white": 1, "black": -1, None: 0}[game.winner]
    gain = score * rng.randrange(3, 12) + (score == 0) * rng.randrange(-3, 4)
    return replace(game, white=replace(game.white, change=gain), black=replace(game.black, change=-gain))
