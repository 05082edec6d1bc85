"""Members: players of the archive, no two alike, none with another's rating."""

import pytest

from core.players import identify
from daemon.archive.reading.players import find_players, player
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import EveningSetting, set_by_hand
from daemon.club.members import MemberEdit, NewMember, add_members, edit_member, remove_member
from daemon.club.members_csv import read_members
from tests.daemon.club.evenings import NOW, SLUG, now, order, pair_all, results, start, yes
from tests.daemon.seeding import fill, game_between, named


def add(archive, *args, **more):
    return add_members(archive, SLUG, [NewMember(*args, **more)], now_ms=NOW)[0]


def edit(archive, who, **more):
    return edit_member(archive, SLUG, who, MemberEdit(**more), now_ms=NOW)


def test_a_member_is_the_player_of_his_games(archive):
    """By name or by FIDE id a member is the player whom the archive has, whatever way the name is written."""
    fill(archive, [game_between("Rossi, Mario", named("Carlsen, Magnus", "1503014"))])
    start(archive, [NewMember("ROSSI,Mario", 1800), NewMember("Magnus C.", 2800, fide_id="01503014")])

    rossi, carlsen = now(archive).members
    with archive.reading() as connection:
        assert (
            player(connection, rossi.player_id)["games"]
            == player(connection, carlsen.player_id)["games"]
            == 1
        )
    assert (rossi.name, carlsen.name) == ("Rossi, Mario", "Carlsen, Magnus")


def test_a_new_member_is_a_new_player_and_is_found(archive):
    """Somebody without a game becomes a player by being a member, and the search finds them."""
    start(archive, [NewMember("O'Neill, Zoë", 1700)])
    with archive.reading() as connection:
        found = find_players(connection, "neill zoe", limit=5)["items"]
    assert [(one["name"], one["games"]) for one in found] == [("O'Neill, Zoë", 0)]


def test_ratings_are_unique(archive):
    """A rating that somebody has is refused by name, and the nearest free one is told."""
    start(archive, 2)
    with pytest.raises(ClubError, match=r"Neri, Anna: Rossi, Mario has the rating 1800, .* 1799 is free"):
        add(archive, "Neri, Anna", 1800)
    add(archive, "Neri, Anna", 1799)
    with pytest.raises(ClubError, match="1799 is free"):
        edit(archive, "neri", rating=1800)


@pytest.mark.parametrize("rating", [0, 10000, -5])
def test_ratings_are_usual_numbers(archive, rating):
    """No rating below 1 or with five digits."""
    start(archive, 0)
    with pytest.raises(ClubError, match="from 1 to 9999"):
        add(archive, "Neri, Anna", rating)


def test_nobody_is_a_member_twice(archive):
    """The same player under another spelling is refused, and it is said who they are."""
    start(archive, 1)
    with pytest.raises(ClubError, match=r"is a member already: no\. 1 Rossi, Mario \(1800\)"):
        add(archive, "mario ROSSI", 1500)
    with pytest.raises(ClubError, match=r"^1\. Rossi.* member already.*\nnobody is added: correct these"):
        add_members(
            archive, SLUG, [NewMember("Rossi, Mario", 1500), NewMember("Neri, Anna", 1400)], now_ms=NOW
        )
    assert len(now(archive).members) == 1


def test_two_of_one_name_are_told_apart(archive):
    """With a FIDE id they are another; both are called by their numbers then, and the bare name is refused."""
    start(archive, [NewMember("Rossi, Mario", 1800), NewMember("Rossi, Mario", 1700, fide_id="1234")])
    season = now(archive)
    assert list(season.labels.values()) == ["Rossi, Mario (no. 1)", "Rossi, Mario (no. 2)"]
    with pytest.raises(ClubError, match=r"no\. 1 Rossi, Mario \(1800\); no\. 2 Rossi, Mario \(1700\)"):
        season.find("mario")
    assert season.find("#2").rating == season.find("1234").rating == 1700
    assert season.find("Rossi, Mario (no. 1)").rating == 1800


