"""Where there is no browser."""

import pytest

from tests import browser


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(browser.WANTED, raising=False)


def test_without_a_browser_a_test_is_skipped() -> None:
    """It says how to get one."""
    with pytest.raises(pytest.skip.Exception, match="`make browser` installs one"):
        browser.find()


@pytest.mark.parametrize(("name", "value"), [(browser.WANTED, "1"), ("CI", "true")])
def test_where_a_browser_has_to_be_its_absence_fails(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """In CI nothing is skipped in silence."""
    monkeypatch.setenv(name, value)
    with pytest.raises(pytest.fail.Exception, match="there is none of chromium"):
        browser.find()
