"""Near doubles: what makes two games look like one, and what does not."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import sameness
from core.doubles import Candidate, DoubleReason, fullest, near, near_dates
from core.game import Game, PartialDate
from core.players import PlayerKey, identify
from tests.core.vector_files import vectors
from tests.daemon.made_up import RUY, otb, read

LONG = f"{RUY} a6 4. Ba4 Nf6 5. O-O Be7"
A_PERSON = {identify("mrossi90"), identify("Rossi, Mario")}


def same_person(one: PlayerKey, other: PlayerKey) -> bool:
    return {one, other} <= A_PERSON


def reason(a: Game, b: Game, ids: tuple[Any, Any] = ((), ())) -> DoubleReason | None:
    one, other = (Candidate(game, frozenset(its)) for game, its in zip((a, b), ids, strict=True))
    found = near(one, other, same_person)
    turned = near(other, one, same_person)
    assert (found is None) == (turned is None), "the order does not matter"
    assert found is None or turned is None or found.kind == turned.kind
    return found


ALMOST = {
    "beginning": otb(moves=f"{LONG} 6. Re1"),
    "date": otb(moves=LONG, Date="2024.05.13"),
    "result": otb(moves=LONG, result="*"),
    "unknown": otb("?", moves=LONG),
    "fide_id": otb(moves=LONG, WhiteFideId="1234567"),
    "dossier": otb("mrossi90", moves=LONG),
}


@pytest.mark.parametrize("kind", ALMOST)
def test_almost_the_same(kind: str) -> None:
    """One thing told otherwise is a reason to look."""
    found = reason(otb(moves=LONG), ALMOST[kind])
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    "other",
    [
        otb(moves=LONG),
        otb("Verdi, Luca", moves=LONG),
        otb(moves=LONG, result="0-1"),
        otb(moves=f"{RUY} Nf6"),
        otb(moves=LONG, Date="2024.05.14"),
        otb("?", moves=LONG, Date="2024.05.13"),
        otb("Rossi, M.", moves=LONG, Date="2024.05.13"),
        otb("Rossi, M.", moves=LONG, BlackFideId="7"),
        otb("Bianchi, Gina", "Rossi, Mario", moves=LONG),
    ],
    ids=[
        "the same",
        "other player",
        "other result",
        "other moves",
        "two days",
        "two things",
        "initial and date",
        "initial and id",
        "colours",
    ],
)
def test_not_near(other: Game) -> None:
    """The same game, another one, and one that differs in two things are not near doubles."""
    assert reason(otb(moves=LONG), other) is None


def test_a_running_game() -> None:
    """A game that goes on differs in its moves and its result at once."""
    found = reason(otb(moves=RUY, result="*"), otb(moves=LONG))
    assert found is not None
    assert (found.kind, found.text) == (
        "beginning",
        "One game ends after 5 plies, where the other goes on to 10.",
    )


@pytest.mark.parametrize(
    ("one", "other", "is_near"),
    [
        ("2024.05.??", "2024.05.12", True),
        ("2024.??.??", "2024.05.12", True),
        ("????.??.??", "2024.05.12", True),
        ("2024.??.??", "2024.05.??", True),
        ("2024.05.31", "2024.06.01", True),
        ("2023.12.31", "2024.01.01", True),
        ("2024.02.29", "2024.03.01", True),
        ("2024.06.??", "2024.05.12", False),
        ("2023.??.??", "2024.05.12", False),
        ("2024.05.30", "2024.06.01", False),
        ("2024.02.31", "2024.02.30", False),
        ("12 May", "2024.05.12", False),
    ],
)
def test_dates(one: str, other: str, is_near: bool) -> None:
    """Dates are near a day apart, or where one says less; texts that are not dates are near nothing."""
    found = reason(otb(moves=LONG, Date=one), otb(moves=LONG, Date=other))
    assert (found is not None) == is_near


dates = st.one_of(
    st.builds(PartialDate, st.integers(1, 9999), st.integers(1, 12), st.integers(1, 31)),
    st.builds(
        PartialDate,
        st.integers(2023, 2025),
        st.sampled_from([None, 1, 2, 12]),
        st.sampled_from([None, 1, 31]),
    ),
    st.builds(PartialDate, st.none(), st.sampled_from([None, 2]), st.sampled_from([None, 1])),
    st.builds(PartialDate, text=st.just("12 May")),
)


@given(one=dates, other=dates, steps=st.integers(-2, 2))
def test_near_dates_are_looked_for(one: PartialDate, other: PartialDate, steps: int) -> None:
    """Whatever is near by its date lies in the ranges that are looked through."""
    if one.day is not None and one.year is not None and one.month is not None:
        other = PartialDate(one.year, one.month, max(1, min(31, one.day + steps)))
    written = str(other)
    a, b = (otb(moves=LONG, Date=str(date)) for date in (one, other))
    if reason(a, b) is not None:
        assert any(low <= written <= high for low, high in near_dates(one))


ID = ("lichess", "abcdefgh")


def test_one_id() -> None:
    """Two games that name one id of one site are near, whatever else differs; other moves are told apart."""
    ids = ([ID], [ID])
    found = reason(otb(moves=LONG), otb("mrossi90", "gbianchi", moves=LONG), ids)
    assert found == DoubleReason(
        "native_id",
        "Both are the game abcdefgh of lichess. White is person:mario rossi in one game and nick:mrossi90 in the other.",
    )
    other = reason(otb(moves=LONG), otb(moves=f"{RUY} Nf6"), ids)
    assert other is not None
    assert other.kind == "other_moves"


def test_two_ids() -> None:
    """What a site itself tells apart is two games."""
    assert reason(otb(moves=LONG), otb(moves=RUY), ([ID], [("lichess", "hgfedcba")])) is None
    assert reason(otb(moves=LONG), otb(moves=RUY), ([ID], [("chesscom", "live/1")])) is not None


def test_a_start_that_arrives_later() -> None:
    """A Chess960 game without its start position, and with it."""
    tags = {"White": "Rossi, Mario", "Black": "Neri, Anna", "Date": "2024.05.12", "Result": "1-0"}
    fen = {
        "Variant": "Chess960",
        "SetUp": "1",
        "FEN": "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1",
    }
    found = reason(read(tags, "1. e4 e5"), read({**tags, **fen}, "1. e4 e5"))
    assert found is not None
    assert found.kind == "start"


def case_name(case: Mapping[str, str]) -> str:
    return case.get("title") or case["report"]


@pytest.mark.parametrize(
    "case", [*vectors("duplicates")["pairs"], *vectors("duplicates")["replays"]], ids=case_name
)
def test_never_what_is_the_same(case: Mapping[str, str]) -> None:
    """Near is never the same, and the same is never near (duplicates.json)."""
    from core.pgn import reader

    one, other = (next(iter(reader.read(case[side]))) for side in ("a", "b"))
    assert isinstance(one, Game)
    assert isinstance(other, Game)
    if sameness.compare(one, other).same:
        assert reason(one, other) is None


FULLEST = [
    # the games, and which of them give the moves and the result
    ([otb(moves=RUY, result="*"), otb(moves=LONG)], (1, 1)),
    ([otb(moves=LONG), otb(moves=RUY, result="*")], (0, 0)),
    ([otb(moves=RUY), otb(moves=LONG, result="*")], (1, 0)),
    ([otb(moves=RUY, result="*"), otb(moves=RUY, result="0-1")], (0, 1)),
    ([otb(moves="1. d4 d5", result="*"), otb(moves=RUY)], (1, 1)),
    ([otb(moves="1. d4 d5"), otb(moves=RUY, result="*")], (0, 0)),
    ([otb(moves="1. d4 d5"), otb(moves=RUY, result="0-1")], (0, 0)),
    ([otb(moves=RUY, result="*"), otb(moves=LONG, result="*"), otb(moves="1. e4 e5", result="0-1")], (1, 2)),
]
"""Moves that go on, a result where there was none, other moves: in the order of the tellings."""


@pytest.mark.parametrize(("games", "expected"), FULLEST)
def test_which_telling_counts(games: list[Game], expected: tuple[int, int]) -> None:
    """The longer gives the moves, the finished the result; of two with other moves the finished, else the first."""
    assert fullest(games) == (games[expected[0]], games[expected[1]])


@given(
    st.lists(
        st.tuples(st.sampled_from(["1. e4", "1. e4 e5", RUY, LONG]), st.sampled_from(["*", "1-0"])),
        min_size=1,
    )
)
def test_nothing_is_shortened(tellings: list[tuple[str, str]]) -> None:
    """Of tellings of which each goes on where another ends, the longest gives the moves, and a result is never lost."""
    games = [otb(moves=moves, result=result) for moves, result in tellings]
    moves, result = fullest(games)
    assert moves.ply_count == max(game.ply_count for game in games)
    assert (result.result == "*") == all(game.result == "*" for game in games)
