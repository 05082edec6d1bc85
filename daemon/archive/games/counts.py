"""What became of what was read, counted: of a batch, a round, an import."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What became of what was read.

    Each game read counts once as new, added (to a known game), unchanged, refreshed or quarantined.
    *collapsed* is counted in addition: two ids of one site became one game. *left_out* were not games for an
    archive.
    """

    read: int = 0
    new: int = 0
    added: int = 0
    unchanged: int = 0
    refreshed: int = 0
    collapsed: int = 0
    quarantined: int = 0
    left_out: int = 0

    def by_name(self) -> dict[str, int]:
        """The counts by their names, without what a value derived from this one adds."""
        return {field.name: getattr(self, field.name) for field in fields(Counts)}
