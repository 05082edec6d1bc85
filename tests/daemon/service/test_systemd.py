"""What the service tells systemd."""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.service import systemd


@pytest.fixture(params=["path", "abstract"])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """A socket that listens as systemd does."""
    name = str(tmp_path / "notify") if request.param == "path" else f"\0gamekeeper-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name)
        listening.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", name.replace("\0", "@"))
        yield listening


def test_every_state_has_its_message(manager: socket.socket) -> None:
    """Ready with a status, reloading with the time, the watchdog, stopping."""
    systemd.ready("serving\n at 127.0.0.1:8470")
    assert manager.recv(4096) == b"READY=1\nSTATUS=serving at 127.0.0.1:8470"
    before = time.monotonic_ns() // 1000
    systemd.reloading()
    state, moment = manager.recv(4096).split(b"\n")
    assert state == b"RELOADING=1"
    assert before <= int(moment.removeprefix(b"MONOTONIC_USEC=")) <= time.monotonic_ns() // 1000
    systemd.alive()
    assert manager.recv(4096) == b"WATCHDOG=1"
    systemd.status("two accounts due")
    assert manager.recv(4096) == b"STATUS=two accounts due"
    systemd.stopping()
    assert manager.recv(4096) == b"STOPPING=1"


def test_more_time_is_asked_for(manager: socket.socket) -> None:
    """As long as something takes its time before the service is ready, and at once."""
    with systemd.more_time("checking the archive"):
        assert manager.recv(4096) == b"EXTEND_TIMEOUT_USEC=60000000\nSTATUS=checking the archive"


@pytest.mark.parametrize("address", ["", "nonsense", "/nowhere/at/all"])
def test_without_a_manager_nothing_happens(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """The service runs in a terminal just as well."""
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    assert systemd.notify("READY=1") is False
