"""What a round without a game is worth (K6, K7), and the bonus that depends on rating, round and own value (A4)."""

from dataclasses import dataclass
from fractions import Fraction

from core.club.keizer_settings import KeizerSettings
from core.club.tournament import Player, Reason


@dataclass(frozen=True, slots=True)
class Paid:
    """The own value number times *factor*; *rating_share* of that value number is the one of the rating rank."""

    kind: str
    factor: Fraction
    rating_share: Fraction = Fraction(0)


@dataclass(slots=True)
class Absences:
    """The rounds that one player did not play, counted as they come."""

    player: Player
    settings: KeizerSettings
    has_played: bool = False
    _count: int = 0

    def paid(self, number: int, reason: Reason | None) -> Paid | None:
        """What round *number* without a game is worth; nothing at all after he withdrew. Call it once a round."""
        if self.player.withdrawn is not None and number >= self.player.withdrawn:
            return None
        if reason is Reason.BYE:
            return Paid("bye", self.settings.bye)
        if number < self.player.joined:
            if self.settings.late_entry == "nothing":
                return None
            return self._absent(number, Reason(self.settings.late_entry), "not joined, ")
        return self._absent(number, reason or Reason.UNEXCUSED)

    def _absent(self, number: int, reason: Reason, before: str = "") -> Paid:
        if reason is Reason.CLUB and not self.settings.limited_club_duty:
            return _worth(number, reason, self.settings, reason.value)
        self._count += 1
        kind = before + reason.value
        if self.settings.paid_after_first_game and not self.has_played:
            return Paid(f"{kind}, before the first game", Fraction(0))
        limit = self.settings.paid_absences
        if limit is not None and self._count > limit:
            kind += ", beyond the limit"
            if self.settings.beyond_limit == "nothing":
                return Paid(kind, Fraction(0))
            reason = Reason.UNEXCUSED
        return _worth(number, reason, self.settings, kind, halvings=self._count - 1)


def _worth(number: int, reason: Reason, settings: KeizerSettings, kind: str, *, halvings: int = 0) -> Paid:
    shrink = Fraction(1, 2**halvings) if settings.halved_absences else Fraction(1)
    if settings.absence == "fraction":
        fractions = {
            Reason.EXCUSED: settings.excused,
            Reason.UNEXCUSED: settings.unexcused,
            Reason.CLUB: settings.club_duty,
        }
        return Paid(kind, shrink * fractions[reason])
    factors = {
        Reason.EXCUSED: settings.bonus_excused,
        Reason.UNEXCUSED: settings.bonus_unexcused,
        Reason.CLUB: settings.bonus_club,
    }
    factor = shrink * factors[reason] * settings.bonus_base * bonus_size(number, settings)
    return Paid(kind, factor, early_share(number, settings))


def early_share(number: int, settings: KeizerSettings) -> Fraction:
    """u(r): how much of the bonus is by rating; all of it in round 1, none after the early rounds."""
    return max(Fraction(0), 1 - Fraction(number - 1, settings.bonus_early))


def bonus_size(number: int, settings: KeizerSettings) -> Fraction:
    """w(r): how much of the bonus is left; none from the last planned round on."""
    left = Fraction(settings.planned_rounds - number, settings.bonus_end)
    return min(Fraction(1), max(Fraction(0), left))
