"""Groups within a tournament, as the commands show them."""

from core.club.groups import group_table
from daemon.archive.reading import club_shapes
from daemon.archive.reading.club import member
from daemon.club.season import Season


def group_tables(season: Season) -> list[club_shapes.GroupTable]:
    """The table of each group after the last complete round, by the names of the groups."""
    names = sorted({one.in_group for one in season.members if one.in_group})
    return [_table(season, name) for name in names]


def _table(season: Season, name: str) -> club_shapes.GroupTable:
    places = {label: place for place, label in enumerate(season.tables[-1].order, start=1)}
    labels = [season.labels[one.id] for one in season.members if one.in_group == name]
    ordered = sorted(labels, key=lambda label: places.get(label, len(places) + 1))
    rows = group_table(ordered, season.evenings(season.complete))
    return {
        "group": name,
        "round": len(season.complete),
        "items": [
            {
                "member": member(season.by_label[row.player]),
                "points": float(row.points),
                "berger": float(row.berger),
                "games": row.games,
                "wins": row.wins,
                "place": places.get(row.player),
            }
            for row in rows
        ],
    }
