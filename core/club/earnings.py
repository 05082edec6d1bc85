"""What a player earns in each round, as a multiple of a value number that is not known yet (club K4 to K9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from core.club.absences import Absences, Paid
from core.club.keizer_settings import KeizerSettings
from core.club.start_order import order_by_rating
from core.club.tournament import ClubGame, Competitor, GameResult, TournamentRound


@dataclass(frozen=True, slots=True)
class Claim:
    """*player* earns in *round* the value number of *of* times *factor*, plus *fixed* points.

    *kind* says what for. *of* is *opponent* or the player. In an early absence *rating_share* of that value
    number is the one of the player's rating rank (u of club §A4).
    """

    player: str
    round: int
    kind: str
    opponent: str | None
    of: str
    factor: Fraction
    rating_share: Fraction = Fraction(0)
    fixed: Fraction = Fraction(0)


def claims(
    ranked: Sequence[Competitor], rounds: Sequence[TournamentRound], settings: KeizerSettings
) -> list[Claim]:
    """The claims of all *ranked* players, round by round.

    Others who play in *rounds* have withdrawn (club K9).
    """
    weaker = weaker_shares(ranked)
    absences = {
        player.id: Absences(player, with_terms(settings, player), weaker[player.id]) for player in ranked
    }
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


def weaker_shares(ranked: Sequence[Competitor]) -> dict[str, Fraction]:
    """For each player the share of the others with a lower rating: 1 for the strongest, 0 for the weakest."""
    others = len(ranked) - 1
    return {
        ranked[number].id: Fraction(others - place, others) if others else Fraction(1, 2)
        for place, number in enumerate(order_by_rating(ranked))
    }


def with_terms(settings: KeizerSettings, player: Competitor) -> KeizerSettings:
    """The settings that apply to this player."""
    if not player.terms:
        return settings
    read: dict[str, Any] = dict(player.terms)
    return replace(settings, **read)


def _of_absence(player: str, number: int, paid: Paid | None) -> Iterator[Claim]:
    if paid is not None:
        yield Claim(player, number, paid.kind, None, player, paid.factor, paid.rating_share, paid.fixed)


def _of_game(
    player: str, number: int, game: ClubGame, ranked: Mapping[str, object], settings: KeizerSettings
) -> Claim:
    opponent = game.opponent(player)
    kind, earned = _earned(game.result, settings, white=player == game.white)
    if opponent not in ranked and not earned.own:
        earned = replace(earned, share=earned.share * settings.withdrawn_win, own=True)
    of = player if earned.own else opponent
    return Claim(player, number, kind, opponent, of, earned.share, fixed=earned.fixed)


@dataclass(frozen=True, slots=True)
class _Earned:
    """A share of the opponent's value number or of the *own* one, or *fixed* points."""

    share: Fraction
    own: bool = False
    fixed: Fraction = Fraction(0)


_NOTHING: Final = _Earned(Fraction(0))


def _earned(result: GameResult | None, settings: KeizerSettings, *, white: bool) -> tuple[str, _Earned]:
    if result is None:
        return "open", _NOTHING
    half_points = result.points(white=white)
    if not result.played:
        return _forfeited(settings, won=half_points > 0, both=result is GameResult.BOTH_ABSENT)
    if half_points:
        return ("draw", _Earned(settings.draw)) if half_points == 1 else ("win", _Earned(Fraction(1)))
    if settings.loss_points is not None:
        return "loss", _Earned(Fraction(0), fixed=settings.loss_points)
    return "loss", _Earned(settings.loss)


def _forfeited(settings: KeizerSettings, *, won: bool, both: bool) -> tuple[str, _Earned]:
    if won:
        return "forfeit win", _Earned(settings.forfeit_win, own=settings.forfeit_win_of == "own")
    if both and settings.double_forfeit is not None:
        return "double forfeit", _Earned(settings.double_forfeit, own=True)
    return "forfeit loss", _Earned(settings.forfeit_loss)


def at_the_board(kind: str) -> bool:
    """Whether a claim of this kind comes from a game at the board.

    Those count for the final ranking (club P15).
    """
    return kind in {"win", "draw", "loss"}


def for_the_ranking(kind: str, settings: KeizerSettings) -> bool:
    """Whether a claim of this kind counts for the final ranking.

    At the board, or elsewhere if clubs want that.
    """
    return at_the_board(kind) or (settings.external_counts and kind.startswith("external"))
