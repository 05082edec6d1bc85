"""How names are read and shown, by the vectors and as properties over all characters."""

import re
import sys
import unicodedata
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import letters, names
from core.players import identify
from core.search import matches
from tests.core.vector_files import vectors

FOLD = vectors("fold")
DISPLAY = vectors("display")
KINDS = {"nick": "nickname", "person": "person", "unknown": "unknown"}
FILLERS = set("\u115f\u1160\u3164\uffa0")
OTHER_SCRIPTS = [
    "CYRILLIC",
    "GREEK",
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HANGUL",
    "ARABIC",
    "HEBREW",
    "DEVANAGARI",
    "TAMIL",
    "BENGALI",
    "THAI",
    "GEORGIAN",
    "ARMENIAN",
]
NAMELIKE = st.text(
    st.sampled_from("ABab Iiİıß,,.'’-_1  \t\u200b\u00ad\u0301ÖöØøÆÜΣσКй丁김ʻ½?!+♛Ⅲ２"), max_size=14
)
ASCII = st.text(st.characters(max_codepoint=127), max_size=30)


@cache
def all_characters() -> list[str]:
    """Every character that Unicode can have."""
    return [chr(code) for code in range(sys.maxunicode + 1)]


@cache
def assigned() -> list[str]:
    """Every character that there is. (Not made before a test asks: each process of pytest reads this module.)"""
    return [sign for sign in all_characters() if letters.category(sign) not in {"Cn", "Cs", "Co"}]


@pytest.mark.parametrize("case", FOLD["fold"], ids=lambda case: case["text"])
def test_folds_as_the_vectors_say(case):
    """Each text folds to the text in the vector."""
    assert names.fold(case["text"]) == case["folded"]


@pytest.mark.parametrize("case", FOLD["pairs"], ids=lambda case: f"{case['a']}-{case['b']}")
def test_folds_two_texts_alike_or_not(case):
    """Two texts fold alike exactly where the vector says so."""
    assert (names.fold(case["a"]) == names.fold(case["b"])) is case["same"]


@pytest.mark.parametrize("case", FOLD["words"], ids=lambda case: case["text"])
def test_words_as_the_vectors_say(case):
    """Words come folded and in the order written."""
    assert names.words(case["text"]) == case["words"]


def test_latin_letters_fold_as_the_frozen_table_says():
    """Unidecode still gives every Latin letter the answer that stored keys were built with."""
    table = FOLD["latin_table"]
    assert {letter: names.fold(letter) for letter in table} == table
    assert len(table) == 207


def test_no_other_latin_letter_gets_ascii_letters():
    """What the frozen table does not name keeps itself: no newer package may add an answer unnoticed."""
    kept = FOLD["latin_kept"]
    assert [letter for letter in kept if names.fold(letter) != letter] == []
    asked = {letter for sign in assigned() for letter in names._without_accents(names._without_accents(sign))}
    answered = {letter for letter in asked if names._latin(letter) != letter}
    assert answered <= set(FOLD["latin_table"])


def test_drops_the_marks_of_the_general_blocks_only():
    """The ranges of accents are those of the vectors; no other mark is dropped after a letter."""
    ranges = [re.split("-", text) for text in FOLD["dropped_marks"]]
    dropped = {chr(code) for low, high in ranges for code in range(int(low, 16), int(high, 16) + 1)}
    assert {sign for sign in all_characters() if names._ACCENTS.fullmatch(sign)} == dropped


def test_folding_twice_is_folding_once():
    """Folding is idempotent over all assigned characters."""
    assert [sign for sign in assigned() if names.fold(names.fold(sign)) != names.fold(sign)] == []


def test_case_never_counts():
    """A character, its capital and its small form fold alike, over all assigned characters."""
    fold = names.fold
    different = [sign for sign in assigned() if not fold(sign.upper()) == fold(sign.lower()) == fold(sign)]
    assert different == []


