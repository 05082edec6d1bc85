"""The emulator's events speak as the sites' do."""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import chess.pgn
import httpx
import pytest

from tests.fetchers.site_emulator.asking import NDJSON, Asker, asking
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS
from tests.fetchers.site_emulator.events import Person
from tests.site_files import file_of, json_of

MAY = datetime(2024, 5, 10, 12, tzinfo=UTC)
ROSSI = Person(name="Rossi, Mario", fide_id=999_001_238, rating=2104, title="FM")


@pytest.fixture(name="ask")
def _ask() -> Iterator[Asker]:
    with asking() as asker:
        yield asker


def _tags(pgn: str) -> list[list[str]]:
    """The names of the tags of each game, in order."""
    games = [part for part in pgn.split("\n\n\n") if part.strip()]
    return [[line[1:].split(" ")[0] for line in game.splitlines() if line.startswith("[")] for game in games]


def _chesscom(ask: Asker, path: str) -> httpx.Response:
    return ask.client.get(f"{ask.sites.chesscom_url}/{path}")


class TestBroadcasts:
    """Heads, rounds and boards."""

    def test_an_empty_board_is_of_its_shape(self, ask: Asker) -> None:
        """The same tags in the same order: no White, Black or Round; Result ``*``; three line feeds."""
        head = ask.world.events.add_broadcast()
        part = ask.world.events.add_round(head.id, starts=MAY)
        ask.world.events.add_board(part.id, date="2026.07.07")
        theirs = file_of("lichess/broadcast_all_rounds.pgn").decode()

        answer = ask.lichess(f"/api/broadcast/round/{part.id}.pgn").text

        assert _tags(answer) == _tags(theirs)[:1]
        assert answer.endswith("\n\n *\n\n\n")

    def test_a_board_is_of_its_shape(self, ask: Asker) -> None:
        """With players and moves, too."""
        head = ask.world.events.add_broadcast()
        part = ask.world.events.add_round(head.id, starts=MAY)
        ask.world.events.add_board(
            part.id,
            Person(name="Player 1", fide_id=123),
            Person(name="Player 2", fide_id=456),
            moves="e4 e5",
            date="2026.07.07",
        )
        theirs = file_of("lichess/broadcast_round.pgn").decode()

        answer = ask.lichess(f"/api/broadcast/round/{part.id}.pgn").text

        assert _tags(answer) == _tags(theirs)[:1]
        assert answer.endswith("\n\n1. e4 e5 *\n\n\n")

    def test_the_head_is_of_its_shape(self, ask: Asker) -> None:
        """Every key that the emulator sends, lichess has sent, of the same type."""
        head = ask.world.events.add_broadcast(town="Bergamo")
        for state in ("finished", "upcoming"):
            part = ask.world.events.add_round(head.id, starts=MAY)
            ask.world.events.change_round(part.id, state=state)
        ask.world.events.finish_round(ask.world.events.broadcasts[head.id].rounds[0].id, MAY)
        theirs = json_of("lichess/broadcast.json")

        answer = ask.lichess(f"/api/broadcast/{head.id}").json()

        _same_shape(answer["tour"], theirs["tour"])
        _same_shape(answer["rounds"][0], theirs["rounds"][0])
        _same_shape(answer["rounds"][1], theirs["rounds"][-1])

    def test_all_rounds_at_once(self, ask: Asker) -> None:
        """The whole tournament is its rounds, one after the other."""
        head = ask.world.events.add_broadcast()
        parts = [ask.world.events.add_round(head.id, starts=MAY) for _ in range(2)]
        for part in parts:
            ask.world.events.add_board(part.id, ROSSI, "Bianchi, Laura", result="1-0")

        whole = ask.lichess(f"/api/broadcast/{head.id}.pgn").content

        assert whole == b"".join(ask.lichess(f"/api/broadcast/round/{p.id}.pgn").content for p in parts)

    def test_every_board_is_legal(self, ask: Asker) -> None:
        """python-chess reads what the emulator writes without a fault."""
        head = ask.world.events.add_broadcast()
        part = ask.world.events.add_round(head.id)
        for _ in range(5):
            ask.world.events.add_board(part.id, ROSSI, "Bianchi, Laura", result="1-0", plies=40)
        text = io.StringIO(ask.lichess(f"/api/broadcast/round/{part.id}.pgn").text)

        games = list(iter(lambda: chess.pgn.read_game(text), None))

        assert [game.errors for game in games] == [[]] * 5

    def test_the_name_is_part_of_every_address(self, ask: Asker) -> None:
        """Who renames a broadcast changes the words in its addresses, not the ids."""
        head = ask.world.events.add_broadcast("Open Uno")
        part = ask.world.events.add_round(head.id)
        board = ask.world.events.add_board(part.id, ROSSI, "Bianchi, Laura")
        ask.world.events.change_broadcast(head.id, name="Open Due")

        answer = ask.lichess(f"/api/broadcast/round/{part.id}.pgn").text

        assert f'[GameURL "https://lichess.org/broadcast/open-due/round-1/{part.id}/{board.id}"]' in answer


