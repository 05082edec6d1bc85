"""What a parser answers comes back as it was, although the bytes of the game are not sent."""

import pickle
from dataclasses import replace

import pytest

from core.game import Unreadable
from core.pgn.reader import Piece
from daemon.archive.games.prepared import Prepared
from daemon.imports.outcomes import Outcome, small, whole
from daemon.imports.parser_process import parse_one

BOARD = b'[Event "x"]\n[White "Rossi, M"]\n[Black "Neri, A"]\n[Date "2024.05.??"]\n[WhiteElo "2100"]\n[Result "1-0"]\n\n'
GAMES = {
    "plain": BOARD + b"1. e4 e5 1-0\n",
    "castled, with a comment": BOARD + b"1. e4 e5 2. Nf3 Nf6 3. Bc4 {so} Bc5 4. O-O 1-0\n",
    "ids and titles": b'[White "A"]\n[WhiteFideId "0123"]\n[BlackFideId "9"]\n[BlackTitle "GM"]\n\n1. e4 *\n',
    "odd": b'[White "A"]\n[Black "A"]\n[Date "in May"]\n[WhiteElo "many"]\n[Result "1-0"]\n\n1. e4 0-1\n',
    "another start": b'[White "A"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n',
    "another variant": b'[White "A"]\n[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n',
    "online": b'[Event "Rated blitz game"]\n[Site "https://lichess.org/abcd1234"]\n[White "a"]\n[Black "b"]\n'
    b'[UTCDate "2024.05.01"]\n[UTCTime "10:00:00"]\n[WhiteElo "1500"]\n[TimeControl "180+2"]\n\n1. e4 e5 *\n',
    "no moves": b'[White "A"]\n[Result "1-0"]\n\n1-0\n',
    "no FIDE id of usual length": b'[White "A"]\n[WhiteFideId "' + b"1" * 300 + b'"]\n\n1. e4 *\n',
    "an illegal move": b'[White "A"]\n\n1. e4 Ke4 *\n',
    "not PGN": b"<html>",
}


def there_and_back(outcome: Outcome, piece: Piece) -> Outcome:
    """As it comes out of the pipe."""
    return whole(pickle.loads(pickle.dumps(small(outcome))), piece)


@pytest.mark.parametrize("raw", GAMES.values(), ids=GAMES.keys())
def test_an_outcome_comes_back_as_it_was(raw: bytes) -> None:
    """Every value of the game and what is prepared of it; and the place and reason of what cannot be read."""
    piece = Piece(raw, 5, 1)
    outcome = parse_one(piece)
    assert there_and_back(outcome, piece) == outcome


def test_both_kinds_are_among_them() -> None:
    """The games above test something."""
    kinds = [type(parse_one(Piece(raw, 0, 1))) for raw in GAMES.values()]
    assert (kinds.count(Prepared), kinds.count(Unreadable)) == (8, 3)


def test_the_encoding_of_the_user_comes_back() -> None:
    """It is a value of the game that the file alone does not say."""
    piece = Piece(BOARD.replace(b"Rossi", b"M\xfcller") + b"1. e4 *\n", 0, 1, encoding="latin-1")
    outcome = parse_one(piece)
    assert isinstance(outcome, Prepared)
    assert outcome.game.encoding == "latin-1"
    assert there_and_back(outcome, piece) == outcome


def test_the_bytes_of_the_game_are_not_sent() -> None:
    """Only packed: the parent still has them."""
    comment = bytes(ord("a") + n * n % 26 for n in range(50_000))
    piece = Piece(BOARD + b"1. e4 {" + comment + b"} 1-0\n", 0, 1)
    outcome = parse_one(piece)
    assert isinstance(outcome, Prepared)
    assert len(pickle.dumps(small(outcome))) < len(outcome.pgn) + 2_000
    assert replace(outcome, game=replace(outcome.game, raw=b"")) != there_and_back(outcome, piece) == outcome
