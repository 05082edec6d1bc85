"""Tournaments for tests, made through the use cases."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from daemon.archive.archive import Archive
from daemon.club.errors import Confirm
from daemon.club.evening import Flags, When, set_flags
from daemon.club.foundation import NewTournament, found
from daemon.club.members import NewMember, add_members
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.season import Season, read_season
from daemon.club.shapes import Standings
from daemon.club.views import standings
from tests.daemon.seeding import NOW

SLUG = "vm26"
NAMES = (
    "Rossi, Mario",
    "Bianchi, Laura",
    "Neri, Anna",
    "Verdi, Gino",
    "O'Neill, Zoë",
    "Müller, Jörg",
    "Conti, Paola",
    "Galli, Piero",
)


def midnight(day: str) -> int:
    """Milliseconds since 1970 of this day's beginning in UTC."""
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp() * 1000)


def evening_of(day: str = "2024-05-12") -> When:
    """The whole day."""
    return When(date.fromisoformat(day), midnight(day), midnight(day) + 86_400_000 - 1)


def table_of(
    season: Season, number: int | None = None, tie_breaks: Sequence[str] = (), day: date | None = None
) -> Standings:
    """The standings, which there are."""
    found = standings(season, number, tie_breaks, day)
    assert found is not None
    return found


def start(archive: Archive, members: int | Sequence[NewMember] = 6, **settings: str) -> Season:
    """A tournament of that many made-up members, or of these."""
    found(archive, NewTournament("Club championship 2026", "VM26", settings), now_ms=NOW)
    if isinstance(members, int):
        new = [NewMember(name, 1800 - 50 * place) for place, name in enumerate(NAMES[:members])]
    else:
        new = list(members)
    if new:
        add_members(archive, SLUG, new, now_ms=NOW)
    return now(archive)


def now(archive: Archive) -> Season:
    """The tournament as it stands."""
    with archive.reading() as connection:
        return read_season(connection, SLUG)


def pair_all(archive: Archive, day: str = "2024-05-12", **flags: Any) -> list[tuple[str, str]]:
    """Pair the coming round; the boards by labels."""
    if flags:
        set_flags(archive, SLUG, Flags(**flags), now_ms=NOW)
    row = pair_round(archive, SLUG, evening_of(day), now_ms=NOW)
    labels = now(archive).labels
    return [(labels[one.white], labels[one.black]) for one in row.pairings]


def results(archive: Archive, *texts: str, number: int | None = None) -> None:
    """Enter the results of the boards, first to last; whatever is asked is confirmed."""
    entries = {board: BoardResult(read_result(text)) for board, text in enumerate(texts, start=1)}
    yes(lambda version: enter(archive, SLUG, entries, number=number, now_ms=NOW, confirmed=version))


def yes(do):
    """What *do* returns when every question is answered with yes."""
    try:
        return do(None)
    except Confirm as question:
        return do(question.version)


def order(archive: Archive) -> list[str]:
    """The names in the order of the last table."""
    return list(now(archive).tables[-1].order)
