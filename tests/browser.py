"""A real browser, which prints pages as a reader's does: Debian's Chromium or another of its family."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WANTED: Final = "REQUIRE_BROWSER"
"""The environment variable that makes the absence of a browser a failure: CI sets it."""
_QUIET: Final = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-pdf-tagging",  # for screen readers only, and slow to read
)
"""It asks nobody anything but for the page."""


def find() -> str:
    """The browser; the test is skipped where there is none, and fails where one has to be."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        why = f"there is none of {', '.join(NAMES)}: `make browser` installs one"
        if os.environ.get(WANTED) or os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return found


def print_page(page: bytes, folder: Path) -> Path:
    """The page as a PDF, printed in *folder* as from the browser's menu, without its own heads and feet."""
    browser = find()
    source, target = folder / "page.html", folder / "page.pdf"
    source.write_bytes(page)
    # As root there is no sandbox; the page is ours.
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    command = [
        *(browser, *_QUIET, *root, f"--user-data-dir={folder / 'profile'}"),
        *("--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert target.exists(), done.stderr
    return target