class TestStudies:
    """Chapters, and when they were touched."""

    def test_head_says_when_it_was_touched(self, ask: Asker) -> None:
        """HEAD: 204 with Last-Modified and nothing else; GET says the same; a change moves it."""
        study = ask.world.events.add_study()
        url = f"{ask.sites.lichess_url}/api/study/{study.id}.pgn"
        first = ask.client.head(url)
        got = ask.client.get(url)
        ask.world.events.add_board(study.id, ROSSI, "Bianchi, Laura")

        assert (first.status_code, first.content) == (204, b"")
        assert first.headers["last-modified"] == got.headers["last-modified"]
        assert ask.client.head(url).headers["last-modified"] != first.headers["last-modified"]

    def test_chapters_say_their_study(self, ask: Asker) -> None:
        """The tags of today's exports; the Site of the original may stay."""
        study = ask.world.events.add_study("Lezioni")
        chapter = ask.world.events.add_board(study.id, ROSSI, "Bianchi, Laura", site="Arlington")

        answer = ask.lichess(f"/api/study/{study.id}.pgn").text

        assert '[Event "Lezioni: Rossi, Mario - Bianchi, Laura"]\n[Site "Arlington"]' in answer
        assert f'[ChapterURL "https://lichess.org/study/{study.id}/{chapter.id}"]' in answer

    def test_a_private_study(self, ask: Asker) -> None:
        """401 for strangers, 403 with a token, in JSON."""
        study = ask.world.events.add_study(private=True)
        ask.world.tokens.add("lip_good")
        path = f"/api/study/{study.id}.pgn"

        assert ask.lichess(path).status_code == 401
        assert ask.lichess(path, Authorization="Bearer lip_good").status_code == 403
        assert ask.lichess(path).json() == {"error": "This study is now private"}


class TestTourneys:
    """Arenas and Swiss tournaments."""

    @pytest.mark.parametrize(
        ("kind", "path", "payload"),
        [
            ("arena", "tournament", "lichess/arena.json"),
            ("swiss", "swiss", "lichess/swiss.json"),
        ],
    )
    def test_the_head_is_of_its_shape(self, ask: Asker, kind: str, path: str, payload: str) -> None:
        """Every key that the emulator sends, lichess has sent, of the same type."""
        tourney = ask.world.events.add_tourney(kind, state="finished")

        answer = ask.lichess(f"/api/{path}/{tourney.id}").json()

        _same_shape(answer, json_of(payload))

    def test_one_is_no_other(self, ask: Asker) -> None:
        """An arena is not to be had as a Swiss tournament."""
        arena = ask.world.events.add_tourney("arena")

        assert ask.lichess(f"/api/swiss/{arena.id}").status_code == 404
        assert ask.lichess(f"/api/swiss/{arena.id}/games").status_code == 404

    def test_its_games_are_a_download(self, ask: Asker) -> None:
        """Newest first, in the same words as in a player's export, and counted as a download."""
        arena = ask.world.events.add_tourney("arena")
        for _ in range(2):
            ask.world.add_game(LICHESS, "mrossi90", "BianchiL", source="arena", event="x", event_id=arena.id)
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL")
        path = f"/api/tournament/{arena.id}/games"

        answer = ask.lichess(path, **NDJSON).content.splitlines()

        assert answer == ask.lichess("/api/games/user/mrossi90", **NDJSON).content.splitlines()[1:]
        assert [json.loads(line)["arenaTour"]["id"] for line in answer] == [arena.id] * 2


