"""A tournament in the terms of its rules: who is who, what was played, the tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property

from core import names
from core.club import keizer, points_table
from core.club.keizer_settings import KeizerSettings
from core.club.pairing_plan import PairingPlan
from core.club.pairing_settings import PairingSettings
from core.club.record import TableKind
from core.club.setting_texts import from_texts, read_texts
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from core.club.trf import Document
from core.players import identify, without_site
from core.search import matches
from daemon.archive.archive import Connection
from daemon.archive.club import tournaments
from daemon.archive.club.rows import ByHandRow, MemberRow, PairingRow, RoundRow, SourceRow, TournamentRow
from daemon.club import tournament_record
from daemon.club.errors import ClubError
from daemon.club.labels import labelled, number_in, numbered
from daemon.club.short_names import as_kept
from daemon.club.start_places import start_places


@dataclass(frozen=True)
class Season:
    """A tournament read whole. *version* counts what was done in it.

    In the rules a player's id is their label: the shown name, with the number if two members share it.
    """

    tournament: TournamentRow
    members: tuple[MemberRow, ...]
    rounds: tuple[RoundRow, ...]
    version: int
    source: SourceRow | None = None

    @property
    def kind(self) -> TableKind:
        """The system of the table."""
        return "points" if self.tournament.kind == "points" else "keizer"

    @cached_property
    def settings(self) -> KeizerSettings:
        """The rules of the table."""
        return from_texts(KeizerSettings, self.tournament.settings)

    @cached_property
    def pairing_settings(self) -> PairingSettings:
        """The rules of the pairing."""
        return from_texts(PairingSettings, self.tournament.pairing_settings)

    @cached_property
    def labels(self) -> dict[int, str]:
        """The label of each member, by their ids; no two alike."""
        return {member.id: member.label for member in self.members}

    @cached_property
    def by_label(self) -> dict[str, MemberRow]:
        """The members by their labels."""
        return {self.labels[member.id]: member for member in self.members}

    @property
    def players(self) -> tuple[Competitor, ...]:
        """The field."""
        seeds = start_places(self)
        return tuple(
            Competitor(
                self.labels[member.id],
                member.rating,
                member.name,
                seed=seeds.get(member.id),
                joined=member.joined,
                withdrawn=self._withdrawn(member),
                terms=tuple(read_texts(KeizerSettings, member.terms).items()),
            )
            for member in self.members
        )

    def _withdrawn(self, member: MemberRow) -> int | None:
        """From which round on somebody is out of the tables.

        Not while they still play in a round without one.
        """
        out = member.withdrawn is not None and member.withdrawn <= len(self.complete) + 1
        return member.withdrawn if out else None

    @property
    def ratings_decide(self) -> bool:
        """Whether the order before round 1 is that of the ratings, so that no two may be the same."""
        return self.kind == "keizer" and self.settings.start_order == "rating"

    @property
    def plan(self) -> PairingPlan:
        """What the pairing has to know beside the rounds."""
        return PairingPlan(
            self.settings.planned_rounds,
            self.settings.lot,
            {self.labels[member.id]: member.in_group for member in self.members if member.in_group},
        )

    @property
    def listed(self) -> tuple[RoundRow, ...]:
        """The rounds with a pairing list."""
        return tuple(one for one in self.rounds if one.state != "open")

    @property
    def complete(self) -> tuple[RoundRow, ...]:
        """The rounds with a table."""
        return tuple(one for one in self.rounds if one.state == "complete")

    @property
    def current(self) -> RoundRow | None:
        """The round that is being played, None between two rounds."""
        return next((one for one in self.rounds if one.state == "paired"), None)

    @property
    def open(self) -> RoundRow | None:
        """The round to come, if anything is set for it."""
        return next((one for one in self.rounds if one.state == "open"), None)

    @property
    def so_far(self) -> "Season":
        """The same with a table after the round that is being played, in which missing games are not played yet."""
        rounds = (replace(one, state="complete") if one.state == "paired" else one for one in self.rounds)
        return replace(self, rounds=tuple(rounds))

    @property
    def next_number(self) -> int:
        """The number of the round to be paired next."""
        return len(self.listed) + 1

    def evenings(self, rounds: Iterable[RoundRow]) -> tuple[TournamentRound, ...]:
        """Rounds in the terms of the rules."""
        return tuple(self._evening(one) for one in rounds)

    def _evening(self, one: RoundRow) -> TournamentRound:
        return TournamentRound(
            tuple(
                ClubGame(
                    self.labels[pairing.white],
                    self.labels[pairing.black],
                    None if pairing.result is None else GameResult(pairing.result),
                    pairing.handicap,
                    self.labels[pairing.giver_id] if pairing.giver_id else None,
                )
                for pairing in one.pairings
            ),
            tuple(
                Away(self.labels[member], AbsenceReason(reason)) for member, reason in one.absences.items()
            ),
        )

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

    def board_told(self, round_: RoundRow, board: PairingRow) -> str:
        """A board in a sentence."""
        pair = f"{self.labels[board.white]} – {self.labels[board.black]}"
        return f"round {round_.n}, board {board.board}, {pair}"

    def by_hand(self, pair: ByHandRow) -> str:
        """A pair that is set by hand, with whoever has White."""
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
        return f"; is it {' or '.join(near[:3])}?" if near else ""

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
