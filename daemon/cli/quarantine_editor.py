"""Lets the user edit a game of the quarantine in their editor."""

import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from core.pgn.text_positions import spot
from daemon.archive.archive import Archive
from daemon.archive.games.quarantine import QuarantineEntry
from daemon.archive.take_in import Outcome
from daemon.imports.retry import StillUnreadableError, mend

_NOTE: Final = b"% gamekeeper: "
"""How our own lines at the top begin; PGN readers skip lines that begin with ``%``."""


def edit_until_read(archive: Archive, found: QuarantineEntry) -> Sequence[Outcome]:
    """Let the user edit the game until it can be imported.

    Raises:
        click.ClickException: the user gave up or changed nothing, or there is no terminal: it stays in quarantine.
    """
    text, reason, position = found.item.raw, found.item.reason, found.item.position
    _require_editor()
    while True:
        edited = click.edit(_with_notes(text, reason, position), extension=".pgn")
        if edited is None:
            raise click.ClickException("nothing was changed; the game stays in quarantine")
        text = _without_notes(edited)
        try:
            return mend(archive, found, text)
        except StillUnreadableError as error:
            reason, position = str(error), error.position
        click.echo(f"it cannot be read: {_shown_problem(text, reason, position)}", err=True)
        if not sys.stdin.isatty() or not click.confirm("Edit it again?", default=True, err=True):
            raise click.ClickException("nothing was taken in; the game stays in quarantine as it came")


def _require_editor() -> None:
    """Check that there is an editor: one that the user named may need no terminal.

    The system's would wait for keys.
    """
    if not sys.stdin.isatty() and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise click.ClickException(
            "there is no terminal for an editor; run it on one, or name a program in EDITOR"
        )


def _with_notes(text: bytes, reason: str, position: int | None) -> bytes:
    sentence = " ".join(_shown_problem(text, reason, position, below=2).split())
    notes = (
        f"it cannot be read: {sentence}",
        "correct it and save; lines that begin like these two are left out",
    )
    return b"".join(_NOTE + note.encode() + b"\n" for note in notes) + text


def _without_notes(text: bytes) -> bytes:
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(_NOTE))


def _shown_problem(text: bytes, reason: str, position: int | None, below: int = 0) -> str:
    """The reason and its position; *below*: how many lines are above the text."""
    if position is None:
        return reason
    place = spot(text, position)
    return f"line {place.line + below}, column {place.column}: {reason}"
