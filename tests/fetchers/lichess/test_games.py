"""lichess: its cursor and its streams."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game
from fetchers.base import Checkpoint, LeftOut
from fetchers.errors import BadAnswer, Incomplete
from tests.fetchers.conftest import Build
from tests.fetchers.lila import BASE, DAY, Lila, answering, lichess, lines, ndjson, record, small_caps
from tests.fetchers.rounds import NOW, run
from tests.fetchers.site_emulator.emulator import Ai, Emulator, Guest


class TestQuestions:
    """What lichess is asked."""

    def test_parameters(self) -> None:
        """All games with their PGN as the site exports it, oldest first, running ones too, unfiltered."""
        site = Lila([record(1)])
        run(lichess(site))

        assert {key: site.asked[0][key] for key in site.asked[0] if key != "since"} == {
            "sort": "dateAsc",
            "pgnInJson": "true",
            "ongoing": "true",
            "clocks": "true",
            "evals": "true",
            "opening": "true",
        }

    def test_since_is_in_milliseconds(self) -> None:
        """Seconds would bring everything again. A start before the site's smallest `since` does not count."""
        site = Lila([record(1, 1_300_000_000_000), record(2, BASE)])
        fetcher = lichess(site)
        run(fetcher, cursor=run(fetcher).cursor)

        assert all(len(asked["since"]) == 13 for asked in site.asked[1:])
        run(fetcher, cursor={"newest": 1_300_000_000_000})
        assert "since" not in site.asked[-1]

    def test_a_round_begins_a_day_before_the_newest_game(self) -> None:
        """Bounds were exclusive once, and an answer may lag (sites trap 2)."""
        site = Lila([record(1, BASE), record(2, BASE + 7 * DAY)])
        fetcher = lichess(site)
        cursor = run(fetcher).cursor
        site.asked.clear()
        late = record(3, BASE + 7 * DAY - DAY // 2)
        site.games.append(late)

        assert set(run(fetcher, cursor=cursor).ids) == {"game0002", "game0003"}
        assert int(site.asked[0]["since"]) <= BASE + 6 * DAY

    def test_a_start_in_the_future_hides_nothing(self) -> None:
        """The cursor never passes our own clock."""
        far = int(NOW.timestamp() * 1000) + 400 * DAY
        site = Lila([record(1, BASE), record(2, far)])
        fetcher = lichess(site)
        cursor = run(fetcher).cursor
        site.games.append(record(3, int(NOW.timestamp() * 1000) + 60_000))

        assert "game0003" in run(fetcher, cursor=cursor, now=NOW + timedelta(minutes=5)).ids


class TestCaps:
    """An answer that ends is not the end where it may have been capped."""

    @pytest.mark.parametrize(("count", "requests"), [(999, 1), (1000, 2), (2500, 3)])
    def test_a_thousand_games_may_be_a_cap(self, count: int, requests: int) -> None:
        """After so many the site is asked for more; fewer are all."""
        site = Lila([record(n, BASE + n * DAY) for n in range(count)], cap=1000)

        assert len(run(lichess(site)).ids) == count
        assert len(site.asked) == requests

    @pytest.mark.parametrize("cap", [1, 2, 5, 100])
    @pytest.mark.parametrize("count", [5, 10, 23])
    def test_the_site_is_asked_until_nothing_new_comes(self, cap: int, count: int) -> None:
        """Exactly the cap, or fewer games than were asked for, does not mean that this is all."""
        site = Lila([record(n, BASE + n * DAY) for n in range(count)], cap=max(cap, 2))

        with small_caps():
            assert len(run(lichess(site)).ids) == count

    def test_games_of_one_day_fill_the_answer(self) -> None:
        """A cap that the overlap alone fills does not hide what comes after it."""
        site = Lila([record(n, BASE + n * 60_000) for n in range(100)], cap=100)
        fetcher = lichess(site)
        with small_caps():
            cursor = run(fetcher).cursor
            site.games += [record(n, BASE + n * 60_000) for n in range(100, 350)]

            later = run(fetcher, cursor=cursor)

        assert {f"game{n:04}" for n in range(100, 350)} <= set(later.ids)

    def test_repeated_and_omitted_games(self) -> None:
        """Up to eight copies of one game, another one missing: once each; the missing one comes later."""
        games = [record(n, BASE + n * 60_000) for n in range(6)]
        shown = [games[0], games[1], games[1], games[0], *[games[4]] * 8, games[5]]
        fetcher = lichess(answering(lines(*shown)))
        first = run(fetcher)

        assert first.ids == ["game0000", "game0001", "game0004", "game0005"]
        assert {"game0002", "game0003"} <= set(run(lichess(Lila(games)), cursor=first.cursor).ids)

    def test_newest_first_in_spite_of_sort(self) -> None:
        """A server that ignores `sort` and caps its answers loses nothing, and no hole stays (sites trap 3) (sites trap 67)."""
        site = Lila([record(n, BASE + n * DAY) for n in range(23)], cap=5, descending=True)
        with small_caps():
            assert len(run(lichess(site)).ids) == 23

            site.cuts = [100_000, 2500]
            broken = run(lichess(site))
            assert isinstance(broken.error, Incomplete)
            healed = run(lichess(site), cursor=broken.cursor)
        assert set(broken.ids) | set(healed.ids) == {f"game{n:04}" for n in range(23)}

    @given(st.data())
    def test_whatever_the_server_does_no_game_is_lost(self, data: st.DataObject) -> None:
        """Any starts, caps, orders, bounds and cuts: rounds from the kept cursors tell every game in the end."""
        seconds = data.draw(st.lists(st.integers(0, 5 * DAY // 1000), min_size=1, max_size=25, unique=True))
        starts = [1000 * start for start in seconds]
        site = Lila(
            [record(n, BASE + start) for n, start in enumerate(starts)],
            cap=data.draw(st.none() | st.integers(2, 30)),
            descending=data.draw(st.booleans()),
            exclusive=data.draw(st.booleans()),
            cuts=data.draw(st.lists(st.integers(1, 20_000), max_size=4)),
        )
        cursor: Any = {}
        seen, whole = set(), False
        while not whole:
            whole = not site.cuts
            with small_caps():
                this = run(lichess(site), cursor=cursor)
            seen |= set(this.ids)
            cursor = this.cursor or cursor

        assert this.error is None
        assert seen == {game["id"] for game in site.games}
        assert cursor["newest"] == BASE + max(starts)


class TestRunningGames:
    """Games that are not over yet."""

    def test_a_correspondence_game_that_ends_weeks_later(self, sites: Emulator, build: Build) -> None:
        """Begun on day 1, watermark on day 30, over on day 40: told after day 40 (sites trap 1)."""
        day = timedelta(days=1)
        begun = datetime(2024, 5, 1, tzinfo=UTC)
        slow = sites.world.add_game(
            "lichess", "mrossi90", "BianchiL", at=begun, time_control="1/86400", status="started", played=9
        )
        for number in range(1, 30):
            sites.world.add_game("lichess", "mrossi90", "Verdi_G", at=begun + number * day)
        fetcher = build("lichess")
        first = run(fetcher, now=begun + 30 * day)
        assert first.left_out == [(slow.id, "running")]

        sites.world.finish_game(slow, at=begun + 39 * day)
        second = run(fetcher, cursor=first.cursor, now=begun + 40 * day)

        assert slow.id in second.ids
        assert "running" not in second.cursor
        assert sites.violations == []

    def test_its_moment_is_asked_for_not_the_months_since(self, sites: Emulator, build: Build) -> None:
        """A game that runs for a year does not bring the whole year again at every round."""
        begun = datetime(2024, 5, 1, tzinfo=UTC)
        sites.world.add_game(
            "lichess", "mrossi90", "BianchiL", at=begun, time_control="1/86400", status="started", played=9
        )
        for number in range(1, 60):
            sites.world.add_game(
                "lichess", "mrossi90", "Verdi_G", at=begun + number * timedelta(days=1, hours=1)
            )
        fetcher = build("lichess")
        cursor = run(fetcher).cursor

        later = run(fetcher, cursor=cursor)

        assert len(later.ids) == 1
        assert len(later.left_out) == 1

    def test_running_games_keep_their_place_when_a_stream_breaks(self) -> None:
        """A cut before the running game was seen again does not forget it."""
        games = [record(0, BASE, status="started"), *(record(n, BASE + n * DAY) for n in range(1, 20))]
        site = Lila(games)
        cursor = run(lichess(site)).cursor
        site.cuts = [50]
        broken = run(lichess(site), cursor=cursor)
        site.games[0] = record(0, BASE)

        assert isinstance(broken.error, Incomplete)
        assert "game0000" in run(lichess(site), cursor=broken.cursor or cursor).ids

    def test_a_deleted_running_game_is_given_up(self) -> None:
        """The site deletes games that nobody plays; after ten complete answers without it nobody asks any more."""
        site = Lila([record(0, BASE, status="started"), record(1, BASE + 9 * DAY)])
        cursor = run(lichess(site)).cursor
        del site.games[0]
        for _ in range(9):
            cursor = run(lichess(site), cursor=cursor).cursor
        assert cursor["running"] == {"game0000": BASE}

        cursor = run(lichess(site), cursor=cursor).cursor
        assert cursor == {"newest": BASE + 9 * DAY, "told": BASE + 9 * DAY}

    def test_one_answer_without_it_does_not_lose_a_running_game(self) -> None:
        """An answer may lag; the count begins again when the game is seen again."""
        slow = record(0, BASE, status="started")
        site = Lila([slow, record(1, BASE + 9 * DAY)])
        cursor = run(lichess(site)).cursor
        site.games.remove(slow)
        cursor = run(lichess(site), cursor=cursor).cursor
        site.games.append(record(0, BASE))

        assert "game0000" in run(lichess(site), cursor=cursor).ids

    def test_a_running_game_is_told_a_little_late(self, sites: Emulator, build: Build) -> None:
        """Begun a moment before a round, it is not in its answer; months later, when it is over, it comes all the same."""
        begun = NOW - timedelta(seconds=2)
        sites.clock = NOW.timestamp
        sites.world.add_game("lichess", "mrossi90", "Verdi_G", at=NOW - timedelta(hours=1))
        slow = sites.world.add_game(
            "lichess", "mrossi90", "BianchiL", at=begun, time_control="1/86400", status="started", played=2
        )
        fetcher = build("lichess")
        first = run(fetcher)
        sites.clock = (NOW + timedelta(days=9)).timestamp
        second = run(fetcher, cursor=first.cursor, now=NOW + timedelta(days=9))
        sites.world.add_game("lichess", "mrossi90", "Verdi_G", at=NOW + timedelta(days=30))
        third = run(fetcher, cursor=second.cursor, now=NOW + timedelta(days=31))
        sites.world.finish_game(slow, at=NOW + timedelta(days=80))

        assert first.left_out == []
        assert second.left_out == third.left_out == [(slow.id, "running")]
        assert slow.id in run(fetcher, cursor=third.cursor, now=NOW + timedelta(days=81)).ids

    def test_aborted_games_are_left_out(self, sites: Emulator, build: Build) -> None:
        """They come only because running ones are asked for."""
        game = sites.world.add_game("lichess", "mrossi90", "BianchiL", status="aborted")

        assert run(build("lichess")).left_out == [(game.id, "aborted")]

    def test_a_running_game_is_told_when_it_is_over(self, sites: Emulator, build: Build) -> None:
        """It was shown three plies late; the whole game comes (sites trap 24)."""
        game = sites.world.add_game(
            "lichess",
            "mrossi90",
            "BianchiL",
            at=NOW - timedelta(minutes=5),
            status="started",
            plies=20,
            played=10,
        )
        fetcher = build("lichess")
        first = run(fetcher)
        sites.world.finish_game(game)

        assert first.games == []
        assert [g.ply_count for g in run(fetcher, cursor=first.cursor).games] == [20]


class TestOddRecords:
    """Records that other programs stumble over."""

    def test_a_game_without_moves_is_kept(self, sites: Emulator, build: Build) -> None:
        """NoStart is a game of no moves; it comes under one id, however often (sites trap 12)."""
        game = sites.world.add_game("lichess", "mrossi90", "BianchiL", status="noStart")
        fetcher = build("lichess")
        first = run(fetcher)
        second = run(fetcher, cursor=first.cursor)

        assert [(g.native_id, g.ply_count) for g in first.games + second.games] == [(game.id, 0)] * 2

    def test_engines_and_strangers(self, sites: Emulator, build: Build) -> None:
        """An opponent without an account has no `user`; the PGN names them (sites trap 10)."""
        sites.world.add_game("lichess", "mrossi90", Ai(3), time_control="-", at=NOW - timedelta(days=2))
        sites.world.add_game("lichess", Guest(), "mrossi90", at=NOW - timedelta(days=1))

        games = run(build("lichess")).games

        assert [(g.white.name, g.black.name) for g in games] == [
            ("mrossi90", "lichess AI level 3"),
            ("Anonymous", "mrossi90"),
        ]
        assert games[0].time_class is None

    def test_the_tags_are_those_of_the_sites_own_export(self, sites: Emulator, build: Build) -> None:
        """FIDE ids and all: the same game in a downloaded file must come out as the same."""
        sites.world.add_player("lichess", "mrossi90", title="FM", fide_id=1503014)
        game = sites.world.add_game("lichess", "mrossi90", "BianchiL", at=NOW - timedelta(days=1))

        (ours,) = run(build("lichess")).games

        assert ours.raw.decode().strip() == sites.lichess_export(game).strip()
        assert ours.white.fide_id == "1503014"
        assert ours.white.title == "FM"

    @pytest.mark.parametrize(
        "bad",
        [
            b"{not json}\n",
            b"[1,2]\n",
            b'{"id":"short"}\n',
            b'{"id":7,"createdAt":true}\n',
            b'"\\ud800"\n',
            b"[" * 5000 + b"\n",
        ],
    )
    def test_one_bad_line_costs_one_line(self, bad: bytes) -> None:
        """It goes to quarantine as it came; its neighbours are told."""
        good = [lines(record(n, BASE + n)).read() for n in range(2)]

        only = run(lichess(answering(ndjson(good[0] + bad + good[1]))))

        assert only.ids == ["game0000", "game0001"]
        assert [step.unreadable.raw for step in only.unread] == [bad.rstrip()]
        assert only.error is None

    def test_a_bad_game_costs_one_game(self) -> None:
        """Its raw PGN goes to quarantine with the game's id and address, and the cursor moves on."""
        bad = record(
            1, BASE + DAY, pgn='[White "mrossi90"]\n[Black "BianchiL"]\n[Result "1-0"]\n\n1. Ke8 1-0\n'
        )
        site = Lila([record(0, BASE), bad, record(2, BASE + 2 * DAY)])

        only = run(lichess(site))

        assert only.ids == ["game0000", "game0002"]
        assert [(u.native_id, u.url) for u in only.unread] == [("game0001", "https://lichess.org/game0001")]
        assert b"1. Ke8" in only.unread[0].unreadable.raw
        assert only.cursor == {"newest": BASE + 2 * DAY, "told": BASE + 2 * DAY}

    def test_keep_alive_lines_are_no_games(self) -> None:
        """`{}` and empty lines say only that the stream lives (sites trap 65)."""
        body = b"{}\n\n" + lines(record(0)).read() + b"{}\n\r\n"

        only = run(lichess(answering(ndjson(body))))

        assert (only.ids, only.unread, only.error) == (["game0000"], [], None)

    def test_a_last_line_without_its_end_counts_if_it_is_whole(self) -> None:
        """Some proxies drop the last line break."""
        body = lines(record(0)).read().rstrip()

        assert run(lichess(answering(ndjson(body)))).ids == ["game0000"]

    def test_an_error_in_the_stream_is_told(self) -> None:
        """With status 200 and in the middle of the games."""
        only = run(lichess(answering(lines(record(0), {"error": "database is away"}, record(1)))))

        assert only.ids == ["game0000"]
        assert isinstance(only.error, BadAnswer)
        assert "database is away" in str(only.error)

    def test_half_a_line_is_no_game(self) -> None:
        """What breaks off in the middle of a line, with status 200, is incomplete (sites trap 7)."""
        whole = lines(record(0, BASE), record(1, BASE + 1)).read()

        only = run(lichess(answering(ndjson(whole[:-40]))))

        assert only.ids == ["game0000"]
        assert isinstance(only.error, Incomplete)
        assert isinstance(only.steps[-1], Checkpoint)


def test_steps_come_as_the_stream_does(sites: Emulator, build: Build) -> None:
    """The first game is handed on long before the last one has come."""
    for _ in range(50):
        sites.world.add_game("lichess", "mrossi90", "BianchiL", plies=4)
    sites.pace(2)
    steps = build("lichess").games("mrossi90", {}, now=NOW)

    assert isinstance(next(steps), Game | LeftOut)
    assert [request.ended for request in sites.requests] == [None]
    steps.close()  # type: ignore[attr-defined]  # all fetchers are generators
