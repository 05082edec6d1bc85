"""A club tournament as the archive stores it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from daemon.archive.tables.words import ClubRoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow:
    """The tournament itself. Settings are the texts of `core.club.setting_texts`."""

    id: int
    slug: str
    name: str
    short_name: str
    kind: str
    settings: Mapping[str, str]
    pairing_settings: Mapping[str, str]
    city: str
    federation: str
    arbiter: str
    time_control: str
    created_at: int
    fesa: str = ""
    begins: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """A member. *name* is how they are shown: as they are *called*, else as the archive shows the player.

    *written* is the name that makes them this player, *called* the one that the director has given them.
    *label* is the name, with the number if two members' names are alike; empty until all members are known.
    *rating* is None only if the tournament came from a file without one. *seed* is the place in an earlier
    table, *terms* are the settings that differ for this member.
    """

    id: int
    n: int
    player_id: int
    name: str
    written: str
    fide_id: str | None
    rating: int | None
    joined: int = 1
    withdrawn: int | None = None
    category: str | None = None
    handles: tuple[str, ...] = ()
    called: str | None = None
    label: str = ""
    title: str | None = None
    sex: str | None = None
    birth: str | None = None
    nation: str | None = None
    grade: str | None = None
    macmahon: str | None = None
    spelled: str | None = None
    newcomer: bool = False
    seed: int | None = None
    in_group: str | None = None
    terms: Mapping[str, str] = field(default_factory=dict)

    def plays(self, number: int) -> bool:
        """Whether this round counts for them."""
        return self.joined <= number and (self.withdrawn is None or number < self.withdrawn)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The results file that a tournament came from, as it was: *kind* of file, and its *name*."""

    kind: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A board. Players are ids of members; *result* is one of `core.club.tournament.GameResult`.

    *game_id* is the game that gave the result. *now_in* is the game that this one is now part of, if the two
    have become one. *postponed* without a result: it is played on another day (*postponed_to*, if that is
    known). The member *giver_id* gave the *handicap*, if there is one.
    """

    board: int
    white: int
    black: int
    by_hand: bool
    why: str
    why_colours: str
    result: str | None = None
    game_id: int | None = None
    postponed: bool = False
    postponed_to: str | None = None
    handicap: str | None = None
    giver_id: int | None = None
    now_in: int | None = None


@dataclass(frozen=True, slots=True)
class ByHandRow:
    """Two members who are to meet."""

    one: int
    other: int
    white: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """An evening. *absences* are reasons by the ids of members; times are milliseconds since 1970."""

    n: int
    state: ClubRoundState = "open"
    day: str | None = None
    begins_at: int | None = None
    ends_at: int | None = None
    bye_id: int | None = None
    notes: tuple[str, ...] = ()
    pairings: tuple[PairingRow, ...] = ()
    absences: Mapping[int, str] = field(default_factory=dict)
    by_hand: tuple[ByHandRow, ...] = ()

    @property
    def has_all_results(self) -> bool:
        """Whether all games have a result."""
        return not self.open_games

    @property
    def open_games(self) -> tuple[PairingRow, ...]:
        """The boards without a result, postponed or not."""
        return tuple(pairing for pairing in self.pairings if pairing.result is None)

    @property
    def awaited(self) -> tuple[PairingRow, ...]:
        """The boards without a result that are not postponed: the round goes on as long as there are any."""
        return tuple(pairing for pairing in self.open_games if not pairing.postponed)

    @property
    def is_untouched(self) -> bool:
        """Whether it is only a pairing list, without a result or a postponed game."""
        return all(pairing.result is None and not pairing.postponed for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was done."""

    n: int
    at: int
    what: str
    told: str
    step: int | None
