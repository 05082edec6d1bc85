"""Rating by the rules of FIDE or of the DWZ, for `club rate`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from core.club import dwz_event, fide_event
from core.club.chess_rating_list import ChessList, KnownPlayer, read_list, write_list
from core.club.contest import Contest
from core.club.fide_editions import doubts, edition_on
from core.club.list_csv import RatingListError
from core.club.rating_outcomes import GameLine, RatingOutcome, known_players
from daemon.cli.club.results_files import read_file
from daemon.cli.club.times import today
from daemon.cli.columns import Column

if TYPE_CHECKING:
    from daemon.cli.club.rate_source import TournamentSource

NO_DAY: Final = "the tournament names no day: rated by the rules of today (--date names another)"
NO_LIST: Final = (
    "no list: the ratings of the tournament are taken for official ones; name those that are only estimates with "
    "--unrated, or the official ones with --list"
)
_COLUMNS: Final = (
    Column("no.", 3),
    "name",
    "before",
    Column("games", 4),
    Column("pts", 5),
    Column("exp.", 6),
    Column("change", 2),
    "after",
    Column("why", 1, least=18, wraps=True),
)


def rate(
    source: "TournamentSource",
    system: str,
    rating_list: Path | None,
    unrated: Sequence[str],
    day: date | None,
) -> "ChessRating":
    """Rate a tournament.

    Raises:
        click.ClickException: it, or the list, cannot be used.
    """
    contest = source.contest()
    listed = None if rating_list is None else _list(rating_list)
    places = {_place(source, contest, text) for text in unrated}
    last = day or contest.last or today()
    module = fide_event if system == "fide" else dwz_event
    try:
        missing = [
            one.label for one in contest.players if listed and listed.find(one.name, one.fide_id) is None
        ]
        outcomes = module.rate(contest, known_players(contest, listed, places), last)
    except RatingListError as error:
        raise click.ClickException(f"{rating_list}: {error}") from None
    so = ", so unrated" if listed and listed.with_ratings else ""
    said = [
        *([] if day or contest.last else [NO_DAY]),
        *([NO_LIST] if source.season is not None and not (listed and listed.with_ratings) else []),
        *([f"not in the list{so}: {'; '.join(missing)}"] if missing else []),
        *source.warnings,
        *contest.notes,
    ]
    return ChessRating(system, contest, last, outcomes, listed or ChessList(), tuple(said))


def _list(path: Path) -> ChessList:
    try:
        return read_list(read_file(path))
    except RatingListError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _place(source: "TournamentSource", contest: Contest, text: str) -> int:
    """The index of a player who is named as everywhere: by name, words of it, or number."""
    if source.season is not None:
        from daemon.cli.club.common import reported

        label = source.season.labels[reported(source.season.find, text).id]
        return next(place for place, one in enumerate(contest.players) if one.label == label)
    from core.search import matches

    found = [
        place
        for place, one in enumerate(contest.players)
        if text.strip() in {f"#{one.number}", one.name, one.fide_id} or matches(text, one.name)
    ]
    if len(found) != 1:
        raise click.ClickException(
            f'"{text}" {"is nobody" if not found else "can be several players"} of {source.name}: write their number, #7'
        )
    return found[0]


@dataclass(frozen=True, slots=True)
class ChessRating:
    """A tournament rated by FIDE's or the DSB's rules."""

    system: str
    contest: Contest
    day: date
    outcomes: tuple[RatingOutcome, ...]
    listed: ChessList
    said: tuple[str, ...]

    @property
    def rules(self) -> str:
        """The rules used, in a few words."""
        return (
            str(edition_on(self.day)) if self.system == "fide" else "DWZ, DSB's Wertungsordnung, Anhang 2.4"
        )

    def notes(self) -> list[str]:
        """What was assumed and what is not certain, without repetitions."""
        assumed: dict[str, list[str]] = {}
        for one in self.outcomes:
            for text in one.assumed:
                assumed.setdefault(text, []).append(one.player.label)
        rated = sum(one.method == "change" for one in self.outcomes)
        who = {text: "all" if len(names) == rated else "; ".join(names) for text, names in assumed.items()}
        return [
            *(f"assumed, as it is not known: {text} ({names})" for text, names in who.items()),
            *self.said,
            *(doubts(self.day) if self.system == "fide" else ()),
            *dict.fromkeys(text for one in self.outcomes for text in one.unverified),
        ]

    def print(self, *, details: bool) -> None:
        """The table, the games if asked for, and the notes."""
        from daemon.cli.output import print_table, printable

        click.echo(printable(f"{self.contest.name or 'Tournament'}: {self.rules}, on {self.day}"))
        print_table(_COLUMNS, [self._row(one) for one in self.outcomes])
        if details:
            for one in self.outcomes:
                for line in self._details(one):
                    click.echo(printable(line))
        for note in self.notes():
            click.echo(printable(f"note: {note}"))

    def _row(self, one: RatingOutcome) -> tuple[str | int | None, ...]:
        return (
            one.player.number,
            one.player.label,
            self._rating(one.before),
            one.games,
            _number(one.score) if one.games else None,
            self._expected(one.expected),
            None if one.change is None or not one.games else f"{one.change:+d}",
            self._rating(one.after),
            "; ".join(one.why) or ("no rated game" if not one.games else None),
        )

    def _rating(self, known: KnownPlayer) -> str | int | None:
        """The rating; a DWZ with its index, if it is known: "1526-11"."""
        if self.system == "fide" or known.rating is None or known.index is None:
            return known.rating
        return f"{known.rating}-{known.index}"

    def _expected(self, expected: Fraction | None) -> str | None:
        return None if expected is None else f"{float(expected):.{2 if self.system == 'fide' else 3}f}"

    def _details(self, one: RatingOutcome) -> list[str]:
        """A player's games, one a line, and their sum."""
        lines = [f"{one.player.label} ({one.before.rating or 'unrated'}):"]
        lines += [
            f"    from before: {_number(game.score)} against {game.opponent}" for game in one.before.stored
        ]
        lines += [f"    {self._game(line)}" for line in one.lines]
        if one.exact is not None:
            lines.append(f"    {self._together(one)}")
        if one.method == "first":
            lines.append(f"    together {one.why[-1]}")
        return lines if len(lines) > 1 else [f"{lines[0]} no game at the board"]

    def _game(self, line: GameLine) -> str:
        start = f"round {line.round}: {_number(line.score)} against {line.opponent.label} ({line.rating or 'unrated'})"
        if line.expected is None or line.change is None:
            return f"{start}: {line.why}" if line.why else start
        end = f", {line.why}" if line.why else ""
        return (
            f"{start}, difference {line.difference:+d}, expected {self._expected(line.expected)}: "
            f"{float(line.change):+.2f}{end}"
        )

    def _together(self, one: RatingOutcome) -> str:
        points = f"{_number(one.score)} − {self._expected(one.expected)}"
        factor = f"{one.coefficient}" if self.system == "fide" else f"800 / ({one.coefficient} + {one.games})"
        return f"together {factor} × ({points}) = {float(one.exact or 0):+.2f}, rounded {one.change_by:+d}"

    def as_json(self, *, details: bool) -> dict[str, object]:
        """Everything as JSON."""
        return {
            "system": self.system,
            "tournament": self.contest.name,
            "date": str(self.day),
            "rules": self.rules,
            "players": [_as_json(one, details=details) for one in self.outcomes],
            "notes": self.notes(),
        }

    def next_list(self) -> bytes:
        """The rating list for the next tournament."""
        return write_list(self.listed, [one.after for one in self.outcomes])

    def new_ratings(self) -> Mapping[str, int]:
        """By label, of those whose rating changed or is their first."""
        return {
            one.player.label: one.after.rating
            for one in self.outcomes
            if one.after.rating is not None and one.method in {"change", "first"}
        }


def _number(score: Fraction) -> str:
    return f"{float(score):g}"


def _as_json(one: RatingOutcome, *, details: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "number": one.player.number,
        "name": one.player.label,
        "fide_id": one.after.fide_id,
        "before": one.before.rating,
        "after": one.after.rating,
        "change": one.change,
        "exact": None if one.exact is None else round(float(one.exact), 4),
        "method": one.method,
        "games": one.games,
        "points": float(one.score),
        "expected": None if one.expected is None else float(one.expected),
        "coefficient": one.coefficient,
        "why": list(one.why),
        "assumed": list(one.assumed),
    }
    return {**found, "rated_games": [_game_as_json(line) for line in one.lines]} if details else found


def _game_as_json(line: GameLine) -> dict[str, object]:
    return {
        "round": line.round,
        "opponent": line.opponent.label,
        "opponent_number": line.opponent.number,
        "opponent_rating": line.rating,
        "score": float(line.score),
        "difference": line.difference,
        "expected": None if line.expected is None else float(line.expected),
        "change": None if line.change is None else round(float(line.change), 4),
        "why": line.why or None,
    }
