"""Which games are one game, and why."""

import dataclasses
import json
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import BLACK_WINS, CHESS960, DRAW, UNFINISHED, WHITE_WINS, Game, PartialDate, Side
from core.oddities import Odd, Oddity
from core.pgn.reader import read as read_pgn
from core.sameness import canonical_moves, compare, facts, key
from tests.core.vector_files import vectors

SPANISH = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1")


def _game(**changes):
    compared = Game(
        white=Side(name="Rossi, Mario"),
        black=Side(name="Bianchi, Luca"),
        date=PartialDate(2024, 5, 12),
        result=WHITE_WINS,
        moves=SPANISH,
        castlings=(8,),
    )
    return dataclasses.replace(compared, **changes)


def _same(a, b):
    """The verdict, after checking that the key and the other direction agree with it."""
    verdict = compare(a, b)
    assert verdict.same is (key(a) == key(b)) is compare(b, a).same
    return verdict.same


@pytest.fixture
def read():
    """Reads one PGN text."""

    def one(text):
        (game,) = read_pgn(text)
        assert isinstance(game, Game)
        return game

    return one


@pytest.mark.parametrize(
    "case", vectors("duplicates")["pairs"], ids=lambda case: f"{case['group']}: {case['title']}"
)
def test_games_are_one_as_the_vectors_say(case, read):
    """Two PGN games are one game exactly where the vector says so."""
    assert _same(read(case["a"]), read(case["b"])) is case["same"]


@pytest.mark.parametrize(
    "case", vectors("duplicates")["replays"], ids=lambda case: f"{case['report']} {case['what']}"
)
def test_public_reports_on_duplicates(case, read):
    """What went wrong in other tools is decided by the rule."""
    assert _same(read(case["a"]), read(case["b"])) is case["same"]


@pytest.mark.parametrize(
    "changes",
    [
        {"white": Side(name="Mario ROSSI", rating=2310, title="GM", team="Torre Roma", fide_id="0")},
        {"event": "Open di Roma", "site": "Roma ITA", "round": "3", "eco": "C84", "opening": "Spanish"},
        {"annotator": "Rossi", "time_control": "600", "time_class": "rapid", "termination": "Normal"},
        {"online": True, "source": "lichess", "native_id": "abcdefgh", "url": "https://lichess.org/abcdefgh"},
        {
            "tags": (("Event", "x"),),
            "has_comments": True,
            "has_variations": True,
            "raw": b"x",
            "oddities": (Oddity(Odd.NO_END),),
        },
        {"variant": CHESS960},
        {"moves": (*SPANISH[:8], "e1h1"), "castlings": ()},
    ],
)
def test_nothing_else_is_compared(changes):
    """Spelling, tournament, ratings, source and comments do not make another game."""
    assert _same(_game(), _game(**changes))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"white": Side(name="rossi-mario")},
            "White is person:mario rossi in one game and nick:rossi-mario in the other.",
        ),
        ({"black": Side(name="?")}, "Black is person:bianchi luca in one game and unknown in the other."),
        (
            {"white": Side(name="Rossi, Mario", fide_id="7")},
            "White is person:mario rossi in one game and fide:7 in the other.",
        ),
        ({"date": PartialDate(2024, 5)}, "The date is 2024.05.12 in one game and 2024.05.?? in the other."),
        (
            {"date": PartialDate(text="12.05.2024")},
            "The date is 2024.05.12 in one game and text 12.05.2024 in the other.",
        ),
        ({"result": DRAW}, "The result is 1-0 in one game and 1/2-1/2 in the other."),
        ({"variant": "atomic"}, "The rules are standard in one game and atomic in the other."),
        (
            {"start": "8/8 w - -"},
            "The start position is the usual one in one game and 8/8 w - - in the other.",
        ),
        (
            {"moves": SPANISH[:8], "castlings": ()},
            "The moves are equal for 8 plies, where one game ends and the other goes on to 9.",
        ),
        (
            {"moves": (*SPANISH[:7], "d7d6", "e1g1")},
            "The moves differ at move 4 of Black: g8f6 in one game and d7d6 in the other.",
        ),
        (
            {"moves": (*SPANISH[:8], "d2d3"), "castlings": ()},
            "The moves differ at move 5 of White: e1h1 in one game and d2d3 in the other.",
        ),
    ],
)
def test_the_reason_names_the_first_difference(changes, reason):
    """Two games that are not one, and the sentence that says why."""
    verdict = compare(_game(), _game(**changes))
    assert (verdict.same, verdict.reason) == (False, reason)
    assert not _same(_game(), _game(**changes))


