"""Files that sites really wrote: every game is read, and each that is not has a known reason.

The files are other people's and not part of the repository; without them these tests are skipped.
"""

import re
from pathlib import Path

import pytest

from core.game import Game, Unreadable
from core.pgn import read

PAYLOADS = Path(__file__).resolve().parents[3] / "shared" / "sites" / "payloads"
FILES = sorted(PAYLOADS.rglob("*.*pgn")) if PAYLOADS.is_dir() else []

WITHOUT_EVENT = {"antichess-programfox.pgn": 2, "scalachess_uzchesscup.pgn": 45}
UNREADABLE = {
    "coach-study.pgn": (1, "not to move is in check"),  # a position that a trainer set up
    "dartchess_wcc_2023.pgn": (2, r"unknown token '\\\\'"),  # signs broken by an export
    "bughouse_website_export.pgn": (1, "Bughouse"),
    "bughouse_1283326.bpgn": (1, "bughouse"),
    "bughouse_1934301.bpgn": (1, "bughouse"),
    "bughouse_1934461.bpgn": (1, "bughouse"),
    "bughouse_1934587.bpgn": (1, "bughouse"),
    "bughouse_1934660.bpgn": (1, "bughouse"),
    "raptor_malformed.pgn": (1, "unknown token 'sdfgdfg'"),
    "raptor_test1.pgn": (1, "unknown token 'sdfgdfg'"),
    "schess_excerpt.pgn": (25, "Seirawan"),
}


def by_name(name: str) -> list[Game | Unreadable]:
    path = next((path for path in FILES if path.name == name), None)
    if path is None:
        pytest.skip("the recorded payloads are not here")
    with path.open("rb") as file:
        return list(read(file))


@pytest.mark.skipif(not FILES, reason="the recorded payloads are not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_files(path):
    """As many games as there are Event tags, and none unreadable but for the reasons we know."""
    with path.open("rb") as file:
        found = list(read(file))
    data = path.read_bytes()
    assert b"".join(each.raw for each in found) == data
    assert len(found) == WITHOUT_EVENT.get(path.name, len(re.findall(rb'\[Event "', data)))
    unread = [each for each in found if isinstance(each, Unreadable)]
    count, reason = UNREADABLE.get(path.name, (0, ""))
    assert len(unread) == count, unread
    assert all(re.search(reason, each.reason) for each in unread)


@pytest.mark.parametrize("name", ["chess960.pgn", "raptor_enpassantfr_excerpt.pgn"])
def test_recorded_chess960(name):
    """chess.com's Shredder letters and FICS' wild/fr without SetUp."""
    found = by_name(name)
    assert {each.variant for each in found if isinstance(each, Game)} == {"chess960"}
    assert all(each.start for each in found if isinstance(each, Game))


def test_recorded_no_shows():
    """Abandoned games of arenas have a result and no moves."""
    found = [each for each in by_name("abandoned.pgn") if isinstance(each, Game)]
    assert sum(each.ply_count == 0 for each in found) == 19
    assert {each.termination for each in found} == {"Abandoned"}


def test_recorded_encodings():
    """SCID's two files hold the same game in Latin-1 and in UTF-8."""
    (latin,), (utf8,) = by_name("scid_res_gameLatin1.pgn"), by_name("scid_res_gameUTF8.pgn")
    assert isinstance(latin, Game)
    assert isinstance(utf8, Game)
    assert latin.moves == utf8.moves
    assert latin.site == "Elista RÜS"
    assert utf8.site == "Elista RUS (Элиста)"
