"""api.chess.com/pub: tournaments, clubs and matches. Evidence: recorded rounds, groups, matches, boards and clubs.

The head of a tournament is as the site documents it; nobody has recorded one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.fetchers.site_emulator import chesscom_format
from tests.fetchers.site_emulator.events import Club, Match, Part, Tournament
from tests.fetchers.site_emulator.values import CHESSCOM, Game
from tests.fetchers.site_emulator.world import World

GONE = "gone"


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """One answer: the record, its JSON-LD context, when (ms) it last changed."""

    record: dict[str, Any]
    context: str
    changed: int


class ChessComEventsSite:
    """Answers what is asked of events. *links* is the base of all addresses: the site's own."""

    def __init__(self, world: World, links: str) -> None:
        self._world = world
        self._events = world.events
        self._links = links

    def answer(self, path: Sequence[str]) -> SiteAnswer | str | None:
        """The answer to a path below /pub; `GONE`, or None where there is nothing."""
        match path:
            case ("tournament", key, *parts) if key in self._events.tournaments:
                return self._tournament(self._events.tournaments[key], parts)
            case ("club", key, *rest) if key in self._events.clubs and rest in ([], ["matches"]):
                club = self._events.clubs[key]
                return self._club_matches(club) if rest else self._club(club)
            case ("match", "live", key, *parts) if f"live/{key}" in self._events.matches:
                return self._match(self._events.matches[f"live/{key}"], parts)
            case ("match", key, *parts) if key in self._events.matches:
                return self._match(self._events.matches[key], parts)
        return None

    def _tournament(self, tournament: Tournament, parts: list[str]) -> SiteAnswer | str | None:
        base = f"{self._links}/tournament/{tournament.id}"
        try:
            numbers = [int(part) - 1 for part in parts]
            if not numbers:
                return self._tournament_head(tournament, base)
            groups = tournament.rounds[numbers[0]]
            if len(numbers) == 1:
                links = [f"{base}/{parts[0]}/{n}" for n in range(1, len(groups) + 1)]
                return SiteAnswer({"groups": links, "players": []}, "TournamentRound", 0)
            part = groups[numbers[1]]
        except (IndexError, ValueError):
            return None
        if part.gone:
            return GONE
        games = self._games(part, addresses=tournament.addresses)
        record = {"fair_play_removals": [], "games": games, "players": []}
        return SiteAnswer(record, "TournamentRoundGroup", self._changed(part))

    def _tournament_head(self, tournament: Tournament, base: str) -> SiteAnswer:
        status = {"upcoming": "registration", "ongoing": "in_progress", "finished": "finished"}[
            tournament.state
        ]
        record: dict[str, Any] = {
            "name": tournament.name,
            "url": f"{chesscom_format.SITE}/tournament/{tournament.id}",
        }
        record |= {"creator": "mrossi90", "status": status, "settings": {"type": "swiss"}, "players": []}
        rounds = [f"{base}/{n}" for n in range(1, len(tournament.rounds) + 1)]
        return SiteAnswer(record | {"rounds": rounds}, "Tournament", 0)

    def _club(self, club: Club) -> SiteAnswer:
        record: dict[str, Any] = {"@id": f"{self._links}/club/{club.id}", "name": club.name, "club_id": 57796}
        record |= {
            "members_count": 40,
            "visibility": "public",
            "url": f"{chesscom_format.SITE}/club/{club.id}",
        }
        return SiteAnswer(record, "Club", 0)

    def _club_matches(self, club: Club) -> SiteAnswer:
        lists: dict[str, list[dict[str, Any]]] = {"finished": [], "in_progress": [], "registered": []}
        names = {"upcoming": "registered", "ongoing": "in_progress", "finished": "finished"}
        for key in club.matches:
            match = self._events.matches[key]
            answer: dict[str, Any] = {"name": match.name, "@id": f"{self._links}/match/{match.id}"}
            answer |= {"opponent": f"{self._links}/club/{match.clubs[1]}", "time_class": "daily"}
            if match.state != "upcoming":
                answer["start_time"] = match.starts // 1000
            if match.state == "finished":
                answer["result"] = "win"
            lists[names[match.state]].append(answer)
        return SiteAnswer(dict(lists), "ClubMatches", 0)

    def _match(self, match: Match, parts: list[str]) -> SiteAnswer | str | None:
        if not parts:
            return self._match_head(match)
        if len(parts) != 1 or not parts[0].isdecimal() or not 1 <= int(parts[0]) <= len(match.boards):
            return None
        part = match.boards[int(parts[0]) - 1]
        if part.gone:
            return GONE
        return SiteAnswer({"board_scores": {}, "games": self._games(part)}, "MatchBoard", self._changed(part))

    def _match_head(self, match: Match) -> SiteAnswer:
        base = f"{self._links}/match/{match.id}"
        record: dict[str, Any] = {"@id": base, "name": match.name, "start_time": match.starts // 1000}
        record |= {"end_time": match.ends // 1000} if match.ends is not None else {}
        words = {"upcoming": "registration", "ongoing": "in_progress", "finished": "finished"}
        record |= {"status": words[match.state], "boards": len(match.boards)}
        teams = {}
        for number, club in enumerate(match.clubs, start=1):
            players = [
                {"username": f"player{number}-{board}", "board": f"{base}/{board}"}
                for board in range(1, len(match.boards) + 1)
            ]
            reserve = {"username": f"reserve{number}"}
            teams[f"team{number}"] = {"@id": f"{self._links}/club/{club}", "players": [*players, reserve]}
        return SiteAnswer(record | {"teams": teams}, "Match", match.starts)

    def _of(self, part: Part) -> list[Game]:
        return [self._world.game(CHESSCOM, key) for key in part.games]

    def _games(self, part: Part, *, addresses: bool = False) -> list[dict[str, Any]]:
        answer = []
        for game in self._of(part):
            record = (
                chesscom_format.as_current(game, self._world)
                if game.running
                else chesscom_format.as_json(game, self._world)
            )
            if addresses and not game.running:
                record |= {side: record[side]["@id"] for side in ("white", "black")}
            answer.append(record)
        return answer

    def _changed(self, part: Part) -> int:
        return max((game.ended for game in self._of(part)), default=0)
