"""Which site wrote a PGN: the table of sites §4, row by row, and its traps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.origin import _TESTS, Origin, is_place, origin
from tests.examples import examples

LICHESS = {
    "Site": "https://lichess.org/abcdEFGH",
    "UTCDate": "2024.05.12",
    "White": "mrossi90",
    "WhiteElo": "1500",
}
CHESSCOM = {"Site": "Chess.com", "Event": "Live Chess", "White": "mrossi90", "Black": "bianchi_7"}


def of(tags: dict[str, str], **more: str) -> Origin:
    return origin(tuple({**tags, **more}.items()))


def test_no_tags():
    """Nothing is known of it."""
    assert origin(()) == Origin()


@pytest.mark.parametrize(
    "tags",
    [
        {"BroadcastName": "Cup", "GameURL": "https://lichess.org/broadcast/cup/round-1/abcdEFGH/ijklMNOP"},
        {"BroadcastURL": "https://lichess.org/broadcast/cup/x", **LICHESS},
        {"GameURL": "https://lichess.org/broadcast/cup/round-1/abcdEFGH/ijklMNOP"},
        {"Site": "https://lichess.org/broadcast/cup/round-1/abcdEFGH"},
        {"BroadcastName": "Cup", "Site": "https://www.chess.com/events/2025-cup/1"},
    ],
)
def test_lichess_broadcast(tags):
    """Names of persons, whatever site relays the tournament."""
    found = of(tags)
    assert (found.site, found.kind, found.online, found.native_id) == ("lichess", "broadcast", False, None)


@pytest.mark.parametrize(
    "tags",
    [
        {"Site": "https://lichess.org/study/abcdEFGH/ijklMNOP"},
        {
            "StudyName": "Mine",
            "ChapterURL": "https://lichess.org/study/abcdEFGH/ijklMNOP",
            "Site": "Arlington",
        },
        {"Annotator": "https://lichess.org/@/mrossi90", "Site": "Arlington"},
    ],
)
def test_lichess_study(tags):
    """A study may hold any game: nothing is said of its names."""
    found = of(tags)
    assert (found.site, found.kind, found.online) == ("lichess", "study", False)


@pytest.mark.parametrize(
    ("site", "native_id"),
    [
        ("https://lichess.org/abcdEFGH", "abcdEFGH"),
        ("http://en.lichess.org/abcdEFGH", "abcdEFGH"),
        ("https://lichess.org/abcdEFGHijkl", "abcdEFGH"),
        ("https://lichess.org/abcdEFGH/black", "abcdEFGH"),
    ],
)
def test_lichess_game(site, native_id):
    """Handles; the id keeps its letter case and is cut to 8."""
    found = of(LICHESS, Site=site, WhiteFideId="123")
    assert found == Origin(
        site="lichess",
        kind="game",
        online=True,
        native_id=native_id,
        url=f"https://lichess.org/{native_id}",
    )


@pytest.mark.parametrize(
    "more",
    [
        {"UTCDate": ""},
        {"Event": "Import"},
        {"Date": "1999.01.01"},
        {"White": "Rossi, Mario", "WhiteElo": "?", "BlackElo": "?"},
        {"White": "Rossi (2795)", "WhiteElo": "?"},
        {"Site": "https://lichess.org", "GameId": "abcdEFGH"},
    ],
)
def test_lichess_import(more):
    """A game that was pasted in may have names of persons; its id is known all the same."""
    found = of(LICHESS, **more)
    assert (found.kind, found.online, found.native_id) == ("import", False, "abcdEFGH")


def test_anonymous_game_on_lichess():
    """No ratings, but no names of persons either."""
    assert of(LICHESS, White="Anonymous", WhiteElo="?", BlackElo="?").online


@pytest.mark.parametrize(
    ("link", "native_id"),
    [
        ("https://www.chess.com/live/game/123", "live/123"),
        ("https://www.chess.com/game/live/123", "live/123"),
        ("https://www.chess.com/daily/game/123", "daily/123"),
        ("https://www.chess.com/game/daily/123?move=0", "daily/123"),
        ("https://www.chess.com/game/0f0e9f4e-5d1c-11ef-9a4b-6cfe544c0428", None),
    ],
)
def test_chesscom_game(link, native_id):
    """Numbers of live and daily games overlap: the kind is part of the id, in every form of the URL."""
    found = of(CHESSCOM, Event="Spring Open ♔", Link=link)
    assert found == Origin(site="chesscom", kind="game", online=True, native_id=native_id, url=link)


@pytest.mark.parametrize(
    "tags",
    [
        {"Event": "Live Chess"},
        {"Event": "Let's Play! - Chess960"},
        {"EndTime": "22:38:19 PST"},
        {"EndTime": "23:43:47 GMT+0000"},
        {"Timezone": "UTC"},
        {"ECOUrl": "https://www.chess.com/openings/x"},
    ],
)
def test_chesscom_download_of_the_website(tags):
    """It has no link, hence no id; the names are handles."""
    found = of({"Site": "Chess.com", "Event": "x", **tags})
    assert (found.site, found.kind, found.online, found.native_id) == ("chesscom", "game", True, None)


def test_chesscom_is_not_always_handles():
    """chess.com also exports tournaments over the board, and relays them; TWIC names it for online events."""
    names = {"White": "Rossi, Mario", "Black": "Bianchi, Anna"}
    assert of({"Site": "Chess.com", "Event": "Cup", **names}) == Origin(site="chesscom", kind="relay")
    address = "https://www.chess.com/events/2025-cup/1"
    assert of({"Site": address}) == Origin(site="chesscom", kind="relay", url=address)
    assert of({"Site": "chess.com INT", **names}) == Origin(kind="event")
    assert not of({"Site": "Chess.com", "Event": "Cup", "White": "a", "Black": "b"}).online


def test_chesscom_address_as_site():
    """Some tools write the address of the game into Site."""
    found = of({"Site": "https://www.chess.com/game/live/123"})
    assert (found.site, found.online, found.native_id) == ("chesscom", True, "live/123")


@pytest.mark.parametrize(
    "tags", [{"Site": "FICS freechess.org"}, {"Site": "FICS"}, {"Site": "freechess.org"}]
)
def test_fics(tags):
    """Handles; the number of its database is the id."""
    assert of(tags).online
    assert of(tags, FICSGamesDBGameNo="42").native_id == "42"
    assert of(tags).site == "fics"


@pytest.mark.parametrize(
    "tags", [{"ICCResult": "White checkmated"}, {"Event": "ICC 5 0 u"}, {"Site": "Internet Chess Club"}]
)
def test_icc(tags):
    """Handles."""
    assert (of(tags).site, of(tags).online) == ("icc", True)


@pytest.mark.parametrize(
    "site", ["Porticcio FRA", "FICS, San Jose, California US", "Chess.com Cafe, Rome", "Online Street 4"]
)
def test_names_inside_of_other_words(site):
    """Whole values only."""
    assert of({"Site": site, "White": "Rossi, Mario"}) == Origin()


@pytest.mark.parametrize(
    "site",
    ["lichess.org INT", "ICC INT", "playchess.com INT", "Tornelo INT", "Internet ICC", "chess24.com int"],
)
def test_twic(site):
    """An online event under the players' real names."""
    assert of({"Site": site}) == Origin(kind="event")


