"""Tournaments from report files: what they become, and that nothing of the file is lost."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.findings import errors
from core.club.tournament import AbsenceReason
from core.club.trf import TrfTurn, write
from core.club.trf_checks import check
from core.club.trf_reader import read
from daemon.archive.archive import open_archive
from daemon.club.errors import ClubError
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.files import report
from daemon.club.foundation import change_settings
from daemon.club.members import MemberEdit, NewMember, add_members, edit_member
from daemon.club.own_terms import set_group, set_terms
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.season import read_season
from daemon.club.tournament_import import found_from, plan
from daemon.club.undo import undo
from daemon.club.views import standings
from tests.core.club.random_reports import report as random_report
from tests.core.club.trf_files import LEAN, SMALL
from tests.daemon.club import evenings
from tests.daemon.club.evenings import NOW, evening_of, pair_all, results, start, yes
from tests.examples import examples

OPEN = "open"
RATED = SMALL.replace(f"Ferrari, Pia{' ' * 26}", f"Ferrari, Pia{' ' * 22}1500")
"""Everybody has a rating of their own."""


@pytest.fixture(name="archive")
def _archive(sqlite_path):
    """SQLite is enough for most of it."""
    with open_archive(sqlite_path) as made:
        yield made


@pytest.fixture(name="either")
def _either(where):
    """An archive on either database."""
    with open_archive(where) as made:
        yield made


def imported(archive, text, short=OPEN, *, keizer=False):
    """The tournament of a file."""
    data = text if isinstance(text, bytes) else text.encode()
    found_from(archive, plan("trf", f"{short}.trf", data, keizer=keizer), short, now_ms=NOW)
    return now(archive, short)


def now(archive, slug=OPEN):
    """The tournament as it stands."""
    with archive.reading() as connection:
        return read_season(connection, slug)


def lines(season):
    """The lines of the exported file."""
    return report(season).data.decode().splitlines()


def table(season, number=None):
    """Rank, number and points of everybody."""
    found = standings(season, number)
    return [(one["rank"], one["member"]["n"], one["points"]) for one in found["items"]]


def test_everything_that_a_report_says(either):
    """Players by FIDE id or name, with the file's numbers; rounds with days, results, byes; facts and planned rounds."""
    season = imported(either, SMALL)
    row = season.tournament
    assert (row.name, row.city, row.federation, row.arbiter) == (
        "Open of Nowhere",
        "Nowhere",
        "ITA",
        "Arbiter, Ann",
    )
    assert (season.kind, season.settings.planned_rounds) == ("points", 3)
    first, *_, last = season.members
    assert (first.n, first.written, first.fide_id, first.rating) == (1, "Rossi, Mario", "1234567", 2812)
    assert (first.title, first.sex, first.birth) == ("GM", "m", "1963/04/13")
    assert (last.n, last.rating) == (5, None)
    assert [one.day for one in season.rounds] == ["2026-01-15", "2026-01-16"]
    assert [one.state for one in season.rounds] == ["complete", "complete"]
    assert {reason for one in season.rounds for reason in one.absences.values()} == {"bye", "excused"}


def test_the_table_is_the_files(archive):
    """Points and ranks as in the file; before that by points and tie-breaks; half-point byes count."""
    season = imported(archive, SMALL)
    assert table(season) == [(1, 5, 2), (2, 1, 1.5), (3, 4, 1.5), (4, 2, 0.5), (5, 3, 0)]
    assert [points for *_, points in table(season, 1)] == [1, 1, 1, 0, 0]


def test_an_archive_knows_the_players(archive):
    """Two files with the same people have the same players."""
    one, other = imported(archive, SMALL), imported(archive, SMALL, "other")
    assert [member.player_id for member in one.members] == [member.player_id for member in other.members]


@pytest.mark.parametrize(
    "data",
    [
        SMALL.encode(),
        SMALL.replace("\n", "\r").encode(),
        SMALL.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + SMALL.encode(),
        SMALL.encode("iso-8859-1"),
        SMALL.replace("### SSSS", "DDD SSSS").replace("XXR", "\n   \nXXR").encode(),
        LEAN.encode(),
    ],
)
def test_what_is_not_changed_is_written_byte_for_byte(archive, data):
    """Whatever line ends, letters, unknown lines or short lines it has."""
    assert report(imported(archive, data)).data == data


