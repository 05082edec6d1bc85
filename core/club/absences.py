"""What a round without a game is worth (club K6, K7), and the bonus that depends on rating, round and own value (club §A4)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.club.keizer_settings import KeizerSettings
from core.club.tournament import AbsenceReason, Competitor


@dataclass(frozen=True, slots=True)
class Paid:
    """The own value number times *factor*, plus *fixed* points.

    *rating_share* of that value number is the one of the rating rank.
    """

    kind: str
    factor: Fraction
    rating_share: Fraction = Fraction(0)
    fixed: Fraction = Fraction(0)


@dataclass(slots=True)
class Absences:
    """The rounds that one player did not play, counted as they come.

    *weaker* is the share of the other players with a lower rating.
    """

    player: Competitor
    settings: KeizerSettings
    weaker: Fraction = Fraction(1, 2)
    has_played: bool = False
    _count: int = 0

    def paid(self, number: int, reason: AbsenceReason | None) -> Paid | None:
        """What round *number* without a game is worth; None after they withdrew. Call it once a round."""
        if self.player.withdrawn is not None and number >= self.player.withdrawn:
            return None
        if reason is AbsenceReason.BYE:
            return _bye(self.settings)
        if number < self.player.joined:
            return self._not_joined(number)
        return self._absent(number, reason or AbsenceReason.UNEXCUSED)

    def _not_joined(self, number: int) -> Paid | None:
        if self.settings.late_entry_points is not None:
            return Paid("not joined", Fraction(0), fixed=self.settings.late_entry_points)
        if self.settings.late_entry == "nothing":
            return None
        return self._absent(number, AbsenceReason(self.settings.late_entry), "not joined, ")

    def _absent(self, number: int, reason: AbsenceReason, before: str = "") -> Paid:
        if (reason is AbsenceReason.CLUB or reason.external) and not self.settings.limited_club_duty:
            return self._worth(number, reason, reason.value)
        self._count += 1
        kind = before + reason.value
        if self.settings.paid_after_first_game and not self.has_played:
            return Paid(f"{kind}, before the first game", Fraction(0))
        limit = self.settings.paid_absences
        if limit is not None and self._count > limit:
            kind += ", beyond the limit"
            if self.settings.beyond_limit == "nothing":
                return Paid(kind, Fraction(0))
            reason = AbsenceReason.UNEXCUSED
        return self._worth(number, reason, kind, halvings=self._count - 1)

    def _worth(self, number: int, reason: AbsenceReason, kind: str, *, halvings: int = 0) -> Paid:
        settings = self.settings
        shrink = Fraction(1)
        if settings.halved_absences and halvings:
            shrink, kind = Fraction(1, 2**halvings), f"{kind}, absence {halvings + 1}"
        if reason.external:
            return Paid(kind, shrink * getattr(settings, reason.value.replace(" ", "_")))
        share, bonus, points = _TERMS[reason]
        if reason is not AbsenceReason.CLUB and _is_late(number, settings):
            shrink, kind = shrink * settings.last_rounds_share, f"{kind}, in the last rounds"
        fixed: Fraction | None = getattr(settings, points)
        if fixed is not None:
            return Paid(kind, Fraction(0), fixed=shrink * fixed)
        if settings.absence == "fraction":
            return Paid(kind, shrink * getattr(settings, share))
        factor = shrink * getattr(settings, bonus) * bonus_share(self.weaker, settings)
        return Paid(kind, factor * bonus_size(number, settings), early_share(number, settings))


def _bye(settings: KeizerSettings) -> Paid:
    if settings.bye_points is not None:
        return Paid("bye", Fraction(0), fixed=settings.bye_points)
    return Paid("bye", settings.bye)


_TERMS: Final = {
    AbsenceReason.EXCUSED: ("excused", "bonus_excused", "excused_points"),
    AbsenceReason.SHORT_NOTICE: ("short_notice", "bonus_short_notice", "short_notice_points"),
    AbsenceReason.UNEXCUSED: ("unexcused", "bonus_unexcused", "unexcused_points"),
    AbsenceReason.CLUB: ("club_duty", "bonus_club", "club_duty_points"),
}
"""The settings that say what an absence is worth: its share, its part of the bonus, its fixed points."""


def _is_late(number: int, settings: KeizerSettings) -> bool:
    """Whether it is one of the last planned rounds, in which absences are worth less."""
    return settings.last_rounds > 0 and number > settings.planned_rounds - settings.last_rounds


def bonus_share(weaker: Fraction, settings: KeizerSettings) -> Fraction:
    """The share of the value number that a whole bonus is, for a player with this share of weaker ones."""
    return settings.bonus_base * (1 + settings.bonus_spread * (weaker - Fraction(1, 2)))


def early_share(number: int, settings: KeizerSettings) -> Fraction:
    """u(r): how much of the bonus depends on the rating: all in round 1, none after the early rounds."""
    return max(Fraction(0), 1 - Fraction(number - 1, settings.bonus_early))


def bonus_size(number: int, settings: KeizerSettings) -> Fraction:
    """w(r): how much of the bonus remains; none from the last planned round on."""
    left = Fraction(settings.planned_rounds - number, settings.bonus_end)
    return min(Fraction(1), max(Fraction(0), left))
