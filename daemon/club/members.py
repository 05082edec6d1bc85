"""Members: added, changed, withdrawn, removed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core import names
from core.club.manual_pairs import why_not_removed
from core.players import identify, read_fide_id, without_site
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow
from daemon.archive.games.quarantine import storable
from daemon.club import shogi
from daemon.club.change import Change, changing_field
from daemon.club.errors import ClubError
from daemon.club.labels import numbered
from daemon.club.member_differences import differences
from daemon.club.membership import fit_rounds, refuse_held
from daemon.club.shogi import ShogiFacts
from daemon.config.links import without_address

HIGHEST: Final = 9999
LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class NewMember:
    """Somebody to be added. *handles*: names that they play under online, ``lichess:mrossi90``.

    *line* is their line in the file that they came from.
    """

    name: str
    rating: int
    fide_id: str | None = None
    category: str | None = None
    handles: tuple[str, ...] = ()
    line: int | None = field(default=None, compare=False)
    shogi: ShogiFacts = field(default_factory=ShogiFacts)


@dataclass(frozen=True, slots=True)
class MemberEdit:
    """What to change of a member; None changes nothing. An empty category or FIDE id removes it.

    *joined* is the first round in which they take part, *without* the first in which they no longer do.
    """

    name: str | None = None
    rating: int | None = None
    fide_id: str | None = None
    category: str | None = None
    handles: tuple[str, ...] | None = None
    withdrawn: bool | None = None
    joined: int | None = None
    without: int | None = None
    shogi: ShogiFacts = field(default_factory=ShogiFacts)


def add_members(archive: Archive, slug: str, new: Sequence[NewMember], *, now_ms: int) -> list[MemberRow]:
    """Add members; they play from the next round on that is paired. All of them or none.

    No undo removes them again.

    Raises:
        ClubError: one cannot be added; all reasons, one a line.
    """
    with changing_field(archive, slug, now_ms, step=False) as change:
        joined = change.season.next_number
        wrong: list[str] = []
        ids: list[int] = []
        for place, one in enumerate(new, start=1):
            try:
                ids.append(_add(change, one, joined))
            except ClubError as error:
                wrong.append(f"{_where(one, place, len(new))}{error}")
        if wrong:
            nobody = ["nobody is added: correct these, or leave them out"] if len(new) > 1 else []
            raise ClubError("\n".join([*wrong, *nobody]))
        added = [member for member in change.again().members if member.id in ids]
        for member in added:
            late = f", from round {joined} on" if joined > 1 else ""
            change.note("members", f"{member.label} ({member.rating}) is a member{late}")
    return added


def _where(one: NewMember, place: int, of: int) -> str:
    if one.line is not None:
        return f"line {one.line}: "
    return f"{place}. " if of > 1 else ""


def _add(change: Change, new: NewMember, joined: int) -> int:
    member = _checked(change, _wanted(change, new), None)
    values = _values(replace(member, joined=joined))
    return tournaments.add_member(change.connection, change.id, values)


def _wanted(change: Change, new: NewMember) -> MemberRow:
    written, fide_id = _who(new.name, new.fide_id)
    member = MemberRow(
        id=0,
        n=0,
        player_id=tournaments.player_of(change.connection, change.known, written, fide_id),
        name=written,
        written=written,
        fide_id=fide_id,
        rating=new.rating,
        category=_text(new.category),
        handles=_handles(new.handles),
    )
    return shogi.applied(member, new.shogi)


def _who(name: str, fide_id: str | None) -> tuple[str, str | None]:
    written = _text(name)
    if written is None or identify(written).kind == "unknown":
        raise ClubError(f'"{name}" names nobody')
    own_id = read_fide_id(fide_id) if fide_id else None
    if fide_id and (own_id is None or len(own_id) > 32):
        raise ClubError(f'{written}: "{fide_id}" is not a FIDE id')
    return written, own_id


def _text(text: str | None) -> str | None:
    """One line of text, None where nothing is left of it."""
    line = names.clean(storable(text) or "")
    if len(line) > LONGEST:
        raise ClubError(f'"{line[:40]}…" is too long: {LONGEST} characters at most')
    return line or None


def _handles(given: Sequence[str]) -> tuple[str, ...]:
    handles = tuple(dict.fromkeys(without_address(line) for one in given if (line := _text(one))))
    for handle in handles:
        if identify(without_site(handle)).kind == "unknown":
            raise ClubError(f'"{handle}" is not a name on a site')
    return handles


def _checked(change: Change, member: MemberRow, itself: MemberRow | None) -> MemberRow:
    """The member, if they can be one besides the others.

    Raises:
        ClubError: somebody has their rating or one of their handles, or is the same player.
    """
    _check_rating(change, member)
    others = [one for one in change.again().members if itself is None or one.id != itself.id]
    for other in others:
        if other.player_id == member.player_id:
            raise ClubError(
                f"{member.name} is a member already: {numbered(other.n, other.name)} ({other.rating})"
            )
        if other.rating == member.rating is not None and change.season.ratings_decide:
            raise ClubError(
                f"{member.name}: {other.label} has the rating {member.rating}, and ratings decide the first order, so "
                f"each must be unique; {free_rating(others, member.rating)} is free"
            )
        shared = {handle_key(one): one for one in member.handles}.keys() & map(handle_key, other.handles)
        if shared:
            raise ClubError(f"{member.name}: {other.label} plays under that name on a site, too")
    return member


def _check_rating(change: Change, member: MemberRow) -> None:
    if member.rating is None and change.season.kind == "points":
        return
    if member.rating is None or not 1 <= member.rating <= HIGHEST:
        raise ClubError(f"{member.name}: a rating is from 1 to {HIGHEST}, not {member.rating}")


def free_rating(others: Sequence[MemberRow], rating: int) -> int:
    """The nearest rating that nobody has, the lower one first."""
    return nearest_free({other.rating for other in others}, rating)


def nearest_free(taken: Collection[int | None], rating: int) -> int:
    """The nearest rating that is not *taken*, the lower one first."""
    near = (rating + sign * step for step in range(1, len(taken) + 2) for sign in (-1, 1))
    return next(one for one in near if 1 <= one <= HIGHEST and one not in taken)


def handle_key(handle: str) -> tuple[str, str]:
    """What makes two handles the same."""
    name = without_site(handle)
    site = handle.partition(":")[0].lower() if name != handle else ""
    return site, str(identify(name))


def _values(member: MemberRow) -> dict[str, object]:
    return {
        "player_id": member.player_id,
        "written": member.written,
        "fide_id": member.fide_id,
        "rating": member.rating,
        "joined": member.joined,
        "withdrawn": member.withdrawn,
        "category": member.category,
        "handles": list(member.handles),
        "called": member.called,
        **shogi.values(member),
    }


def edit_member(archive: Archive, slug: str, who: str, edit: MemberEdit, *, now_ms: int) -> MemberRow:
    """Change a member: name and rating at any time (club P17). The member as they are then.

    Raises:
        ClubError: they cannot be so.
    """
    with changing_field(archive, slug, now_ms) as change:
        old = change.season.find(who)
        new = _checked(change, _edited(change, old, edit), old)
        tournaments.change_member(change.connection, old.id, _values(new))
        rounds = fit_rounds(change, old, new)
        if new.player_id != old.player_id:
            tournaments.drop_if_idle(change.connection, change.known, old.player_id)
        if _values(new) != _values(old):
            sentence = "; ".join([*differences(old, new), *rounds])
            back = "; ".join(differences(new, old))
            change.note("player", f"{old.label}: {sentence}", _values(old), back=f"{old.label}: {back}")
        return next(member for member in change.again().members if member.id == old.id)


def _edited(change: Change, old: MemberRow, edit: MemberEdit) -> MemberRow:
    new = old
    if edit.name is not None or edit.fide_id is not None:
        fide_id = old.fide_id if edit.fide_id is None else edit.fide_id or None
        written, own_id = _who(old.written if edit.name is None else edit.name, fide_id)
        player_id = tournaments.player_of(change.connection, change.known, written, own_id)
        new = replace(new, player_id=player_id, written=written, fide_id=own_id)
        if edit.name is not None:
            new = replace(new, name=written, called=written)
    if edit.rating is not None:
        new = replace(new, rating=edit.rating)
    if edit.category is not None:
        new = replace(new, category=_text(edit.category))
    if edit.handles is not None:
        new = replace(new, handles=_handles(edit.handles))
    if edit.joined is not None:
        new = replace(new, joined=edit.joined)
    if edit.withdrawn is not None:
        new = replace(new, withdrawn=_withdrawn(change, old, edit) if edit.withdrawn else None)
    return shogi.applied(new, edit.shogi)


def _withdrawn(change: Change, member: MemberRow, edit: MemberEdit) -> int:
    return edit.without or member.withdrawn or change.season.next_number


def remove_member(
    archive: Archive, slug: str, who: str, *, now_ms: int, confirmed: int | None = None
) -> MemberRow:
    """Delete a member who has not been paired (club P17).

    Raises:
        ClubError: they have a game, or are in a manual pair.
        Confirm: it has to be confirmed.
    """
    with changing_field(archive, slug, now_ms, confirmed) as change:
        season, member = change.season, change.season.find(who)
        why = why_not_removed(season.labels[member.id], season.evenings(season.listed))
        if why is not None:
            raise ClubError(f"{why} (`gamekeeper club player edit {slug} {member.n} --withdraw`)")
        if season.open:
            refuse_held(member, season.open)
        change.confirm(f"Remove {member.label} ({member.rating}) from the tournament?")
        tournaments.remove_member(change.connection, member.id)
        tournaments.drop_if_idle(change.connection, change.known, member.player_id)
        change.note(
            "player", f"{member.label} is removed", _values(member), back=f"{member.label} is a member again"
        )
    return member
