"""Own terms, groups, start orders and the next cycle, through the use cases."""

from fractions import Fraction

import pytest

from core.club.tournament import AbsenceReason
from daemon.archive.archive import open_archive
from daemon.club.errors import ClubError, Confirm
from daemon.club.foundation import NewTournament, change_settings, found
from daemon.club.group_views import group_tables
from daemon.club.members import NewMember, add_members
from daemon.club.next_cycle import found_after
from daemon.club.own_terms import set_group, set_terms, start_by_table
from daemon.club.season import read_season
from daemon.club.undo import undo
from tests.daemon.club.evenings import SLUG, now, order, pair_all, results, start, yes
from tests.daemon.seeding import NOW


@pytest.fixture
def archive(sqlite_path):
    """An empty archive on SQLite: what is in here is the same on both databases."""
    with open_archive(sqlite_path) as made:
        yield made


def of(archive, slug):
    """A tournament as it stands."""
    with archive.reading() as connection:
        return read_season(connection, slug)


def test_a_member_with_own_terms(archive):
    """Only this member's absence is worth more; it is asked for while tables stand, and undo takes it back."""
    start(archive, 4, absence="fraction", excused="1/3")
    pair_all(archive, away={"Rossi": AbsenceReason.EXCUSED, "Neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    before = now(archive).tables[-1]
    with pytest.raises(Confirm, match="All tables are made again"):
        set_terms(archive, SLUG, "rossi", {"excused": "1/2"}, now_ms=NOW)
    yes(lambda version: set_terms(archive, SLUG, "rossi", {"excused": "0.5"}, now_ms=NOW, confirmed=version))
    rows = {row.player: row.credits[0].factor for row in now(archive).tables[-1].rows}
    assert (rows["Rossi, Mario"], rows["Neri, Anna"]) == (Fraction(1, 2), Fraction(1, 3))
    assert next(one for one in now(archive).members if one.terms).terms == {"excused": "1/2"}
    yes(lambda version: undo(archive, SLUG, now_ms=NOW, confirmed=version))
    assert now(archive).tables[-1] == before


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"loss": "1/2"}, "loss holds for everybody"),
        ({"excused": "many"}, "excused cannot be 'many': it must be a number"),
        ({"excused": "20"}, "excused must be from 0 to 3, not 20"),
        ({"colour": "red"}, "there is no setting colour"),
    ],
)
def test_terms_that_cannot_be(archive, texts, message):
    """What is wrong is said, and nothing is changed."""
    start(archive, 2)
    with pytest.raises(ClubError, match=message):
        set_terms(archive, SLUG, "rossi", texts, now_ms=NOW)
    assert not any(one.terms for one in now(archive).members)


def test_a_group_plays_each_other_and_has_its_table(archive):
    """Three of six in a group: two of them meet in each round until all have met."""
    start(archive, 6)
    set_group(archive, SLUG, "A", ["rossi", "verdi", "muller"], [], now_ms=NOW)
    for _ in range(3):
        pair_all(archive)
        results(archive, "1-0", "1-0", "1-0")
    (table,) = group_tables(now(archive))
    assert sum(row["games"] for row in table["items"]) == 6
    assert sum(row["points"] for row in table["items"]) == 3
    set_group(archive, SLUG, "A", [], ["muller"], now_ms=NOW)
    assert len(group_tables(now(archive))[0]["items"]) == 2
    with pytest.raises(ClubError, match="Zoë is not in group A"):
        set_group(archive, SLUG, "A", [], ["o'neill"], now_ms=NOW)


def test_order_by_lot_allows_equal_ratings(archive):
    """A lot is drawn when it is needed, kept, and stays the order; going back to ratings is refused with equal ones."""
    start(
        archive,
        [NewMember(f"Player {word}", 1500) for word in ("One", "Two", "Three", "Four")],
        start_order="lot",
    )
    lot, first = now(archive).settings.lot, order(archive)
    assert lot.isdecimal()
    assert order(archive) == first
    with pytest.raises(ClubError, match="two players have the rating 1500"):
        change_settings(archive, SLUG, {"start_order": "rating"}, now_ms=NOW)
    change_settings(archive, SLUG, {"lot": "another"}, now_ms=NOW)
    assert sorted(order(archive)) == sorted(first)


def test_a_lot_is_drawn_for_a_random_first_round(archive):
    """Without one nobody could draw it again."""
    start(archive, 4)
    assert now(archive).settings.lot == ""
    change_settings(archive, SLUG, {"first_round": "random"}, now_ms=NOW)
    assert now(archive).settings.lot.isdecimal()
    assert "drawn by lot" in (pair_all(archive) and now(archive).rounds[0].pairings[0].why)