def test_a_name_that_looks_like_a_label_changes_nothing(archive):
    """Labels stay unique even if one is somebody's name."""
    start(
        archive,
        [
            NewMember("Rossi, Mario", 1800),
            NewMember("Rossi, Mario", 1700, fide_id="1234"),
            NewMember("Rossi, Mario (no. 2)", 1600, fide_id="99"),
        ],
    )
    assert len(set(now(archive).labels.values())) == 3


@pytest.mark.parametrize(
    "other", ["Rossi, Mario", "ROSSI, mario", "Ｒossi, Mario", "Róssi, Mário", "Mario Rossi", "Rossi Mario"]
)
def test_names_that_look_alike_are_told_apart(archive, other):
    """Case, width, accents, the order of the words: the number is beside both names."""
    start(archive, [NewMember("Rossi, Mario", 1800), NewMember(other, 1700, fide_id="1234")])
    labels = [one.label for one in now(archive).members]
    assert [label.rpartition(" (")[2] for label in labels] == ["no. 1)", "no. 2)"]
    assert [now(archive).find(label).n for label in labels] == [1, 2]


@pytest.mark.parametrize("text", ["2", "02", "#2", "no. 2", "No 2", "no.2", "nr. 2", " 2 ", "２"])
def test_a_number_finds_its_member(archive, text):
    """As lists show it, with or without a sign that needs quotes in a shell."""
    assert start(archive, 3).find(text).name == "Bianchi, Laura"


def test_a_number_that_is_a_word_of_a_name(archive):
    """It is refused if it could be either; said as a number it is one. Nobody has number 7."""
    season = start(
        archive, [NewMember("Rossi, Mario", 1800), NewMember("Guest 1", 1700), NewMember("Guest 9", 1600)]
    )
    with pytest.raises(ClubError, match=r'"1" can be no\. 1 Rossi, Mario \(1800\); no\. 2 Guest 1'):
        season.find("1")
    assert season.find("no. 1").name == "Rossi, Mario"
    assert season.find("9").name == "Guest 9"
    with pytest.raises(ClubError, match='no member "7"'):
        season.find("7")


@pytest.mark.parametrize("name", ["", "?", "  ", "\u200b"])
def test_nobody_without_a_name(archive, name):
    """A name that names nobody is refused."""
    start(archive, 0)
    with pytest.raises(ClubError, match="names nobody"):
        add(archive, name, 1500)


@pytest.mark.parametrize("fide_id", ["12a", "0", "-3", "9" * 40])
def test_a_fide_id_that_is_none(archive, fide_id):
    """What is not a FIDE id is refused, not left out."""
    start(archive, 0)
    with pytest.raises(ClubError, match="is not a FIDE id"):
        add(archive, "Rossi, Mario", 1500, fide_id=fide_id)


@pytest.mark.parametrize("name", ["O'Neill, Zoë", "Müller, Jörg", "Żółć, Łukasz", "丁立人", "d’Angelo, Ugo"])
def test_names_of_all_kinds(archive, name):
    """Apostrophes, umlauts and other scripts are kept, and find their member."""
    start(archive, [NewMember(name, 1500), NewMember("Rossi, Mario", 1400)])
    season = now(archive)
    assert season.members[0].written == name
    assert season.find(name) == season.members[0]
    pair_all(archive)


def test_who_cannot_be_stored_is_refused_or_mended(archive):
    """A NUL in a name does not make it fail."""
    start(archive, 0)
    assert "\0" not in add(archive, "Ros\0si, Mario", 1500).written


def test_all_or_none(archive):
    """Where one of many cannot be added none is, and all reasons are told with their places."""
    start(archive, 1)
    new = [NewMember("Neri, Anna", 1700), NewMember("?", 1600), NewMember("Verdi, Gino", 1700)]
    with pytest.raises(ClubError, match=r'(?s)2\. "\?" names nobody.*3\. Verdi, Gino: Neri, Anna has'):
        add_members(archive, SLUG, new, now_ms=NOW)
    assert len(now(archive).members) == 1
    with archive.reading() as connection:
        assert not find_players(connection, "neri", limit=5)["items"]


