"""A tournament as files: HTML that is safe and prints, CSV, turnering.txt, TRF."""

import csv
import io
import re

import pytest

from core.club import trf_checks, trf_reader
from core.club.findings import errors
from core.club.tournament import AbsenceReason
from core.club.turnering import read
from daemon.club.errors import ClubError
from daemon.club.files import pairings_csv, report, standings_csv, turnering
from daemon.club.foundation import change_settings
from daemon.club.members import MemberEdit, NewMember, edit_member
from daemon.club.views import cross_table, standings
from daemon.club.web_page import html
from tests.daemon.club.evenings import NOW, SLUG, now, pair_all, results, start
from tests.daemon.club.pages import Page

HOSTILE = [
    NewMember('<script>alert("1")</script>, A', 1800, category='"><img src=x onerror=alert(1)>'),
    NewMember("O'Neill & Söhne, Zoë", 1700),
    NewMember("=HYPERLINK(1), B", 1600),
    NewMember("{{ 7*7 }}, {% raw %}", 1500),
]


@pytest.fixture(name="season")
def _season(archive):
    """Two rounds of five, with a bye, an absence, a forfeit, one who has withdrawn."""
    start(archive, 5, rematch_min_gap="0")
    change_settings(archive, SLUG, {"city": "Roma", "time_control": "20min + 40sec"}, now_ms=NOW)
    pair_all(archive)
    results(archive, "1-0", "1/2")
    pair_all(archive, "2024-05-19", away={"rossi": AbsenceReason.CLUB})
    results(archive, "1-0f", "0-1")
    edit_member(archive, SLUG, "verdi", MemberEdit(withdrawn=True), now_ms=NOW)
    return now(archive)


def test_hostile_names_are_shown_as_they_are(archive):
    """No element, attribute or template of theirs comes to life."""
    start(archive, HOSTILE)
    pair_all(archive)
    results(archive, "1-0", "0-1")
    page = Page(html(now(archive)).decode())
    assert not {"script", "img"} & set(page.tags)
    assert {name for name, _ in page.attributes} <= {
        "lang",
        "charset",
        "name",
        "content",
        "class",
        "scope",
        "title",
    }
    text = "".join(page.texts)
    for member in now(archive).members:
        assert member.name in text
    assert "{{ 7*7 }}" in text


def test_the_page_loads_nothing(season):
    """No script, no address of anywhere."""
    text = html(season).decode()
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script", text)


def test_the_page_prints_in_colour_and_in_black_and_white(season):
    """Colours are kept by printers that have them; without, lines and signs say the same as they do."""
    text = html(season).decode()
    assert "print-color-adjust: exact" in text
    assert "@media (monochrome)" in text
    assert "@media print" in text
    coloured = re.findall(r'<td class="cell (won|drawn|lost)" [^>]*>([^<]*)</td>', text)
    signs = {"won": "1+", "drawn": "½", "lost": "0−"}
    assert {kind for kind, _ in coloured} == set(signs)
    assert all(cell[-1] in signs[kind] for kind, cell in coloured)


def test_the_page_tells_everything(season):
    """Standings with value numbers, cross table, both rounds, who was away, who has withdrawn."""
    text = "".join(Page(html(season).decode()).texts)
    for part in (
        "Standings",
        "Cross table",
        "Round 1, 2024-05-12",
        "Round 2, 2024-05-19",
        "no. 1 Rossi, Mario (club)",
        "Verdi, Gino (withdrawn)",
    ):
        assert part in text


def test_the_page_after_an_earlier_round(season):
    """The table of then, and no later round."""
    text = "".join(Page(html(season, 1).decode()).texts)
    assert "Round 2" not in text
    with pytest.raises(ClubError, match="no table after round 3"):
        html(season, 3)


def test_the_cross_table_keeps_who_has_withdrawn(season):
    """At its end, with their results; both sides of a game agree."""
    found = cross_table(season)
    assert found["items"][-1]["member"]["name"] == "Verdi, Gino"
    opposite = {"1": "0", "0": "1", "½": "½", "+": "-", "-": "+"}
    for row in found["items"]:
        for at, cells in enumerate(row["cells"]):
            others = found["items"][at]["cells"][row["place"] - 1]
            assert [opposite[one["result"]] for one in cells] == [one["result"] for one in others]


def read_csv(data):
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def test_csv(season):
    """The table and the pairings, named after tournament and round."""
    table = standings_csv(season)
    head, *rows = read_csv(table.data)
    assert table.name == "vm26-standings-2.csv"
    assert [row[3] for row in rows] == [one["member"]["name"] for one in standings(season)["items"]]
    assert [float(row[head.index("points")]) for row in rows] == [
        one["points"] for one in standings(season)["items"]
    ]
    boards = pairings_csv(season)
    assert boards.name == "vm26-pairings-2.csv"
    assert read_csv(boards.data)[1] == [
        "1",
        "2024-05-12",
        "1",
        "1",
        "Rossi, Mario",
        "2",
        "Bianchi, Laura",
        "1-0",
    ]
    assert [row[7] for row in read_csv(boards.data)[3:]] == ["1-0f", "0-1"]
    with pytest.raises(ClubError):
        standings_csv(season, 9)