def test_the_reason_says_what_is_equal():
    """Games that are one are so because of all five things."""
    assert compare(_game(), _game()).reason == "Same players, date, result, start position and moves."


def test_move_numbers_follow_the_side_that_begins():
    """Where Black begins, the first move is Black's."""
    start = "4k3/4p3/8/8/8/8/4P3/4K3 b - -"
    verdict = compare(
        _game(start=start, moves=("e7e5",), castlings=()), _game(start=start, moves=("e7e6",), castlings=())
    )
    assert verdict.reason == "The moves differ at move 1 of Black: e7e5 in one game and e7e6 in the other."


def test_colours_count():
    """The same two people with colours swapped played another game (names A27)."""
    turned = _game(white=Side(name="Bianchi, Luca"), black=Side(name="Rossi, Mario"))
    assert not _same(_game(), turned)


@pytest.mark.parametrize(
    ("step", "takes"), [("e1g1", "e1h1"), ("e1c1", "e1a1"), ("e8g8", "e8h8"), ("e8c8", "e8a8")]
)
def test_castling_is_king_takes_rook(step, takes):
    """Each castling written as the king's step is the king taking its own rook; the same step elsewhere is not."""
    assert canonical_moves(Game(moves=(step, step), castlings=(1,))) == (step, takes)


def test_a_castling_is_not_a_king_step():
    """In Chess960 a step of the king to g1 is another move than castling to g1."""
    start = "4k3/8/8/8/8/8/8/5K1R w H -"
    castles = _game(variant=CHESS960, start=start, moves=("f1h1",), castlings=())
    steps = _game(variant=CHESS960, start=start, moves=("f1g1",), castlings=())
    assert not _same(castles, steps)


def test_the_key_is_stable():
    """Archives keep the key: it may change only together with the version of keys."""
    assert key(_game()).hex() == "f9ce51d84a6dafe42067344cac8ba801"
    assert key(Game()).hex() == "4d1ed5151a3a2f950c55b3cf9f40829f"


def test_the_key_is_a_digest_of_json():
    """Whatever the texts hold: quotes, backslashes and what is not ASCII end no field."""
    game = _game(result='1-0 "\\', date=PartialDate(text="am 5. März, \n\U0001f600"))
    compared = list(dataclasses.astuple(facts(game)))
    compared[-1] = " ".join(compared[-1])
    assert key(game) == blake2b(json.dumps(compared).encode(), digest_size=16).digest()


SIDES = st.builds(
    Side,
    name=st.sampled_from(
        ["Rossi, Mario", "Mario Rossi", "rossi-mario", "Rossi-Mario", "?", "", "???", "Rossi."]
    ),
    fide_id=st.sampled_from([None, "0", "7", "07", "x"]),
)
DATES = [
    PartialDate(),
    PartialDate(2024),
    PartialDate(text="2024.??.??"),
    PartialDate(text="x"),
    PartialDate(2024, 5),
]
FIELDS = {
    "white": SIDES,
    "black": SIDES,
    "date": st.sampled_from(DATES),
    "result": st.sampled_from([WHITE_WINS, BLACK_WINS, DRAW, "0.5-0.5", UNFINISHED, "?"]),
    "variant": st.sampled_from(["standard", CHESS960, "atomic"]),
    "start": st.sampled_from(["", "8/8 w - -"]),
    "moves": st.sampled_from([(), ("e1g1",), ("e1h1",), ("e1g1", "e8g8"), ("e1h1", "e8h8")]),
    "castlings": st.sampled_from([(), (0,), (0, 1)]),
    "event": st.sampled_from([None, "Open di Roma"]),
}


@st.composite
def _tellings(draw):
    """A game, and the same with some of its fields compared otherwise."""
    one = Game(**{name: draw(values) for name, values in FIELDS.items()})
    changed = draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=2))
    other = dataclasses.replace(one, **{name: draw(FIELDS[name]) for name in sorted(changed)})
    # Castlings are indices in the moves.
    return [
        dataclasses.replace(game, castlings=tuple(ply for ply in game.castlings if ply < len(game.moves)))
        for game in (one, other)
    ]


@given(_tellings())
def test_key_and_comparison_agree(tellings):
    """Keys are equal exactly when the comparison says that the games are one, in either direction."""
    _same(*tellings)


