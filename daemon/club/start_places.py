"""The order before round 1 if it is not by rating: by lot, or by an earlier table."""

from typing import TYPE_CHECKING

from core.club.pairing_plan import drawn

if TYPE_CHECKING:
    from daemon.archive.club.rows import MemberRow
    from daemon.club.season import Season


def start_places(season: "Season") -> dict[int, int]:
    """The place of each member before round 1, by id; empty if ratings decide."""
    if season.kind == "points":
        return {member.id: member.n for member in season.members}
    order = season.settings.start_order
    if order == "lot":
        by_number = {str(member.n): member.id for member in season.members}
        lot = drawn(season.settings.lot, list(by_number))
        return {by_number[number]: place for place, number in enumerate(lot, start=1)}
    if order == "table":
        ordered = sorted(season.members, key=_by_table)
        return {member.id: place for place, member in enumerate(ordered, start=1)}
    return {}


def _by_table(member: "MemberRow") -> tuple[bool, int, int, int]:
    return member.seed is None, member.seed or 0, -(member.rating or 0), member.n