@pytest.mark.slow
def test_any_report_comes_back(archive):
    """A report with anything in it is imported and written again the same."""
    names = iter(range(10**6))

    @given(st.integers(0, 10**9))
    @examples(25, deadline=None)
    def comes_back(number):
        data = write(random_report(number))
        slug = f"t{next(names)}"
        assert report(imported(archive, data, slug)).data == data

    comes_back()


def test_a_corrected_result(archive):
    """It changes the lines of the two, the table, and nothing else; the file is still without errors."""
    imported(archive, SMALL)
    before = lines(now(archive))
    entry = {2: BoardResult(read_result("1/2"))}
    yes(lambda version: enter(archive, OPEN, entry, number=1, now_ms=NOW, confirmed=version))
    season = now(archive)
    after = lines(season)
    ranked = slice(85, 89)
    assert [
        place
        for place, (a, b) in enumerate(zip(before, after, strict=True))
        if a.replace(a[ranked], "    ") != b.replace(b[ranked], "    ")
    ] == [17, 18]
    assert after[17].endswith("0004 b =  0005 b 0")
    assert after[18].endswith("0003 w =  0001 w =")
    assert errors(check(report(season).data)) == ()
    assert [row[1:] for row in table(season)[:3]] == [(5, 2), (1, 1.5), (4, 1)]
    assert {row[2] for row in table(season)[3:]} == {0.5}


def test_another_round_is_played_here(either):
    """Its pairs are set by hand, as its system pairs them elsewhere; it is written after the others."""
    imported(either, SMALL)
    set_flags(either, OPEN, Flags(away={"#5": AbsenceReason.EXCUSED}), now_ms=NOW)
    with pytest.raises(ClubError, match=r"only Keizer tournaments are paired here.*--manual"):
        pair_round(either, OPEN, evening_of("2026-01-17"), now_ms=NOW)
    pairs = EveningSetting(pairs=[("#1", "#3"), ("#4", "#2")], first_white=True)
    set_by_hand(either, OPEN, pairs, now_ms=NOW)
    pair_round(either, OPEN, evening_of("2026-01-17"), now_ms=NOW)
    boards = {1: BoardResult(read_result("1-0")), 2: BoardResult(read_result("0-1f"))}
    enter(either, OPEN, boards, now_ms=NOW)
    season = now(either)
    data = report(season).data
    assert errors(check(data)) == ()
    document = read(data).document
    assert [one.turns[2] for one in document.players] == [
        TrfTurn(3, "w", "1"),
        TrfTurn(4, "b", "+"),
        TrfTurn(1, "b", "0"),
        TrfTurn(2, "w", "-"),
        TrfTurn(result="Z"),
    ]
    assert document.text("052") == "2026/01/17"
    assert lines(season)[11].endswith("26/01/15  26/01/16  26/01/17")
    came = read(SMALL.encode()).document
    assert [one for one in document.fields if one.code not in {"052", "132"}] == [
        one for one in came.fields if one.code not in {"052", "132"}
    ]
    assert [one.turns[:2] for one in document.players] == [one.turns for one in came.players]
    assert table(season)[0] == (1, 1, 2.5)


def test_members_can_be_edited_and_added(archive):
    """A name and a rating are written as they are now; two may have one rating, and a new one comes last."""
    imported(archive, SMALL)
    edit_member(archive, OPEN, "#3", MemberEdit(name="Verdi, Ugolino", rating=2735), now_ms=NOW)
    add_members(archive, OPEN, [NewMember("Galli, Ida", 2735)], now_ms=NOW)
    found = read(report(now(archive)).data).document.players
    assert (found[2].name, found[2].rating) == ("Verdi, Ugolino", 2735)
    assert (found[5].number, found[5].name, found[5].rating) == (6, "Galli, Ida", 2735)
    assert found[:2] == read(SMALL.encode()).document.players[:2]


def test_facts_can_be_changed_and_rules_of_keizer_cannot(archive):
    """A table by points has no value numbers to set."""
    imported(archive, SMALL)
    new = {"city": "Elsewhere", "planned_rounds": "5"}
    yes(lambda version: change_settings(archive, OPEN, new, now_ms=NOW, confirmed=version))
    document = read(report(now(archive)).data).document
    assert (document.text("022"), document.rounds) == ("Elsewhere", 5)
    with pytest.raises(ClubError, match="valuation is a rule of Keizer"):
        change_settings(archive, OPEN, {"valuation": "lagged"}, now_ms=NOW)


