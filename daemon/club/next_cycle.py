"""A new tournament after an earlier one: its rules, its members in the order of its table, groups moved up and down."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.club.groups import group_table, moved
from core.plurals import count_of
from daemon.archive.archive import Archive
from daemon.archive.club import tournaments
from daemon.archive.club.rows import MemberRow
from daemon.club.errors import ClubError
from daemon.club.foundation import FACTS, NewTournament, add_founded
from daemon.club.season import Season, read_season


def found_after(
    archive: Archive, founding: NewTournament, earlier: str, *, move: int = 0, now_ms: int
) -> str:
    """Make a tournament after an *earlier* one; what *founding* leaves open is as there. Returns its slug.

    Members who have withdrawn are left out. *move* go up from each group into the next higher one, as many go
    down; those in no group are below all groups.

    Raises:
        ClubError: the earlier one has no table or no groups to move between, or the new one cannot be
            created.
    """
    with archive.writing() as connection:
        before = read_season(connection, earlier)
        if before.kind != "keizer":
            raise ClubError(
                f"{before.tournament.short_name} came from a file: create the tournament without --after"
            )
        if not before.complete:
            raise ClubError(f"{before.tournament.short_name} has no table yet")
        groups = _groups(before, move)
        facts = {fact: getattr(founding, fact) or getattr(before.tournament, fact) for fact in FACTS[1:-1]}
        number, slug = add_founded(
            connection, replace(founding, settings=_settings(before, founding.settings), **facts), now_ms
        )
        members = _members(before)
        tournaments.add_members(
            connection,
            number,
            [
                {
                    **tournaments.stays(member),
                    "n": n,
                    "joined": 1,
                    "withdrawn": None,
                    "seed": n,
                    "in_group": groups[member.id],
                }
                for n, member in enumerate(members, start=1)
            ],
        )
        what = (
            f"{count_of(len(members), 'member')} of {before.tournament.short_name}, in the order of its table"
        )
        tournaments.note(connection, number, now_ms, "new", what + _sentence(members, groups))
    return slug


def _settings(before: Season, given: Mapping[str, str]) -> dict[str, str]:
    row = before.tournament
    return {**row.settings, **row.pairing_settings, "start_order": "table", "lot": "", **given}


def _members(before: Season) -> list[MemberRow]:
    """The members who are taken over, in the order of the last table."""
    ordered = [before.by_label[label] for label in before.tables[-1].order]
    return [member for member in ordered if member.withdrawn is None]


def _groups(before: Season, move: int) -> dict[int, str | None]:
    """The group of each member in the new tournament, by id in the earlier one."""
    members = _members(before)
    names: Sequence[str | None] = sorted({one.in_group for one in members if one.in_group})
    if any(one.in_group is None for one in members):
        names = [*names, None]
    levels = {name: _ranked(before, members, name) for name in names}
    try:
        found = moved(levels, move)
    except ValueError as error:
        raise ClubError(f"--move: {error} (`gamekeeper club group`)") from error
    return {before.by_label[label].id: group for label, group in found.items()}


def _ranked(before: Season, members: Sequence[MemberRow], name: str | None) -> list[str]:
    labels = [before.labels[one.id] for one in members if one.in_group == name]
    if name is None:
        played = {row.player for row in before.tables[-1].rows if row.counted}
        return sorted(labels, key=lambda label: label not in played)
    return [row.player for row in group_table(labels, before.evenings(before.complete))]


def _sentence(members: Sequence[MemberRow], groups: Mapping[int, str | None]) -> str:
    changed = [
        f"{one.label}: group {one.in_group or '-'} → {groups[one.id] or '-'}"
        for one in members
        if one.in_group != groups[one.id]
    ]
    return "".join(f"; {each}" for each in changed)
