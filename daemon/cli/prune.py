"""What `import --prune` does: shows games that are no longer in their files, asks, and deletes them."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from core.plurals import agreeing, count_of
from daemon import clock
from daemon.cli.context import Context
from daemon.cli.output import printable

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.archive.prune import Leftovers

_MOST: Final = 20
"""The greatest number of lines in one list."""


def prune_files(context: Context, archive: "Archive", paths: Sequence[str], *, yes: bool) -> dict[str, Any]:
    """Show what has left these files, and delete it if the user, or *yes*, says so.

    Returns what was done, for JSON.
    """
    from daemon.archive import prune

    with archive.reading() as connection:
        left = prune.leftovers(connection, [str(Path(path).resolve()) for path in paths if path != "-"])
    answer = _as_json(left)
    if not context.json:
        for line in _lines(archive, left):
            click.echo(line)
    if not (left.tellings or left.items) or not _is_wanted(context, left, yes=yes):
        return {**answer, "pruned": False}
    with archive.writing() as connection:
        gone = prune.prune(connection, archive.known, left, clock.now_ms())
    if not context.json:
        click.echo(f"deleted, and with them {count_of(gone, 'game')}" if gone else "deleted")
    return {**answer, "pruned": True}


def _as_json(left: "Leftovers") -> dict[str, Any]:
    tellings = [{"game_id": one.game_id, "n": one.n, "file": one.file} for one in left.tellings]
    return {"tellings": tellings, "games": _going(left), "quarantined": list(left.items)}


def _going(left: "Leftovers") -> list[int]:
    """The games without another source."""
    return list(dict.fromkeys(one.game_id for one in left.tellings if one.last and not one.stays))


def _is_wanted(context: Context, left: "Leftovers", *, yes: bool) -> bool:
    if yes or context.json:
        return yes
    also = f", and with them {count_of(len(_going(left)), 'game')}" if _going(left) else ""
    return click.confirm(f"Delete them{also}? This cannot be undone.", err=True)


def _lines(archive: "Archive", left: "Leftovers") -> Iterator[str]:
    if not (left.tellings or left.items):
        yield "every game that was read from these files is still in them"
        return
    yield "no longer in their files:"
    files = Counter(one.file for one in left.tellings)
    for file, number in files.most_common(_MOST):
        yield f"  {number:>6}  {printable(file)}"
    if len(files) > _MOST:
        yield f"          and {count_of(len(files) - _MOST, 'more file')}"
    if left.items:
        yield f"  {len(left.items):>6}  in quarantine"
    yield from _going_lines(archive, _going(left), {one.game_id for one in left.tellings if one.edited})
    boards = {one.game_id for one in left.tellings if one.stays}
    if boards:
        numbers = ", ".join(map(str, sorted(boards)))
        yield f"kept, as a club evening has a result from there: {agreeing(len(boards), 'game')} {numbers}"


def _going_lines(archive: "Archive", going: Sequence[int], edited: Collection[int]) -> Iterator[str]:
    from daemon.archive.reading.games import games_by_id

    if not going:
        return
    yield f"{count_of(len(going), 'game')} without another source:"
    with archive.reading() as connection:
        shown = games_by_id(connection, going[:_MOST])
    for game in shown:
        players = f"{game['white']['name']} – {game['black']['name']}"
        mark = " (you have edited it)" if game["id"] in edited else ""
        yield printable(f"  {game['id']:>6}  {players}, {game['date'] or '?'}, {game['result']}{mark}")
    if len(going) > _MOST:
        yield f"          and {len(going) - _MOST} more"