def test_a_round_that_is_still_played(archive):
    """Games without a result are on the boards, and their results are entered."""
    open_round = SMALL.replace("0004 b =\n", "0004 b  \n").replace("0001 w =\n", "0001 w  \n")
    data = open_round.replace("1.5    2", "1.0    2").replace("1.5    3", "1.0    3")
    season = imported(archive, data)
    assert season.current.n == 2
    assert report(season).data == data.encode()
    enter(archive, OPEN, {1: BoardResult(read_result("1/2"))}, now_ms=NOW)
    assert read(report(now(archive)).data).document == replace(
        read(SMALL.encode()).document,
        players=tuple(
            replace(one, rank=rank)
            for one, rank in zip(read(SMALL.encode()).document.players, (2, 4, 5, 3, 1), strict=True)
        ),
    )


def test_who_stays_away_in_the_next_round(archive):
    """A bye that the file has for the round to come is a flag there."""
    season = imported(archive, SMALL.replace("0001 b 0  0000 - H", "0001 b 0  0000 - H  0000 - Z"))
    assert season.open.n == 3
    assert [season.labels[one] for one in season.open.absences] == ["Bianchi, Anna"]


def test_as_a_keizer_tournament(archive):
    """When asked for, if everybody has a rating of their own; the file written is one of a Keizer tournament."""
    season = imported(archive, RATED, keizer=True)
    assert season.kind == "keizer"
    assert season.tables[-1].rows[0].value > 0
    document = read(report(season).data).document
    assert document.text("092") == "Keizer"
    assert document.texts("112")
    with pytest.raises(ClubError, match=r"player 5 Ferrari, Pia has no rating"):
        plan("trf", "open.trf", SMALL.encode(), keizer=True)
    twice = RATED.replace("1500", "2000")
    with pytest.raises(ClubError, match=r"players 3 and 5 have the rating 2000"):
        plan("trf", "open.trf", twice.encode(), keizer=True)


def test_our_own_file_gives_the_same_tournament(archive):
    """A Keizer tournament with late entries, withdrawals, absences of every kind, forfeits and settings comes back."""
    start(archive, 7, rematch_min_gap="0", ties="name", bye="2/3", planned_rounds="5")
    pair_all(archive, away={"rossi": AbsenceReason.CLUB, "verdi": AbsenceReason.UNEXCUSED})
    results(archive, "1-0", "1-0f")
    add_members(archive, evenings.SLUG, [NewMember("Galli, Ida", 1432, category="U18, girls")], now_ms=NOW)
    edit_member(archive, evenings.SLUG, "neri", MemberEdit(withdrawn=True), now_ms=NOW)
    edit_member(archive, evenings.SLUG, "bianchi", MemberEdit(handles=("lichess:laura b",)), now_ms=NOW)
    set_group(archive, evenings.SLUG, "first group", ["rossi", "conti"], [], now_ms=NOW)
    terms = {"excused": "1/2", "paid_absences": ""}
    yes(lambda version: set_terms(archive, evenings.SLUG, "bianchi", terms, now_ms=NOW, confirmed=version))
    pair_all(
        archive, "2024-05-19", away={"bianchi": AbsenceReason.EXCUSED, "conti": AbsenceReason.SHORT_NOTICE}
    )
    results(archive, "1/2", "0-1")
    old = evenings.now(archive)
    data = report(old).data
    new = imported(archive, data, "again")
    assert new.settings == old.settings
    assert new.pairing_settings == old.pairing_settings
    for was, is_ in zip(old.tables, new.tables, strict=True):
        assert [(row.player, row.points, row.value) for row in was.rows] == [
            (row.player, row.points, row.value) for row in is_.rows
        ]
        assert was.withdrawn == is_.withdrawn
    assert sorted(map(own, old.members)) == sorted(map(own, new.members))
    assert [one.day for one in old.rounds] == [one.day for one in new.rounds]
    assert report(new).data == data


def test_the_import_itself_is_not_taken_back(archive):
    """A correction is, and then the file is written as it came; further back there is nothing."""
    imported(archive, SMALL)
    entry = {2: BoardResult(read_result("1/2"))}
    yes(lambda version: enter(archive, OPEN, entry, number=1, now_ms=NOW, confirmed=version))
    yes(lambda version: undo(archive, OPEN, now_ms=NOW, confirmed=version))
    assert report(now(archive)).data == SMALL.encode()
    with pytest.raises(ClubError, match="nothing was done since the tournament was imported"):
        undo(archive, OPEN, now_ms=NOW)


