"""The round to be paired next: what has to be settled before anything is set for it."""

from daemon.archive.club.rows import RoundRow
from daemon.club.change import Change
from daemon.club.errors import ClubError
from daemon.club.round_end import close
from daemon.club.season import Season


def coming(change: Change, doing: str) -> tuple[Season, RoundRow]:
    """The round to be paired next, and the tournament with all tables before it.

    *doing* completes "and … round 4".

    A round that is still being played stays so until the director closes it, with its open games.

    Raises:
        ClubError: the round before it has no result at all.
        Confirm: the round before it is still being played.
    """
    season = change.season
    playing = season.current
    if playing is not None:
        if playing.pairings and playing.is_untouched:
            raise ClubError(
                f"round {playing.n} is being played and has no result yet: enter its results (`gamekeeper club "
                "result`), or take its pairing list back to change who plays (`gamekeeper club undo`)"
            )
        change.confirm(f"{_open(season, playing)} {doing} round {playing.n + 1}?")
        close(change, playing)
        season = change.again()
    return season, season.open or RoundRow(n=season.next_number)


def _open(season: Season, playing: RoundRow) -> str:
    if not playing.awaited:
        return (
            f"Round {playing.n} has all its results, but its table was undone. Let the table stand again, and"
        )
    boards = [
        f"board {one.board}, {season.labels[one.white]} – {season.labels[one.black]}"
        for one in playing.awaited
    ]
    have = "has no result" if len(boards) == 1 else "have no results"
    pronoun = "it" if len(boards) == 1 else "them"
    return f"Round {playing.n} is being played: {'; '.join(boards)} {have}. Leave {pronoun} open, and"
