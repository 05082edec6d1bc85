"""A member's own terms, group, or place from an earlier table."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core import names
from core.club.keizer_settings import KeizerSettings
from core.club.setting import AWAY, BONUS, settings_of
from core.club.setting_texts import as_texts, read_texts
from core.plurals import count_of
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow
from daemon.archive.games.quarantine import storable
from daemon.club.change import Change, changing_field
from daemon.club.errors import ClubError
from daemon.club.season import Season, read_season

_TERMS: Final = frozenset(
    name
    for name, one in settings_of(KeizerSettings).items()
    if one.group in {AWAY, BONUS} and name != "external_counts"
)
_LONGEST: Final = 40


def set_terms(
    archive: Archive,
    slug: str,
    who: str,
    texts: Mapping[str, str],
    *,
    clear: bool = False,
    now_ms: int,
    confirmed: int | None = None,
) -> MemberRow:
    """Give a member terms of their own: settings of rounds without a game, by names. *clear* takes all others away.

    Raises:
        ClubError: there is no such setting or value, or it holds for everybody.
        Confirm: there are tables, which are made again.
    """
    with changing_field(archive, slug, now_ms, confirmed) as change:
        _refuse_points(change.season)
        member = change.season.find(who)
        terms = {**({} if clear else member.terms), **checked(change.season.tournament.settings, texts)}
        if terms == member.terms:
            return member
        if change.season.complete:
            change.confirm(f"Change the terms of {member.label}? All tables are made again.")
        tournaments.change_member(change.connection, member.id, {"terms": terms})
        sentence, back = (f"{member.label}: own terms: {_terms_text(one)}" for one in (terms, member.terms))
        change.note("player", sentence, dict(member.terms), back=back)
        return next(one for one in change.again().members if one.id == member.id)


def _terms_text(terms: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in terms.items()) or "those of everybody"


def _refuse_points(season: Season) -> None:
    """A table by points has neither terms nor a start order to choose.

    Raises:
        ClubError: this is one.
    """
    if season.kind == "points":
        raise ClubError(f"the table of {season.tournament.short_name} is by points: it came from a file")


def checked(settings: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """The terms as they are stored, of a member of a tournament with these settings.

    Raises:
        ClubError: one of them cannot be a member's own.
    """
    general = sorted(name for name in texts if name in settings_of(KeizerSettings) and name not in _TERMS)
    if general:
        raise ClubError(
            f"{', '.join(general)} holds for everybody: it is changed with `gamekeeper club settings`"
        )
    try:
        read: dict[str, Any] = read_texts(KeizerSettings, {**settings, **texts})
        stored = as_texts(KeizerSettings(**{name: read[name] for name in texts}))
    except ValueError as error:
        raise ClubError(str(error)) from error
    return {name: stored[name] for name in texts}


def set_group(
    archive: Archive, slug: str, group: str, add: Sequence[str], remove: Sequence[str], *, now_ms: int
) -> list[MemberRow]:
    """Put members into a group and take others out of it. Returns its members.

    Raises:
        ClubError: somebody is unknown, or in no such group; or the group has no name.
    """
    name = names.clean(storable(group) or "")
    if not name or len(name) > _LONGEST:
        raise ClubError(f'a group needs a name of at most {_LONGEST} characters, not "{group}"')
    with changing_field(archive, slug, now_ms) as change:
        known = {one.in_group.casefold(): one.in_group for one in change.season.members if one.in_group}
        name = known.get(name.casefold(), name)
        for who in remove:
            _move(change, change.season.find(who), name, None)
        for who in add:
            _move(change, change.season.find(who), None, name)
        return [one for one in change.again().members if one.in_group == name]


def _move(change: Change, member: MemberRow, out_of: str | None, into: str | None) -> None:
    if into is None and member.in_group != out_of:
        raise ClubError(f"{member.label} is not in group {out_of}")
    if member.in_group != into:
        tournaments.change_member(change.connection, member.id, {"in_group": into})
        sentence, back = (
            f"{member.label}: group {one or '-'} → {other or '-'}"
            for one, other in ((member.in_group, into), (into, member.in_group))
        )
        change.note("group", sentence, member.in_group, back=back)


def start_by_table(
    archive: Archive, slug: str, earlier: str, *, now_ms: int, confirmed: int | None = None
) -> list[MemberRow]:
    """Order the members before round 1 by the last table of an earlier tournament. Returns those who are in it.

    Raises:
        ClubError: there is no such tournament, it has no table, or no member of this one played in it.
        Confirm: there are tables, which are made again.
    """
    with changing_field(archive, slug, now_ms, confirmed) as change:
        _refuse_points(change.season)
        before = read_season(change.connection, earlier)
        if before.tournament.id == change.id:
            raise ClubError(f"{before.tournament.short_name} cannot begin in the order of its own table")
        if not before.complete:
            raise ClubError(f"{before.tournament.short_name} has no table yet")
        order = [*before.tables[-1].order, *before.tables[-1].withdrawn]
        places = {before.by_label[label].player_id: place for place, label in enumerate(order, start=1)}
        found = [member for member in change.season.members if member.player_id in places]
        if not found:
            raise ClubError(f"no member played in {before.tournament.short_name}")
        if change.season.listed:
            change.confirm("Change the order before round 1? All tables are made again; the pairings stay.")
        for member in change.season.members:
            tournaments.change_member(change.connection, member.id, {"seed": places.get(member.player_id)})
        settings = {**change.season.tournament.settings, "start_order": "table"}
        tournaments.change_tournament(change.connection, change.id, {"settings": settings})
        sentence = f"the order before round 1 is that of {before.tournament.short_name} ({count_of(len(found), 'member')})"
        change.note("settings", sentence, back="the order before round 1 is again what it was")
    return found