def test_normal_form_never_counts():
    """The four normal forms of a character fold alike, but for the lone iota subscript."""
    different = [
        sign
        for sign in assigned()
        if len({names.fold(unicodedata.normalize(form, sign)) for form in ("NFC", "NFD", "NFKC", "NFKD")}) > 1
    ]
    assert set(different) <= {"\u037a"}


def test_no_letter_vanishes():
    """Only the invisible fillers among the letters fold to nothing."""
    written = [sign for sign in assigned() if letters.category(sign)[0] == "L"]
    assert {letter for letter in written if not names.fold(letter)} <= FILLERS


def test_no_other_script_becomes_latin():
    """A letter of another script never folds to a-z."""
    others = [
        sign
        for sign in assigned()
        if letters.category(sign)[0] == "L" and unicodedata.name(sign, "").partition(" ")[0] in OTHER_SCRIPTS
    ]
    assert len(others) > 50_000
    assert [sign for sign in others if re.search("[a-z]", names.fold(sign))] == []


def test_no_character_swallows_its_neighbours():
    """A character between two letters joins them, stands alone, or separates them; the letters stay."""
    for sign in assigned():
        found = names.words(f"a{sign}b")
        assert found[0][0] == "a"
        assert found[-1][-1] == "b"


@given(ASCII)
@example("Rossi,\x00Mario\x7f")
def test_the_quick_way_for_ascii_is_the_whole_way(text):
    """The fast path for ASCII gives what the full rules give."""
    assert names.clean(text) == names._clean_any(text)
    assert names.fold(text) == names._fold_any(text)
    assert names._words_ascii(text) == names._words_any(text)


def test_the_quick_way_is_the_whole_way_for_all_pairs_of_ascii():
    """The same for every text of two ASCII characters."""
    pairs = [chr(a) + chr(b) for a in range(128) for b in range(128)]
    assert [pair for pair in pairs if names._words_ascii(pair) != names._words_any(pair)] == []
    assert [pair for pair in pairs if names._clean_ascii(pair) != names._clean_any(pair)] == []


@given(NAMELIKE)
def test_folding_any_text_is_idempotent(text):
    """Folding a folded text changes nothing, in longer texts too."""
    assert names.fold(names.fold(text)) == names.fold(text)


@given(NAMELIKE)
def test_cleaning_is_idempotent_and_leaves_no_edges(text):
    """A clean text has no blanks at its ends, no two in a row, and is clean."""
    cleaned = names.clean(text)
    assert names.clean(cleaned) == cleaned
    assert cleaned == " ".join(cleaned.split())


@given(NAMELIKE)
def test_kind_depends_on_the_clean_text_alone(text):
    """What is neither a letter nor a digit never decides whether a name is a nickname (names R3)."""
    assert names.classify(text) == names.classify(f"\u200b {names.clean(text)}\u00a0")


@pytest.mark.parametrize("case", vectors("identity")["cases"], ids=lambda case: case["name"])
def test_classifies_by_the_text_alone(case):
    """The kind of a name is that of the vector; an id does not change it."""
    kind = KINDS.get(case["kind"]) or str(identify(case["name"]).kind)
    assert names.classify(case["name"]) == kind


@pytest.mark.parametrize(
    ("name", "found_by"),
    [("Rossi-Mario", ("rossi-mario",)), ("Rossi-Mario, G.", ("rossi", "mario", "g")), ("?", ()), ("", ())],
)
def test_search_words_by_kind(name, found_by):
    """A nickname is found as one word, a person by each of their words, the unknown player by none."""
    assert names.search_words(name) == found_by


@pytest.mark.parametrize("case", DISPLAY["cases"], ids=lambda case: case["name"])
def test_shows_names_as_the_vectors_say(case):
    """Each name is shown as in the vector."""
    assert names.display(case["name"], online=case["online"]) == case["shown"]


@pytest.mark.parametrize("sequence", DISPLAY["sequences"], ids=lambda sequence: sequence["title"])
def test_the_first_game_gives_the_shown_name(sequence):
    """Games taken in one after another: who each player is, and how they are shown from the first game on (names R14)."""
    numbers, shown = {}, {}
    for game in sequence["games"]:
        player = identify(game["name"], game["fide"])
        numbers.setdefault(player, len(numbers) + 1)
        shown.setdefault(player, names.display(game["name"], online=game["online"]))
        assert (numbers[player], shown[player]) == (game["player"], game["shown"])


