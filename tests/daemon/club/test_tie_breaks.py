"""FIDE's tie-breaks in the tables of club tournaments."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.archive.archive import Archive, open_archive
from daemon.club.errors import ClubError
from daemon.club.files import standings_csv
from daemon.club.season import read_season
from daemon.club.tie_breaks import ties
from daemon.club.tournament_import import found_from, plan
from daemon.club.web_page import PageLook, html
from tests.daemon.club.evenings import now, pair_all, results, start, table_of
from tests.daemon.seeding import NOW


@pytest.fixture(name="archive")
def _archive(sqlite_path: Path) -> Iterator[Archive]:
    """Nothing here depends on the database."""
    with open_archive(sqlite_path, busy_ms=5000) as opened:
        yield opened


def played(archive: Archive, day: str) -> None:
    """Two rounds of five: a forfeit in the first, an absence in the second, byes in both."""
    start(archive, 5)
    pair_all(archive, day)
    results(archive, "1-0", "0-1f")
    pair_all(archive, day)
    results(archive, "1/2", "1-0")


@pytest.mark.parametrize(
    ("day", "rules"), [("2026-02-28", "as of 2024-08-01"), ("2026-03-01", "as of 2026-03-01")]
)
def test_the_rules_are_those_of_the_first_round(archive: Archive, day: str, rules: str) -> None:
    """The table says which, and another day can be named."""
    played(archive, day)
    found = table_of(now(archive), tie_breaks=("BH", "SB"))
    assert rules in str(found["tie_break_rules"])
    assert ties(now(archive), 2, ("BH",), None).rules.endswith(rules)


def test_a_keizer_table_keeps_its_order(archive: Archive) -> None:
    """Tie-breaks are extra numbers; without them there are none."""
    played(archive, "2026-11-03")
    bare, found = table_of(now(archive)), table_of(now(archive), tie_breaks=("BH/C1", "DE"))
    assert [one["member"]["n"] for one in found["items"]] == [one["member"]["n"] for one in bare["items"]]
    assert all(list(one["tie_breaks"]) == ["BH/C1", "DE"] for one in found["items"])
    assert {one["tie_breaks"]["DE"] for one in found["items"]} == {None}
    assert (bare["tie_break_rules"], bare["items"][0]["tie_breaks"]) == (None, {})


def test_an_earlier_round(archive: Archive) -> None:
    """After round 1 only its games count; before it there is nothing to compare."""
    played(archive, "2026-11-03")
    first = ties(now(archive), 1, ("WIN",)).values
    assert sum(one["WIN"] or 0 for one in first.values()) == 3
    assert table_of(now(archive), 0, ("BH",))["tie_break_rules"] is None


def test_what_cannot_be_used(archive: Archive) -> None:
    """An unknown code is refused with those that there are."""
    played(archive, "2026-11-03")
    with pytest.raises(ClubError, match='"XY" is not a tie-break: there are BH, FB'):
        table_of(now(archive), tie_breaks=("XY",))


def test_files_with_tie_breaks(archive: Archive) -> None:
    """Columns of the CSV and of the page, with the rules on the page."""
    played(archive, "2026-11-03")
    text = standings_csv(now(archive), None, ("BH", "SB")).data.decode("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert all(float(row["BH"]) >= 0 and float(row["SB"]) >= 0 for row in rows)
    page = html(now(archive), None, PageLook(tie_breaks=("BH", "SB"))).decode()
    assert ">BH</th>" in page
    assert "C.07 as of 2026-03-01" in page
    assert ">BH</th>" not in html(now(archive)).decode()


REPORT = """\
012 Open
042 2026/02/20
052 2026/02/22
001    1      Rossi, Mario                      1850 ITA                         1.5    1  0002 w 1  0003 b =
001    2      Bianchi, Laura                    1790 ITA                         1.0    3  0001 b 0  0000 - U
001    3      Neri, Anna                             ITA                         1.5    2  0000 - U  0001 w =
"""


def test_a_table_by_points_is_ordered_by_them(archive: Archive) -> None:
    """Rossi and Neri have 1.5 points each: by the wins at the board Rossi is first, by games with White Neri."""
    found = found_from(archive, plan("trf", "open.trf", REPORT.encode()), "open", now_ms=NOW)
    with archive.reading() as connection:
        season = read_season(connection, found)
    by_wins = table_of(season, tie_breaks=("WON",))
    assert [one["member"]["n"] for one in by_wins["items"]] == [1, 3, 2]
    assert by_wins["items"][0]["tie_breaks"] == {"WON": 1}
    by_black = table_of(season, tie_breaks=("REP", "BPG"))
    assert [(one["rank"], one["member"]["n"]) for one in by_black["items"]] == [(1, 1), (2, 3), (3, 2)]
    assert "2024-08-01" in str(by_black["tie_break_rules"])
