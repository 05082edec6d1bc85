"""Tells systemd the state of the service over ``$NOTIFY_SOCKET`` (sd_notify(3)), if there is one."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LONGEST: Final = 4096
_MORE_SECONDS: Final = 60.0


def ready(status: str = "") -> None:
    """The service is up (also after a reload)."""
    notify("READY=1", _status(status))


def reloading() -> None:
    """A reload has begun; `ready` ends it."""
    notify("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")


def stopping() -> None:
    """The service is stopping by itself."""
    notify("STOPPING=1")


def alive() -> None:
    """Feed the watchdog."""
    notify("WATCHDOG=1")


def status(text: str) -> None:
    """One line for `systemctl status`."""
    notify(_status(text))


@contextmanager
def more_time(text: str) -> Iterator[None]:
    """Ask for more time to start, again and again, as long as the block takes; *text* says what for."""
    done = threading.Event()

    def ask() -> None:
        while True:
            notify(f"EXTEND_TIMEOUT_USEC={int(_MORE_SECONDS * 1e6)}", _status(text))
            if done.wait(_MORE_SECONDS / 2):
                return

    thread = threading.Thread(target=ask, name="start", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def notify(*assignments: str) -> bool:
    """Send *assignments* (``READY=1``) in one message; False if nobody listens.

    A manager that does not take the message does not stop us from serving games.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in {"/", "@"}:
        return False
    message = "\n".join(filter(None, assignments)).encode()[:_LONGEST]
    # "@" is written for the NUL that begins an abstract name.
    target = "\0" + address[1:] if address[0] == "@" else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.sendto(message, target)
    except OSError:
        return False
    return True


def _status(text: str) -> str:
    return f"STATUS={' '.join(text.split())}" if text else ""
