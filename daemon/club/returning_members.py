"""Fits returning members in with those who were added since: no two of one rating, handle, or person."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.players import PlayerKey, identify
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow
from daemon.archive.club.steps import Difference, StoredStep
from daemon.club.change import Change
from daemon.club.members import handle_key, nearest_free
from daemon.club.season import Season

_MEMBERS = "club_members"


def make_room(change: Change, step: StoredStep) -> tuple[tuple[Difference, ...], list[str]]:
    """The differences of a step as they can be undone, and what was done for that.

    Who was added as a member in it, stays. Somebody added since who is the same person as one who comes back goes; a
    rating that somebody added since has stays theirs, and the nearest free one comes back.
    """
    staying = [one for one in step.differences if one.table != _MEMBERS or one.before is not None]
    sentences = [_go(change, one, comes) for one, comes in _same(change, step, staying)]
    fitted, moved = _fit_ratings(change.again(), step, staying)
    return fitted, [*sentences, *moved]


def _fit_ratings(
    season: Season, step: StoredStep, differences: Sequence[Difference]
) -> tuple[tuple[Difference, ...], list[str]]:
    """The same differences with ratings that nobody else has or gets, where no two may be the same."""
    newer = {member.rating for member in _newer(season.members, step)}
    comes = [_rating(one) for one in differences]
    taken: set[int | None] = {member.rating for member in season.members} | set(comes)
    fitted, sentences = [], []
    for one, rating in zip(differences, comes, strict=True):
        if rating is not None and rating in newer and season.ratings_decide:
            free = nearest_free(taken, rating)
            taken.add(free)
            sentences.append(f"the rating is {free}, since {rating} is somebody else's by now")
            fitted.append(replace(one, before={**(one.before or {}), "rating": free}))
        else:
            fitted.append(one)
    return tuple(fitted), sentences


def _rating(one: Difference) -> int | None:
    """The rating that comes back with this difference."""
    return (one.before or {}).get("rating") if one.table == _MEMBERS else None


def _newer(members: Iterable[MemberRow], step: StoredStep) -> list[MemberRow]:
    """Those who were added since the step."""
    return [member for member in members if member.n > step.last_member]


def _same(
    change: Change, step: StoredStep, differences: Iterable[Difference]
) -> Iterator[tuple[MemberRow, str]]:
    by_id = {member.id: member for member in change.season.members}
    newer = {identify(one.written, one.fide_id): one for one in _newer(change.season.members, step)}
    for one in differences:
        key = _person(one, by_id.get(one.key[0])) if one.table == _MEMBERS else None
        # A step that was redone moves those who were added since, too: they are not other people.
        if key in newer and newer[key].id != one.key[0]:
            yield newer[key], str((one.before or {}).get("n") or by_id[one.key[0]].n)


def _person(one: Difference, now: MemberRow | None) -> PlayerKey | None:
    """Who the member of this difference is going to be."""
    before = one.before or {}
    if now is None:
        return identify(before["written"], before["fide_id"])
    return identify(before.get("written", now.written), before.get("fide_id", now.fide_id))


def _go(change: Change, newer: MemberRow, comes: str) -> str:
    tournaments.remove_member(change.connection, newer.id)
    return f"{newer.label}, added since as no. {newer.n}, is no. {comes} again"


def settle(change: Change, step: StoredStep) -> list[str]:
    """After that: a handle that somebody added since has stays theirs alone."""
    members = change.again().members
    newer = {handle_key(handle) for one in _newer(members, step) for handle in one.handles}
    sentences = []
    for member in members:
        kept = [handle for handle in member.handles if handle_key(handle) not in newer]
        if member.n <= step.last_member and len(kept) < len(member.handles):
            tournaments.change_member(change.connection, member.id, {"handles": kept})
            sentences.append(
                f"{member.label} plays online as {', '.join(kept) or 'nobody'}, since another has the name"
            )
    return sentences
