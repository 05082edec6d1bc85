"""The order before round 1 if it is not by rating: by lot, or by an earlier table."""

from collections.abc import Sequence

from core.club.keizer_settings import KeizerSettings
from core.club.pairing_plan import drawn
from core.club.record import TableKind
from daemon.archive.club.rows import MemberRow


def start_places(kind: TableKind, settings: KeizerSettings, members: Sequence[MemberRow]) -> dict[int, int]:
    """The place of each member before round 1, by id; empty if ratings decide."""
    if kind == "points":
        return {member.id: member.n for member in members}
    if settings.start_order == "lot":
        by_number = {str(member.n): member.id for member in members}
        lot = drawn(settings.lot, list(by_number))
        return {by_number[number]: place for place, number in enumerate(lot, start=1)}
    if settings.start_order == "table":
        ordered = sorted(members, key=_by_table)
        return {member.id: place for place, member in enumerate(ordered, start=1)}
    return {}


def _by_table(member: MemberRow) -> tuple[bool, int, int, int]:
    return member.seed is None, member.seed or 0, -(member.rating or 0), member.n