def test_a_game_without_a_result_yet_comes_back(archive):
    """The table stands without it, in the other archive too; there a round that is still played is played on."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0")
    pair = evening_of("2024-05-19")
    yes(lambda version: pair_round(archive, evenings.SLUG, pair, now_ms=NOW, confirmed=version))
    old = evenings.now(archive)
    data = report(old).data
    new = imported(archive, data, "again")
    assert [one.state for one in new.rounds] == ["complete"]
    assert new.rounds[0].pairings[1].result is None
    assert [row.points for row in new.tables[-1].rows] == [row.points for row in old.tables[-1].rows]
    assert report(new).data == data
    pair_round(archive, "again", pair, now_ms=NOW)
    third = imported(archive, report(now(archive, "again")).data, "third")
    assert [one.state for one in third.rounds] == ["complete", "paired"]


def own(member):
    """All that is special about a member, for comparing."""
    special = (member.category, member.in_group, member.handles, member.joined, member.withdrawn)
    return member.name, repr((*special, sorted(member.terms.items())))


def test_more_rounds_than_planned_come_back(archive):
    """The file counts those that were played, as its readers want it, and says in a comment how many were planned."""
    start(archive, 4, planned_rounds="1")
    for day in ("2024-05-12", "2024-05-19"):
        pair_all(archive, day)
        results(archive, "1-0", "1/2")
    data = report(evenings.now(archive)).data
    assert read(data).document.rounds == 2
    assert check(data) == ()
    new = imported(archive, data, "again")
    assert new.settings.planned_rounds == 1
    assert report(new).data == data


@pytest.mark.parametrize("order", ["lot", "table"])
def test_the_order_before_round_1_comes_back(archive, order):
    """Whatever made it: in the other archive it is that of the file."""
    start(archive, 6, start_order=order)
    pair_all(archive)
    results(archive, "1-0", "1-0", "1/2")
    old = evenings.now(archive)
    new = imported(archive, report(old).data, "again")
    for was, is_ in zip(old.tables, new.tables, strict=True):
        assert [(row.player, row.points) for row in was.rows] == [
            (row.player, row.points) for row in is_.rows
        ]


@pytest.mark.parametrize("terms", ["magic:1", "excused:seven", "valuation:lagged"])
def test_terms_that_cannot_be(archive, terms):
    """They are refused like wrong settings."""
    start(archive, 2)
    pair_all(archive)
    results(archive, "1-0")
    text = report(evenings.now(archive)).data.decode()
    wrong = text.replace("001    1", f"### gamekeeper:player player=1 terms={terms}\n001    1", 1)
    with pytest.raises(ClubError):
        plan("trf", "vm26.trf", wrong.encode())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("0002 w 1", "0009 w 1"), r"has \d errors?: correct the file first(.|\n)*there is no player 9"),
        (("012 Open of Nowhere\n", ""), "it has no name"),
        (("Ferrari, Pia", "Verdi, Ugo  "), "players 3 and 5 would be one player"),
        (("XXR 3", "XXR 1000"), "it has more than [0-9]+ rounds: 1000"),
        (
            ("092 Swiss Dutch", "092 Keizer\n### gamekeeper:settings valuation=magic"),
            "valuation must be one of",
        ),
    ],
)
def test_what_cannot_become_a_tournament(archive, change, why):
    """It is refused with the reasons before anything is written."""
    with pytest.raises(ClubError, match=why):
        imported(archive, RATED.replace(*change))
    with archive.reading() as connection, pytest.raises(ClubError):
        read_season(connection, OPEN)


def test_no_tournament_is_replaced(archive):
    """A short name is there once."""
    imported(archive, SMALL)
    with pytest.raises(ClubError, match=r"there is a tournament \"open\" already.*--short"):
        imported(archive, SMALL)


def test_a_file_of_another_kind_or_size():
    """It is refused by name."""
    with pytest.raises(ClubError, match="games\\.pgn: tournaments are imported from"):
        plan("pgn", "games.pgn", b"")
    with pytest.raises(ClubError, match="larger than 16 MB"):
        plan("trf", "big.trf", b"x" * (16 * 1024 * 1024 + 1))