@pytest.mark.parametrize("edit", DISPLAY["edits"], ids=lambda edit: edit["title"])
def test_an_edited_name_stays_with_the_player_or_moves_the_game(edit):
    """The same identity gives all their games the new name; another moves this game to that player (names R17)."""
    keys = [identify(game["name"], game["fide"]) for game in edit["games"]]
    shown = {}
    for player, game in zip(keys, edit["games"], strict=True):
        shown.setdefault(player, names.display(game["name"]))
    place, typed = edit["edit"]["game"], edit["edit"]["name"]
    new = identify(typed, edit["games"][place]["fide"])
    assert (new == keys[place]) is edit["same_player"]
    if edit["same_player"]:
        shown[new] = typed
    shown.setdefault(new, names.display(typed))
    keys[place] = new
    assert [shown[player] for player in keys] == edit["shown_after"]


@given(NAMELIKE | st.text(max_size=12), st.booleans())
@example("ROSSI,\u0130\u0307AB", False)
@example("AB\u0301C, ΟΔΟΣ", False)
@example(",,A", False)
def test_showing_a_name_never_changes_who_it_is(name, online):
    """identity(shown) = identity(written), and what is shown once is shown so again (names R18)."""
    shown = names.display(name, online=online)
    assert identify(shown) == identify(name)
    assert names.display(shown, online=online) == shown


def test_decomposed_capitals_are_one_run_of_letters():
    """An accent written as a mark of its own does not break a surname in capitals in two."""
    assert names.display("MU\u0308LLER, Hans") == "Mu\u0308ller, Hans"


def test_two_capitals_after_a_surname_in_capitals_are_initials():
    """After the comma only three letters or more are a name in capitals (names R15)."""
    assert names.display("ROSSI, MG") == "Rossi, MG"
    assert names.display("ROSSI, ADA") == "Rossi, Ada"


def test_a_final_sigma_is_written_as_one():
    """Greek surnames in capitals get the sigma of the end of a word."""
    assert names.display("ΠΑΠΑΔΟΠΟΥΛΟΣ, Γ.") == "Παπαδοπουλος, Γ."


@pytest.mark.parametrize(
    "other", ["M\\x94ller", "M ller", "Mx81ller", "Müller", "M\\\\x81ller", "Mller", "M\\x8"]
)
def test_a_byte_of_an_unknown_encoding_is_a_sign_of_its_own(other):
    """It parts no word and equals only itself, in names and in searches; it is shown as it is written."""
    name = "M\\x81ller, Karl"
    assert names.words(name) == ["m\\x81ller", "karl"]
    assert names.words("Öz M\\x81LLER") == ["oz", "m\\x81ller"]
    assert names.display(name) == name
    assert names.display("M\\x81ller ,Karl") == name
    assert identify(name) == identify("Karl M\\x81LLER") != identify(f"{other}, Karl")
    assert matches("m\\x81l kar", name)
    assert not matches(f"{other} karl", name)


def test_long_names_are_read_like_short_ones():
    """A name too long for the memory of names gives the same words."""
    assert names.words("Öz, Al " * 100) == ["oz", "al"] * 100


def test_the_version_of_folding_is_stable_and_names_unicode():
    """The version says which Unicode data and which table of letters folding rests on."""
    assert names.fold_version() == names.fold_version()
    assert names.fold_version().startswith(f"{letters.VERSION}-")


def test_only_names_of_a_usual_length_are_remembered():
    """A short name is read once; a long one each time, so that names of a megabyte cannot fill the memory."""
    asked = []
    read = names.remembered(lambda text: asked.append(text) or len(text))
    long = "x" * 1_000_000
    assert [read("Rossi"), read("Rossi"), read(long), read(long)] == [5, 5, 1_000_000, 1_000_000]
    assert asked == ["Rossi", long, long]
