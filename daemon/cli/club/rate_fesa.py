"""Rating by FESA's rules, with grades, for `club rate`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from core.club import fesa_rating
from core.club.crosstable import Crosstable, CrosstableRow, entrants
from core.club.fesa_game import RatingStep, steps
from core.club.fesa_rating import Entrant, Rated, RatedEvent
from core.club.fesa_rating_list import RatingList, next_list, read_list, write_list
from core.club.list_csv import RatingListError, stored_text
from core.plurals import count_of
from daemon.cli.club.common import reported
from daemon.cli.club.results_files import read_file
from daemon.cli.columns import Column
from daemon.club.labels import numbered
from daemon.club.rating import ASSUMED_ESTABLISHED, entrants_of

if TYPE_CHECKING:
    from daemon.cli.club.rate_source import TournamentSource

UNVERIFIED: Final = (
    "unverified: FESA's rules on demotion, on players who have not played for long, and of single countries "
    "are not known here and not applied"
)
NOT_SETTLED: Final = (
    "the ratings do not settle: they kept changing from pass to pass, and these are one of the passes"
)
_HEAD: Final = (
    Column("no.", 5),
    Column("name", least=20),
    "before",
    Column("games", 6),
    Column("pts", 7),
    Column("exp.", 8),
    Column("change", 1),
    "after",
    Column("grade before", 9),
    Column("grade", 2),
    Column("why", 3, least=10, wraps=True),
)


def rate(source: "TournamentSource", rating_list: Path | None, day: date | None) -> "FesaRating":
    """Rate a tournament.

    Raises:
        click.ClickException: it, or the list, cannot be used.
    """
    table = source.table()
    said = list(source.warnings)
    listed = None if rating_list is None else read_rating_list(rating_list)
    if source.season is not None:
        known = reported(entrants_of, source.season, listed)
    elif listed is None:
        raise click.UsageError("--fesa needs --list LIST: the rating list before the tournament")
    else:
        known = tuple(listed.find(row.name) for row in table.rows)
    if listed is None:
        said.append(ASSUMED_ESTABLISHED)
    before = entrants(table, known)
    return FesaRating(
        table,
        before,
        fesa_rating.rate(before),
        listed or RatingList({}),
        known,
        day or table.end,
        tuple(said),
        source,
    )


def read_rating_list(path: Path) -> RatingList:
    """The rating list of a file.

    Raises:
        click.ClickException: it cannot be read as one.
    """
    try:
        return read_list(read_file(path))
    except RatingListError as error:
        raise click.ClickException(f"{path}: {error}") from None


@dataclass(frozen=True, slots=True)
class FesaRating:
    """A tournament rated by FESA's rules; *known* are the players before it, None for those not known."""

    table: Crosstable
    before: Sequence[Entrant]
    event: RatedEvent
    listed: RatingList
    known: Sequence[Entrant | None]
    day: date | None
    said: tuple[str, ...]
    source: "TournamentSource"

    def print(self, *, details: bool) -> None:
        """The table, the games if asked for, and what is not certain."""
        from daemon.cli.output import print_table, printable

        print_table(_HEAD, [(*who, *self._row(place)) for place, who in enumerate(self._who())])
        if details:
            for name, entrant, one in zip(self._who(), self.before, self.event.players, strict=True):
                for line in self._details(numbered(*name), entrant, one):
                    click.echo(printable(line))
        for text, names in self._all_remarks().items():
            who = "all" if len(names) == len(self.table.rows) > 1 else "; ".join(names)
            click.echo(printable(f"note: {text} ({who})"))
        for line in self.notes():
            click.echo(printable(line))

    def _all_remarks(self) -> dict[str, list[str]]:
        """Each remark with the names of the players whom it concerns."""
        found: dict[str, list[str]] = {}
        for who, (_, one, known) in zip(self._who(), self._players(), strict=True):
            for text in self._remarks(one, known):
                found.setdefault(text, []).append(numbered(*who))
        return found

    def _who(self) -> list[tuple[int, str]]:
        """Number and name of each row; the member's number, if it is a tournament of the archive."""
        season, rows = self.source.season, self.table.rows
        if season is None:
            return [(row.number, row.name) for row in rows]
        labels = (*season.tables[-1].order, *season.tables[-1].withdrawn)
        return [(season.by_label[label].n, row.name) for label, row in zip(labels, rows, strict=True)]

    def _players(self) -> list[tuple[CrosstableRow, Rated, Entrant | None]]:
        return list(zip(self.table.rows, self.event.players, self.known, strict=True))

    def notes(self) -> list[str]:
        """What is not certain, and which rating list has these ratings."""
        listed = [f"FESA's next list is that of {next_list(self.day)}"] if self.day else []
        return [*self.said, *([] if self.event.settled else [NOT_SETTLED]), UNVERIFIED, *listed]

    def _row(self, place: int) -> tuple[str | int | None, ...]:
        one, entrant = self.event.players[place], self.before[place]
        played = _played(entrant, one)
        score = sum(game.score for game in entrant.games)
        return (
            one.before,
            f"{one.games_before}+{one.games_after - one.games_before}",
            f"{score:g}" if entrant.games else None,
            f"{sum(step.expected for step in played):.2f}" if played else None,
            None if one.change is None else f"{one.change:+d}",
            one.after,
            _text(one.grade_before),
            _text(one.grade),
            _why(one, played),
        )

    @staticmethod
    def _remarks(one: Rated, known: Entrant | None) -> list[str]:
        new = [] if known is not None else ["not in the list: rated as new"]
        return [*new, *one.remarks]

    def _details(self, name: str, entrant: Entrant, one: Rated) -> list[str]:
        """A player's games, one a line, and their sum."""
        start = f"{name} ({one.before or 'unrated'}):"
        if one.method == "not rated":
            return [f"{start} no rated game"]
        opponents = [numbered(*self._who()[game.opponent]) for game in entrant.games]
        if one.method == "performance":
            games = "; ".join(f"{game.score:g} against {game.opponent:g}" for game in one.stored)
            return [start, f"    performance over all games: {games}: {one.after}"]
        played = _played(entrant, one)
        lines = [_step(opponent, step) for opponent, step in zip(opponents, played, strict=True)]
        total = sum(step.change for step in played)
        return [start, *lines, f"    together {total:+.2f}, rounded {round(total):+d}"]

    def as_json(self, *, details: bool) -> dict[str, object]:
        """Everything as JSON."""
        players = zip(self._who(), self.before, self._players(), strict=True)
        return {
            "tournament": self.table.name,
            "date": str(self.day) if self.day else None,
            "settled": self.event.settled,
            "players": [
                {"number": number, **self._as_json(entrant, *player, details=details)}
                for (number, _), entrant, player in players
            ],
            "remarks": self.notes(),
        }

    def _as_json(
        self, entrant: Entrant, _row: CrosstableRow, one: Rated, known: Entrant | None, *, details: bool
    ) -> dict[str, object]:
        found: dict[str, object] = {
            "name": one.name,
            "before": {"rating": one.before, "grade": _text(one.grade_before), "games": one.games_before},
            "after": {"rating": one.after, "grade": _text(one.grade), "games": one.games_after},
            "change": one.change,
            "status": one.status,
            "method": one.method,
            "bonus": one.bonus_used,
            "stored": stored_text(one.stored),
            "above_lower": one.series.above_lower,
            "above_middle": one.series.above_middle,
            "middle_seen": one.series.middle_seen,
            "remarks": self._remarks(one, known),
        }
        if details:
            found["rated_games"] = [_step_as_json(step) for step in _played(entrant, one)]
        return found

    def next_list(self) -> bytes:
        """The rating list for the next tournament, with bonus games, stored results and games towards the next grade."""
        if not self.event.settled:
            raise click.ClickException(f"no list is written: {NOT_SETTLED}")
        return write_list(self.listed, self.event.players, self.known)

    def new_ratings(self) -> Mapping[str, int]:
        """The ratings of those who have one, by label."""
        season = self.source.season
        if season is None:
            return {}
        labels = (*season.tables[-1].order, *season.tables[-1].withdrawn)
        rated = zip(labels, self.event.players, strict=True)
        return {
            label: one.after for label, one in rated if one.after is not None and one.method != "not rated"
        }


