"""A tournament as it stands: what was played, the tables, and who is meant by a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from core import names
from core.club import keizer, points_table
from core.club.trf import Document
from core.players import identify, without_site
from core.search import matches
from daemon.archive.archive import Connection
from daemon.archive.club import tournaments
from daemon.archive.club.rows import ByHandRow, MemberRow, PairingRow, RoundRow, TournamentRow
from daemon.club import tournament_record
from daemon.club.errors import ClubError
from daemon.club.labels import labelled, number_in, numbered
from daemon.club.played_tournament import PlayedTournament
from daemon.club.short_names import as_kept


@dataclass(frozen=True)
class Season(PlayedTournament):
    """A tournament read whole, with its tables; it finds its members."""

    @cached_property
    def tables(self) -> Sequence[keizer.KeizerTable]:
        """The table before round 1, and after each complete round.

        Raises:
            ClubError: the settings do not fit the field.
        """
        if self.kind == "points":
            return self._by_points
        try:
            return keizer.standings(self.players, self.evenings(self.complete), self.settings)
        except ValueError as error:
            raise ClubError(f"no table can be made: {error}") from error

    @property
    def _by_points(self) -> points_table.PointsTables:
        document = self.report
        names = {member.n: self.labels[member.id] for member in self.members}
        whole = len(self.complete) == document.played_rounds
        return points_table.PointsTables(
            document,
            names,
            len(self.complete),
            by_file=whole and tournament_record.is_as_it_came(self, document),
        )

    @cached_property
    def report(self) -> Document:
        """The tournament as a FIDE report, without ranks that are made here.

        Raises:
            ValueError: the starting order is unclear.
        """
        return tournament_record.document_of(self)

    def order(self, number: int) -> tuple[str, ...]:
        """Who can be paired in this round, by the last table."""
        return tuple(label for label in self.tables[-1].order if self.by_label[label].plays(number))

    @property
    def open_games(self) -> tuple[tuple[RoundRow, PairingRow], ...]:
        """The games without a result in rounds that have their table."""
        return tuple((one, board) for one in self.complete for board in one.open_games)

    def board_sentence(self, round_: RoundRow, board: PairingRow) -> str:
        """A board in a sentence."""
        pair = f"{self.labels[board.white]} – {self.labels[board.black]}"
        return f"round {round_.n}, board {board.board}, {pair}"

    def by_hand(self, pair: ByHandRow) -> str:
        """A manual pair, with the player who has White."""
        return " – ".join(
            f"{self.labels[side]} (White)" if side == pair.white else self.labels[side]
            for side in (pair.one, pair.other)
        )

    def find(self, text: str) -> MemberRow:
        """The member who is meant: by number (``7``, ``#7``, ``no.

        7``), name, handle, id, or words that find only them.

        Raises:
            ClubError: there is none, or more than one.
        """
        for look in (
            self._by_number,
            self._named,
            self._by_bare_number,
            self._with_words,
            self._with_beginnings,
        ):
            found = look(text)
            if len(found) == 1:
                return found[0]
            if found:
                several = "; ".join(f"{numbered(one.n, one.name)} ({one.rating})" for one in found)
                raise ClubError(f'"{text}" can be {several}: say which one by the number, "no. {found[0].n}"')
        raise ClubError(f'{self.tournament.short_name} has no member "{text}"{self._like(text)}')

    def _like(self, text: str) -> str:
        """Who may be meant by a misspelt name: a question, or nothing."""
        typed = names.words(text)
        near = [
            numbered(one.n, one.name)
            for one in self.members
            if typed and all(get_close_matches(word, names.words(one.name)) for word in typed)
        ]
        return f"; did you mean {' or '.join(near[:3])}?" if near else ""

    def _by_number(self, text: str) -> Sequence[MemberRow]:
        """By a text that says that it is a number: "#7", "no. 7"."""
        number = number_in(text)
        return [member for member in self.members if number == (member.n, True)]

    def _by_bare_number(self, text: str) -> Sequence[MemberRow]:
        """By digits alone, which can be a word of a name, too: "Guest 3"."""
        number = number_in(text)
        if number is None:
            return []
        called = self._with_words(text)
        return [member for member in self.members if member.n == number[0] or member in called]

    def _named(self, text: str) -> Sequence[MemberRow]:
        label = self.by_label.get(text.strip())
        if label is not None:
            return [label]
        key = identify(text)
        return [
            member
            for member in self.members
            if text.strip() == member.fide_id
            or key
            in {
                identify(member.name),
                identify(member.written),
                *(identify(without_site(handle)) for handle in member.handles),
            }
        ]

    def _with_words(self, text: str) -> Sequence[MemberRow]:
        typed = names.words(text)
        return [member for member in self.members if typed and set(typed) <= set(names.words(member.name))]

    def _with_beginnings(self, text: str) -> Sequence[MemberRow]:
        if not names.clean(text):
            return []
        return [member for member in self.members if matches(text, member.name)]


def read_season(connection: Connection, slug: str) -> Season:
    """The tournament with this short name, in whatever case it is typed.

    Raises:
        ClubError: there is none.
    """
    found = find_season(connection, slug) or find_season(connection, as_kept(slug))
    if found is None:
        raise ClubError(f'there is no tournament "{slug}"; `gamekeeper club list` lists them')
    return found


def find_season(connection: Connection, slug: str) -> Season | None:
    """The tournament with this short name, None if there is none."""
    row = tournaments.tournament(connection, slug)
    return None if row is None else season_of(connection, row)


def season_of(connection: Connection, row: TournamentRow) -> Season:
    """All of a tournament."""
    return Season(
        row,
        labelled(tournaments.members(connection, row.id)),
        tournaments.rounds(connection, row.id),
        tournaments.version(connection, row.id),
        tournaments.source(connection, row.id),
    )
