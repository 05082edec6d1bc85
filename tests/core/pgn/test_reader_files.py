"""Files as sites and programs write them: every game is read, and each that is not has a known reason."""

import re

import pytest

from core.game import Game, Unreadable
from core.pgn.reader import read
from tests.site_files import DATA, PGN_FILES

WITHOUT_EVENT = {"antichess_two_tags.pgn": 2, "broadcast_without_event.pgn": 5}
UNREADABLE = {
    "study_2026.pgn": (1, "not to move is in check"),  # a position that a trainer set up
    "study_broken_signs.pgn": (2, r"unknown token '\\\\'"),  # signs broken by an export
    "chesscom_bughouse_website.pgn": (1, "Bughouse"),
    "fics_bughouse.bpgn": (1, "bughouse"),
    "fics_bughouse_aborted.bpgn": (1, "bughouse"),
    "icc_malformed.pgn": (1, "unknown token 'wertzu'"),
    "pychess_seirawan.pgn": (3, "Seirawan"),
}


def by_name(name: str) -> list[Game | Unreadable]:
    with (DATA / "pgn" / name).open("rb") as file:
        return list(read(file))


@pytest.mark.parametrize("path", PGN_FILES, ids=lambda path: path.name)
def test_whole_files(path):
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


def test_the_files_are_there():
    """Every kind of site and program has its file."""
    kinds = {path.name.partition("_")[0].partition(".")[0] for path in PGN_FILES}
    assert kinds >= {
        "lichess",
        "broadcast",
        "study",
        "chesscom",
        "fics",
        "icc",
        "pychess",
        "chessbase",
        "chess24",
    }
    assert len(PGN_FILES) >= 40


@pytest.mark.parametrize("name", ["chesscom_chess960.pgn", "fics_wild_fr.pgn"])
def test_chess960_of_two_sites(name):
    """chess.com's Shredder letters and FICS' wild/fr without SetUp."""
    found = by_name(name)
    assert {each.variant for each in found if isinstance(each, Game)} == {"chess960"}
    assert all(each.start for each in found if isinstance(each, Game))


@pytest.mark.parametrize(
    ("name", "variant"),
    [("fics_crazyhouse.pgn", "crazyhouse"), ("fics_atomic.pgn", "atomic"), ("fics_suicide.pgn", "suicide")],
)
def test_variants_that_only_the_event_names(name, variant):
    """Files of FICS from 2009 have no Variant tag (sites trap 70)."""
    assert {each.variant for each in by_name(name) if isinstance(each, Game)} == {variant}


def test_no_shows():
    """Abandoned games of arenas have a result and no moves."""
    found = [each for each in by_name("lichess_abandoned.pgn") if isinstance(each, Game)]
    assert sum(each.ply_count == 0 for each in found) == 19
    assert {each.termination for each in found} == {"Abandoned"}


def test_two_encodings():
    """The same game in Latin-1 and in UTF-8, as SCID writes it."""
    (latin,), (utf8,) = by_name("scid_latin1.pgn"), by_name("scid_utf8.pgn")
    assert isinstance(latin, Game)
    assert isinstance(utf8, Game)
    assert latin.moves == utf8.moves
    assert latin.site == "Bergamo RÜS"
    assert utf8.site == "Bergamo RUS (Бергамо)"
