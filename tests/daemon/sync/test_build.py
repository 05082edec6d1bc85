"""Fetchers and workers as a configuration wants them."""

from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from daemon import logs
from daemon.archive.archive import Archive
from daemon.config import Config, ConfigErrors
from daemon.sync.build import Downloads, build_fetcher
from tests.fetchers.site_emulator.emulator import Emulator

TOKEN = "lip_made-up-0123456789"


def configured(folder: Path, more: str, contact: str = "test@example.org") -> Config:
    file = folder / "gamekeeper.toml"
    me = '[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\naccounts = ["lichess:mrossi90"]\n'
    file.write_text(f'[daemon]\ndata_dir = "data"\ncontact = "{contact}"\n{me}{more}')
    return Config.load(file)


def test_a_fetcher_asks_as_configured(tmp_path: Path) -> None:
    """At the configured address, with the contact and the token; the token is hidden in all logs from then on."""
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "token").chmod(0o600)
    with Emulator() as sites:
        sites.world.add_player("lichess", "mrossi90")
        sites.world.tokens.add(TOKEN)
        more = f'[sites.lichess]\nbase_url = "{sites.lichess_url}"\ntoken_file = "token"\n'
        with closing(build_fetcher(configured(tmp_path, more), "lichess")) as fetcher:
            assert fetcher.profile("mrossi90").display == "mrossi90"
        [asked] = sites.requests
        assert sites.violations == []
    headers = {name.lower(): value for name, value in asked.headers.items()}
    assert "(+contact: test@example.org)" in headers["user-agent"]
    assert headers["authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in str(logs._without_secrets(f"it is {TOKEN}"))


def test_a_contact_that_is_nobodys(archive: Archive, tmp_path: Path) -> None:
    """With the example's contact no fetcher is built, and there are no workers; the log says why."""
    config = configured(tmp_path, "", contact="you@example.org")
    with pytest.raises(ConfigErrors, match="no site is asked"):
        build_fetcher(config, "lichess")
    with capture_logs() as logged:
        downloads = Downloads.start(archive, config)
    downloads.close()
    assert downloads.workers == {}
    assert ["no site is asked" in one["event"] for one in logged] == [True]


def test_one_worker_for_each_site_with_accounts(archive: Archive, tmp_path: Path) -> None:
    """A site without accounts has none."""
    (tmp_path / "data").mkdir()
    downloads = Downloads.start(archive, configured(tmp_path, ""))
    downloads.close()
    assert list(downloads.workers) == ["lichess"]
