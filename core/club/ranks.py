"""Who of a table has a rank, and what its readers must know about it (club P15)."""

from collections.abc import Iterator

from core.club.keizer import KeizerRow, KeizerTable
from core.club.keizer_settings import KeizerSettings
from core.plurals import count_of


def final_ranking(
    table: KeizerTable, minimum_games: int
) -> tuple[tuple[KeizerRow, ...], tuple[KeizerRow, ...]]:
    """Those in the final ranking, in order, and those listed outside it for too few games.

    A player who has not played at all is never inside.
    """
    needed = max(1, minimum_games)
    inside = tuple(row for row in table.rows if row.counted >= needed)
    return inside, tuple(row for row in table.rows if row.counted < needed)


def ranked(table: KeizerTable, settings: KeizerSettings) -> tuple[KeizerRow, ...]:
    """Those with a rank, best first.

    Before round 1 all, at the end those with enough games, else those who have played.
    """
    if table.round == 0:
        return table.rows
    at_the_end = table.round >= settings.planned_rounds
    return final_ranking(table, settings.games_needed if at_the_end else 1)[0]


def notes(table: KeizerTable, settings: KeizerSettings) -> tuple[str, ...]:
    """What a reader of this table must know, a sentence each, without a full stop."""
    cycle = (table.note,) if table.note else ()
    return (*cycle, *(_on_ranks(table, settings) if table.round else ()))


def _on_ranks(table: KeizerTable, settings: KeizerSettings) -> Iterator[str]:
    needed = settings.games_needed
    left = settings.planned_rounds - table.round
    if needed > 1:
        when = " at the end" if left > 0 else ""
        yield f"ranked{when}: players with at least {needed} of {count_of(settings.planned_rounds, 'game')}"
    if left <= 0:
        if any(not row.counted for row in table.rows):
            yield "players who have not played have no rank"
        return
    if any(not row.counted for row in table.rows):
        where = "rating puts" if settings.newcomers == "rating" else "points put"
        yield f"players who have not played yet have no rank, and are placed where the {where} them"
    late = [row.player for row in table.rows if row.counted + left < needed]
    if late:
        yield f"too few rounds are left to be ranked at the end for {'; '.join(late)}"
