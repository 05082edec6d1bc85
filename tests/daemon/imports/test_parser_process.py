"""One process that parses: what it is given, answers, and dies of."""

import os
import signal
from collections.abc import Iterator
from multiprocessing.connection import wait

import pytest

from core.game import Unreadable
from core.pgn.reader import Cut, Piece
from daemon.archive.games.prepared import Prepared
from daemon.imports.bundles import Bundle, Parsed
from daemon.imports.outcomes import Outcome
from daemon.imports.parser_process import ParserProcess, ParsersFailed

GAME = b'[White "Rossi, M"]\n[Black "Neri, A"]\n[Round "%d"]\n\n1. e4 e5 1-0\n'


@pytest.fixture
def parser() -> Iterator[ParserProcess]:
    """One that waits for work."""
    process = ParserProcess(2.0)
    yield process
    process.end()


def bundle(*numbers: int, comment: bytes = b"") -> Bundle:
    made = Bundle()
    for number in numbers:
        made.add(Cut.of(Piece(GAME % number + comment, 0, number)))
    return made


def outcomes_of(bundle: Bundle) -> list[Outcome]:
    return [one.outcome for one in bundle.parsed if isinstance(one, Parsed)]


def wait_for(parser: ParserProcess, given: Bundle) -> None:
    """Take answers until the bundle is done."""
    while not given.done:
        wait([parser.answers])
        assert parser.take()


def test_bundles_wait_in_its_pipe(parser: ParserProcess) -> None:
    """It is given the next one before it has answered the first, and answers all in their order."""
    given = [bundle(1, 2), bundle(3), bundle(4, 5, 6)]
    for one in given:
        assert parser.has_room_for(one)
        assert parser.hand_over(one)
    wait_for(parser, given[-1])
    assert all(one.done for one in given)
    rounds = [
        outcome.game.round for one in given for outcome in outcomes_of(one) if isinstance(outcome, Prepared)
    ]
    assert rounds == ["1", "2", "3", "4", "5", "6"]
    assert parser.idle


def test_its_pipe_is_never_filled(parser: ParserProcess) -> None:
    """Else we would wait for it while it waits for us; one bundle alone may be of any size, since it reads that."""
    large = bundle(1, comment=b"{" + b"x" * 3_000_000 + b"}")
    assert parser.has_room_for(large)
    assert parser.hand_over(large)
    assert not parser.has_room_for(bundle(2))
    wait_for(parser, large)
    small = bundle(3)
    assert parser.hand_over(small)
    assert parser.has_room_for(bundle(4))
    assert not parser.has_room_for(large)


def test_a_careful_bundle_goes_alone(parser: ParserProcess) -> None:
    """Nothing else can be to blame if the process dies of it."""
    careful = bundle(1, 2)
    careful.careful = True
    plain = bundle(3)
    assert parser.hand_over(plain)
    assert not parser.has_room_for(careful)
    wait_for(parser, plain)
    assert parser.has_room_for(careful)
    assert parser.hand_over(careful)
    assert not parser.has_room_for(bundle(4))
    wait_for(parser, careful)


def test_only_what_has_no_outcome_is_handed_over(parser: ParserProcess) -> None:
    """What another parser has answered before it died stays."""
    given = bundle(1, 2)
    answered = Unreadable(raw=b"", reason="answered before")
    given.say([answered])
    assert parser.hand_over(given)
    wait_for(parser, given)
    first, second = outcomes_of(given)
    assert first is answered
    assert isinstance(second, Prepared)


def test_a_process_that_is_gone_takes_nothing_more() -> None:
    """How it ended is what is said of the game, if one is to blame."""
    parser = ParserProcess(2.0)
    first = bundle(1)
    assert parser.hand_over(first)
    wait_for(parser, first)
    pid = parser._process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    parser._process.join()
    assert not parser.hand_over(bundle(2))
    assert parser.bury() == "reading this game ended the process that did it (exit code -9)"


def test_one_that_never_came_to_life_is_a_failure_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of a game."""
    monkeypatch.setattr("daemon.imports.parser_process._serve", os._exit)
    monkeypatch.setattr("os.access", lambda *_: False)  # so that the process is forked, with the patch
    process = ParserProcess(2.0)
    with pytest.raises(ParsersFailed, match="no process for reading games can be started"):
        process.bury()
