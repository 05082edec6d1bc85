"""Parsing in processes of its own: order, memory, and games that hang, burst or kill."""

import multiprocessing
import os
import signal
from collections.abc import Iterator

import pytest

from core.game import Unreadable
from core.pgn.reader import Cut, Piece, split
from daemon.archive.games.prepared import Prepared
from daemon.imports.bundles import Parsed
from daemon.imports.parser_process import parse_one
from daemon.imports.parsers import Parsers

HANGS = b'[Event "x"]\n\n1. ' + b"a" * 90_000_000 + b" *\n"
"""Takes seconds of processor time in one place where nobody looks at the clock."""


def game(number: int, moves: str = "1. e4 e5 2. Nf3 Nc6") -> bytes:
    return f'[Event "x"]\n[Round "{number}"]\n[White "Rossi, M"]\n[Black "Neri, A"]\n[Result "1-0"]\n\n{moves} 1-0\n\n'.encode()


def pieces(count: int) -> Iterator[Cut]:
    """Each game by itself."""
    return map(Cut.of, split(b"".join(map(game, range(count)))))


def rounds_of(parsed: list[Parsed]) -> list[str | None]:
    return [one.outcome.game.round for one in parsed if isinstance(one.outcome, Prepared)]


@pytest.mark.parametrize("small", [0, 1 << 30], ids=["processes", "here"])
def test_everything_comes_out_in_its_order(small: int) -> None:
    """Games in the order of the file, and notes between them in their places."""
    entries = [*pieces(150), "note", *pieces(3), "another", "last"]
    with Parsers(2, small=small) as parsers:
        out = list(parsers.parse(entries))
    assert [entry for entry in out if isinstance(entry, str)] == ["note", "another", "last"]
    assert out[150] == "note"
    assert rounds_of([entry for entry in out[:150] if isinstance(entry, Parsed)]) == [
        str(n) for n in range(150)
    ]


def test_small_inputs_start_no_process() -> None:
    """A handful of games is parsed here: a process would take longer to start."""
    with Parsers(2) as parsers:
        out = list(parsers.parse(pieces(20)))
        assert multiprocessing.active_children() == []
    assert len(out) == 20


def test_the_input_is_not_read_far_ahead() -> None:
    """Memory stays bounded: only so many games are in the line."""
    ahead = 0

    def counted() -> Iterator[Cut]:
        nonlocal ahead
        for piece in pieces(9000):
            ahead += 1
            yield piece

    with Parsers(1, small=0) as parsers:
        out = parsers.parse(counted())
        next(out)
        assert ahead < 4000
        assert sum(1 for _ in out) == 8999


def test_games_that_hang_are_killed_and_cost_themselves_alone() -> None:
    """The kernel ends the parser; their neighbours in the same bundle are parsed by the next ones."""
    entries = [*pieces(2), Cut.of(Piece(HANGS, 1000, 3)), *pieces(1), Cut.of(Piece(HANGS, 2000, 5))]
    with Parsers(1, small=0, seconds=0.1) as parsers:
        out = [one.outcome for one in parsers.parse(entries) if isinstance(one, Parsed)]
    assert [isinstance(outcome, Prepared) for outcome in out] == [True, True, False, True, False]
    reasons = {outcome.reason for outcome in out if isinstance(outcome, Unreadable)}
    assert reasons == {"reading this game takes more than 0.1 s"}


def test_a_long_game_is_given_up_without_a_kill() -> None:
    """While moves are played the clock is looked at; the process stays."""
    shuffle = " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(2500))
    outcome = parse_one(Piece(game(1, shuffle), 0, 1), seconds=0.0)
    assert isinstance(outcome, Unreadable)
    assert "long" in outcome.reason or "time" in outcome.reason


def test_a_parser_that_is_killed_from_outside_costs_nothing() -> None:
    """As when the system runs out of memory: its games are parsed by another process, and no game is to blame."""

    def killing() -> Iterator[Cut]:
        for number, piece in enumerate(pieces(8000)):
            if number == 6000:  # more than the line holds: some have answered
                for child in multiprocessing.active_children():
                    assert child.pid is not None
                    os.kill(child.pid, signal.SIGKILL)
            yield piece

    with Parsers(2, small=0) as parsers:
        out = list(parsers.parse(killing()))
    assert rounds_of([one for one in out if isinstance(one, Parsed)]) == [str(n) for n in range(8000)]


def test_no_process_is_left_behind() -> None:
    """Not even when the reader stops in the middle."""
    with Parsers(2, small=0) as parsers:
        next(parsers.parse(pieces(500)))
        assert multiprocessing.active_children()
    assert multiprocessing.active_children() == []


def test_what_no_database_can_hold_is_unreadable() -> None:
    """A value that is too long for its column costs the game, with a reason."""
    raw = game(1).replace(b"\n\n", b'\n[WhiteFideId "' + b"1" * 300 + b'"]\n\n', 1)
    outcome = parse_one(Piece(raw, 0, 1))
    assert isinstance(outcome, Unreadable)
    assert "FIDE id has 300 characters" in outcome.reason


def test_a_game_over_the_limit_is_unreadable() -> None:
    """What was cut off at eight megabytes is not a game."""
    outcome = parse_one(Piece(game(1), 0, 1, too_large=True))
    assert isinstance(outcome, Unreadable)
    assert "longer than" in outcome.reason
