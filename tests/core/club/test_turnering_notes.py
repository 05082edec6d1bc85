"""The club T10 to T17 for turnering.txt: the whole table, names, characters, points, and notes."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.fesa_rating import Entrant
from core.club.fesa_rating_list import RatingList
from core.club.findings import FileFinding, errors
from core.club.turnering import check
from tests.core.club.turnering_findings import GOOD, HEAD, found, rules


def known(*names, **ratings):
    """A rating list."""
    players = {name: Entrant(name) for name in names}
    return RatingList(players | {name: Entrant(name, rating=value) for name, value in ratings.items()})


# --- club T10


def test_t10_a_row_of_no_shows_is_a_note():
    """A row without + - = ends the table for FESA's program: a note."""
    assert found("1 [A][a][0+]\n2 [B][b][0#]\n") == [("T10", 4, None, True)]


def test_t10_a_hyphen_in_the_name_is_enough():
    """FESA's program looks for + - = & anywhere in the line."""
    assert found("1 [A-B][a][0#]\n") == []


def test_t10_text_among_the_players():
    """A line of text among the players ends the table: a note; with + - = it is an error."""
    assert found("1 [A][a][0+]\nGroup two\n2 [B][b][0-]\n") == [("T10", 4, None, True)]
    assert rules("1 [A][a][0+]\nGroup - two\n2 [B][b][0-]\n") == {"grammar"}


def test_t10_text_after_the_players():
    """After the table text is free, but for + - = &, which make it a player: a note."""
    assert found(GOOD + "Thanks to all\n[Club]\n") == []
    assert found(GOOD + "Thanks to all & sundry\n") == [("T10", 5, None, True)]


# --- club T11


@pytest.mark.parametrize(
    "text", ["1 [Mül[ler][a][0+]\n", "1 [A]]b][a][0+]\n", "1 [A][a[1]b][0+]\n", "1 [[A]][a][0+]\n"]
)
def test_t11_brackets_in_names(text):
    """Names have no brackets."""
    assert {"T11", "grammar"} & rules(text)


def test_t11_names_are_unique_and_not_empty():
    """FESA's program knows players by name alone."""
    assert found("1 [A][a][0+]\n2 [A][a][0-]\n") == [("T11", 4, None, False)]
    assert rules("1 [][][0+]\n") == {"T11"}
    assert found("1 [A][][0+]\n") == []


def test_t11_a_first_name_alone_is_an_error():
    """FESA's program begins with the last name; a single name is a last name."""
    assert rules("1 [][Madonna][0+]\n") == {"T11"}
    assert found("1 [Madonna][][0+]\n") == []


@pytest.mark.parametrize("other", ["ROSSI", "Rossì"])
def test_t11_nearly_the_same_name(other):
    """Names that only case or accents tell apart are a note in the line of the second."""
    assert found(f"1 [Rossi][a][2+]\n2 [{other}][a][1-]\n") == [("T11", 4, None, True)]


@pytest.mark.parametrize("name", ["van  Dam", "van\tDam", "van\xa0Dam"])
def test_t11_blanks_inside_a_name(name):
    """Other blanks than one between two words are a note: FESA's program compares names letter by letter."""
    assert found(f"1 [{name}][a][0+]\n") == [("T11", 3, None, True)]


def test_t11_blanks_around_a_name():
    """A blank makes another name of it."""
    assert rules("1 [A ][a][0+]\n") == {"T11"}


def test_t11_names_have_to_match_the_list():
    """An unknown name is an error that suggests a similar one, unless it is declared as new; then it is a note."""
    listed = known("Rossi Mario", "Bianchi Anna")
    findings = check((HEAD + "1 [Rossi][Mari][0+]\n").encode(), known=listed)
    assert [(one.rule, one.note) for one in findings] == [("T11", False)]
    assert '"Rossi Mario"' in findings[0].mend
    assert "1 N [Rossi][Mari]" in findings[0].mend
    assert found("1 [Rossi][Mario][0+]\n", known=listed) == []
    assert found("1 N [Verdi][Ugo][0+]\n", known=listed) == [("T11", 3, None, True)]


def test_t11_new_names_without_a_list():
    """Without a list only the names that are declared as new are told, as notes."""
    assert found("1 N [Verdi][Ugo][0+]\n2 [Rossi][Mario][0-]\n") == [("T11", 3, None, True)]


def test_t11_declared_as_new_but_known():
    """A player who is in the list is not new."""
    assert rules("1 N [Rossi][Mario][0+]\n", known=known("Rossi Mario")) == {"T11"}


# --- club T12