@given(_tellings())
def test_a_game_is_itself(tellings):
    """Every game is the same as itself, however little is known of it."""
    assert all(_same(game, dataclasses.replace(game)) for game in tellings)


@given(
    _tellings(),
    st.sampled_from(["Mario Rossi", "ROSSI,Mario", "Rossi Mario."]),
    st.sampled_from([None, "Cup"]),
)
def test_spelling_and_tournament_never_count(tellings, spelling, event):
    """Another spelling of the same player in another tournament is the same game."""
    game = dataclasses.replace(tellings[0], white=Side(name="Rossi, Mario"))
    assert _same(game, dataclasses.replace(game, white=Side(name=spelling), event=event))


# What went wrong in the tools before us (their issues), as far as the rule of duplicates decides it.


def test_comments_do_not_make_another_game():
    """A game that was commented after its download is the same game (en-croissant#815, #910)."""
    assert _same(_game(), _game(has_comments=True, has_variations=True, annotator="Rossi", raw=b"{!}"))


def test_games_without_moves_are_one():
    """A game without moves, compared twice, is one game (en-croissant#218)."""
    assert _same(_game(moves=(), castlings=()), _game(moves=(), castlings=(), event="again"))


def test_a_game_that_goes_on_longer_is_another():
    """30 and 40 plies, the rest equal: two games (en-croissant#253, ocgdb#26)."""
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 10
    assert not _same(_game(moves=shuffle[:30], castlings=()), _game(moves=shuffle, castlings=()))


def test_two_short_games_with_equal_tags_are_two():
    """Equal tags and other moves: both are kept (scid#175)."""
    one, other = ("e2e4", "e7e5"), ("d2d4", "d7d5")
    assert not _same(_game(moves=one, castlings=()), _game(moves=other, castlings=()))


def test_equal_moves_of_other_people_are_two_games():
    """The same plies against another opponent, on another day, with another result (FischersFrisoer in ocgdb#26)."""
    assert not _same(_game(), _game(black=Side(name="Verdi, Anna")))
    assert not _same(_game(), _game(date=PartialDate(2024, 5, 13)))
    assert not _same(_game(), _game(result=DRAW))


def test_two_short_draws_of_different_people_are_two():
    """Moves and start position alone make no duplicate (lucaschess)."""
    draw = {"moves": ("e2e4", "e7e5"), "castlings": (), "result": DRAW}
    assert not _same(
        _game(**draw), _game(**draw, white=Side(name="Neri, Ada"), black=Side(name="Verdi, Anna"))
    )


def test_two_games_of_one_day_are_two():
    """Two over-the-board games on one day, without id and URL, differ by their moves (chess-to-sqlite)."""
    assert not _same(_game(round="1"), _game(round="2", moves=SPANISH[:6], castlings=()))


def test_equal_games_with_two_ids_of_a_site_are_one():
    """The rule asks for no id: the archive reports such a pair and keeps both ids (velachess)."""
    compared = {"online": True, "source": "lichess"}
    assert _same(_game(**compared, native_id="aaaaaaaa"), _game(**compared, native_id="bbbbbbbb"))


def test_download_and_file_are_one_game():
    """The same online game by its id and from a file (chess-dojo#589), or by two accounts (api#133)."""
    assert _same(_game(online=True, source="lichess", native_id="aaaaaaaa"), _game())


def test_the_day_of_an_import_is_another_day():
    """An export whose Date is the day of its import is not merged with the game of the playing day (lila#1064)."""
    assert not _same(_game(), _game(date=PartialDate(2025, 1, 1)))


def test_all_ways_to_write_a_draw_are_one():
    """0.5-0.5 is 1/2-1/2 (chess-dojo#2147)."""
    assert _same(_game(result=DRAW), _game(result="0.5-0.5"))


def test_the_start_position_counts():
    """A 960 game without its position is not merged with the one that has it (lila#17376, #14641)."""
    assert not _same(_game(variant=CHESS960), _game(variant=CHESS960, start="qrnknbbr/8 w HBhb -"))


def test_another_variant_is_another_game():
    """Moves that are equal by other rules are another game (pychess-variants#693)."""
    assert not _same(_game(), _game(variant="capahouse"))


def test_three_copies_are_one_game():
    """The same game in three files, with tags in three spellings (ChessForge PR#708)."""
    copies = [_game(white=Side(name=name)) for name in ("Rossi, Mario", "ROSSI,Mario", "Mario Rossi")]
    assert len({key(copy) for copy in copies}) == 1
