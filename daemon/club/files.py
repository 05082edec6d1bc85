"""A tournament as files: turnering.txt, FIDE's TRF, CSV."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from core.club import trf_checks
from core.club.fesa_rating_list import RatingList
from core.club.findings import errors
from core.club.ranks import ranked
from core.club.record import Heading
from core.club.tournament import GameResult
from core.club.trf import ID_WIDTH, NAME_WIDTH, Document, TrfError
from daemon.club import turnering_file
from daemon.club.errors import ClubError
from daemon.club.exported_file import Export
from daemon.club.results import written
from daemon.club.season import Season
from daemon.club.shapes import Standing
from daemon.club.tournament_record import days_of_file, in_bytes, is_as_it_came, record_of
from daemon.club.turnering_file import TurneringFile
from daemon.club.views import standings


def turnering(
    season: Season,
    *,
    new: Iterable[str] = (),
    known: RatingList | None = None,
    today: date | None = None,
) -> TurneringFile:
    """The results file that FESA rates, with the complete rounds, see `turnering_file.write`.

    Raises:
        ClubError: it cannot be written so that FESA's program reads it; the reasons and what to do, one a line.
    """
    _refuse_none(season)
    _refuse_open(season)
    return turnering_file.write(season, heading(season), new=new, known=known, today=today)


def source(season: Season) -> Export:
    """The file that the tournament was imported from, as it came.

    Raises:
        ClubError: it was created here.
    """
    came = season.source
    if came is None:
        raise ClubError(f"{season.tournament.short_name} was created here: it did not come from a file")
    changed = not is_as_it_came(season, season.report)
    note = "the tournament has changed since: `export trf` and `export turnering` write it as it is now"
    name = "".join(char if char.isprintable() and char not in "/\\" else "_" for char in came.name)
    return Export(name, came.data, (note,) if changed else ())


def report(season: Season) -> Export:
    """FIDE's tournament report, TRF-2026: the complete rounds, and of an imported tournament also the one being played.

    Its notes are those of its own check, and what the file has no room for.

    Raises:
        ClubError: a value does not fit into the file, or its own check would refuse it; what to do, one a line.
    """
    if season.source is None:
        _refuse_none(season)
    try:
        data = in_bytes(season, _ranked(season))
    except (ValueError, TrfError) as error:
        raise ClubError(f"no TRF can be written: {error}") from error
    found = trf_checks.check(data)
    bad = [str(one) for one in errors(found)]
    if bad:
        raise ClubError("\n".join(["no TRF can be written, its readers would refuse it:", *bad]))
    notes = (*_too_long(season), *(f"{one.message} ({one.mend})" for one in found), *_without_result(season))
    return Export(f"{season.tournament.slug}.trf", data, notes)


def _too_long(season: Season) -> Iterator[str]:
    """What is cut or left out because a TRF has no room for it."""
    for entry in record_of(season).entries:
        name = entry.player.name
        if len(name) > NAME_WIDTH:
            cut = name[:NAME_WIDTH].strip()
            yield f'"{name}" is written "{cut}": a TRF has {NAME_WIDTH} characters for a name (shorten it with --name)'
        if len(entry.fide_id) > ID_WIDTH:
            yield f"{name}: the FIDE id {entry.fide_id} is left out: a TRF has room for {ID_WIDTH} digits"


def _ranked(season: Season) -> Document:
    """The report with the ranks of the last table; an unchanged import keeps those of its file."""
    document, table = season.report, season.tables[-1]
    if is_as_it_came(season, document):
        return document
    numbers = {entry.player.id: entry.number for entry in record_of(season).entries}
    rows = table.rows if season.kind == "points" else ranked(table, season.settings)
    ranks = {numbers[row.player]: rank for rank, row in enumerate(rows, start=1)}
    players = tuple(replace(one, rank=ranks.get(one.number)) for one in document.players)
    return replace(document, players=players)


def heading(season: Season) -> Heading:
    """What its files say of the tournament itself."""
    row = season.tournament
    return Heading(
        row.name,
        row.city,
        row.federation,
        tuple(date.fromisoformat(one.day) if one.day else None for one in season.complete),
        season.settings.planned_rounds,
        row.arbiter,
        row.time_control,
        *days_of_file(season),
    )


def _refuse_none(season: Season) -> None:
    if not season.complete:
        raise ClubError("no round is complete yet")


def _refuse_open(season: Season) -> None:
    """Refuse open games: FESA rates what is played, and its file has no sign for a game still to come."""
    wrong = [
        f"{season.board_sentence(round_, board)} has no result yet; enter it, or 0-0f if it is not played any more: "
        f"gamekeeper club result {season.tournament.slug} --round {round_.n} {board.board} RESULT"
        for round_, board in season.open_games
    ]
    if wrong:
        raise ClubError("\n".join(["no turnering.txt can be written before all games have a result", *wrong]))


def _without_result(season: Season, number: int | None = None) -> tuple[str, ...]:
    """What a file says of open games: only who plays."""
    return tuple(
        f"{season.board_sentence(round_, board)} has no result yet, and is written without one"
        for round_, board in season.open_games
        if number is None or round_.n <= number
    )


def standings_csv(
    season: Season, number: int | None = None, tie_breaks: Sequence[str] = (), day: date | None = None
) -> Export:
    """The table as CSV, UTF-8 with a mark that spreadsheets recognise it by; *tie_breaks* as `standings` takes them.

    Raises:
        ClubError: there is no table after that round, or a tie-break cannot be worked out.
    """
    found = standings(season, number, tie_breaks, day)
    if found is None or found["round"] > len(season.complete):
        raise ClubError(f"there is no table after round {number} yet")
    rows = [
        (*(cell(one) for cell in _STANDING.values()), *map(_decimal, one["tie_breaks"].values()))
        for one in found["items"]
    ]
    data = _csv([(*_STANDING, *tie_breaks), *rows])
    return Export(f"{season.tournament.slug}-standings-{found['round']}.csv", data)


_STANDING: Final[Mapping[str, Callable[[Standing], str | int | None]]] = {
    "place": lambda one: one["place"],
    "rank": lambda one: one["rank"],
    "no": lambda one: one["member"]["n"],
    "name": lambda one: one["member"]["label"],
    "rating": lambda one: one["member"]["rating"],
    "category": lambda one: one["member"]["category"],
    "points": lambda one: f"{one['points']:.2f}",
    "value": lambda one: one["value"],
    "next": lambda one: one["next_value"],
    "games": lambda one: one["played"],
    "wins": lambda one: one["wins"],
    "draws": lambda one: one["draws"],
    "losses": lambda one: one["losses"],
}
"""The columns of the table, and what they hold of a line."""


def _decimal(value: float | None) -> str | None:
    return None if value is None else f"{value:g}"


def pairings_csv(season: Season, number: int | None = None) -> Export:
    """All boards up to a round as CSV; with the handicaps where there are any."""
    head = ("round", "day", "board", "white_no", "white", "black_no", "black", "result")
    its = {one.id: (one.n, one.label) for one in season.members}
    rounds = [one for one in season.listed if number is None or one.n <= number]
    handicaps = any(board.handicap for one in rounds for board in one.pairings)
    rows = [
        (
            *(one.n, one.day, board.board, *its[board.white], *its[board.black], _written(board.result)),
            *((board.handicap, its[board.giver_id][1] if board.giver_id else None) if handicaps else ()),
        )
        for one in rounds
        for board in one.pairings
    ]
    last = len(season.listed) if number is None else number
    notes = _without_result(season, number)
    columns = (*head, *(("handicap", "given_by") if handicaps else ()))
    return Export(f"{season.tournament.slug}-pairings-{last}.csv", _csv([columns, *rows]), notes)


def _written(result: str | None) -> str | None:
    """A result without signs at its beginning, as a director types it."""
    return None if result is None else written(GameResult(result))


def _csv(rows: Sequence[Sequence[str | int | None]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([[_harmless(value) for value in row] for row in rows])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def _harmless(value: str | int | None) -> str | int | None:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
