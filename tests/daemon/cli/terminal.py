"""Commands on a terminal of so many columns: a real pseudo-terminal, in this process."""

import contextlib
import io
import os
import re
import threading
import tty
from collections.abc import Callable

import click
import pytest

from daemon.cli import main

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    """The text without colours."""
    return _ESCAPES.sub("", text)


class Terminal:
    """Runs what prints on a terminal, and keeps what was printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, columns: int = 80, *, colours: bool = False) -> None:
        self._patch = monkeypatch
        monkeypatch.setenv("TERM", "xterm-256color")
        if colours:
            monkeypatch.delenv("NO_COLOR", raising=False)
        else:
            monkeypatch.setenv("NO_COLOR", "1")
        self.resize(columns)
        self.errors = ""
        self.code: int | str | None = 0

    def resize(self, columns: int) -> None:
        """Make it so wide."""
        self.columns = columns
        self._patch.setenv("COLUMNS", str(columns))

    def run(self, *arguments: str) -> str:
        """What a command prints on standard output; `errors` and `code` have the rest."""
        errors = io.StringIO()

        def command() -> None:
            try:
                main(list(arguments), standalone_mode=False)
                self.code = 0
            except click.exceptions.Exit as ended:
                self.code = ended.exit_code

        with contextlib.redirect_stderr(errors):
            printed = self.shows(command)
        self.errors = errors.getvalue()
        return printed

    def shows(self, prints: Callable[[], object]) -> str:
        """What *prints* prints."""
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        pieces: list[bytes] = []
        reader = threading.Thread(target=_read, args=(ours, pieces))
        reader.start()
        try:
            with os.fdopen(theirs, "w", encoding="utf-8") as screen, contextlib.redirect_stdout(screen):
                prints()
        finally:
            reader.join()
            os.close(ours)
        return b"".join(pieces).decode()


def _read(terminal: int, pieces: list[bytes]) -> None:
    # The end of a pseudo-terminal is an error on Linux.
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 1 << 16):
            pieces.append(piece)
