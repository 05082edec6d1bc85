"""What a search finds, and in which order suggestions stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import search
from core.names import classify, search_words
from core.search import TypedWord
from tests.core.vector_files import vectors

SEARCH = vectors("search")
GAMES = SEARCH["games"]
NAMES = st.text(st.sampled_from("abcAÁ -_.,'1+丁"), max_size=10)
QUERIES = st.text(st.sampled_from("abcá -–_.1+丁"), max_size=8)


def _typed(case):
    return case["typed"] or "nothing"


@pytest.mark.parametrize("case", SEARCH["suggestions"], ids=_typed)
def test_suggests_as_the_vectors_say(case):
    """Exactly these names in exactly this order, whatever order they came in."""
    expected = case["first"] + case["then"]
    assert search.suggest(case["typed"], SEARCH["players"]) == expected
    assert search.suggest(case["typed"], reversed(SEARCH["players"])) == expected


@pytest.mark.parametrize("case", SEARCH["names"], ids=lambda case: f"{case['typed']} {case['name']}")
def test_finds_names_as_the_vectors_say(case):
    """A query finds a name exactly where the vector says so."""
    assert search.matches(case["typed"], case["name"]) is case["found"]


@pytest.mark.parametrize("case", SEARCH["replays"], ids=lambda case: case["report"])
def test_public_reports_on_search(case):
    """What went wrong in other tools is decided by the rules."""
    assert search.matches(case["typed"], case["name"]) is case["found"]


@pytest.mark.parametrize("case", SEARCH["texts"], ids=lambda case: f"{case['typed']} {case['text']}")
def test_finds_texts_as_the_vectors_say(case):
    """Events, sites, teams and openings have no nicknames."""
    assert search.matches_text(case["typed"], case["text"]) is case["found"]


@pytest.mark.parametrize("case", SEARCH["fide"], ids=_typed)
def test_finds_ids_only_whole(case):
    """An id is found by the whole number."""
    assert search.matches_fide_id(case["typed"], case["fide"]) is case["found"]


@pytest.mark.parametrize(
    "case", [case for case in SEARCH["eco"] if "eco" in case], ids=lambda case: case["eco"]
)
def test_finds_eco_codes_by_their_beginning(case):
    """A code is found from the front."""
    assert search.matches_eco(case["typed"], case["eco"]) is case["found"]


@pytest.mark.parametrize("case", [case for case in SEARCH["eco"] if "ecos" in case], ids=_typed)
def test_finds_the_ten_codes_of_a_beginning(case):
    """Of all 500 codes exactly those of the vector are found."""
    codes = [f"{letter}{number:02}" for letter in "ABCDE" for number in range(100)]
    assert [code for code in codes if search.matches_eco(case["typed"], code)] == case["found"]


@pytest.mark.parametrize("case", SEARCH["commentator"], ids=_typed)
def test_finds_commentators_by_a_piece(case):
    """The commentator is free text: a piece is enough."""
    assert search.matches_commentator(case["typed"], case["commentator"]) is case["found"]


def test_what_is_missing_is_not_found():
    """A game without ECO code, id or commentator is found by none of them."""
    assert not search.matches_eco("b", None)
    assert not search.matches_fide_id("1", None)
    assert not search.matches_commentator("a", None)


@pytest.mark.parametrize("case", SEARCH["box"], ids=_typed)
def test_finds_games_as_the_vectors_say(case):
    """The field above the list finds exactly these games: each word may be in another field."""
    found = [
        name
        for name, entry in GAMES.items()
        if search.matches_game(
            case["typed"],
            players=[entry["white"], entry["black"]],
            texts=[entry[field] for field in ("event", "site", "white_team", "black_team", "opening", "eco")],
        )
    ]
    assert found == case["games"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Rossi–Mario, G.", [("rossi-mario", ("rossi", "mario")), ("g", ("g",))]),
        ("rossi−mario", [("rossi-mario", ("rossi", "mario"))]),
        ("-rossi", [("-rossi", ("rossi",))]),
        ("a − b", [("a", ("a",)), ("b", ("b",))]),
        ("A+", [("a", ("a",)), ("+", ("+",))]),
        ("ros\u00adsi", [("rossi", ("rossi",))]),
        ("- ? —", []),
    ],
)
def test_reads_what_is_typed(query, words):
    """Typed words are folded and keep their hyphens beside their parts, so that a database can ask for both."""
    assert search.typed(query) == tuple(TypedWord(*word) for word in words)


def test_text_suggestions_start_with_what_is_typed():
    """Events that start with everything typed come first; a hyphen separates."""
    events = ["Open di Roma", "Roma Open", "Roma-Nord Cup", "Rapid", "?"]
    assert search.suggest_texts("roma", events) == ["Roma-Nord Cup", "Roma Open", "Open di Roma"]
    assert search.suggest_texts("-", events) == []


@pytest.mark.parametrize(
    ("name", "text"), [("Vachier-Lagrave", "vachier-lagrave"), ("Öberg, Lars", "oberg lars"), ("?", "")]
)
def test_sort_text_holds_the_words_that_find_the_player(name, text):
    """A nickname keeps its hyphens, a person name its words (names A34, A35)."""
    assert search.sort_text(name) == text


def test_order_is_by_code_points():
    """Blank < hyphen < digits < underscore < letters < other scripts, then the text as shown."""
    names = ["丁", "rossia", "rossi_a", "rossi1", "rossi-a", "Rossi, A", "rossi", "Rossi"]
    expected = ["Rossi", "rossi", "Rossi, A", "rossi-a", "rossi1", "rossi_a", "rossia", "丁"]
    assert sorted(names, key=search.order_key) == expected


@given(QUERIES, st.lists(NAMES, max_size=6))
def test_suggestions_are_what_matches(query, names):
    """A name is suggested exactly if the query finds it, first group first, each group in order."""
    suggested = search.suggest(query, names)
    assert sorted(suggested) == sorted(name for name in names if search.matches(query, name))


@given(NAMES)
def test_a_whole_name_finds_itself(name):
    """A known player is found by their own name, unless it is a nickname of hyphens only."""
    if search.search_words(name) and search.typed(name):
        assert search.matches(name, name)


@given(QUERIES, NAMES)
def test_the_field_above_the_list_finds_what_the_player_search_finds(query, name):
    """A game is found by everything that finds one of its players."""
    if search.matches(query, name):
        assert search.matches_game(query, players=["?", name], texts=[])


@given(QUERIES, QUERIES, NAMES)
def test_a_longer_query_never_finds_more(query, more, name):
    """One more word narrows a search."""
    if search.typed(query) and search.matches(f"{query} {more}", name):
        assert search.matches(query, name)


@given(QUERIES, NAMES)
def test_a_database_can_ask_the_same(query, name):
    """The words of the name, and the typed words by its kind, are all that a search needs (`player_words`)."""
    nickname = classify(name) == "nickname"
    asked = [part for word in search.typed(query) for part in ((word.whole,) if nickname else word.parts)]
    found = bool(asked) and all(any(word.startswith(part) for word in search_words(name)) for part in asked)
    assert search.matches(query, name) is found


@given(QUERIES, st.lists(NAMES, max_size=6))
def test_the_first_group_starts_with_everything_typed(query, names):
    """In suggestions no name that starts with all of it comes after one that does not (names R33)."""
    asked = search.typed(query)
    first = [
        search.sort_text(name).startswith(search.starts_with(asked, nickname=classify(name) == "nickname"))
        for name in search.suggest(query, names)
    ]
    assert first == sorted(first, reverse=True)
