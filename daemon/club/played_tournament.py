"""A tournament as it was played so far, in the terms of its rules: who is who, and which rounds there were."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from core.club.keizer_settings import KeizerSettings
from core.club.pairing_plan import PairingPlan
from core.club.pairing_settings import PairingSettings
from core.club.record import TableKind
from core.club.setting_texts import from_texts, read_texts
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from daemon.archive.club.rows import MemberRow, RoundRow, SourceRow, TournamentRow
from daemon.club.start_places import start_places


@dataclass(frozen=True)
class PlayedTournament:
    """A tournament as it was played so far. *version* counts what was done in it.

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
        seeds = start_places(self.kind, self.settings, self.members)
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
    def so_far(self) -> Self:
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
