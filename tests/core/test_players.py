"""Who a player is, which players are the user, and what a dossier's account takes."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.players import (
    UNKNOWN,
    PlayerKey,
    Profile,
    account_takes,
    identify,
    is_mine,
    key_version,
    read_fide_id,
    why_mine,
)
from tests.core.vector_files import vectors

IDENTITY = vectors("identity")
MINE = vectors("mine")
PROFILES = {
    letter: Profile(entry["first"], entry["last"], entry["aliases"], entry["fide"])
    for letter, entry in MINE["profiles"].items()
}
KINDS = {"fide": "fide", "nick": "nickname", "person": "person", "unknown": "unknown"}


def _player(entry):
    return identify(entry["name"], entry["fide"])


def _report(case):
    return f"{case['report']} {case['what']}"


@pytest.mark.parametrize("case", IDENTITY["cases"], ids=lambda case: f"{case['name']} {case['fide']}")
def test_identifies_as_the_vectors_say(case):
    """Kind and key of each name are those of the vector."""
    key = _player(case)
    assert (str(key), key.kind) == (case["key"], KINDS[case["kind"]])


@pytest.mark.parametrize("case", IDENTITY["pairs"], ids=lambda case: f"{case['a']}-{case['b']}")
def test_two_names_are_one_player_or_two(case):
    """Two names have equal keys exactly where the vector says so."""
    assert (_player(case["a"]) == _player(case["b"])) is case["same"]


@pytest.mark.parametrize("case", IDENTITY["replays"], ids=_report)
def test_public_reports_on_identity(case):
    """What went wrong in other tools is decided by the rules."""
    assert (_player(case["a"]) == _player(case["b"])) is case["same"]


@pytest.mark.parametrize(
    "case", MINE["cases"], ids=lambda case: f"{case['profile']} {case['name']} {case['fide']}"
)
def test_mine_as_the_vectors_say(case):
    """A player is the user exactly where the vector says so, and then there is a reason."""
    asked = case["name"], case["fide"], PROFILES[case["profile"]]
    assert is_mine(*asked) is case["mine"]
    assert (why_mine(*asked) is not None) is case["mine"]


@pytest.mark.parametrize("case", MINE["dossiers"], ids=lambda case: f"{case['account']} {case['name']}")
def test_an_account_takes_its_nickname_without_an_id(case):
    """A dossier's account takes the games of the nickname, never of a person or an id."""
    assert account_takes(case["account"], case["name"], case["fide"]) is case["taken"]


@pytest.mark.parametrize(
    ("name", "fide_id", "reason"),
    [
        ("Rossi, Mario", "1234567", "fide id"),
        ("Rossi, Mario", None, "name"),
        ("MRossi90", None, "alias mrossi90"),
        ("M. Rossi", None, "alias Rossi M."),
        ("Rossi, Mario", "7", None),
        ("Bianchi, Luca", None, None),
    ],
)
def test_the_reason_why_a_player_is_the_user(name, fide_id, reason):
    """The reason names the id, the name, or the alias as configured, without its site."""
    me = Profile("Mario", "Rossi", ["Rossi M.", "lichess:mrossi90"], 1234567)
    assert why_mine(name, fide_id, me) == reason


def test_an_alias_loses_its_site_only_where_it_names_one():
    """``lichess:x`` is the handle x; another colon is writing like any other, and no handle is cut out of it."""
    me = Profile(aliases=["lichess:mrossi90", "ChessCom:rossi-mario", "Bianchi:Verdi", "fide:1503014"])
    assert {str(key) for key in me.keys} == {
        "nick:mrossi90",
        "nick:rossi-mario",
        "person:bianchi verdi",
        "person:1503014 fide",
    }


@pytest.mark.parametrize("alias", ["", " ", "?", "lichess:", "lichess:?", "\u200b", "..."])
def test_an_alias_that_names_nobody_matches_nobody(alias):
    """Empty aliases would take all unknown players (names R25)."""
    assert Profile(aliases=[alias]).keys == frozenset()
    assert not account_takes(alias, alias)


def test_a_profile_is_a_value():
    """Profiles with the same content are equal and hash alike, whatever sequence the aliases came in."""
    assert Profile("Mario", aliases=["x"]) == Profile("Mario", aliases=("x",))
    assert len({Profile("Mario", aliases=["x"]), Profile("Mario", aliases=("x",))}) == 1


@pytest.mark.parametrize("value", [0, -1, True, "", "0", "000", "12a", "1 2", "１２", "٣", "1\u200b2", None])
def test_what_is_no_number_is_no_id(value):
    """Nothing is repaired into an id."""
    assert read_fide_id(value) is None


def test_an_id_has_no_greatest_length():
    """Ids stay texts: no overflow, and no limit on the digits of a number."""
    assert read_fide_id("00" + "9" * 5000) == "9" * 5000


