"""docs/pacing.md tells what the code does."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.archive.schedule import gates
from daemon.service import ticker
from daemon.sync import glance, pacing, result, sync_round, worker
from daemon.sync.pacing import OF_THE_SITE, RoundEnd, plan
from fetchers.chesscom import progress as chesscom_progress
from fetchers.http.error_responses import asked_wait
from fetchers.lichess import holes
from fetchers.lichess import progress as lichess_progress

TEXT = (Path(__file__).parents[2] / "docs/pacing.md").read_text()
UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
EVERY = 1800.0


def _rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS[unit]


def _wait(outcome: RoundEnd, failures: int, retry_after: float | None = None) -> float:
    made = plan(
        outcome, now=0, every=EVERY, failures=failures, retry_after=retry_after, key="lichess:mrossi90"
    )
    return made.due_at


def test_every_case_of_the_table_is_as_the_code_has_it() -> None:
    """Each outcome has a row, with the waits after one, two, three and very many failures, and who waits."""
    cases = {row[1].strip("`"): row[2:] for row in _rows("Cases")}

    assert set(cases) == set(RoundEnd)
    for name, (who, *waits) in cases.items():
        outcome = RoundEnd(name)
        assert (who == "the site") is (outcome in OF_THE_SITE)
        for failures, wait in zip((1, 2, 3, 1000), waits, strict=True):
            if outcome is RoundEnd.DONE:
                assert wait == "its interval"
                assert EVERY <= _wait(outcome, failures) <= EVERY * (1 + pacing.SPREAD)
            else:
                assert _wait(outcome, failures) == _seconds(wait), (name, failures)


@pytest.mark.parametrize("row", _rows("What the site says counts"))
def test_retry_after_is_kept_to_as_told(row: list[str]) -> None:
    """Seconds, dates, nonsense and ten years."""
    header = row[0].split("`")[1]
    wait = asked_wait({"retry-after": header}, b"", now=NOW)

    assert _wait(RoundEnd.RATE_LIMITED, 1, wait) == _seconds(row[1])
    assert _wait(RoundEnd.DOWN, 1, wait) == _seconds(row[2])


def test_the_other_numbers_are_those_of_the_code() -> None:
    """In the order of the table."""
    in_code = [
        ticker.EVERY,
        lichess_progress.OVERLAP_MS / 1000,
        sync_round.LOOK_EVERY,
        glance.ASK_ANYWAY_AFTER,
        chesscom_progress.LAG / timedelta(seconds=1),
        chesscom_progress.RECHECK_AFTER / timedelta(seconds=1),
        worker.PAUSE_AFTER_ARCHIVE_ERROR,
    ]
    assert [_seconds(row[0]) for row in _rows("Other numbers")] == in_code


@pytest.mark.parametrize(
    ("pattern", "in_code"),
    [
        (r"only after (three) looks", lambda: {3: "three"}[result.LOOKS_BEFORE_NOT_FOUND]),
        (r"\((three) of them a round", lambda: {3: "three"}[chesscom_progress.MOST_RECHECKS]),
        (r"stays below ([\d,]+),", lambda: f"{pacing.GLANCES_A_DAY:,}"),
        (r"every (\d+) s at most", lambda: str(pacing.least_interval(300))),
        (r"3000 accounts every (\d+) s", lambda: str(pacing.least_interval(3000))),
        (r"Fewer games are believed after (ten) whole", lambda: {10: "ten"}[result.DOUBTS_UNTIL_BELIEVED]),
        (r"Fewer games are believed after (ten) whole", lambda: {10: "ten"}[chesscom_progress.MOST_SHORT]),
        (r"or a (tenth) fewer than the site counts", lambda: {0.9: "tenth"}[result.LEAST_SHARE]),
        (r"count stays for (two) hours", lambda: {2: "two"}[gates.LIMIT_REMEMBERED_MS // 3_600_000]),
        (r"the first reading it is (1 d)", lambda: f"{chesscom_progress.RECHECK_FIRST_AFTER.days} d"),
        (r"months is asked for once a (day);", lambda: {1: "day"}[chesscom_progress.LIST_EVERY.days]),
        (r"with about (\d+) requests a round", lambda: str(holes.MOST_PROBES)),
        (r"up to a (tenth) more", lambda: {0.1: "tenth"}[pacing.SPREAD]),
    ],
)
def test_numbers_in_sentences(pattern: str, in_code: Callable[[], str]) -> None:
    """Those, too, are the code's."""
    found = re.search(pattern, " ".join(TEXT.split()))
    assert found is not None
    assert found[1] == in_code()