def test_two_cannot_play_under_one_handle(archive):
    """Which of them a game was of could not be known."""
    start(archive, [NewMember("Rossi, Mario", 1800, handles=("lichess:mrossi90",))])
    with pytest.raises(ClubError, match="Rossi, Mario plays under that name"):
        add(archive, "Neri, Anna", 1500, handles=("lichess:MRossi90",))
    add(archive, "Neri, Anna", 1500, handles=("chesscom:mrossi90",))


def test_name_and_rating_can_be_edited_at_any_time(archive):
    """During a tournament; tables follow the new rating, the old player goes if nothing holds them (club P17)."""
    start(archive, 4)
    pair_all(archive)
    results(archive, "1-0", "1/2")
    old = now(archive).members[0].player_id

    new = edit(archive, "rossi", name="Russo, Mario", rating=1000, category="senior", handles=("a", "b"))

    assert (new.name, new.rating, new.category, new.handles) == ("Russo, Mario", 1000, "senior", ("a", "b"))
    assert new.player_id != old
    with archive.reading() as connection:
        assert player(connection, old) is None
    assert now(archive).players[0].rating == 1000
    assert edit(archive, "russo", category="", fide_id="").category is None


def test_what_is_not_given_stays(archive):
    """An edit changes only what it names."""
    start(archive, [NewMember("Rossi, Mario", 1800, "77", "U18", ("lichess:m",))])
    before = now(archive).members[0]
    assert edit(archive, "#1", rating=1801).written == before.written
    after = now(archive).members[0]
    assert (after.fide_id, after.category, after.handles) == ("77", "U18", ("lichess:m",))


def test_who_has_not_played_can_be_removed(archive):
    """After a question; the player goes too if they have no game (club P17)."""
    start(archive, 3)
    with pytest.raises(Confirm, match="Remove Neri, Anna"):
        remove_member(archive, SLUG, "neri", now_ms=NOW)
    gone = yes(lambda version: remove_member(archive, SLUG, "neri", now_ms=NOW, confirmed=version))
    assert len(now(archive).members) == 2
    with archive.reading() as connection:
        assert player(connection, gone.player_id) is None


def test_a_question_is_for_the_tournament_as_it_was(archive):
    """Where something happened between question and answer it is asked again."""
    start(archive, 3)
    with pytest.raises(Confirm) as asked:
        remove_member(archive, SLUG, "neri", now_ms=NOW)
    add(archive, "Verdi, Gino", 1000)
    with pytest.raises(Confirm):
        remove_member(archive, SLUG, "neri", now_ms=NOW, confirmed=asked.value.version)


def test_who_has_a_game_can_only_withdraw(archive):
    """Their results count for the others, they are paired no more, and they can return (club P17)."""
    start(archive, 4)
    pair_all(archive)
    with pytest.raises(ClubError, match=r"has a game in round 1: they can only withdraw"):
        remove_member(archive, SLUG, "rossi", now_ms=NOW, confirmed=now(archive).version)
    results(archive, "1-0", "1-0")

    assert edit(archive, "rossi", withdrawn=True).withdrawn == 2
    assert "Rossi, Mario" not in order(archive)
    assert now(archive).tables[-1].withdrawn == ("Rossi, Mario",)
    boards = pair_all(archive, "2024-05-19")
    assert "Rossi, Mario" not in {name for board in boards for name in board}
    assert edit(archive, "rossi", withdrawn=False).withdrawn is None


