"""The accounts of a site, one after another: who is asked, and what becomes of those that are not."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from daemon.archive.archive import Archive
from daemon.sync.pacing import RoundEnd
from daemon.sync.sync_round import Rounds
from daemon.sync.turns import UNTOUCHED, Turn, Turns
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator

NAMES = ("bianchil", "mrossi90", "verdi_g")


@pytest.fixture(name="bench")
def _bench(archive: Archive) -> Iterator[Bench]:
    with Emulator() as sites:
        for name in NAMES:
            sites.world.add_player(CHESSCOM, name)
        yield Bench(archive, sites)


def turns(bench: Bench, site: str, *keys: str, most: int | None = None) -> tuple[list[Turn], list[str]]:
    """The turns of these accounts, stopped after *most* of them; and whose rounds were begun."""
    begun: list[str] = []
    found: list[Turn] = []
    chosen = [bench.account(key) for key in keys]
    with closing(bench.fetcher(site)) as fetcher:
        clock = lambda: bench.now  # noqa: E731 - the bench's clock can be set
        rounds = Rounds(bench.archive, fetcher, stop=bench.stop, clock=clock)
        each = Turns(
            archive=bench.archive,
            fetcher=fetcher,
            rounds=rounds,
            begun=begun.append,
            stop=bench.stop,
            clock=clock,
        )
        for turn in each.of(chosen):
            found.append(turn)
            if len(found) == most:
                bench.stop.set()
    return found, begun


def test_each_has_its_turn(bench: Bench) -> None:
    """Every account is asked, in the order in which they were given."""
    keys = [f"chesscom:{name}" for name in NAMES]
    found, begun = turns(bench, CHESSCOM, *keys)
    assert begun == keys
    assert [(turn.report.account, turn.report.outcome, turn.asked) for turn in found] == [
        (key, RoundEnd.DONE, True) for key in keys
    ]


def test_nobody_is_asked_after_a_refusal(bench: Bench) -> None:
    """The others have the refusal's outcome and its wait."""
    bench.sites.fault(CHESSCOM, kind="rate_limit", retry_after="300")
    found, begun = turns(bench, CHESSCOM, *(f"chesscom:{name}" for name in NAMES))
    assert begun == ["chesscom:bianchil"]
    assert [(turn.report.outcome, turn.asked) for turn in found] == [
        (RoundEnd.RATE_LIMITED, True),
        (RoundEnd.RATE_LIMITED, False),
        (RoundEnd.RATE_LIMITED, False),
    ]
    assert len({turn.report.due_at for turn in found[1:]}) == 1
    assert len(bench.sites.requests) == 1


def test_nobody_is_asked_after_a_stop(bench: Bench) -> None:
    """Their reports say so."""
    found, begun = turns(bench, CHESSCOM, *(f"chesscom:{name}" for name in NAMES), most=1)
    assert begun == ["chesscom:bianchil"]
    assert [turn.report.error for turn in found] == [None, UNTOUCHED, UNTOUCHED]
    assert [turn.report.outcome for turn in found[1:]] == [RoundEnd.STOPPED] * 2


def test_a_kind_of_events_that_is_limited_apart(bench: Bench) -> None:
    """A 429 for a broadcast keeps other broadcasts waiting, and nothing else of the site."""
    first, second = (bench.sites.world.events.add_broadcast(f"Open {n}") for n in (1, 2))
    bench.sites.world.add_player(LICHESS, "mrossi90")
    bench.sites.fault(LICHESS, "/api/broadcast", kind="rate_limit", retry_after="300")
    keys = (f"lichess:broadcast/{first.id}", f"lichess:broadcast/{second.id}", "lichess:mrossi90")
    found, begun = turns(bench, LICHESS, *keys)
    assert begun == [keys[0], keys[2]]
    assert [turn.report.outcome for turn in found] == [
        RoundEnd.RATE_LIMITED,
        RoundEnd.RATE_LIMITED,
        RoundEnd.DONE,
    ]
    assert "(broadcasts) has asked us to wait" in (found[1].report.error or "")
    assert not any(turn.report.closes_site for turn in found)
