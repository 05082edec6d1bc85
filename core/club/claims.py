"""What a player earns in each round, as a multiple of a value number that is not known yet (K4-K9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.club.absences import Absences, Paid
from core.club.keizer_settings import KeizerSettings
from core.club.tournament import ClubGame, Player, Result, Round


@dataclass(frozen=True, slots=True)
class Claim:
    """*player* gets in *round* the value number of *of* (himself or *opponent*) times *factor*; *kind* says what for.

    In an early absence *rating_share* of that value number is the one of the player's rating rank (u of A4).
    """

    player: str
    round: int
    kind: str
    opponent: str | None
    of: str
    factor: Fraction
    rating_share: Fraction = Fraction(0)


def claims(ranked: Sequence[Player], rounds: Sequence[Round], settings: KeizerSettings) -> list[Claim]:
    """The claims of all *ranked* players, round by round; whoever else plays in *rounds* is withdrawn (K9)."""
    absences = {player.id: Absences(player, settings) for player in ranked}
    found: list[Claim] = []
    for number, evening in enumerate(rounds, start=1):
        reasons = {away.player: away.reason for away in evening.away}
        playing: set[str] = set()
        for game in evening.games:
            for side in (game.white, game.black):
                if side in absences:
                    playing.add(side)
                    absences[side].has_played |= game.result is not None and game.result.played
                    found.append(_of_game(side, number, game, absences, settings))
        for player, own in absences.items():
            if player not in playing:
                found += _of_absence(player, number, own.paid(number, reasons.get(player)))
    return found


def _of_absence(player: str, number: int, paid: Paid | None) -> Iterator[Claim]:
    if paid is not None:
        yield Claim(player, number, paid.kind, None, player, paid.factor, paid.rating_share)


def _of_game(
    player: str, number: int, game: ClubGame, ranked: Mapping[str, object], settings: KeizerSettings
) -> Claim:
    opponent = game.opponent(player)
    kind, factor = _earned(game.result, settings, white=player == game.white)
    if opponent not in ranked:
        return Claim(player, number, kind, opponent, player, factor * settings.withdrawn_win)
    return Claim(player, number, kind, opponent, opponent, factor)


def _earned(result: Result | None, settings: KeizerSettings, *, white: bool) -> tuple[str, Fraction]:
    if result is None:
        return "open", Fraction(0)
    half_points = result.points(white=white)
    if result.played:
        return (
            ("loss", settings.loss),
            ("draw", Fraction(1, 2)),
            ("win", Fraction(1)),
        )[half_points]
    return ("forfeit win", settings.forfeit_win) if half_points else ("forfeit loss", settings.forfeit_loss)


def at_the_board(kind: str) -> bool:
    """Does a claim of this kind come of a game at the board: those count for the final ranking (P15)."""
    return kind in {"win", "draw", "loss"}
