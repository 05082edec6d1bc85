"""The Keizer table after each round, with every number that it is made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.club.earnings import Claim, at_the_board, claims, for_the_ranking
from core.club.keizer_settings import KeizerSettings
from core.club.start_order import Ranking, RankValues, StartField
from core.club.tournament import Competitor, TournamentRound, problems, start_order
from core.club.value_numbers import Valued, fixpoint, frozen, once, sheet


@dataclass(frozen=True, slots=True)
class Credit:
    """What one round brought: *value* times *factor*, plus *fixed* points.

    *value* is the value number of *of*, the opponent or the player. In an early absence *rating_share* of it
    is *rating_value*, the value number of the player's place by rating.
    """

    round: int
    kind: str
    opponent: str | None
    value: Fraction
    factor: Fraction
    of: str
    fixed: Fraction = Fraction(0)
    rating_share: Fraction = Fraction(0)
    rating_value: Fraction = Fraction(0)

    @property
    def points(self) -> Fraction:
        """What it counts in the table."""
        return self.value * self.factor + self.fixed


@dataclass(frozen=True, slots=True)
class KeizerRow:
    """One player's line: *points* are *own* plus those of all *credits*.

    *value* is the value number that this table was computed with, to check it by hand; *next_value* is the
    one that goes with the place. *games* are those played at the board, *counted* those that count for the
    final ranking.
    """

    rank: int
    player: str
    points: Fraction
    value: Fraction
    next_value: Fraction
    own: Fraction
    credits: tuple[Credit, ...]
    games: int
    counted: int


@dataclass(frozen=True, slots=True)
class KeizerTable:
    """The standings after *round*, best first.

    *cycle* is 1 if the ranking came to rest; else so many rankings followed each other, and their mean
    counts. *held*: computed with the value numbers of the table before (club G1). *withdrawn* are not ranked
    (club K9).
    """

    round: int
    rows: tuple[KeizerRow, ...]
    cycle: int = 1
    passes: int = 1
    held: bool = False
    withdrawn: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """The ids, best first."""
        return tuple(row.player for row in self.rows)

    @property
    def note(self) -> str | None:
        """What a reader of this table has to know; None if nothing."""
        if self.cycle > 1:
            return f"cycle of length {self.cycle}: the ranking does not come to rest, the mean of its members counts"
        return None


DEFAULTS = KeizerSettings()


def standings(
    players: Iterable[Competitor], rounds: Sequence[TournamentRound], settings: KeizerSettings = DEFAULTS
) -> tuple[KeizerTable, ...]:
    """The table before round 1 and after each of *rounds*: `standings(...)[r]` is the one after round r.

    It depends on players, results and settings only, not on the order in which they were entered (club V2).
    Raises ValueError if the players have no clear start order, a round is impossible, or the base is too
    small for the field.
    """
    ordered = start_order(players)
    if wrong := problems(ordered, rounds):
        raise ValueError("; ".join(wrong))
    ranked = [player for player in ordered if player.withdrawn is None or settings.withdrawn == "kept"]
    out = tuple(player.id for player in ordered if player not in ranked)
    field = StartField.of(ranked, settings)
    all_claims = claims(ranked, rounds, settings)
    return tuple(
        _table(field, number, ranking, valued, all_claims, out)
        for number, (ranking, valued) in enumerate(_valued(field, all_claims, len(rounds)))
    )


def _valued(field: StartField, all_claims: Sequence[Claim], rounds: int) -> Iterator[tuple[Ranking, Valued]]:
    """Rounds one by one, from the start order.

    It is the ranking before round 1, whatever decides between ties.
    """
    ranking: Ranking = tuple(range(len(field.ids)))
    by_round = [field.values(ranking)]
    last = once(sheet(field, (), 0), by_round[0], 0)
    yield ranking, last
    for number in range(1, rounds + 1):
        so_far = [claim for claim in all_claims if claim.round <= number]
        held = last.values if _held(number, field.settings) else None
        waiting = _waiting(field, so_far)
        last = _next(field, so_far, tuple(by_round), held, waiting)
        ranking = field.ranking(last.points, waiting)
        by_round.append(field.values(ranking))
        yield ranking, last


def _held(number: int, settings: KeizerSettings) -> bool:
    return settings.last_round == "held" and number == settings.planned_rounds


def _waiting(field: StartField, so_far: Iterable[Claim]) -> frozenset[int]:
    """Those who have not played yet and are placed by their rating."""
    if field.settings.newcomers == "points":
        return frozenset()
    played = {field.index[claim.player] for claim in so_far if for_the_ranking(claim.kind, field.settings)}
    return frozenset(range(len(field.ids))) - played


def _next(
    field: StartField,
    so_far: Sequence[Claim],
    by_round: tuple[RankValues, ...],
    held: RankValues | None,
    waiting: frozenset[int],
) -> Valued:
    number = len(by_round)
    if field.settings.valuation == "frozen":
        return frozen(field, by_round, so_far, held, waiting)
    earned = sheet(field, so_far, number)
    if held is not None:
        return once(earned, held, number)
    if field.settings.valuation == "lagged":
        return once(earned, by_round[-1], number)
    return fixpoint(field, earned, number, waiting)


def _table(
    field: StartField,
    number: int,
    ranking: Ranking,
    valued: Valued,
    all_claims: Sequence[Claim],
    out: tuple[str, ...],
) -> KeizerTable:
    own_credits: dict[str, list[Credit]] = {player: [] for player in field.ids}
    for claim in all_claims:
        if claim.round <= number:
            own_credits[claim.player].append(_credit(field, claim, valued.by_round[claim.round - 1]))
    rows = (
        _row(field, number, valued, place, player, tuple(own_credits[field.ids[player]]))
        for place, player in enumerate(ranking)
    )
    return KeizerTable(number, tuple(rows), valued.cycle, valued.passes, _held(number, field.settings), out)


def _credit(field: StartField, claim: Claim, values: RankValues) -> Credit:
    by_rating = field.rating_values[field.index[claim.player]]
    value = claim.rating_share * by_rating + (1 - claim.rating_share) * values[field.index[claim.of]]
    return Credit(
        claim.round,
        claim.kind,
        claim.opponent,
        value,
        claim.factor,
        claim.of,
        claim.fixed,
        claim.rating_share,
        by_rating if claim.rating_share else Fraction(0),
    )


def _row(
    field: StartField, number: int, valued: Valued, place: int, player: int, credits_: tuple[Credit, ...]
) -> KeizerRow:
    return KeizerRow(
        rank=place + 1,
        player=field.ids[player],
        points=valued.points[player],
        value=valued.values[player],
        next_value=field.ladder[place],
        own=field.own_share(number) * valued.values[player] + field.own_fixed(player),
        credits=credits_,
        games=sum(at_the_board(credit.kind) for credit in credits_),
        counted=sum(for_the_ranking(credit.kind, field.settings) for credit in credits_),
    )