class TestAccounts:
    """POST /api/users."""

    def test_an_account_is_of_its_shape(self, ask: Asker) -> None:
        """Every key that the emulator sends, lichess has sent; `count` and `url` are not among them."""
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL")
        theirs = json_of("lichess/users.json")

        [answer] = ask.client.post(f"{ask.sites.lichess_url}/api/users", content="MRossi90").json()

        _same_shape(answer, theirs[0])
        assert set(answer["perfs"]) >= {"blitz", "puzzle", "storm"}

    def test_a_profile_counts_games(self, ask: Asker) -> None:
        """Alone it has `count` with the games being played; `perfs` know only rated games."""
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL", rated=False)
        ask.world.add_game(LICHESS, "mrossi90", "BianchiL", status="started", played=4)

        answer = ask.lichess("/api/user/mrossi90").json()

        assert (answer["count"]["all"], answer["count"]["playing"]) == (1, 1)
        assert (
            sum(
                answer["perfs"][kind]["games"] for kind in answer["perfs"] if "games" in answer["perfs"][kind]
            )
            == 421
        )


class TestChessCom:
    """Tournaments, clubs and matches."""

    def test_a_group_is_of_its_shape(self, ask: Asker) -> None:
        """Its keys, and those of its games."""
        game = ask.world.add_game(CHESSCOM, "rossi-mario", "bianchi-l", time_control="1/86400")
        ask.world.events.add_tournament("coppa-rossi", [[[game]]])
        theirs = json_of("chesscom/group_2020.json")

        answer = _chesscom(ask, "tournament/coppa-rossi/1/1").json()

        assert answer.keys() == theirs.keys()
        assert answer["games"][0].keys() >= theirs["games"][0].keys() - {"tournament"}

    def test_addresses_lead_on(self, ask: Asker) -> None:
        """Each list names the next answers, down to the games."""
        game = ask.world.add_game(CHESSCOM, "rossi-mario", "bianchi-l")
        ask.world.events.add_tournament("coppa-rossi", [[[game]]])
        ask.world.events.add_club("circolo-rossi")
        ask.world.events.add_match("circolo-rossi", [[game]], id="live/5833", state="finished")

        [tour] = _chesscom(ask, "tournament/coppa-rossi").json()["rounds"]
        [group] = ask.client.get(tour).json()["groups"]
        [match] = _chesscom(ask, "club/circolo-rossi/matches").json()["finished"]
        teams = ask.client.get(match["@id"]).json()["teams"]
        boards = {p["board"] for team in teams.values() for p in team["players"] if "board" in p}
        games = [ask.client.get(url).json()["games"] for url in (group, *boards)]

        assert games[0] == games[1]
        assert len(games[0]) == 1

    def test_a_match_is_of_its_shape(self, ask: Asker) -> None:
        """Every key of the emulator's matches is in that of the site."""
        ask.world.events.add_club("circolo-rossi")
        match = ask.world.events.add_match("circolo-rossi", [[]], id="live/1", state="finished", ends=1)
        theirs = json_of("chesscom/match_2020.json")

        answer = _chesscom(ask, f"match/{match.id}").json()

        assert answer.keys() <= theirs.keys()
        assert answer["teams"].keys() == theirs["teams"].keys()

    def test_answers_are_cached_like_all_others(self, ask: Asker) -> None:
        """Weak ETag, odd Last-Modified, 304 without a body; 410 for what will never be."""
        ask.world.events.add_club("circolo-rossi")
        first = _chesscom(ask, "club/circolo-rossi/matches")
        again = ask.client.get(
            f"{ask.sites.chesscom_url}/club/circolo-rossi/matches",
            headers={"If-None-Match": first.headers["etag"]},
        )

        assert first.headers["etag"].startswith('W/"')
        assert (again.status_code, again.content) == (304, b"")


def _same_shape(answer: dict[str, object], theirs: dict[str, object]) -> None:
    for key, value in answer.items():
        assert key in theirs, key
        assert isinstance(value, type(theirs[key])), key
