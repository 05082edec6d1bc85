"""Random evenings as lists of commands, which can be done again elsewhere without those that were undone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import select

from core.club.tournament import AbsenceReason
from daemon.archive.archive import Archive
from daemon.archive.club import steps
from daemon.archive.tables.main import players
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.foundation import change_settings
from daemon.club.members import MemberEdit, NewMember, add_members, edit_member, remove_member
from daemon.club.pairing_list import pair_round
from daemon.club.presence import change_reasons, presence
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.season import Season
from daemon.club.undo import redo, undo
from tests.daemon.club.evenings import NOW, SLUG, evening_of, now

POSTPONED: Final = "postponed"


@dataclass(frozen=True)
class Command:
    """What a director typed; every question is answered with yes."""

    what: str
    given: tuple[Any, ...]

    def do(self, archive: Archive, version: int) -> None:
        """Do it; *version* is the tournament's."""
        _DO[self.what](archive, version, *self.given)


def _flag(archive: Archive, version: int, away: Mapping[str, AbsenceReason], here: tuple[str, ...]) -> None:
    set_flags(archive, SLUG, Flags(away=away, here=here), now_ms=NOW, confirmed=version)


def _only(archive: Archive, version: int, names: tuple[str, ...]) -> None:
    set_flags(archive, SLUG, Flags(only=names), now_ms=NOW, confirmed=version)


def _by_hand(archive: Archive, version: int, setting: EveningSetting) -> None:
    set_by_hand(archive, SLUG, setting, now_ms=NOW, confirmed=version)


def _pair(archive: Archive, version: int) -> None:
    pair_round(archive, SLUG, evening_of(), now_ms=NOW, confirmed=version)


def _result(archive: Archive, version: int, number: int, texts: Mapping[int, str]) -> None:
    entries = {
        board: BoardResult(None, until=date(2024, 6, 1))
        if text == POSTPONED
        else BoardResult(read_result(text))
        for board, text in texts.items()
    }
    enter(archive, SLUG, entries, number=number, now_ms=NOW, confirmed=version)


def _edit(archive: Archive, _version: int, who: str, edit: MemberEdit) -> None:
    edit_member(archive, SLUG, who, edit, now_ms=NOW)


def _add(archive: Archive, _version: int, name: str, rating: int) -> None:
    add_members(archive, SLUG, [NewMember(name, rating)], now_ms=NOW)


def _remove(archive: Archive, version: int, who: str) -> None:
    remove_member(archive, SLUG, who, now_ms=NOW, confirmed=version)


def _settings(archive: Archive, version: int, texts: Mapping[str, str]) -> None:
    change_settings(archive, SLUG, texts, now_ms=NOW, confirmed=version)


def _reason(archive: Archive, version: int, number: int, who: str, reason: AbsenceReason) -> None:
    change_reasons(archive, SLUG, number, {who: reason}, now_ms=NOW, confirmed=version)


_DO: Final[Mapping[str, Callable[..., None]]] = {
    "flag": _flag,
    "only": _only,
    "by hand": _by_hand,
    "pair": _pair,
    "result": _result,
    "edit": _edit,
    "add": _add,
    "remove": _remove,
    "settings": _settings,
    "reason": _reason,
}


def take_back(archive: Archive) -> None:
    """Undo, confirmed."""
    undo(archive, SLUG, now_ms=NOW, confirmed=now(archive).version)


def do_again(archive: Archive) -> None:
    """Redo, confirmed."""
    redo(archive, SLUG, now_ms=NOW, confirmed=now(archive).version)


def state(archive: Archive) -> object:
    """Everything that a tournament is: its rows, with players by their names; its tables; who is there."""
    season = now(archive)
    with archive.reading() as connection:
        keys = dict(connection.execute(select(players.c.id, players.c.key)).all())
        rows = steps.rows_of(connection, season.tournament.id)
    held = {
        place: {name: keys[value] if name == "player_id" else value for name, value in row.items()}
        for place, row in rows.items()
    }
    here = [(one.member.n, one.reason, one.words) for one in presence(season).states]
    return held, season.tables, here


def faults(season: Season) -> list[str]:
    """Everybody who is not exactly one of paired, with the bye, or absent in a round that they take part in."""
    found = []
    for row in season.listed:
        sides = [side for board in row.pairings for side in (board.white, board.black)]
        for member in season.members:
            times = sides.count(member.id) + (member.id in row.absences)
            if times != member.plays(row.n):
                found.append(f"round {row.n}: {member.label} {times} times")
    coming = presence(season) if season.current is None else None
    if coming is not None:
        there = {one.member.label for one in coming.states if one.reason is None}
        flagged = season.open.absences if season.open else {}
        order = {label for label in season.order(coming.round) if season.by_label[label].id not in flagged}
        found += [f"round {coming.round}: {label} is shown wrongly" for label in there ^ order]
    return found
