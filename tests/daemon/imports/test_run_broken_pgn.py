"""What went wrong with broken PGN in other tools, from a file to what the API says."""

from pathlib import Path

import pytest

from core.players import Profile
from daemon.archive.archive import Archive
from daemon.archive.reading import shapes
from daemon.archive.reading.games import find_games, pgn
from daemon.archive.reading.quarantine import list_quarantined, raw
from daemon.archive.reading.search.filters import GameFilters
from daemon.imports.run import import_paths

GOOD = (
    '[Event "Next"]\n[Date "2024.05.12"]\n[White "Neri, Anna"]\n[Black "Verdi, Luca"]\n'
    '[WhiteFideId "900001"]\n[Result "0-1"]\n\n1. d4 d5 2. c4 e6 0-1\n\n'
)
HEADER = '[Event "Bad"]\n[Date "2024.05.11"]\n[White "Rossi, Mario"]\n[Black "Gallo, P"]\n[Result "1-0"]\n'


def _import(
    archive: Archive, folder: Path, content: bytes
) -> tuple[list[shapes.Game], list[tuple[str, bytes]]]:
    """The games that came of a file, and what of it is in quarantine: the reason, and the bytes as they came."""
    (folder / "file.pgn").write_bytes(content)
    import_paths(archive, [folder / "file.pgn"])
    with archive.reading() as connection:
        games = find_games(connection, GameFilters(), Profile(), limit=10)["items"]
        kept = [
            (one["reason"], raw(connection, one["id"]) or b"")
            for one in list_quarantined(connection, limit=10)["items"]
        ]
    return games, kept


@pytest.mark.parametrize(
    "bad",
    [
        f"{HEADER}\n1. e4 e5 2. Qzz9 Nc6 1-0\n\n",  # python-chess#773: a bad token
        f"{HEADER}\n1. e4 e5 2. Bb4 Nc6 1-0\n\n",  # an illegal move
        f"{HEADER}\n1. e4 e5 {{ a comment that nobody closes\n\n",  # it would swallow the next game
        f"{HEADER}\n1. e4 (1. d4 d5 2. c4 1-0\n\n",  # python-chess#1087
        f'{HEADER}[Variant "Bughouse"]\n\n1. e4 e5 1-0\n\n',
        f'{HEADER}[FEN "?!"]\n\n1. e4 e5 1-0\n\n',
        "1. ?! d5 )2 e4 1-0\n\n",  # an IndexError in the parser
    ],
)
def test_a_bad_game_costs_itself_alone(archive: Archive, tmp_path: Path, bad: str) -> None:
    """The good games around it are whole, with ids and results; it is in quarantine as it came."""
    before = GOOD.replace("Next", "First").replace("2024.05.12", "2024.05.10")

    games, kept = _import(archive, tmp_path, (before + bad + GOOD).encode())

    stored = [(one["event"], one["white"]["fide_id"], one["result"], one["ply_count"]) for one in games]
    assert stored == [("Next", "900001", "0-1", 4), ("First", "900001", "0-1", 4)]
    assert [content.strip() for _, content in kept] == [bad.encode().strip()]
    assert all(reason for reason, _ in kept)


def test_blank_lines_between_header_and_moves(archive: Archive, tmp_path: Path) -> None:
    """Two of them do not make two half games of one, or spoil the next."""
    games, kept = _import(archive, tmp_path, f"{HEADER}\n\n\n1. e4 e5\n\n\n2. Nf3 1-0\n\n\n{GOOD}".encode())

    assert ([(one["event"], one["ply_count"]) for one in games], kept) == ([("Next", 4), ("Bad", 3)], [])


@pytest.mark.parametrize(
    ("written", "encoding", "name"),
    [
        ("Helbich, Ján", "latin-1", "Helbich, Ján"),  # python-chess#704
        ("Helbich, Ján", "utf-8", "Helbich, Ján"),
        ("Helbich, Ján", "utf-8-sig", "Helbich, Ján"),
        ("Žák, Šárka", "cp1252", None),  # Š and Ž are in cp1252, in none of the ISO tables that others try
        ("Rossi, Mario 1. e4 e5", "utf-8", "Rossi, Mario 1. e4 e5"),  # python-chess#1077: moves in a name
        ("Rossi, Mario (ITA)", "utf-8", "Rossi, Mario (ITA)"),  # python-chess#353: brackets in a tag
        (r"O\"Neil, Pat", "utf-8", 'O"Neil, Pat'),
    ],
)
def test_names_come_in_right(
    archive: Archive, tmp_path: Path, written: str, encoding: str, name: str | None
) -> None:
    """Whatever the encoding, and whatever a name holds: it is right, and the file's bytes are kept."""
    content = GOOD.replace("Neri, Anna", written).encode(encoding)

    games, kept = _import(archive, tmp_path, content)

    (found,) = games
    assert (found["white"]["name"], kept) == (name or written, [])
    with archive.reading() as connection:
        stored = pgn(connection, found["id"], 1) or b""
    assert stored.strip() in content
    assert "�" not in found["white"]["name"]


def test_a_byte_without_a_meaning(archive: Archive, tmp_path: Path) -> None:
    """0x90 is not a sign of cp1252: never replaced in silence, neither in the name nor in what is kept."""
    content = GOOD.encode().replace(b"Neri, Anna", b"Neri, Ann\x90 \xe9")

    (found,), _ = _import(archive, tmp_path, content)

    with archive.reading() as connection:
        assert (pgn(connection, found["id"], 1) or b"").strip() == content.strip()
    assert "�" not in f"{found['white']['name']}{found['white']['written']}"
    assert "é" in found["white"]["name"]
