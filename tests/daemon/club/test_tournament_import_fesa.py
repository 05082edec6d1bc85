"""Tournaments from FESA's files: as they came, and with what has changed since."""

import pytest

from core.club import trf_checks
from core.club.findings import errors
from core.club.turnering import check
from daemon.club.errors import ClubError
from daemon.club.files import report, source, turnering
from daemon.club.members import MemberEdit, edit_member
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.season import read_season
from daemon.club.shogi import ShogiFacts
from daemon.club.tournament_import import found_from, plan
from daemon.club.undo import undo
from daemon.club.views import standings
from tests.core.club.test_turnering_record import FULL, PUBLISHED
from tests.daemon.club.evenings import NOW, yes

OPEN = "open"


def imported(archive, text, kind="turnering", encoding="iso-8859-1"):
    """The tournament of a file."""
    found_from(archive, plan(kind, "open.txt", text.encode(encoding)), OPEN, now_ms=NOW)
    return now(archive)


def now(archive):
    """The tournament as it stands."""
    with archive.reading() as connection:
        return read_season(connection, OPEN)


@pytest.mark.parametrize(
    "text", [FULL, FULL.replace("\n", "\r\n"), FULL.replace("Nr Name Nat 1 2 3 MMSS Pts\n", "")]
)
def test_a_file_is_written_byte_for_byte(archive, text):
    """As long as nothing has changed, whatever its line ends are and whatever it leaves out."""
    season = imported(archive, text)
    assert turnering(season).data == text.encode("iso-8859-1")
    assert [(one["rank"], one["member"]["name"], one["points"]) for one in standings(season)["items"]] == [
        (1, "Rossi, Mario", 5.0),
        (2, "Bianchi, Anna", 2.0),
        (3, "van Dam", 0.5),
    ]


def test_a_result_that_is_corrected(archive):
    """Only what hangs on it changes, half points and handicaps stay; undone, the file is as it came."""
    imported(archive, FULL)
    entries = {1: BoardResult(read_result("0-1"))}
    yes(lambda version: enter(archive, OPEN, entries, number=3, now_ms=NOW, confirmed=version))
    lines = turnering(now(archive)).data.decode().splitlines()
    assert lines[4:] == [
        "1 [Rossi][Mario]IT 3 Dan[2+ 3+(-2p) 0+][2] 5",
        "2 N [Bianchi][Anna]DE[1- 0= 3-][1] 1.5",
        "3 [van Dam][]foreign guest[0# 1-(+2p) 2+] 1",
    ]
    yes(lambda version: undo(archive, OPEN, now_ms=NOW, confirmed=version))
    assert turnering(now(archive)).data == FULL.encode()


def test_a_member_who_is_edited(archive):
    """The places stay those of the file, and the row says what is new."""
    imported(archive, FULL)
    edit_member(
        archive,
        OPEN,
        "3",
        MemberEdit(shogi=ShogiFacts("NL", "", "", "van Dam, Jan", newcomer=True)),
        now_ms=NOW,
    )
    row = turnering(now(archive)).data.decode().splitlines()[-1]
    assert row == "3 N [van Dam][Jan]NL[0# 1-(+2p) 2=] 0.5"


def test_a_file_in_other_letters(archive):
    """A file in UTF-8 is imported, and written as FESA's program reads it; other scripts are asked for."""
    imported(archive, FULL.replace("van Dam][", "Müller][Jörg"), encoding="utf-8")
    data = turnering(now(archive)).data
    assert "[Müller][Jörg]".encode("iso-8859-1") in data
    assert errors(check(data)) == ()


def test_a_published_table(archive):
    """Its turnering.txt has all that belongs there, and its TRF no MacMahon points; both pass their checks."""
    season = imported(archive, PUBLISHED, "published")
    data = turnering(season).data
    assert b"1 [Rossi][Mario]IT 2 Dan[2+(-r) 0+][2] 4" in data
    assert errors(check(data)) == ()
    trf = report(season).data
    assert errors(trf_checks.check(trf)) == ()
    assert b" ITA " in trf


def test_the_file_itself(archive):
    """It comes back as it was, whatever has happened since, which is said."""
    season = imported(archive, PUBLISHED, "published")
    assert (source(season).name, source(season).data, source(season).notes) == (
        "open.txt",
        PUBLISHED.encode(),
        (),
    )
    entries = {1: BoardResult(read_result("0-1"))}
    yes(lambda version: enter(archive, OPEN, entries, number=1, now_ms=NOW, confirmed=version))
    changed = source(now(archive))
    assert changed.data == PUBLISHED.encode()
    assert "has changed since" in changed.notes[0]


def test_wrong_files_are_refused_whole(archive):
    """With all of their errors, and nothing is created."""
    with pytest.raises(ClubError, match=r"3 errors.*\n.*line 5"):
        imported(archive, FULL.replace("[2+ 3+(-2p)", "[2- 3+(-2p)"))
    with archive.reading() as connection, pytest.raises(ClubError, match="no tournament"):
        read_season(connection, OPEN)