def test_who_is_paired_by_hand_stays(archive):
    """Neither withdrawn nor removed before that pairing is undone."""
    start(archive, 4)
    set_by_hand(archive, SLUG, EveningSetting(pairs=[("rossi", "neri")]), now_ms=NOW)
    with pytest.raises(ClubError, match="paired by hand"):
        edit(archive, "rossi", withdrawn=True)
    with pytest.raises(ClubError, match="paired by hand"):
        remove_member(archive, SLUG, "neri", now_ms=NOW)


def test_late_entries(archive):
    """A member who comes later is paired from the coming round on; the rounds before are not theirs."""
    start(archive, 4)
    pair_all(archive)
    late = add(archive, "Conti, Paola", 1900)
    assert late.joined == 2
    results(archive, "1-0", "0-1")
    assert "Conti, Paola" in order(archive)
    boards = pair_all(archive, "2024-05-19")
    away = now(archive).current.absences
    assert sum("Conti, Paola" in board for board in boards) + (late.id in away) == 1


def test_a_base_too_small_for_the_field_is_refused(archive):
    """A member is not added where no table could be made any more."""
    start(archive, 2, base="1")
    with pytest.raises(ClubError, match="no table can be made"):
        add(archive, "Neri, Anna", 1000)
    assert len(now(archive).members) == 2


def test_an_idle_player_stays_while_he_is_a_member(archive):
    """A game that is told otherwise later takes its players away, but no member."""
    start(archive, 2)
    from daemon.archive.club.tournaments import drop_if_idle

    with archive.writing() as connection:
        for member in now(archive).members:
            drop_if_idle(connection, archive.known, member.player_id)
    assert [one.name for one in now(archive).members] == ["Rossi, Mario", "Bianchi, Laura"]


# --- CSV


def test_csv_of_any_spreadsheet():
    """Commas or semicolons, UTF-8 with a mark or Latin-1, columns in any order, others left out."""
    comma = '\ufeffrating,name,town,handles\n1800,"Rossi, Mario",Roma,lichess:m  chesscom:r\n'.encode()
    semicolon = "Spieler;DWZ;Kategorie\nMüller, Jörg;1650;U18\n".encode("latin-1")
    assert read_members(comma) == [NewMember("Rossi, Mario", 1800, handles=("lichess:m", "chesscom:r"))]
    assert read_members(semicolon) == [NewMember("Müller, Jörg", 1650, category="U18")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("name\nRossi\n", "rating"),
        ("name,name,rating\na,b,1\n", "once: name"),
        ("name,rating\nRossi,much\nNeri,1500\nVerdi,\n", r'(?s)line 2: Rossi: "much".*line 4: Verdi: ""'),
        ('name,rating\n"Rossi,1500\n', "not a CSV"),
    ],
)
def test_csv_that_cannot_be_read(text, why):
    """All that is wrong is told, with the places."""
    with pytest.raises(ClubError, match=why):
        read_members(text.encode())


def test_csv_with_a_row_that_is_too_short():
    """A player without a name there is told with the line when they are added."""
    (member,) = read_members(b"rating,name\n1800\n")
    assert (member.name, member.line) == ("", 2)


def test_csv_of_our_own_export_comes_back():
    """A name that an export has kept from being a formula is the name again."""
    assert read_members(b"name,rating\n'=Rossi,1500\n")[0].name == "=Rossi"


def test_a_member_by_what_finds_only_him(archive):
    """Words, a handle, a number; what finds two or nobody is refused."""
    start(
        archive,
        [NewMember("Rossi, Mario", 1800, handles=("lichess:mrossi90",)), NewMember("Rossini, Ugo", 1700)],
    )
    season = now(archive)
    assert season.find("mrossi90").rating == season.find("mario").rating == season.find("#1").rating == 1800
    assert season.find("rossi").rating == 1800  # a whole word comes before a beginning
    assert season.find("rossini").rating == 1700
    with pytest.raises(ClubError, match="say which one by the number"):
        season.find("ross")
    for nobody in ("verdi", "#3", "", "?"):
        with pytest.raises(ClubError, match="has no member"):
            season.find(nobody)
    assert identify("mrossi90").kind == "nickname"
