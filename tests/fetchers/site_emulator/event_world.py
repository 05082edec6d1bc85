"""The events of both sites' made-up world. Every method may be called while the sites are being asked."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from threading import RLock
from typing import Any

from tests.fetchers.site_emulator import play
from tests.fetchers.site_emulator.events import (
    EMPTY_RESULT,
    Board,
    Broadcast,
    BroadcastRound,
    Club,
    Match,
    Part,
    Person,
    Study,
    Tournament,
    Tourney,
)
from tests.fetchers.site_emulator.making import lichess_id
from tests.fetchers.site_emulator.values import Game, milliseconds

_BEGIN = datetime(2024, 5, 1, 12, tzinfo=UTC)


class EventWorld:
    """Broadcasts, studies and tournaments of lichess; tournaments, clubs and matches of chess.com."""

    def __init__(self, seed: int = 0) -> None:
        self._lock = RLock()
        self._rng = Random(f"events {seed}")
        self.broadcasts: dict[str, Broadcast] = {}
        self.studies: dict[str, Study] = {}
        self.tourneys: dict[str, Tourney] = {}
        self.tournaments: dict[str, Tournament] = {}
        self.clubs: dict[str, Club] = {}
        self.matches: dict[str, Match] = {}
        self.anonymous_broadcasts = 10
        """Requests for broadcasts that are let through a minute without a token."""
        self.authorized_broadcasts = 120
        """The same with one that has the scope for it."""

    # lichess: broadcasts and studies

    def add_broadcast(self, name: str = "Torneo di Pasqua 2024", **traits: Any) -> Broadcast:
        """A new broadcast without rounds; *traits* are fields of `Broadcast`."""
        with self._lock:
            fresh = Broadcast(id=self._id(), name=name, created=milliseconds(_BEGIN))
            return self._keep_broadcast(replace(fresh, **traits))

    def change_broadcast(self, broadcast: str, **traits: Any) -> Broadcast:
        """Change fields of a broadcast: its name is part of all addresses."""
        with self._lock:
            return self._keep_broadcast(replace(self.broadcasts[broadcast], **traits))

    def add_round(
        self, broadcast: str, name: str | None = None, *, starts: datetime | None = None, **traits: Any
    ) -> BroadcastRound:
        """A new round; *traits* are fields of `BroadcastRound`."""
        with self._lock:
            head = self.broadcasts[broadcast]
            fresh = BroadcastRound(
                id=self._id(),
                name=name or f"Round {len(head.rounds) + 1}",
                created=milliseconds(_BEGIN),
                starts=milliseconds(starts) if starts else None,
            )
            new = replace(fresh, **traits)
            self._keep_broadcast(replace(head, rounds=(*head.rounds, new)))
            return new

    def change_round(self, round_id: str, **traits: Any) -> BroadcastRound:
        """Change fields of a round."""
        with self._lock:
            head = self.broadcast_of(round_id)
            rounds = tuple(replace(r, **traits) if r.id == round_id else r for r in head.rounds)
            self._keep_broadcast(replace(head, rounds=rounds))
            return self.round(round_id)

    def finish_round(self, round_id: str, at: datetime) -> BroadcastRound:
        """End a round."""
        return self.change_round(round_id, state="finished", finished=milliseconds(at))

    def reset_round(self, round_id: str) -> BroadcastRound:
        """Set a round up again: the same pairings on new boards, nothing played yet."""
        with self._lock:
            boards = tuple(
                replace(board, id=self._id(), played=0, result=EMPTY_RESULT)
                for board in self.round(round_id).boards
            )
            return self.change_round(round_id, state="ongoing", finished=None, boards=boards)

    def remove_board(self, of: str, board: Board) -> None:
        """Delete a board of a round, or a chapter of a study."""
        with self._lock:
            if of in self.studies:
                left = tuple(b for b in self.studies[of].chapters if b.id != board.id)
                self.change_study(of, chapters=left)
            else:
                self.change_round(of, boards=tuple(b for b in self.round(of).boards if b.id != board.id))

    def round(self, round_id: str) -> BroadcastRound:
        """The round of that id."""
        return next(r for r in self.broadcast_of(round_id).rounds if r.id == round_id)

    def broadcast_of(self, round_id: str) -> Broadcast:
        """The broadcast that this round belongs to.

        Raises:
            KeyError: there is no such round.
        """
        with self._lock:
            for head in self.broadcasts.values():
                if any(r.id == round_id for r in head.rounds):
                    return head
        raise KeyError(round_id)

    def add_board(
        self, of: str, white: str | Person | None = None, black: str | Person | None = None, **traits: Any
    ) -> Board:
        """A new board of a round, or chapter of a study: empty if nobody is named.

        *plies* random ones are played, or *moves* (SAN); *played* of them have come in; other *traits* are fields
        of `Board`.
        """
        with self._lock:
            board = self._board(of, _person(white), _person(black), traits)
            if of in self.studies:
                study = self.studies[of]
                self.change_study(of, chapters=(*study.chapters, board))
            else:
                self.change_round(of, boards=(*self.round(of).boards, board))
            return board

    def change_board(self, of: str, board: Board, **traits: Any) -> Board:
        """Change fields of a board, as a correction does, or the next moves."""
        with self._lock:
            boards = self.studies[of].chapters if of in self.studies else self.round(of).boards
            changed = tuple(replace(b, **traits) if b.id == board.id else b for b in boards)
            if of in self.studies:
                self.change_study(of, chapters=changed)
            else:
                self.change_round(of, boards=changed)
            return next(b for b in changed if b.id == board.id)

    def add_study(self, name: str = "Lezioni", owner: str = "mrossi90", **traits: Any) -> Study:
        """A new study without chapters."""
        with self._lock:
            fresh = Study(id=self._id(), name=name, owner=owner, touched=milliseconds(_BEGIN))
            study = replace(fresh, **traits)
            self.studies[study.id] = study
            return study

    def change_study(self, study: str, **traits: Any) -> Study:
        """Change fields of a study, which touches it."""
        with self._lock:
            old = self.studies[study]
            self.studies[study] = replace(old, touched=old.touched + 60_000, **traits)
            return self.studies[study]

    # lichess: arenas and Swiss tournaments

    def add_tourney(
        self, kind: Any = "arena", name: str = "Torneo serale", *, starts: datetime = _BEGIN, **traits: Any
    ) -> Tourney:
        """A new arena or Swiss tournament; its games are added with ``event_id`` and ``source`` of the world."""
        with self._lock:
            fresh = Tourney(id=self._id(), kind="arena", name=name, starts=milliseconds(starts))
            tourney = replace(fresh, kind=kind, **traits)
            self.tourneys[tourney.id] = tourney
            return tourney

    def change_tourney(self, tourney: str, **traits: Any) -> Tourney:
        """Change fields of it."""
        with self._lock:
            self.tourneys[tourney] = replace(self.tourneys[tourney], **traits)
            return self.tourneys[tourney]

    # chess.com

    def add_tournament(
        self,
        id: str,  # noqa: A002 - as the site
        rounds: Sequence[Sequence[Sequence[Game]]] = (),
        **traits: Any,
    ) -> Tournament:
        """A tournament of chess.com: rounds, their groups, the games of each."""
        with self._lock:
            parts = tuple(tuple(_part(games) for games in groups) for groups in rounds)
            self.tournaments[id] = replace(
                Tournament(id=id, name=id.replace("-", " ").title(), rounds=parts), **traits
            )
            return self.tournaments[id]

    def change_tournament(self, tournament: str, **traits: Any) -> Tournament:
        """Change fields of it."""
        with self._lock:
            self.tournaments[tournament] = replace(self.tournaments[tournament], **traits)
            return self.tournaments[tournament]

    def add_club(self, id: str, **traits: Any) -> Club:  # noqa: A002 - as the site
        """A club of chess.com."""
        with self._lock:
            self.clubs[id] = replace(Club(id=id, name=id.replace("-", " ").title()), **traits)
            return self.clubs[id]

    def add_match(
        self,
        club: str,
        boards: Iterable[Sequence[Game]] = (),
        *,
        id: str | None = None,  # noqa: A002 - as the site
        starts: datetime = _BEGIN,
        **traits: Any,
    ) -> Match:
        """A match of a club against another one: the games of each board."""
        with self._lock:
            head = self.clubs[club]
            fresh = Match(
                id=id or str(10_000 + len(self.matches)),
                name=f"{head.name} vs Ospiti",
                starts=milliseconds(starts),
                boards=tuple(map(_part, boards)),
                clubs=(club, "circolo-ospiti"),
            )
            self.clubs[club] = replace(head, matches=(*head.matches, fresh.id))
            self.matches[fresh.id] = replace(fresh, **traits)
            return self.matches[fresh.id]

    def change_match(self, match: str, **traits: Any) -> Match:
        """Change fields of it."""
        with self._lock:
            self.matches[match] = replace(self.matches[match], **traits)
            return self.matches[match]

    # inside

    def _id(self) -> str:
        return lichess_id(self._rng)

    def _keep_broadcast(self, broadcast: Broadcast) -> Broadcast:
        self.broadcasts[broadcast.id] = broadcast
        return broadcast

    def _board(self, of: str, white: Person | None, black: Person | None, traits: dict[str, Any]) -> Board:
        number = len(self.studies[of].chapters if of in self.studies else self.round(of).boards) + 1
        plies = traits.pop("plies", 20 if white or black else 0)
        moves, start = traits.pop("moves", None), traits.pop("start", None)
        line = (
            play.given_line("standard", moves.split(), start)
            if moves is not None
            else play.random_line(Random(self._rng.getrandbits(64)), "standard", plies, start)
        )
        names = [person.name for person in (white, black) if person]
        fresh = Board(
            id=self._id(),
            title=" - ".join(names) or f"Chapter {number}",
            white=white,
            black=black,
            line=line,
            played=len(line.sans),
            created=milliseconds(_BEGIN),
        )
        return replace(fresh, **traits)


def _person(who: str | Person | None) -> Person | None:
    return Person(name=who) if isinstance(who, str) else who


def _part(games: Sequence[Game]) -> Part:
    return Part(games=tuple(game.id for game in games))