def _played(entrant: Entrant, one: Rated) -> list[RatingStep]:
    """The games one after another; none if the rating is a performance."""
    return steps(one.before or 0, one.seen, entrant.bonus_used) if one.method == "elo" else []


def _why(one: Rated, played: Sequence[RatingStep]) -> str:
    """What led to the rating: K, the bonus, wins against much stronger players; or a performance."""
    if one.method == "not rated":
        return "no rated game"
    if one.method == "performance":
        return f"performance of {count_of(len(one.stored), 'game')}"
    ks = dict.fromkeys(step.k for step in played)
    bonus = sum(step.bonus for step in played)
    upsets = sum(step.upset for step in played)
    return ", ".join(
        [
            f"K {'/'.join(map(str, ks))}",
            *([f"bonus {bonus:+.1f}"] if bonus else []),
            *([f"upset ×{upsets}"] if upsets else []),
        ]
    )


def _step(opponent: str, step: RatingStep) -> str:
    why = " (upset: K × difference / 160)" if step.upset else ""
    bonus = f", bonus {step.bonus:+.2f}" if step.bonus else ""
    return (
        f"    {step.score:g} against {opponent}, counted as {step.opponent:g}: at {step.my:.2f} K {step.k}, "
        f"expected {step.expected:.3f}: {step.gain:+.2f}{why}{bonus}"
    )


def _step_as_json(step: RatingStep) -> dict[str, object]:
    return {
        "opponent_counts": step.opponent,
        "score": step.score,
        "at": round(step.my, 4),
        "k": step.k,
        "expected": round(step.expected, 6),
        "upset": step.upset,
        "bonus": round(step.bonus, 4),
        "change": round(step.change, 4),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)
