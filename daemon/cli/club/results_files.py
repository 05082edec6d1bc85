"""Reads results files from disk, and recognises their kind."""

import sys
from pathlib import Path
from typing import Final, Literal

import click

from daemon.imports import held_files

MOST: Final = 256 * 1024 * 1024
"""A larger file is not a results file; a file is read into memory as a whole."""

ResultsFileKind = Literal["trf", "published", "turnering"]


def read_file(path: Path) -> bytes:
    """The bytes of a file; of standard input for "-".

    Raises:
        click.ClickException: it is too large.
        OSError: it cannot be read.
    """
    if str(path) == "-":
        data = sys.stdin.buffer.read(MOST + 1)
    else:
        with held_files.open_file(path) as stream:
            data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise click.ClickException(
            f"{path} is larger than {MOST // 1024 // 1024} MB, so it is not a results file"
        )
    return data


def kind_of(data: bytes) -> ResultsFileKind:
    """The kind of results file it looks like; turnering.txt if it looks like none."""
    from core.club import fesa_table, trf_reader

    if trf_reader.is_trf(data):
        return "trf"
    return "published" if fesa_table.is_published(data) else "turnering"