@pytest.mark.parametrize(
    ("tags", "site", "kind"),
    [
        ({"Site": "chess24.com", "WhiteCountry": "ITA"}, "chess24", "relay"),
        ({"Site": "Online", "Board": "3"}, "chess24", "relay"),
        ({"Site": "ICCF"}, "iccf", "correspondence"),
        ({"Event": "WS/H/123"}, "iccf", "correspondence"),
        ({"Site": "Chesstempo.com", "Event": "CT Problem"}, "chesstempo", "training"),
        ({"ChesstempoRepertoireColour": "white"}, "chesstempo", "training"),
        ({"SourceTitle": "Big", "Site": "Rome"}, None, "database"),
        ({"UTCDate": "2024.01.01", "Variant": "Standard", "Opening": "x", "Site": "Rome"}, None, "study"),
    ],
)
def test_others(tags, site, kind):
    """The remaining rows."""
    found = of(tags)
    assert (found.site, found.kind, found.online) == (site, kind, False)


@pytest.mark.parametrize("site", ["pychess", "playstrategy", "lishogi"])
def test_sisters_of_lichess(site):
    """Handles and ids of their own."""
    found = of({"Site": f"https://www.{site}.org/abcdEFGH"})
    assert (found.site, found.online, found.native_id) == (site, True, "abcdEFGH")


def test_first_tag_counts():
    """As everywhere: of two tags of one name."""
    assert origin((("Site", "FICS"), ("Site", "ICCF"))).site == "fics"


NAMES = (
    "Site",
    "Event",
    "Link",
    "White",
    "UTCDate",
    "BroadcastURL",
    "Annotator",
    "EventType",
    "WhiteCountry",
)
WORDS = (
    *(
        "https://lichess.org/abcd1234",
        "LICHESS.ORG/study/",
        "chess.com",
        "Chess.com",
        "https://www.chess.com/game/live/1",
    ),
    *("chess.com/live/12", "FICS", "Moscow", "Prague INT", "Internet ICC", "chess24.com", "ONLINE", "ICCF"),
    *("pychess.org/x", "Chesstempo.com", "Internet Chess Club", "2024.05.01", "Rossi, Mario", "İstanbul", ""),
)


@examples(300)
@given(st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join)))
def test_tests_are_left_out_only_where_they_say_nothing(tags):
    """Most games are played in a place whose name rules out most tests; all of them would say the same."""
    said = {name: value.strip() for name, value in tags.items() if value.strip() not in {"", "?"}}
    found = (test(said) for test in _TESTS)
    assert origin(tuple(tags.items())) == next((one for one in found if one is not None), Origin())


@examples(300)
@given(
    st.dictionaries(
        st.sampled_from((*NAMES, "FICSGamesDBGameNo", "Timezone", "Variant", "Opening", "GameId")),
        st.lists(st.sampled_from((*WORDS, "Standard")), max_size=2).map(" ".join),
    ),
    st.sampled_from((*WORDS, "Torino ITA", "freechess.org", "FICS freechess.org", "x://y", "?"))
    | st.text(st.characters(max_codepoint=500), max_size=6),
)
def test_a_place_is_like_any_other(tags, site):
    """The Site of a game that was played somewhere: whatever the other tags are, another place gives the same origin."""
    if is_place(site.strip()) and site.strip() not in {"", "?"}:
        assert of(tags, Site=site) == of(tags, Site="Moscow")
    assert is_place("Moscow")
    assert not is_place("Chess.com")
