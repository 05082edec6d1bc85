"""Ends a round with its table."""

from dataclasses import replace

from daemon.archive.club import tournaments
from daemon.archive.club.rows import RoundRow
from daemon.club.change import Change


def close(change: Change, round_: RoundRow) -> None:
    """Let the round's table stand; what has no result by then is worth nothing until it has one."""
    tournaments.put_round(change.connection, change.id, replace(round_, state="complete"))
    missing = [f"board {one.board}" for one in round_.open_games]
    without = f" without {', '.join(missing)}" if missing else ""
    change.note(
        "table",
        f"the table after round {round_.n} is complete{without}",
        back=f"the table after round {round_.n} is no longer valid",
    )