@pytest.mark.parametrize(
    ("text", "stand_in"), [("Wałęsa", "l"), ("Dvořák", "r"), ("Şentürk", "S"), ("Œuvre", "OE"), ("Šoša", "S")]
)
def test_t12_characters_outside_iso_8859_1(text, stand_in):
    """Each Latin letter is an error with a stand-in."""
    findings = check(f"{HEAD}1 [{text}][a][0+]\n".encode())
    faults = [one for one in findings if one.rule == "T12" and one.line == 3]
    assert faults
    assert not faults[0].note
    assert f'"{stand_in}"' in faults[0].mend


@pytest.mark.parametrize("text", ["羽生善治", "はぶ", "이세돌", "Юрий", "Ελλη", "Ə", "☃"])
def test_t12_other_scripts_are_not_guessed(text):
    """For letters of other scripts the rating list has to be asked: 羽生 is Habu, not what a table of sounds says."""
    faults = [
        one for one in check(f"{HEAD}1 [{text}][a][0+]\n".encode()) if one.rule == "T12" and one.line == 3
    ]
    assert faults
    assert all(
        (one.note, one.mend) == (False, "write the name as the rating list spells it") for one in faults
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [("New Year’s", '"\'"'), ("A–B", '"-"'), ("O‘Hara", '"\'"'), ("„A“", "'\"'"), ("A…", '"..."')],
)
def test_t12_typographic_signs_are_notes(text, plain):
    """Dashes, quotes and dots that typesetting makes are notes, in UTF-8 too: the file is good."""
    findings = check(f"{HEAD}1 [{text}][a][0+]\n".encode())
    assert {(one.rule, one.line, one.note) for one in findings} == {("T12", None, True), ("T12", 3, True)}
    assert plain in findings[-1].mend
    assert rules(f"1 [{text}][ü][0+]\n", encoding="utf-8") == {"T12"}


def test_t12_a_mark_at_the_beginning():
    """The mark of UTF-8 before a file without other letters is a note; in UTF-16 nothing can be read."""
    text = HEAD + GOOD
    assert [(one.rule, one.note) for one in check(text.encode("utf-8-sig"))] == [("T12", True)]
    assert [(one.rule, one.note) for one in check(text.encode("utf-16"))] == [("T12", False)]


def test_t12_another_encoding():
    """The right letters in UTF-8 are other letters for FESA's program."""
    assert rules("1 [Müller][a][0+]\n", encoding="utf-8") == {"T12"}
    assert rules("1 [Müller][a][0+]\n") == set()


def test_t12_windows_characters():
    """The curly apostrophe of Windows-1252 is a note, its letters are not in ISO 8859-1."""
    assert found("1 [O’Hara][a][0+]\n", encoding="cp1252") == [("T12", 3, None, True)]
    assert rules("1 [Šoša][a][0+]\n", encoding="cp1252") == {"T12"}


# --- nation, header lines


@pytest.mark.parametrize("extra", ["DE", "de", "GER", "JP 3 Dan", "ENG", "3 Kyu", "", "Germany"])
def test_nations(extra):
    """Codes of two and three letters are known; other text between name and results is free."""
    assert found(f"1 [A][a]{extra}[0+]\n") == []


@pytest.mark.parametrize("extra", ["XX", "QQQ", "zz 3 Dan"])
def test_unknown_nations_are_notes(extra):
    """What looks like a code and is none is a note."""
    assert found(f"1 [A][a]{extra}[0+]\n") == [("nation", 3, None, True)]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("Nr Name Nat 1 2 3 MMSS Pts", "T4"),
        ("Nr Name Nat 1 3 Pts", "T4"),
        ("Nr Name Nat 1 2 Pts", None),
        ("Nr Name", None),
        ("[Arbiter: A. Nobody]", "T1"),
        ("[20min + 40sec]", "T16"),
        ("Arbiter: A. Nobody", "grammar"),
    ],
)
def test_further_header_lines(line, rule):
    """Column names that do not fit the rounds, and lines that no header has, are notes in their line."""
    notes = found(GOOD, head=f"{HEAD}{line}\n")
    assert [(one, note) for one, _, _, note in notes] == ([(rule, True)] if rule else [])


# --- club T13 to T15


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ("[0+ 0= 0- 0#]", "1.5"),
        ("[0+ 0= 0- 0#]", "1½"),
        ("[0+ 0= 0- 0#]", "1,5"),
        ("[0+ 0= 0- 0#][2]", "3.5"),
        ("[0= 0- 0- 0-][2.5]", "3"),
        ("[0= 0- 0- 0-]", "½"),
        ("[0- 0- 0- 0-]", "0"),
    ],
)
def test_t13_points(results, points):
    """MacMahon points, wins, half of the draws, free points; no MacMahon points are 0 (club T14)."""
    assert rules(f"1 [A][a]{results} {points}\n") == set()
    assert rules(f"1 [A][a]{results} 9\n") == {"T13"}


@pytest.mark.parametrize("points", ["x", "1.25", "-1", "4 5", "1e3", "9" * 20])
def test_t13_no_points(points):
    """What is not a number of points is an error."""
    assert rules(f"1 [A][a][0+] {points}\n") == {"T13"}


