"""Broadcasts of lichess: boards over the board that fill and are corrected, sites traps 21, 22, 55, 57 and 59."""

from datetime import timedelta

import pytest

from core.game import Game
from fetchers.base import Following
from fetchers.errors import Incomplete, NotShown, RateLimited, SiteDown
from tests.fetchers.cases import START
from tests.fetchers.conftest import TOKEN, Build
from tests.fetchers.rounds import Followed, Round, follow, run
from tests.fetchers.site_emulator.emulator import Emulator
from tests.fetchers.site_emulator.event_world import EventWorld
from tests.fetchers.site_emulator.events import STUDY_READ, Board, Person

IT = Followed("broadcast", "Broadca1")
ROSSI = Person(name="Rossi, Mario", fide_id=999_001_238, rating=2104, title="FM", team="Bergamo")
BIANCHI = Person(name="Bianchi, Laura", fide_id=999_001_246, rating=2250, title="WGM", team="Lecco")
HOUR = timedelta(hours=1)


@pytest.fixture(name="events")
def _events(sites: Emulator) -> EventWorld:
    """A broadcast with one round that is being played."""
    sites.world.events.add_broadcast("Torneo di Pasqua 2024 | Open", id=IT.id, town="Bergamo, Italia")
    sites.world.events.add_round(IT.id, id="Round001", starts=START, state="ongoing")
    return sites.world.events


def _only(answer: Round) -> Game:
    assert answer.error is None
    [game] = answer.games
    return game


def _paths(sites: Emulator) -> list[str]:
    return [request.path.removeprefix("/api/broadcast/") for request in sites.requests]


