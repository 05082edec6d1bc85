"""Sites on loopback, and fetchers that ask them without long waits."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from fetchers import registry
from fetchers.base import Fetcher
from fetchers.http.deadlines import Patience
from fetchers.http.responses import AnswerLimits
from tests.fetchers.cases import CASES, Case
from tests.fetchers.site_emulator.emulator import Emulator

TOKEN = "lip_abcdefghijklmnop"
QUICK = AnswerLimits(
    answer=Patience(silence_s=5, total_s=20),
    stream=Patience(silence_s=5, total_s=60),
    item_bytes=1 << 20,
    answer_bytes=8 << 20,
    stream_bytes=64 << 20,
    retry_wait_s=0,
)
"""As in daily use, but bounded so that a fault shows within a test."""

Build = Callable[..., Fetcher]


@pytest.fixture(name="sites")
def _sites() -> Iterator[Emulator]:
    with Emulator() as sites:
        yield sites


@pytest.fixture(name="build")
def _build(sites: Emulator) -> Iterator[Build]:
    """Fetchers for the emulated sites, closed at the end."""
    urls = {"lichess": sites.lichess_url, "chesscom": sites.chesscom_url}
    with ExitStack() as stack:

        def build(site: str, limits: AnswerLimits = QUICK, **more: Any) -> Fetcher:
            fetcher = registry.build(
                site,
                base_url=urls[site],
                contact="rossi@example.org",
                version="0.1",
                limits=limits,
                **more,  # as registry.build takes them
            )
            stack.callback(fetcher.close)
            return fetcher

        yield build


@pytest.fixture(name="case", params=CASES, ids=lambda case: case.site)
def _case(request: pytest.FixtureRequest) -> Case:
    """Each site in turn."""
    return request.param