@pytest.mark.parametrize("cell", ["2 +", "2+ (-r)", "2+( -r)", "2+(- r)", "2+(-r )"])
def test_t15_no_blanks_in_cells(cell):
    """A blank inside a cell is an error, though it can be read."""
    assert rules(f"1 [A][a][{cell}]\n2 [B][b][1-{'(+r)' if 'r' in cell else ''}]\n") == {"T15"}


# --- club T16, T17


@pytest.mark.parametrize(
    ("today", "wanted"),
    [
        (date(2023, 12, 1), [("T16", None, None, True)]),
        (date(2024, 1, 5), [("T16", None, None, True)]),
        (date(2024, 1, 6), []),
        (date(2024, 1, 20), []),
        (date(2024, 1, 21), [("T16", None, None, True)]),
        (None, []),
    ],
)
def test_t16_two_weeks(today, wanted):
    """Sent in two weeks after: a reminder when it is late, and a note where results are older than the day."""
    assert found(GOOD, today=today) == wanted


@pytest.mark.parametrize(
    ("today", "notes"), [(date(2023, 12, 22), 0), (date(2023, 12, 25), 1), (date(2024, 1, 6), 0)]
)
def test_t16_announced_two_weeks_before(today, notes):
    """A file without a game yet is reminded that it had to be announced."""
    assert len(found("1 [A][a][0-]\n", today=today)) == notes


@pytest.mark.parametrize(
    ("control", "wanted"),
    [
        ("30min + 30sec", []),
        ("20min + 40sec", []),
        ("20 min + 40 s", []),
        ("60min + 60sec byoyomi", []),
        ("20min + 30sec", ["T16"]),
        ("10min", ["T16"]),
        ("long", []),
    ],
)
def test_t16_time_control(control, wanted):
    """At least 30 minutes and 30 seconds, or 20 and 40: else a note."""
    assert [rule for rule, *_ in found(GOOD, head=f"{HEAD}[Time control: {control}]\n")] == wanted


def test_t17_handicaps_that_do_not_fit_the_players():
    """A handicap far from the difference of the players is a note, by the list or by the grades in the file."""
    text = "1 [A][a]{} [2+(-6p)]\n2 [B][b]{} [1-(+6p)]\n"
    assert found(text.format("2 Dan", "1 Dan")) == [("T17", 3, 1, True)]
    assert found(text.format("5 Dan", "5 Kyu")) == []
    assert found(text.format("", "")) == []
    assert found(text.format("99 Dan", "1 Kyu")) == []
    listed = known(**{"A a": 2200, "B b": 2100})
    assert found(text.format("", ""), known=listed) == [("T17", 3, 1, True)]


# --- lines that are not those of a player


@pytest.mark.parametrize(
    "row",
    ["1 [A][a]", "1 [A][a", "1 [A][a][x+]", "1 [A][a][0+x]", "1 [A][a][+]", "1 [A][a][2]", "1 [A] x [a][0+]"],
)
def test_grammar(row):
    """What cannot be read as a player line is an error in its line."""
    assert ("grammar", 3) in {(rule, line) for rule, line, *_ in found(row + "\n")}


def test_no_players():
    """A file without players is an error."""
    assert rules("") == {"grammar"}
    assert rules("", head="") == {"T1", "grammar"}


def test_ready_negative_cases_name_the_player():
    """Each message says line, player, round and the mend."""
    one = errors(check((HEAD + "1 [Rossi][Mario][2+]\n2 [B][b][1+]\n").encode()))[0]
    assert str(one) == (
        'line 3, player 1 Rossi Mario, round 1, error T6: "2+" does not go with "1+" of player 2 B b '
        "(write + and -, or = and =)"
    )
    assert one.as_json()["level"] == "error"


def test_notes_say_so():
    """A note is called a note, and is not an error."""
    note = FileFinding("T16", "late", "hurry", note=True)
    assert (str(note), note.as_json()["level"]) == ("note T16: late (hurry)", "note")
    assert errors([note]) == ()


@given(st.integers(2, 9), st.data())
def test_one_changed_cell_is_always_found(count, data):
    """In a good file, changing the mark or the opponent of one game is found."""
    rows = [
        f"{n} [P{n}][x][{(n % 2 and n + 1) or n - 1}{'+' if n % 2 else '-'}]" for n in range(1, 2 * count + 1)
    ]
    assert check((HEAD + "\n".join(rows)).encode()) == ()
    which = data.draw(st.integers(0, len(rows) - 1))
    start, _, cell = rows[which].rpartition("[")
    other = data.draw(
        st.builds("{}{}".format, st.integers(0, 30), st.sampled_from("+-=")).filter(
            lambda new: f"{new}]" != cell
        )
    )
    rows[which] = f"{start}[{other}]"
    assert errors(check((HEAD + "\n".join(rows)).encode()))
