"""Reads what a packer answers, as the archive does."""

import struct
from collections.abc import Iterator
from typing import Any

from daemon.archive.games.packed_games import NOWHERE, REFERENCES, PackedRun, named

COLUMNS = (
    *(
        "key",
        "digest",
        "white_id",
        "white_name",
        "white_title",
        "white_team_id",
        "black_id",
        "black_name",
        "black_title",
    ),
    *(
        "black_team_id",
        "white_rating",
        "black_rating",
        "date",
        "result",
        "variant",
        "start",
        "start_fen",
        "moves",
    ),
    *(
        "ply_count",
        "event_id",
        "site_id",
        "site_tail",
        "round",
        "eco",
        "opening_id",
        "time_control",
        "time_class",
    ),
    *("termination", "annotator", "started_at", "online", "derived_eco", "derived_opening_id"),
    *("site", "native_id", "url", "pgn", "has_comments", "encoding"),
)
"""The columns of a record: those of a game, the key first and then the digest of its telling, and those of the telling."""


class Reading:
    """Reads what a packer answers, as the archive does: definitions first, ids are places."""

    def __init__(self) -> None:
        self.players: list[Any] = []
        self.texts: list[Any] = []

    def define(self, run: PackedRun) -> None:
        if run.again:
            self.players, self.texts = [], []
        self.players += map(named, run.players)
        self.texts += run.texts

    def rows(self, run: PackedRun) -> Iterator[dict[str, Any]]:
        """The records as columns by name, with players and texts in place of their ids."""
        at = 0
        while at < len(run.records):
            (length,) = struct.unpack_from("<I", run.records, at)
            values = list(self._values(run.records[at + 4 : at + 4 + length]))
            yield dict(zip(COLUMNS, values, strict=True))
            at += 4 + length

    def _values(self, record: bytes) -> Iterator[Any]:
        at = 0
        while at < len(record):
            kind = record[at : at + 1]
            if kind == b"N":
                at += 1
                yield None
            elif kind == b"i":
                yield struct.unpack_from("<q", record, at + 1)[0]
                at += 9
            elif kind == b"r":
                which, place = struct.unpack_from("<BI", record, at + 1)
                yield (self.players, self.texts)[which][place]
                at += 6
            else:
                (length,) = struct.unpack_from("<I", record, at + 1)
                value = record[at + 5 : at + 5 + length]
                assert kind in {b"t", b"b"}
                yield value.decode() if kind == b"t" else value
                at += 5 + length

    def references(self, run: PackedRun) -> Iterator[list[Any]]:
        for places in struct.iter_unpack(f"<{REFERENCES}I", run.references):
            white, black, *texts = places
            yield [
                self.players[white],
                self.players[black],
                *(None if n == NOWHERE else self.texts[n] for n in texts),
            ]