class TestBoards:
    """What a board comes out as."""

    def test_names_are_those_of_persons(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A lichess address makes no handles; FIDE ids, titles, ratings and teams come along (sites traps 22, 55)."""
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0", round="1.1", date="2024.05.20")

        game = _only(follow(build("lichess"), IT))

        assert not game.online
        assert (game.white.name, game.black.name) == ("Rossi, Mario", "Bianchi, Laura")
        assert (game.white.fide_id, game.black.fide_id) == ("999001238", "999001246")
        assert (game.white.title, game.black.rating, game.white.team) == ("FM", 2250, "Bergamo")
        assert (str(game.date), game.round, game.result) == ("2024.05.20", "1.1", "1-0")

    def test_when_the_file_was_made_is_not_when_it_was_played(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """UTCDate is the moment at which the board was set up: a board without Date has none."""
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")

        game = _only(follow(build("lichess"), IT))

        assert game.tag("UTCDate") == "2024.05.01"
        assert game.started_at is None
        assert not game.date.known

    def test_the_event_is_the_broadcast(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """What lichess makes of round and board is not an event; where the organiser names one, it is that."""
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        events.add_board("Round001", BIANCHI, ROSSI, result="1-0", event="Open di Bergamo")

        first, second = follow(build("lichess"), IT).games

        assert first.tag("Event") == "Round 1: Rossi, Mario - Bianchi, Laura"
        assert first.event == "Torneo di Pasqua 2024 | Open"
        assert second.event == "Open di Bergamo"

    def test_trap_59_the_town_is_lost(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """An address is not a town. The head may know it; a relay's own Site stays (sites trap 59)."""
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0", site="https://www.chess.com/events/2024-x")
        fetcher = build("lichess")

        assert [game.site for game in follow(fetcher, IT).games] == [
            "Bergamo, Italia",
            "https://www.chess.com/events/2024-x",
        ]
        events.change_broadcast(IT.id, town=None)
        assert follow(fetcher, IT).games[0].site is None

    def test_trap_21_empty_boards_are_left_out(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """Without White, Black, Round and moves there is nothing to keep; nor before the first move (sites trap 21)."""
        empty = events.add_board("Round001")
        paired = events.add_board("Round001", ROSSI, BIANCHI, plies=0)
        forfeit = events.add_board("Round001", ROSSI, BIANCHI, plies=0, result="1-0")

        answer = follow(build("lichess"), IT)

        assert answer.left_out == [
            (f"broadcast/Round001/{empty.id}", "empty board"),
            (f"broadcast/Round001/{paired.id}", "empty board"),
        ]
        assert answer.ids == [f"broadcast/Round001/{forfeit.id}"]
        assert answer.unread == []

    def test_one_bad_board_costs_one_board(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A board that cannot be read goes to quarantine under its own id; its neighbours are good (sites trap 71)."""
        boards = [events.add_board("Round001", ROSSI, BIANCHI, plies=8, result="1-0") for _ in range(3)]
        bad = boards[1]
        events.change_board("Round001", bad, comment="} 1. Ke5 { no such move")

        answer = follow(build("lichess"), IT)

        assert answer.error is None
        assert [step.native_id for step in answer.unread] == [f"broadcast/Round001/{bad.id}"]
        assert len(answer.games) == 2


class TestCorrections:
    """Boards are filled and corrected during and after the round (sites trap 57)."""

    def test_trap_57_a_board_is_updated_in_place(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """From empty to running, finished, corrected: one native id all the way."""
        board = events.add_board("Round001")
        fetcher = build("lichess")
        empty = follow(fetcher, IT)
        steps = [
            {"white": ROSSI, "black": BIANCHI, "line": _line(events, 30), "played": 11},
            {"played": 30, "result": "1-0"},
            {"result": "1/2-1/2", "black": Person(name="Bianchi, Lara")},
        ]
        cursor, games = empty.cursor, []
        for number, change in enumerate(steps):
            board = events.change_board("Round001", board, **change)
            after = follow(fetcher, IT, cursor, now=START + number * HOUR)
            cursor = after.cursor
            games.append(_only(after))

        assert empty.left_out == [(f"broadcast/Round001/{board.id}", "empty board")]
        assert {game.native_id for game in games} == {f"broadcast/Round001/{board.id}"}
        assert [(game.result, game.ply_count) for game in games] == [("*", 11), ("1-0", 30), ("1/2-1/2", 30)]
        assert games[-1].black.name == "Bianchi, Lara"

    def test_a_broadcast_that_is_renamed(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """The name is in all addresses; the native ids do not change with it."""
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        fetcher = build("lichess")
        before = _only(follow(fetcher, IT))
        events.change_broadcast(IT.id, name="Open di Bergamo 2024")

        after = _only(follow(fetcher, IT))

        assert before.native_id == after.native_id
        assert before.url != after.url
        assert after.event == "Open di Bergamo 2024"

    def test_corrected_after_the_round(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A result that is put right a day after the round comes without anybody asking for everything."""
        board = events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        events.finish_round("Round001", START + 4 * HOUR)
        fetcher = build("lichess")
        first = follow(fetcher, IT, now=START + 5 * HOUR)
        events.change_board("Round001", board, result="0-1")

        assert _only(follow(fetcher, IT, first.cursor, now=START + 28 * HOUR)).result == "0-1"

    def test_an_old_export_has_the_studys_address(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """Before 2025 a board's only address was Site, as of a study. It is the same board."""
        pgn = (
            b'[Event "Round 1: Rossi - Bianchi"]\n[Site "https://lichess.org/study/Round001/Chapter1"]\n'
            b'[White "Rossi, Mario"]\n[Black "Bianchi, Laura"]\n[Result "1-0"]\n\n1. e4 1-0\n\n\n'
        )
        sites.replay(
            "lichess", "/api/broadcast/Broadca1.pgn", pgn, {"Content-Type": "application/x-chess-pgn"}
        )

        assert follow(build("lichess"), IT).ids == ["broadcast/Round001/Chapter1"]

    def test_a_relayed_board_without_an_address_of_its_own(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """Its Site is that of another site: it is known by its number, or its players, while it is filled."""
        events.add_round(IT.id, id="Round002", state="ongoing")
        relayed = {"bare": True, "site": "https://www.chess.com/events/2024-x"}
        boards = [
            events.add_board("Round001", ROSSI, BIANCHI, played=5, round="1.1", **relayed),
            events.add_board("Round001", ROSSI, BIANCHI, played=6, round="1", **relayed),
            events.add_board("Round001", ROSSI, BIANCHI, played=7, round="1", **relayed),
        ]
        fetcher = build("lichess")
        first = follow(fetcher, IT)
        for board in boards:
            events.change_board("Round001", board, played=20, result="1-0")
        events.change_board("Round001", boards[0], white=Person(name="Rossi, Maria"))

        second = follow(fetcher, IT, first.cursor)

        assert (first.unread, second.unread) == ([], [])
        assert first.ids == second.ids
        assert len(set(first.ids)) == 3
        assert all((one or "").startswith("broadcast/Round001/-") for one in first.ids)


class TestWhenToAsk:
    """Which rounds are asked for, and how often."""

    def test_a_running_round_every_time(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """While it is played nothing is too soon."""
        fetcher = build("lichess")
        first = follow(fetcher, IT, now=START)
        sites.clear_log()

        second = follow(fetcher, IT, first.cursor, now=START + timedelta(minutes=1))

        assert _paths(sites) == [IT.id, "round/Round001.pgn"]
        assert second.quiet_s is None

    def test_a_round_to_come_is_waited_for(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """Nothing is asked of it before a quarter of an hour before its beginning, and the schedule is told."""
        events.change_round("Round001", state="upcoming")
        fetcher = build("lichess")

        early = follow(fetcher, IT, now=START - 5 * HOUR)
        assert _paths(sites) == [IT.id]
        assert early.quiet_s == 4.75 * 3600
        assert follow(fetcher, IT, now=START - timedelta(days=9)).quiet_s == 12 * 3600

        sites.clear_log()
        follow(fetcher, IT, early.cursor, now=START - timedelta(minutes=10))
        assert _paths(sites) == [IT.id, f"{IT.id}.pgn"]

    def test_a_round_after_another_one(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A round that begins when the one before is over is not asked for until then."""
        events.add_round(IT.id, id="Round002", after_previous=True)
        fetcher = build("lichess")
        cursor = follow(fetcher, IT, now=START).cursor
        assert "round/Round002.pgn" not in _paths(sites)
        events.finish_round("Round001", START + 2 * HOUR)

        follow(fetcher, IT, cursor, now=START + 2 * HOUR)

        assert "round/Round002.pgn" in _paths(sites)

    def test_a_round_that_says_finished_at_alone_is_over(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """`finished` is given up since August 2026: the moment says the same, and the next round may begin."""
        events.finish_round("Round001", START + 2 * HOUR)
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        later = events.add_round(IT.id, id="Round002", after_previous=True)
        events.add_board(later.id, ROSSI, BIANCHI, result="0-1")
        fetcher = build("lichess")

        answer = follow(fetcher, IT, now=START + 3 * HOUR)
        events.change_broadcast(IT.id, flagged=True)
        with_flags = follow(fetcher, IT, now=START + 3 * HOUR)

        assert sorted(game.result for game in answer.games) == ["0-1", "1-0"]
        assert with_flags.cursor == answer.cursor

    def test_the_first_reading_is_one_answer(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """All rounds come at once, each board in its own; then only the round that is played is asked for."""
        for number in (2, 3):
            events.add_round(IT.id, f"Turno {number}", id=f"Round00{number}", state="ongoing")
            events.add_board(f"Round00{number}", ROSSI, BIANCHI, result="1-0")
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        for number in (1, 2):
            events.finish_round(f"Round00{number}", START + 2 * HOUR)
        fetcher = build("lichess")

        first = follow(fetcher, IT, now=START + 3 * HOUR)

        assert _paths(sites) == [IT.id, f"{IT.id}.pgn"]
        assert {game.event for game in first.games} == {"Torneo di Pasqua 2024 | Open"}
        assert {part: len(ids) for part, ids in first.wholes.items()} == {
            f"broadcast/Round00{number}": 1 for number in (1, 2, 3)
        }
        sites.clear_log()
        second = follow(fetcher, IT, first.cursor, now=START + 3 * HOUR + timedelta(minutes=1))
        assert _paths(sites) == [IT.id, "round/Round003.pgn"]
        assert second.ids == [one for one in first.ids if "Round003" in (one or "")]

    def test_a_first_reading_that_breaks_off_goes_on_round_by_round(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """An answer that breaks at the same place each time must not hide the rounds after it."""
        for number in (1, 2):
            events.change_round("Round001", state="ongoing")
            events.add_board("Round001", ROSSI, BIANCHI, result="1-0", plies=10 + number)
        sites.fault("lichess", "/api/broadcast/Broadca1.pgn", kind="cut", after=0.7, times=None)
        fetcher = build("lichess")

        first = follow(fetcher, IT)
        second = follow(fetcher, IT, first.cursor)

        assert isinstance(first.error, Incomplete)
        assert (second.error, len(second.ids)) == (None, 2)

    def test_one_round_that_fails(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """It does not hide those after it, and the error is told at the end; two in a row end the round of ours."""
        for number in (2, 3):
            events.add_round(IT.id, id=f"Round00{number}", state="ongoing")
            events.add_board(f"Round00{number}", ROSSI, BIANCHI, result="1-0")
        fetcher = build("lichess")
        cursor = follow(fetcher, IT).cursor
        sites.fault("lichess", "/api/broadcast/round/Round001", kind="status", code=500, times=None)

        first = follow(fetcher, IT, cursor)
        assert isinstance(first.error, SiteDown)
        assert len(first.games) == 2

        sites.fault("lichess", "/api/broadcast/round/Round002", kind="status", code=500, times=None)
        sites.world.events.anonymous_broadcasts = 100
        sites.clear_log()
        assert follow(fetcher, IT, cursor).games == []
        assert "round/Round003.pgn" not in _paths(sites)

    def test_a_wait_that_is_ordered_ends_the_round(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """A 503 with Retry-After is not followed by a question after the next round."""
        events.add_round(IT.id, id="Round002", state="ongoing")
        fetcher = build("lichess")
        cursor = follow(fetcher, IT).cursor
        sites.clear_log()
        fault = {"kind": "status", "code": 503, "headers": {"Retry-After": "600"}}
        sites.fault("lichess", "/api/broadcast/round/Round001", **fault, times=None)  # type: ignore[arg-type]

        error = follow(fetcher, IT, cursor).error

        assert isinstance(error, SiteDown)
        assert error.retry_after == 600
        assert _paths(sites) == [IT.id, "round/Round001.pgn"]

    @pytest.mark.parametrize(
        ("states", "state"),
        [
            ((), "upcoming"),
            (("upcoming",), "upcoming"),
            (("finished", "upcoming"), "running"),
            (("finished", "finished"), "finished"),
        ],
    )
    def test_state(self, sites: Emulator, build: Build, states: tuple[str, ...], state: str) -> None:
        """A broadcast is over when all its rounds are."""
        sites.world.events.add_broadcast(id=IT.id)
        for one in states:
            sites.world.events.add_round(IT.id, state=one, starts=START)
        fetcher = build("lichess")
        assert isinstance(fetcher, Following)

        event = fetcher.events.about(*_pair(IT))

        assert event.state == state
        assert event.begins_at == (START if states else None)

    def test_a_round_that_is_not_shown(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A private round is refused with 401; that concerns the round alone: neither us nor the broadcast."""
        events.add_round(IT.id, id="Round002", state="ongoing")
        events.add_board("Round002", ROSSI, BIANCHI, result="1-0")
        events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        events.anonymous_broadcasts = 100
        fetcher = build("lichess")
        cursor = follow(fetcher, IT).cursor
        events.change_round("Round001", private=True)

        second = follow(fetcher, IT, cursor)
        everything = follow(fetcher, IT, second.cursor, full=True)
        events.change_round("Round001", private=False)

        assert (second.error, second.left_out) == (None, [(None, "not shown")])
        assert set(second.wholes) == {"broadcast/Round002"}, "not shown is not withdrawn"
        assert set(everything.wholes) == {"broadcast/Round002"}
        assert len(follow(fetcher, IT, second.cursor).ids) == 2


class TestRefusals:
    """Since August 2026 lichess wants a token for broadcasts: they are not gone, and only broadcasts wait."""

    @pytest.mark.parametrize(
        ("token", "answer"),
        [
            (
                None,
                "(401): make a token with the scope study:read at lichess.org/account/oauth/token, and name",
            ),
            (TOKEN, "(403): the token lacks the scope study:read"),
        ],
    )
    def test_a_token_is_asked_for(
        self, sites: Emulator, build: Build, events: EventWorld, token: str | None, answer: str
    ) -> None:
        """The refusal says which token would help, with which scope, and where to put it."""
        events.change_broadcast(IT.id, private=True)
        sites.world.add_token(TOKEN)

        error = follow(build("lichess", token=token), IT).error

        assert isinstance(error, NotShown)
        assert answer in str(error)

    def test_rounds_that_are_all_refused(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """A head that is shown to everybody does not hide that no round is."""
        events.add_round(IT.id, id="Round002", state="ongoing")
        fetcher = build("lichess")
        cursor = follow(fetcher, IT).cursor
        for number in (1, 2):
            events.change_round(f"Round00{number}", private=True)

        assert isinstance(follow(fetcher, IT, cursor).error, NotShown)

    def test_a_429_is_one_of_broadcasts(self, sites: Emulator, build: Build, events: EventWorld) -> None:
        """The eleventh request of a minute without a token; accounts may be asked all the same."""
        sites.world.add_player("lichess", "mrossi90")
        sites.clock = START.timestamp
        fetcher = build("lichess")
        errors = [follow(fetcher, IT).error for _ in range(6)]

        limit = errors[-1]
        assert isinstance(limit, RateLimited)
        assert limit.kind == "broadcast"
        assert "a token with the scope study:read" in str(limit)
        assert run(fetcher).error is None
        assert sites.violations == []

    def test_a_token_with_the_scope_is_limited_less(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """It may ask 120 times a minute, also for what is private."""
        events.change_broadcast(IT.id, private=True)
        sites.world.add_token(TOKEN, STUDY_READ)
        sites.clock = START.timestamp
        fetcher = build("lichess", token=TOKEN)

        assert [follow(fetcher, IT).error for _ in range(8)] == [None] * 8


class TestReset:
    """A round that is set up again has new boards; the old ones are not its own any more."""

    def test_the_old_boards_are_not_among_its_own(
        self, sites: Emulator, build: Build, events: EventWorld
    ) -> None:
        """A round that was over is asked for again, at once, and says which boards it has."""
        old = events.add_board("Round001", ROSSI, BIANCHI, result="1-0")
        events.finish_round("Round001", START + 2 * HOUR)
        fetcher = build("lichess")
        first = follow(fetcher, IT, now=START + timedelta(days=40))
        settled = follow(fetcher, IT, first.cursor, now=START + timedelta(days=400))
        events.reset_round("Round001")
        [new] = events.round("Round001").boards
        events.change_board("Round001", new, played=4)

        again = follow(fetcher, IT, settled.cursor, now=START + timedelta(days=400, minutes=1))

        assert first.wholes == {"broadcast/Round001": {f"broadcast/Round001/{old.id}"}}
        assert again.wholes == {"broadcast/Round001": {f"broadcast/Round001/{new.id}"}}


def _line(events: EventWorld, plies: int) -> object:
    """Some moves, as another board has them."""
    made: Board = events.add_board(events.add_study().id, "A", "B", plies=plies)
    return made.line


def _pair(event: Followed) -> tuple[str, str]:
    return event.kind, event.id
