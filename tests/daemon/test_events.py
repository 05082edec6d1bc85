"""What happens in a daemon is kept for a while, and heard by all who listen."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from daemon.archive.archive import Archive
from daemon.archive.games.counts import Counts
from daemon.client import Client
from daemon.events import News
from daemon.imports.folders import Folder, Folders
from daemon.imports.progress_events import ImportNews
from daemon.imports.run import ImportProgress, Summary
from daemon.sync.batch import Progress
from daemon.sync.pacing import RoundEnd
from daemon.sync.progress_events import SyncNews
from daemon.sync.site_lock import site_lock
from daemon.sync.sync_round import Report
from daemon.sync.worker import SiteWorker
from tests.daemon.installation import Installation
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import Emulator

GAME = '[White "Neri, Anna"]\n[Black "Rossi, Mario"]\n\n1. e4 e5 1-0\n'


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Lichess with two players and three games."""
    with Emulator(seed=3) as sites:
        for handle in ("mrossi90", "BianchiL"):
            sites.world.add_player("lichess", handle)
        for day in range(3):
            sites.world.add_game(
                "lichess", "mrossi90", "BianchiL", at=datetime(2026, 10, 5 + day, tzinfo=UTC)
            )
        yield sites


def test_events_are_numbered_and_kept_for_a_while() -> None:
    """A listener who comes late gets what is after their number, as far as it is kept."""
    news = News(kept=3, run=7)
    for number in range(5):
        news.publish("sync", {"n": number})
    assert (news.last, [event.number for event in news.after(0)]) == (5, [3, 4, 5])
    assert [event.data for event in news.after(4)] == [{"n": 4}]
    assert news.after(5) == []


def _publish_often(news: News) -> None:
    for _ in range(250):
        news.publish("sync", {})


def test_many_threads_publish() -> None:
    """Each event has its own number, whatever publishes it, and each wakes those who listen."""
    news = News(kept=10_000)
    woken: list[int] = []
    with news.woken(lambda: woken.append(1)):
        threads = [threading.Thread(target=_publish_often, args=[news]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [event.number for event in news.after(0)] == list(range(1, 2001))
    assert len(woken) == 2000


def test_who_has_gone_is_not_woken() -> None:
    """After the end of listening nothing is called any more; the end of the daemon wakes the others."""
    news = News()
    woken: list[str] = []
    with news.woken(lambda: woken.append("stays")):
        with news.woken(lambda: woken.append("goes")):
            pass
        news.close()
    assert (woken, news.closed) == (["stays"], True)


def test_what_is_told_of_a_round() -> None:
    """A round begins, runs and ends, each time with all its fields."""
    news = News()
    announcer = SyncNews(news)
    announcer.begun("lichess:mrossi90")
    announcer.running(Progress("lichess:mrossi90", 250, Counts(read=250, new=240, unchanged=10), 400))
    announcer.ended(
        Report("lichess:mrossi90", RoundEnd.DONE, Counts(read=400, new=390), None, 1_780_000_000.5)
    )
    begun, running, ended = (event.data for event in news.after(0))
    assert {event.kind for event in news.after(0)} == {"sync"}
    assert begun.keys() == running.keys() == ended.keys()
    assert (begun["state"], begun["seen"], begun["outcome"]) == ("begun", 0, None)
    assert (running["seen"], running["expected"], running["counts"]["new"]) == (250, 400, 240)
    assert (ended["outcome"], ended["seen"], ended["next_due"]) == ("done", 400, "2026-05-28T20:26:40Z")


def test_what_is_told_of_an_import() -> None:
    """An import tells how far it is once in a second at most, and its end only if there was anything."""
    news = News()
    now = [100.0]
    announcer = ImportNews(news, "/pgn", clock=lambda: now[0])
    for step in (0.0, 0.4, 0.4, 0.4):
        now[0] += step
        announcer.running(ImportProgress("a.pgn", int(now[0]), 1000, 5))
    assert [event.data["bytes"] for event in news.after(0)] == [100, 101]
    announcer.ended(Summary())
    assert news.last == 2
    announcer.ended(Summary(read=5, new=5))
    last = news.after(2)[0].data
    assert (last["state"], last["games"], last["counts"]["new"]) == ("ended", 5, 5)


def test_a_worker_tells_of_its_rounds(archive: Archive, sites: Emulator, tmp_path: Path) -> None:
    """Each round of a site's worker is told from its beginning to its end."""
    bench = Bench(archive, sites)
    bench.account("lichess:mrossi90")
    fetcher = bench.fetcher("lichess")
    news = News()
    worker = SiteWorker(
        "lichess",
        archive,
        fetcher,
        lock=lambda: site_lock(tmp_path, "lichess"),
        stop=Event(),
        clock=lambda: bench.now,
        news=news,
    )
    worker.poke()
    worker._threads.shutdown(wait=True)
    fetcher.close()
    states = [event.data["state"] for event in news.after(0)]
    assert (states[0], states[-1], set(states[1:-1])) == ("begun", "ended", {"running"})
    last = news.after(0)[-1].data
    assert (last["account"], last["outcome"], last["counts"]["new"]) == ("lichess:mrossi90", "done", 3)


def test_a_folder_tells_what_is_taken_in(archive: Archive, tmp_path: Path) -> None:
    """A watched folder tells of its import; looks that find nothing new tell nothing."""
    (tmp_path / "club.pgn").write_text(GAME)
    news = News()
    folders = Folders(archive, [Folder(tmp_path)], settle=0, news=news)
    folders.take_in([tmp_path], Event())
    folders.take_in([tmp_path], Event())
    ends = [event.data for event in news.after(0) if event.data["state"] == "ended"]
    assert [(end["source"], end["games"], end["counts"]["new"]) for end in ends] == [(str(tmp_path), 1, 1)]


def test_a_running_daemon_is_heard(tmp_path: Path, sites: Emulator) -> None:
    """Over the API of a real daemon: its rounds, its folder, the games of another process; then a clean end."""
    place = Installation(tmp_path, sites)
    place.configure(mine=["lichess:mrossi90"])
    heard: list[tuple[str, Any]] = []

    def listen() -> None:
        with Client(f"http://127.0.0.1:{place.port}", seconds=60) as client:
            heard.extend((event.kind, event.data) for event in client.events("0-0-0"))

    with place.daemon():
        listener = threading.Thread(target=listen)
        listener.start()
        place.pgn.mkdir(exist_ok=True)  # the daemon may not have come to it yet
        (place.pgn / "club.pgn").write_text(GAME)
        (tmp_path / "other.pgn").write_text(GAME.replace("Neri", "Verdi"))
        assert place.run("import", str(tmp_path / "other.pgn")).returncode == 0
        place.until(lambda: place.get("status")["archive"]["games"] == 5)
        place.until(lambda: sum(len(data["ids"]) for kind, data in list(heard) if kind == "games") == 5)
        place.until(lambda: ("import", "ended") in {(kind, data.get("state")) for kind, data in list(heard)})
    listener.join(60)
    assert not listener.is_alive()
    announcer = {(kind, data.get("account") or data.get("source"), data.get("state")) for kind, data in heard}
    assert ("sync", "lichess:mrossi90", "ended") in announcer
    assert ("import", str(place.pgn), "ended") in announcer
    assert sorted(one for kind, data in heard if kind == "games" for one in data["ids"]) == [1, 2, 3, 4, 5]