def test_start_order_of_an_earlier_table(archive):
    """Those who played there are in that order, the others by rating after them; ratings may be equal then."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "0-1", "0-1")
    found(archive, NewTournament("Cup", "cup"), now_ms=NOW)
    new = [NewMember("Galli, Piero", 2400), NewMember("Verdi, Gino", 1000), NewMember("Rossi, Mario", 1800)]
    add_members(archive, "cup", new, now_ms=NOW)
    assert len(start_by_table(archive, "cup", SLUG, now_ms=NOW)) == 2
    earlier = [one for one in order(archive) if one in ("Rossi, Mario", "Verdi, Gino")]
    assert list(of(archive, "cup").tables[-1].order) == [*earlier, "Galli, Piero"]
    with pytest.raises(ClubError, match="no table yet"):
        start_by_table(archive, SLUG, "cup", now_ms=NOW)


def test_the_next_cycle(archive):
    """Rules, members and own terms come along in the order of the table; who withdrew does not; one moves up, one down."""
    start(archive, 6, bye="2/3", absence="fraction")
    set_group(archive, SLUG, "A", ["rossi", "bianchi", "neri"], [], now_ms=NOW)
    set_terms(archive, SLUG, "verdi", {"excused": "1/2"}, now_ms=NOW)
    pair_all(archive)
    results(archive, "1-0", "1-0", "1-0")
    slug = found_after(archive, NewTournament("Next", "next", {"bye": "1"}), SLUG, move=1, now_ms=NOW)
    season = of(archive, slug)
    assert (season.settings.bye, season.settings.absence, season.settings.start_order) == (
        1,
        "fraction",
        "table",
    )
    assert list(season.tables[-1].order) == order(archive)
    assert [one.n for one in season.members] == [1, 2, 3, 4, 5, 6]
    groups = {one.name: one.in_group for one in season.members}
    best = next(one for one in order(archive) if one in ("Verdi, Gino", "O'Neill, Zoë", "Müller, Jörg"))
    assert groups[best] == "A"
    assert sum(group == "A" for group in groups.values()) == 3
    assert next(one for one in season.members if one.name == "Verdi, Gino").terms == {"excused": "1/2"}


def test_who_has_not_played_does_not_move_up(archive):
    """Whatever place the rating gives them in the table."""
    start(archive, 6)
    set_group(archive, SLUG, "A", ["rossi", "bianchi"], [], now_ms=NOW)
    pair_all(archive, away={"neri": AbsenceReason.EXCUSED, "verdi": AbsenceReason.EXCUSED})
    results(archive, "1-0", "1-0")
    assert order(archive).index("Neri, Anna") < order(archive).index("O'Neill, Zoë")
    slug = found_after(archive, NewTournament("Next", "next"), SLUG, move=1, now_ms=NOW)
    assert {one.name for one in of(archive, slug).members if one.in_group} >= {"O'Neill, Zoë"}


def test_a_next_cycle_that_cannot_be(archive):
    """Without a table or groups it is refused, and nothing is created."""
    start(archive, 2)
    with pytest.raises(ClubError, match="no table yet"):
        found_after(archive, NewTournament("Next", "next"), SLUG, now_ms=NOW)
    pair_all(archive)
    results(archive, "1-0")
    with pytest.raises(ClubError, match="no two groups"):
        found_after(archive, NewTournament("Next", "next"), SLUG, move=1, now_ms=NOW)
    with pytest.raises(ClubError, match='no tournament "next"'):
        of(archive, "next")


def test_a_tournament_does_not_begin_in_its_own_order(archive):
    """Its table is made from that order."""
    start(archive, 2)
    with pytest.raises(ClubError, match="order of its own table"):
        start_by_table(archive, SLUG, SLUG, now_ms=NOW)


def test_a_group_has_one_name(archive):
    """Upper and lower case are the same group."""
    start(archive, 3)
    set_group(archive, SLUG, "Masters", ["rossi"], [], now_ms=NOW)
    assert len(set_group(archive, SLUG, "masters", ["neri"], [], now_ms=NOW)) == 2


def test_a_change_of_the_pairing_alone_makes_no_table_again(archive):
    """The question says from when on it holds."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1-0")
    with pytest.raises(Confirm, match="It holds from the next pairing on"):
        change_settings(archive, SLUG, {"max_meetings": "1"}, now_ms=NOW)
    with pytest.raises(Confirm, match="All tables are made again"):
        change_settings(archive, SLUG, {"bye": "1"}, now_ms=NOW)


def test_taking_back_a_group_and_terms_says_how_it_is_then(archive):
    """Not what was done, but what it goes back to."""

    def back() -> str:
        return yes(lambda version: undo(archive, SLUG, now_ms=NOW, confirmed=version)).sentence

    start(archive, 3)
    set_group(archive, SLUG, "A", ["rossi"], [], now_ms=NOW)
    assert back() == "undone: Rossi, Mario: group A → -"
    set_terms(archive, SLUG, "rossi", {"excused": "1/2"}, now_ms=NOW)
    assert back() == "undone: Rossi, Mario: own terms: those of everybody"
