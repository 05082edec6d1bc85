"""turnering.txt of a tournament: it passes the program's own check, or what prevents it is said."""

from datetime import date

import pytest

from core.club.fesa_rating_list import read_list
from core.club.findings import errors
from core.club.tournament import AbsenceReason
from core.club.turnering import check
from daemon.club.errors import ClubError
from daemon.club.files import turnering
from daemon.club.foundation import change_settings
from daemon.club.handicaps import read_handicap, set_handicaps
from daemon.club.members import MemberEdit, NewMember, edit_member
from daemon.club.shogi import ShogiFacts
from daemon.club.turnering_file import remember
from tests.daemon.club.evenings import NOW, SLUG, now, pair_all, results, start

LIST = read_list(
    b"name,rating,fesa_id\nHabu Yoshiharu,2500,77\nWalesa Lech,1500,\nRossi Mario,1400,\nNeri Anna,1300,\n"
)
SHOGI = [
    NewMember("羽生善治", 2500, "77", shogi=ShogiFacts("JPN", "5 Dan", "2")),
    NewMember("Wałęsa, Lech", 1500, shogi=ShogiFacts("PL", "1 Kyu", "1")),
    NewMember("Rossi, Mario", 1400, shogi=ShogiFacts("IT")),
    NewMember("Neri, Anna", 1300),
]


def played(archive, members=SHOGI, **flags):
    """A tournament of one round that is played."""
    start(archive, members)
    boards = pair_all(archive, **flags)
    results(archive, *["1-0"] * len(boards))
    return now(archive)


def spell(archive, member, text):
    """Say how the rating list writes a member."""
    edit_member(archive, SLUG, member, MemberEdit(shogi=ShogiFacts(spelled=text)), now_ms=NOW)


def rows(export):
    """The player lines."""
    return [line for line in export.data.decode("iso-8859-1").splitlines() if line[:1].isdecimal()]


def test_names_of_other_scripts_are_asked_for(archive):
    """They are not guessed: the member is named with what to do, and once it is done the file is good."""
    season = played(archive)
    with pytest.raises(
        ClubError, match=r'no. 1 羽生善治: .*--list.*player edit vm26 1 --spelled "Last, First"'
    ):
        turnering(season)
    spell(archive, "1", "Habu Yoshiharu")
    written = turnering(now(archive))
    assert "[Habu][Yoshiharu]JP 5 Dan[" in rows(written)[0]
    assert errors(check(written.data)) == ()


def test_the_rating_list_spells_and_that_is_kept(archive):
    """By id, or by the only name of the same words; the next export needs no list."""
    season = played(archive)
    written = turnering(season, known=LIST)
    assert {season.labels[one]: str(text) for one, text in written.found.items()} == {
        "羽生善治": "[Habu][Yoshiharu]"
    }
    assert any("is remembered" in note for note in written.notes)
    assert check(written.data, known=LIST) == ()
    remember(archive, SLUG, written.found, now_ms=NOW)
    assert turnering(now(archive)).data == written.data


def test_who_is_not_in_the_rating_list_has_to_be_new(archive):
    """A name that the list does not have is refused with both ways out; a member who is new is declared so."""
    season = played(archive, [*SHOGI[1:3], NewMember("Neri, Ana", 1300)])
    with pytest.raises(ClubError, match=r'Neri, Ana: .*did you mean "Neri Anna"\?.*--spelled.*--new'):
        turnering(season, known=LIST)
    edit_member(archive, SLUG, "Neri, Ana", MemberEdit(shogi=ShogiFacts(newcomer=True)), now_ms=NOW)
    written = turnering(now(archive), known=LIST)
    assert any("N [Neri][Ana]" in row for row in rows(written))
    assert any("tell those who rate it" in note for note in written.notes)


@pytest.mark.parametrize("name", ["[Rossi], Mario", "Юрий, Анна"])
def test_names_that_no_file_can_have(archive, name):
    """Brackets and letters without a sure form are refused with what to do, and the spelling mends it."""
    season = played(archive, [NewMember(name, 1500), NewMember("Neri, Anna", 1400)])
    with pytest.raises(ClubError, match=r"player edit vm26 1 --spelled"):
        turnering(season)
    spell(archive, "1", "Rossi, Mario")
    assert errors(check(turnering(now(archive)).data)) == ()


def test_equal_names_are_told_apart_by_their_spelling(archive):
    """FESA knows players by name alone: the second of two is refused, and can be spelled otherwise."""
    twins = [NewMember("Meier, Hans", 1500, "999001"), NewMember("Meier, Hans", 1400, "999002")]
    season = played(archive, twins)
    with pytest.raises(ClubError, match=r"no. \d Meier, Hans: line \d has the same name.*--spelled"):
        turnering(season)
    spell(archive, "2", "Meier, Hans jun.")
    assert "[Meier][Hans jun.]" in turnering(now(archive)).data.decode()


