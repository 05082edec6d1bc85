"""Rates a club tournament, and applies the new ratings."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from core.club import spelling
from core.club.contest import Contest, Contestant, of_report, without_games
from core.club.crosstable import Crosstable
from core.club.fesa_game import BONUS_GAMES
from core.club.fesa_rating import Entrant
from core.club.fesa_rating_list import RatingList
from core.club.grades import read_grade
from core.club.promotion import ESTABLISHED, GradeStanding
from core.club.tournament import TournamentRound
from core.club.turnering_export import ExportError, results_table
from core.plurals import count_of
from daemon.archive.archive import Archive, Connection
from daemon.archive.club import steps, tournaments
from daemon.archive.club.rows import MemberRow
from daemon.club.change import changing_field
from daemon.club.errors import ClubError
from daemon.club.files import heading
from daemon.club.members import HIGHEST
from daemon.club.season import Season
from daemon.club.tournament_record import record_of
from daemon.club.turnering_file import details_of

WHAT: Final = "ratings"
"""The name of new ratings in the log."""
ASSUMED_ESTABLISHED: Final = (
    f"no list: the members' ratings are taken for established ones ({ESTABLISHED} games or more, no bonus left), "
    "except for those who are new to FESA's rating"
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
    return without_games(replace(found, name=season.tournament.name, players=players), _with_handicap(season))


def _with_handicap(season: Season) -> frozenset[tuple[int, str]]:
    """The rounds and members of games with a handicap, which no rating of chess counts."""
    return frozenset(
        (number, side)
        for number, evening in enumerate(season.evenings(season.complete), start=1)
        for game in evening.games
        if game.handicap and game.result is not None and game.result.played
        for side in (game.white, game.black)
    )


def _as_member(player: Contestant, member: MemberRow) -> Contestant:
    return replace(player, number=member.n, name=member.name, label=member.label, fide_id=member.fide_id)


def _refuse_none(season: Season) -> None:
    if not season.complete:
        raise ClubError("no round is complete yet: there is nothing to rate")


def table_of(season: Season) -> Crosstable:
    """The complete rounds as a table for FESA's rating; games without a result are left out.

    Raises:
        ClubError: no round is complete, or such a table cannot hold them.
    """
    _refuse_none(season)
    rounds = [_with_results(one) for one in season.evenings(season.complete)]
    details = {member.label: details_of(member) for member in season.members}
    try:
        return results_table(heading(season), season.players, rounds, _order(season), details)
    except ExportError as error:
        raise ClubError(f"it cannot be rated: {error}") from error


def _order(season: Season) -> tuple[str, ...]:
    """The labels of all members, in the order of the rows of their table."""
    return (*season.tables[-1].order, *season.tables[-1].withdrawn)


def _with_results(evening: TournamentRound) -> TournamentRound:
    return replace(evening, games=tuple(game for game in evening.games if game.result is not None))


def entrants_of(season: Season, listed: RatingList | None) -> tuple[Entrant | None, ...]:
    """The members as FESA's players before the tournament, in the order of their table; None for the unrated.

    Without a list their ratings in the tournament are taken for established ones, but for those who are new.

    Raises:
        ClubError: two members are the same player of the list.
    """
    members = [season.by_label[label] for label in _order(season)]
    if listed is None:
        return tuple(None if member.newcomer else _established(member) for member in members)
    found = [_listed(member, listed) for member in members]
    for place, one in enumerate(found):
        if one is not None and one in found[:place]:
            both = f"{members[found.index(one)].label} and {members[place].label}"
            edit = f'gamekeeper club player edit {season.tournament.slug} {members[place].n} --spelled "Last, First"'
            raise ClubError(
                f'{both} would both be "{one.name}" of the list: say how one of them is spelled there, {edit}'
            )
    return tuple(found)


def _established(member: MemberRow) -> Entrant | None:
    if member.rating is None:
        return None
    standing = GradeStanding(read_grade(member.grade) if member.grade else None)
    return Entrant(
        member.name,
        rating=member.rating,
        games_before=ESTABLISHED,
        bonus_used=BONUS_GAMES,
        standing=standing,
    )


def _listed(member: MemberRow, known: RatingList) -> Entrant | None:
    name = details_of(member).spelling.name
    if name not in known:
        name = spelling.listed(member.name, (member.fide_id,) if member.fide_id else (), known) or name
    return known.find(name)


def applied_on(connection: Connection, season: Season) -> date | None:
    """The day on which the last new ratings were taken over; None if none were."""
    undone = steps.undone_numbers(connection, season.tournament.id)
    noted = (
        one
        for one in tournaments.events(connection, season.tournament.id)
        if one.what == WHAT and one.step not in undone
    )
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
        if season.ratings_decide:
            after = _spread(season, after) if spread else after
            _refuse_equal(season, after)
        changed = [member for member in season.members if after[member.id] != member.rating]
        if not changed:
            return []
        again = " All tables are made again; the pairings stay." if season.listed else ""
        change.confirm(f"Take over {count_of(len(changed), 'new rating')}?{again}")
        for member in changed:
            tournaments.change_member(change.connection, member.id, {"rating": after[member.id]})
        sentence = "; ".join(
            f"{one.label} {_written(one.rating)} → {_written(after[one.id])}" for one in changed
        )
        back = "; ".join(f"{one.label} {_written(after[one.id])} → {_written(one.rating)}" for one in changed)
        change.note(WHAT, sentence, {one.label: one.rating for one in changed}, back=f"ratings: {back}")
        return [Applied(one, after[one.id]) for one in changed]


def _written(rating: int | None) -> str:
    return "-" if rating is None else str(rating)


def _spread(season: Season, after: Ratings) -> dict[int, int | None]:
    """Strongest first: a member whose rating would be taken gets the next lower one, or the next free."""
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
