"""Groups within a tournament, as the commands show them."""

from core.club.groups import group_table
from daemon.club import shapes
from daemon.club.season import Season
from daemon.club.views import member, standings


def group_tables(season: Season, number: int | None = None) -> list[shapes.GroupTable]:
    """The table of each group after a round, the last complete one if none is named, by the names of the groups."""
    names = sorted({one.in_group for one in season.members if one.in_group})
    found = standings(season, number) if names else None
    return [] if found is None else [_table(season, name, found) for name in names]


def _table(season: Season, name: str, found: shapes.Standings) -> shapes.GroupTable:
    its = {one["member"]["label"]: one for one in found["items"]}
    everybody = [*its, *(one["label"] for one in found["withdrawn"])]
    ordered = [label for label in everybody if season.by_label[label].in_group == name]
    rows = group_table(ordered, season.evenings(season.complete[: found["round"]]))
    return {
        "group": name,
        "round": found["round"],
        "items": [
            {
                "member": member(season.by_label[row.player]),
                "points": float(row.points),
                "berger": float(row.berger),
                "games": row.games,
                "wins": row.wins,
                "place": its[row.player]["place"] if row.player in its else None,
                "rank": its[row.player]["rank"] if row.player in its else None,
            }
            for row in rows
        ],
    }