def test_the_tournament_in_letters_that_fesa_cannot_read(archive):
    """Its name, city and time control have to be in Latin letters, without brackets."""
    played(archive, 2)
    change_settings(archive, SLUG, {"name": "名人戦", "city": "[Roma]"}, now_ms=NOW)
    with pytest.raises(ClubError, match=r'settings vm26 --set name="…"\n.*--set city="…"'):
        turnering(now(archive))
    change_settings(archive, SLUG, {"name": "New Year’s “Open”", "city": "Roma"}, now_ms=NOW)
    assert turnering(now(archive)).data.startswith(b'[New Year\'s "Open", Roma]\n')


def test_who_stayed_away_without_a_word(archive):
    """0# is written, as the document has it; where that is all of a row it is 0-, and that is said."""
    away = {"verdi": AbsenceReason.UNEXCUSED, "neri": AbsenceReason.EXCUSED}
    written = turnering(played(archive, 4, away=away))
    assert "0#" not in "".join(rows(written))
    (note,) = [note for note in written.notes if "Verdi" in note]
    assert note.startswith("no. 4 Verdi, Gino: stayed away in every round without a word")
    pair_all(archive, "2024-05-19", away={"rossi": AbsenceReason.UNEXCUSED, "neri": AbsenceReason.EXCUSED})
    results(archive, "1-0")
    written = turnering(now(archive))
    assert all("0#" in row for row in rows(written) if "Rossi" in row or "Verdi" in row)
    assert errors(check(written.data)) == ()


def test_handicaps_follow_who_gave_them(archive):
    """The stronger gives it, or who is named; the signs are right in both rows; a turned board keeps its giver."""
    season = played(archive, 4)
    set_handicaps(archive, SLUG, {1: read_handicap("2p"), 2: read_handicap("RL:verdi")}, now_ms=NOW)
    cells = {row.partition("]")[0].partition("[")[2]: row for row in rows(turnering(now(archive)))}
    assert "(-2p)" in cells["Rossi"]
    assert "(+2p)" in cells["Bianchi"]
    assert "(-rl)" in cells["Verdi"]
    assert "(+rl)" in cells["Neri"]
    set_handicaps(archive, SLUG, {2: read_handicap("none")}, now_ms=NOW)
    assert "rl" not in "".join(rows(turnering(now(archive))))
    assert season.labels


def test_handicaps_that_cannot_be(archive):
    """Unknown codes, and givers who are not members or do not play at that board."""
    played(archive, 4)
    for text in ("3p", "2p:galli", "2pp", "2p:neri"):
        with pytest.raises(ClubError):
            set_handicaps(archive, SLUG, {1: read_handicap(text)}, now_ms=NOW)


def test_what_is_due_is_said(archive):
    """Results that are late, and a time control that is too short, are notes with the file."""
    played(archive, 2)
    change_settings(archive, SLUG, {"time_control": "5min"}, now_ms=NOW)
    notes = turnering(now(archive), today=date(2026, 1, 1)).notes
    assert any("more than two weeks ago" in note for note in notes)
    assert any("shorter than rated games may be" in note for note in notes)


def test_facts_that_cannot_be(archive):
    """Unknown countries and grades, other points than halves and tenths, unclear spellings are refused."""
    start(archive, 2)
    wrong = {
        "nation": ["XX"],
        "grade": ["9th", "30 Kyu"],
        "macmahon": ["-1", "2.25", "x"],
        "spelled": ["van der Berg", "羽生"],
    }
    for facts in (ShogiFacts(**{name: text}) for name, texts in wrong.items() for text in texts):
        with pytest.raises(ClubError, match="Rossi, Mario: "):
            edit_member(archive, SLUG, "rossi", MemberEdit(shogi=facts), now_ms=NOW)


def test_facts_are_kept_and_taken_away(archive):
    """Each as it is meant; an empty text takes it away; the log tells both."""
    start(archive, 2)
    facts = ShogiFacts("ger", "3 dan", "2½", "Rossi Mario", newcomer=True)
    member = edit_member(archive, SLUG, "rossi", MemberEdit(shogi=facts), now_ms=NOW)
    kept = (member.nation, member.grade, member.macmahon, member.spelled, member.newcomer)
    assert kept == ("DE", "3 Dan", "5/2", "[Rossi][Mario]", True)
    gone = edit_member(
        archive, SLUG, "rossi", MemberEdit(shogi=ShogiFacts("", "", "", "", newcomer=False)), now_ms=NOW
    )
    assert (gone.nation, gone.grade, gone.macmahon, gone.spelled, gone.newcomer) == (None,) * 4 + (False,)
