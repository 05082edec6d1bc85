"""/metrics: what it says, and that docs/metrics.md lists just this."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from core.players import Profile
from daemon.api.app import create_app
from daemon.archive.archive import Archive
from daemon.archive.schedule import accounts, gates
from daemon.counters import Measures
from daemon.events import News
from daemon.imports.folders import Folder, Folders
from daemon.imports.progress_events import ImportNews
from tests.daemon.seeding import NOW

DOCUMENT = Path(__file__).parents[3] / "docs" / "metrics.md"
BACKUP = 1_715_400_000.0


@pytest.fixture
def where(sqlite_path: Path) -> str:
    """Only on SQLite: only the size is asked of the database itself, see test_reading_status.py."""
    return str(sqlite_path)


@pytest.fixture
def measures() -> Measures:
    """What the daemon counts."""
    return Measures()


@pytest.fixture
def client(small_archive: Archive, measures: Measures) -> Iterator[TestClient]:
    """Asks an API whose daemon counts, and has made a backup."""
    app = create_app(
        small_archive,
        Profile(),
        version="1.2.3",
        measures=measures,
        last_backup=lambda: BACKUP,
        now_ms=lambda: NOW + 60_000,
    )
    with TestClient(app, base_url="http://127.0.0.1:8470") as opened:
        yield opened


def families(client: TestClient) -> dict[str, Metric]:
    """What /metrics says, by name."""
    text = client.get("/metrics").text
    return {family.name: family for family in text_string_to_metric_families(text)}


def samples(client: TestClient) -> dict[str, float]:
    """The same, each sample by its name and labels as they are written."""
    lines = [line for line in client.get("/metrics").text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def at_work(archive: Archive, measures: Measures, folder: Path) -> None:
    """Let everything happen that is counted: requests to a site, a round, a folder with and one without trouble."""
    with archive.writing() as connection:
        mario, giulia = accounts.all_accounts(connection)
        accounts.record_success(connection, mario.id, NOW, NOW + 1000)
        accounts.record_failure(connection, giulia.id, NOW, NOW + 1000, "an odd answer")
        gates.close_gate(connection, "lichess", "down", NOW + 90_000, "no network", NOW)
    for status in (200, 200, 304, None):
        measures.asked_site("lichess", status)
    News(heard=measures.heard).publish("sync", {"state": "ended", "outcome": "rate_limited"})
    news = News(heard=measures.heard)
    (folder / "pgn").mkdir()
    (folder / "pgn" / "club.pgn").write_text('[White "Rossi, Mario"]\n[Black "Verdi, Luca"]\n\n1. e4 1-0\n')
    (folder / "bad").mkdir()
    (folder / "bad" / "broken.zip").write_bytes(b"PK\x03\x04nonsense")
    looked = Folders(
        archive,
        [Folder(folder / "pgn")],
        settle=0,
        news=news,
        looked=lambda path, whole: measures.looked_through(path, whole=whole),
    )
    looked.take_in([folder / "pgn", folder / "bad", folder / "missing"], threading.Event())


def test_it_says_where_things_stand(
    client: TestClient, small_archive: Archive, measures: Measures, tmp_path: Path
) -> None:
    """The archive, the sites and accounts, rounds, folders, backups and the requests, each as a number."""
    at_work(small_archive, measures, tmp_path)
    for path in ("/api/v1/games/1", "/api/v1/games/2", "/api/v1/games/99", "/no/such/page"):
        client.get(path)
    assert client.get("/metrics").headers["content-type"].startswith("text/plain")
    values = samples(client)
    for name, value in {
        "gamekeeper_games": 6,
        "gamekeeper_quarantine": 1,
        'gamekeeper_accounts{site="lichess",state="down"}': 2,
        'gamekeeper_account_failures{account="lichess:gbianchi"}': 1,
        'gamekeeper_account_failures{account="lichess:mrossi90"}': 0,
        'gamekeeper_account_last_success_timestamp_seconds{account="lichess:mrossi90"}': NOW / 1000,
        'gamekeeper_site_up{site="lichess"}': 0,
        'gamekeeper_accounts_due{site="lichess"}': 2,
        'gamekeeper_site_requests_total{site="lichess",status="200"}': 2,
        'gamekeeper_site_requests_total{site="lichess",status="none"}': 1,
        'gamekeeper_rounds_total{kind="sync",outcome="rate_limited"}': 1,
        'gamekeeper_rounds_total{kind="import",outcome="done"}': 2,
        f'gamekeeper_folder_looks_total{{folder="{tmp_path}/pgn",outcome="done"}}': 1,
        f'gamekeeper_folder_looks_total{{folder="{tmp_path}/missing",outcome="failed"}}': 1,
        "gamekeeper_last_backup_timestamp_seconds": BACKUP,
        'gamekeeper_http_requests_total{method="GET",route="/api/v1/games/{game_id}",status="200"}': 2,
        'gamekeeper_http_requests_total{method="GET",route="/api/v1/games/{game_id}",status="404"}': 1,
        'gamekeeper_http_requests_total{method="GET",route="other",status="404"}': 1,
        'gamekeeper_http_request_duration_seconds_count{route="/api/v1/games/{game_id}"}': 3,
    }.items():
        assert values[name] == value, name
    assert any(name.startswith("gamekeeper_build_info{") and 'version="1.2.3"' in name for name in values)
    assert values["process_start_time_seconds"] > NOW / 1000
    assert values["gamekeeper_last_import_timestamp_seconds"] > NOW / 1000


def test_the_document_lists_what_there_is(
    client: TestClient, small_archive: Archive, measures: Measures, tmp_path: Path
) -> None:
    """docs/metrics.md and /metrics name the same metrics, of the same kinds, with the same labels."""
    at_work(small_archive, measures, tmp_path)
    client.get("/api/v1/games")
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", DOCUMENT.read_text(), re.MULTILINE)
    documented = {
        name.removesuffix("_total"): (kind, set(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels in rows
    }
    there = {
        name: (family.type, {label for one in family.samples for label in one.labels} - {"le"})
        for name, family in families(client).items()
    }
    assert documented == there


def test_counters_never_sink(
    client: TestClient, small_archive: Archive, measures: Measures, tmp_path: Path
) -> None:
    """What is called a total only grows, also when the history of rounds is cleaned up."""
    at_work(small_archive, measures, tmp_path)

    def totals() -> dict[str, float]:
        return {name: value for name, value in samples(client).items() if "_total" in name}

    before = totals()
    with small_archive.writing() as connection:
        connection.exec_driver_sql("DELETE FROM rounds")
        connection.exec_driver_sql("DELETE FROM quarantine")
    after = totals()
    assert not [name for name, value in before.items() if after[name] < value]


def test_no_archive_no_series(measures: Measures) -> None:
    """A name that never happened is not there: an alert on its age does not fire at 1970."""
    names = {family.name for family in measures.registry.collect() if family.samples}
    assert "gamekeeper_folder_last_look_timestamp_seconds" not in names


def test_an_import_that_was_heard(measures: Measures) -> None:
    """What only begins, or goes on, is not a round."""
    news = News(heard=measures.heard)
    ImportNews(news, "/pgn")
    news.publish("sync", {"state": "begun", "outcome": None})
    news.publish("games", {"ids": [1]})
    assert not [one for one in measures.registry.collect() if one.name == "gamekeeper_rounds" and one.samples]