def test_digests_stand_for_keys():
    """The digest has 16 bytes and is always the same: archives keep it."""
    assert identify("Rossi, Mario").digest.hex() == "47920b042172204f63ac9624e8787c72"
    assert UNKNOWN.digest.hex() == "1dd1674b459cc014f11797f31b18367a"


def test_no_text_imitates_another_kind():
    """A name that looks like a key is a name (names §7)."""
    imitations = ["fide:1503014", "nick:rossi", "person:rossi", "unknown"]
    assert [str(identify(text)) for text in imitations] == [
        "person:1503014 fide",
        "person:nick rossi",
        "person:person rossi",
        "nick:unknown",
    ]


def test_keys_have_a_version():
    """An archive can tell whether its keys were built by other rules or other Unicode data."""
    assert key_version().startswith("2-")


@given(st.text(max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_words_never_counts(name, chance: random.Random):
    """A person's words in any order are the same person (names R7)."""
    key = identify(name)
    if key.kind == "person":
        shuffled = key.text.split()
        chance.shuffle(shuffled)
        assert identify(" ".join(shuffled) + ",") == key


@given(st.text(max_size=20), st.integers(min_value=1))
def test_the_id_alone_decides(name, fide_id):
    """With an id the name does not count (names R5)."""
    assert identify(name, fide_id) == PlayerKey("fide", str(fide_id))
    assert identify(name, f" 00{fide_id}").fide_id == str(fide_id)


@given(st.text(max_size=300))
def test_keys_can_be_stored(name):
    """Every key is a text that both databases take: no NUL, no lone surrogate; and no longer than it must be."""
    text = str(identify(name))
    assert "\0" not in text
    assert text.encode().decode() == text


# What went wrong in the tools before us (their issues), as far as names decide it.


def test_two_people_of_one_name_are_two_by_their_ids():
    """The name "BYE" with two FIDE ids, one person with two ids by mistake: two until told otherwise (lila#16714)."""
    assert identify("Bye", "100") != identify("Bye", "200")
    assert identify("BYE") == identify("Bye")
    assert identify("BYE").kind == "nickname"


def test_the_two_petrosians_are_two():
    """An older and a younger namesake, with a middle initial in two writings (agadmator#155, Petrosian-Bot#8)."""
    older, younger = "Petrosian, Tigran", "Petrosian, Tigran L."
    assert identify(older) != identify(younger)
    assert identify(younger) == identify("Tigran L Petrosian")
    assert identify(older, "1") != identify(younger, "2")


@pytest.mark.parametrize(
    ("one", "other"), [("Polgar, Zsuzsa", "Polgár, Susan"), ("Anand,V", "Viswanathan Anand")]
)
def test_several_spellings_stay_several_players(one, other):
    """No fuzzy merge (chess-data#17)."""
    assert identify(one) != identify(other)


def test_a_digit_at_the_end_is_another_word_but_the_id_joins_them():
    """The names "Li, Chao" and "Li, Chao2" are equal only through the id (chess-artist#82)."""
    assert identify("Li, Chao") != identify("Li, Chao2")
    assert identify("Li, Chao", 8604436) == identify("Li, Chao2", "8604436")


def test_where_id_and_name_disagree_the_id_wins():
    """The id decides alone (sharly-chess PR#1112, #1664)."""
    assert identify("Bianchi, Luca", "7") == identify("Rossi, Mario", "7")


def test_a_handle_that_begins_another_is_another():
    """Handles "anna" and "anna2" are never one (gallery-dl#8504)."""
    assert identify("anna") != identify("anna2")
    assert not account_takes("anna", "anna2")


def test_capitals_never_count_in_a_handle():
    """Handles "HIKARU" and "hikaru" are one account (liPGN#7)."""
    assert identify("HIKARU") == identify("hikaru")
    assert account_takes("Hikaru", "hikaru")


def test_a_new_alias_takes_effect_with_the_next_question():
    """An alias added to the profile is seen at once (en-croissant#721)."""
    assert not is_mine("mrossi90", None, Profile("Mario", "Rossi"))
    assert is_mine("mrossi90", None, Profile("Mario", "Rossi", ["mrossi90"]))


def test_an_alias_for_a_surname_takes_no_person_of_that_surname():
    """An alias "Ivanov" is the nickname; it names none of two Ivanovs (lila#15776)."""
    me = Profile(aliases=["Ivanov"])
    assert is_mine("ivanov", None, me)
    assert not is_mine("Ivanov, A", None, me)
    assert not is_mine("Ivanov, Boris", None, me)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Blübaum", "Bluebaum"), ("Strauß", "Straus"), ("Kvaløy", "Kvaloey"), ("Blübaum", "Blubaum")],
)
def test_no_spelling_variant_is_one_player_alone(one, other):
    """ü/ue, ß/s, ø/oe: identity makes no variants, and a lone surname without accents is a nickname (lila#15152)."""
    assert identify(one) != identify(other)


def test_a_computer_or_nobody_is_no_person():
    """A side without a name is the unknown player (lila#4870)."""
    assert identify("") == UNKNOWN
    assert identify("?") == UNKNOWN