def test_csv_holds_no_formulas(archive):
    """A name that a spreadsheet would run is written as text."""
    start(archive, HOSTILE)
    names = [row[3] for row in read_csv(standings_csv(now(archive)).data)]
    assert "'=HYPERLINK(1), B" in names


def test_turnering_is_what_fesa_reads(season):
    """Our own check finds nothing, the placing is that of the table, forfeits are not games."""
    written = turnering(season, new=["neill"])
    reading = read(written.data)
    assert errors(reading.findings) == ()
    assert [row.last for row in reading.table.rows][-1] == "Verdi"
    assert [row.name for row in reading.table.rows if row.new] == ["O'Neill Zoë"]
    assert (str(reading.table.start), str(reading.table.end)) == ("2024-05-12", "2024-05-19")
    assert written.name == "vm26-turnering.txt"


def test_letters_that_turnering_cannot_hold_are_told(archive):
    """Letters of the Latin script get stand-ins, and the notes say which, and what to do where these are wrong."""
    start(archive, [NewMember("Wałęsa, Jan", 1800), NewMember("Müller, Jörg", 1700)])
    pair_all(archive)
    results(archive, "1-0")
    written = turnering(now(archive))
    assert b"Walesa" in written.data
    edit = 'gamekeeper club player edit vm26 1 --spelled "Last, First"'
    note = f'no. 1 Wałęsa, Jan is written "Walesa Jan": if the rating list has it otherwise, {edit}'
    assert written.notes == (note,)


def test_trf_is_what_fide_reads(season):
    """Our own check finds nothing; ids, club duty and bye are told."""
    written = report(season)
    assert errors(trf_checks.check(written.data)) == ()
    assert b"### chesspairing:bye round=2 player=1 type=clubcommitment" in written.data
    reading = trf_reader.read(written.data)
    assert written.name == "vm26.trf"
    assert reading


def test_a_fide_id_is_in_the_report(archive):
    """Where it fits into its columns."""
    start(archive, [NewMember("Rossi, Mario", 1800, "999001234"), NewMember("Neri, Anna", 1700, "9" * 20)])
    pair_all(archive)
    results(archive, "1-0")
    data = report(now(archive)).data
    assert b" 999001234 " in data
    assert b"9" * 20 not in data


def test_what_a_report_has_no_room_for_is_told(archive):
    """Long names and ids, and whatever else the file's own check says, with what to do."""
    long = "Montefalco-Serralunga, Bartolomeo Maria"
    start(archive, [NewMember(long, 1800), NewMember("O’Neill, Zoë", 1700, "9" * 20)])
    change_settings(archive, SLUG, {"federation": "Italy"}, now_ms=NOW)
    pair_all(archive)
    results(archive, "1-0")
    written = report(now(archive))
    assert errors(trf_checks.check(written.data)) == ()
    said = "\n".join(written.notes)
    for part in (
        f'"{long}" is written "{long[:33].strip()}"',
        f"the FIDE id {'9' * 20} is left out",
        '032: "Italy" is not the code of a federation (write its three letters',
        "typographic signs: ’",
    ):
        assert part in said
    assert len(written.notes) == 4


@pytest.mark.parametrize("write", [turnering, report])
def test_no_results_file_without_results(archive, write):
    """There has to be a complete round."""
    start(archive, 4)
    pair_all(archive)
    with pytest.raises(ClubError, match="no round is complete"):
        write(now(archive))


def test_hostile_names_break_no_results_file(archive):
    """Brackets and line ends in names are refused with a reason, or come back as they were."""
    start(archive, [NewMember("[Rossi], Mario", 1800), NewMember("Neri, Anna", 1700)])
    pair_all(archive)
    results(archive, "1-0")
    with pytest.raises(
        ClubError, match=r"no. 1 \[Rossi\], Mario: names in results files have no \[ and \].*--spelled"
    ):
        turnering(now(archive))
    assert errors(trf_checks.check(report(now(archive)).data)) == ()


def test_files_rank_only_who_has_played(archive):
    """A member without a game comes last in the file for FESA, and has no rank in the report and in the CSV."""
    start(archive, 5)
    pair_all(archive, away={"bianchi": AbsenceReason.EXCUSED})
    results(archive, "1-0", "1-0")
    season = now(archive)
    assert season.tables[-1].order.index("Bianchi, Laura") == 1, "by rating, for the pairing"
    reading = trf_reader.read(report(season).data)
    ranks = {one.name: one.rank for one in reading.document.players}
    assert ranks.pop("Bianchi, Laura") is None
    assert sorted(ranks.values()) == [1, 2, 3, 4]
    rows = list(csv.DictReader(io.StringIO(standings_csv(season).data.decode("utf-8-sig"))))
    assert {row["name"]: row["rank"] for row in rows}["Bianchi, Laura"] == ""
    placed = read(turnering(season).data).table.rows
    assert (placed[-1].last, placed[-1].first) == ("Bianchi", "Laura")
