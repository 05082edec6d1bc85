"""Rating a club tournament, and taking the new ratings over."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from core.club.contest import Contest, Contestant, of_report
from core.club.crosstable import Table
from core.club.exporting import ExportError, results_table
from core.club.fesa import Entrant
from core.club.fesa_game import BONUS_GAMES
from core.club.promotion import ESTABLISHED
from core.club.tournament import Round
from daemon.archive import club
from daemon.archive.archive import Archive, Transaction
from daemon.archive.club_rows import MemberRow
from daemon.club.changing import changing_field
from daemon.club.errors import ClubError
from daemon.club.files import heading
from daemon.club.members import HIGHEST
from daemon.club.records import record_of
from daemon.club.season import Season

WHAT: Final = "ratings"
"""How the log names new ratings."""
ASSUMED_ESTABLISHED: Final = (
    f"no list: the members' ratings are taken for established ones ({ESTABLISHED} games or more, no bonus left, "
    "no grade)"
)


def contest_of(season: Season) -> Contest:
    """The tournament as a rating of chess sees it: as its report for FIDE tells of it.

    Raises:
        ClubError: no round is complete, or its report cannot be made.
    """
    _refuse_none(season)
    try:
        found = of_report(season.report)
        labels = {entry.number: entry.player.id for entry in record_of(season).entries}
    except ValueError as error:
        raise ClubError(f"it cannot be rated: {error}") from error
    players = tuple(_as_member(player, season.by_label[labels[player.number]]) for player in found.players)
    return replace(found, name=season.tournament.name, players=players)


def _as_member(player: Contestant, member: MemberRow) -> Contestant:
    return replace(player, number=member.n, name=member.name, label=member.label, fide_id=member.fide_id)


def _refuse_none(season: Season) -> None:
    if not season.complete:
        raise ClubError("no round is complete yet: there is nothing to rate")


def table_of(season: Season) -> Table:
    """The complete rounds as a table for FESA's rating; games without a result are left out.

    Raises:
        ClubError: no round is complete, or it cannot be told so.
    """
    _refuse_none(season)
    rounds = [_with_results(one) for one in season.evenings(season.complete)]
    order = (*season.tables[-1].order, *season.tables[-1].withdrawn)
    try:
        return results_table(heading(season), season.players, rounds, order)
    except ExportError as error:
        raise ClubError(f"it cannot be rated: {error}") from error


def _with_results(evening: Round) -> Round:
    return replace(evening, games=tuple(game for game in evening.games if game.result is not None))


def entrants_of(season: Season, table: Table) -> Mapping[str, Entrant]:
    """The members as FESA's players before the tournament, by their names in the table, where there is no list."""
    order = (*season.tables[-1].order, *season.tables[-1].withdrawn)
    return {
        row.name: Entrant(
            row.name, rating=season.by_label[label].rating, games_before=ESTABLISHED, bonus_used=BONUS_GAMES
        )
        for row, label in zip(table.rows, order, strict=True)
    }


def applied_on(connection: Transaction, season: Season) -> date | None:
    """The day on which the last new ratings were taken over; None if none were."""
    noted = (one for one in club.events(connection, season.tournament.id) if one.what == WHAT)
    last = next(noted, None)
    return None if last is None else datetime.fromtimestamp(last.at / 1000).astimezone().date()


Ratings = Mapping[int, int | None]
"""By the ids of members."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A rating that was taken over."""

    member: MemberRow
    rating: int | None


def apply_ratings(
    archive: Archive,
    slug: str,
    wanted: Mapping[str, int],
    *,
    spread: bool = False,
    now_ms: int,
    confirmed: int | None = None,
) -> list[Applied]:
    """Give members their new ratings, all in one step.

    Args:
        archive: where it is.
        slug: the tournament.
        wanted: the new ratings by the members' labels.
        spread: where two would have one rating, the lower one before gets the next lower one that is free.
        now_ms: the time.
        confirmed: see `Confirm`.

    Raises:
        ClubError: two would have the same rating.
        Confirm: it has to be confirmed.
    """
    with changing_field(archive, slug, now_ms, confirmed) as change:
        season = change.season
        after = {member.id: wanted.get(season.labels[member.id], member.rating) for member in season.members}
        after = {one: rating and min(max(rating, 1), HIGHEST) for one, rating in after.items()}
        if season.kind == "keizer":
            after = _spread(season, after) if spread else after
            _refuse_equal(season, after)
        changed = [member for member in season.members if after[member.id] != member.rating]
        if not changed:
            return []
        again = " All tables are made again by it, the pairings stay." if season.listed else ""
        change.confirm(f"Take over {_count(len(changed))}?{again}")
        for member in changed:
            club.change_member(change.connection, member.id, {"rating": after[member.id]})
        told = "; ".join(f"{season.labels[one.id]} {one.rating} → {after[one.id]}" for one in changed)
        change.note(WHAT, told, {season.labels[one.id]: one.rating for one in changed})
        return [Applied(one, after[one.id]) for one in changed]


def _count(ratings: int) -> str:
    return "1 new rating" if ratings == 1 else f"{ratings} new ratings"


def _spread(season: Season, after: Ratings) -> dict[int, int | None]:
    """The strongest first: whoever would have a rating that is taken gets the next lower one, or at 1 the next free."""
    found: dict[int, int | None] = {}
    for member in sorted(season.members, key=lambda one: (-(after[one.id] or 0), -(one.rating or 0))):
        rating, taken = after[member.id], set(found.values())
        near = () if rating is None else (*range(rating, 0, -1), *range(rating, HIGHEST + 1))
        found[member.id] = next((one for one in near if one not in taken), None)
    return found


def _refuse_equal(season: Season, after: Ratings) -> None:
    times = Counter(rating for rating in after.values() if rating is not None)
    alike = [
        f"{' and '.join(season.labels[one.id] for one in season.members if after[one.id] == rating)} "
        f"would both have {rating}"
        for rating in sorted(times, reverse=True)
        if times[rating] > 1
    ]
    if alike:
        raise ClubError(
            f"{'; '.join(alike)}. Ratings decide the first order, so each must be unique: --spread gives the one who "
            "was lower before the next free one below"
        )
