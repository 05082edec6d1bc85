"""The gates of sites, on both databases."""

from daemon.archive.archive import Archive, open_archive
from daemon.archive.schedule.gates import GateRow, close_gate, gate, open_gate

NOW = 1_700_000_000_000


def test_gate(archive: Archive) -> None:
    """A site's gate is open until it is closed; a wait that a site ordered is never cut by a shorter one."""
    with archive.reading() as connection:
        assert gate(connection, "lichess") == GateRow("lichess")
    with archive.writing() as connection:
        close_gate(connection, "lichess", "rate_limited", NOW + 60_000, "429", NOW)
        close_gate(connection, "lichess", "rate_limited", NOW + 1000, "429 again", NOW + 1)
        assert gate(connection, "lichess") == GateRow(
            "lichess", "rate_limited", NOW, NOW + 60_000, 2, "429 again"
        )
        close_gate(connection, "lichess", "down", NOW + 90_000, "503", NOW + 2)
        assert gate(connection, "lichess").since == NOW + 2
        assert gate(connection, "chesscom").state == "ok"
        open_gate(connection, "lichess", NOW + 3)
        open_gate(connection, "lichess", NOW + 4)
        assert gate(connection, "lichess") == GateRow("lichess", "ok", NOW + 3)
        open_gate(connection, "chesscom", NOW)
        assert gate(connection, "chesscom") == GateRow("chesscom")


def test_gate_survives(where: str) -> None:
    """A site's wait survives the program."""
    with open_archive(where) as archive, archive.writing() as connection:
        close_gate(connection, "lichess", "blocked", NOW, "403", NOW)
    with open_archive(where) as archive, archive.reading() as connection:
        assert gate(connection, "lichess").not_before == NOW
