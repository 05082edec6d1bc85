"""Packed games: each record is the row that the ordinary path stores of the same game."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.game import Unreadable
from core.pgn.reader import Cut, Piece
from daemon.archive.games.changes import StoredGame
from daemon.archive.games.named import named_in, texts_of
from daemon.archive.games.packed_games import PackedRun, Packer, named
from daemon.archive.games.prepared import Prepared
from daemon.archive.games.store import game_row
from daemon.imports.parser_process import parse_one
from tests.daemon.archive.games.packed_reading import COLUMNS, Reading

OF_TELLING = ("digest", "site", "native_id", "url", "pgn", "has_comments", "encoding")
OTB = b"""[Event "Club \\"Torre\\""]
[Site "Torino"]
[Date "2024.05.12"]
[Round "3"]
[White "Rossi, Mario"]
[Black "Bianchi, Gina"]
[Result "1-0"]
[WhiteElo "2100"]
[BlackElo "0"]
[WhiteTitle "FM"]
[WhiteTeam "Torre"]
[WhiteFideId "0123456"]
[ECO "C50"]
[Annotator "Neri"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 {well} Bc5 4. O-O 1-0

"""
LICHESS = b"""[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2024.05.12"]
[White "mrossi90"]
[Black "gbianchi"]
[Result "0-1"]
[UTCDate "2024.05.12"]
[UTCTime "10:00:00"]
[WhiteElo "1500"]
[BlackElo "1510"]
[WhiteRatingDiff "-5"]
[Variant "Standard"]
[TimeControl "180+2"]
[ECO "A00"]
[Opening "Grob Opening"]
[Termination "Normal"]

1. g4 { [%clk 0:03:00] } d5 0-1

"""
CHESSCOM = b"""[Event "Live Chess"]
[Site "Chess.com"]
[Date "2024.05.12"]
[Round "-"]
[White "rossi-mario"]
[Black "gbianchi"]
[Result "1-0"]
[ECOUrl "https://www.chess.com/openings/Queens-Pawn-Opening"]
[UTCDate "2024.05.12"]
[UTCTime "10:00:00"]
[TimeControl "600"]
[Termination "rossi-mario won on time"]
[Link "https://www.chess.com/game/live/123456789"]

1. d4 d5 1-0

"""
CHESS960 = b"""[White "A B"]
[Black "?"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]

1. O-O *

"""
ODD = b'[White "M\xfcller, Max"]\n[Black "\x81"]\n[Date "May"]\n[Result "1-0"]\n\n1. e4 0-1\n\n'
UNREADABLE = b'[White "Rossi"]\n[Result "*"]\n\n1. e5 *\n\n'
GAMES = [OTB, LICHESS, CHESSCOM, CHESS960, ODD]


def pieces(*games: bytes, **more: Any) -> list[Piece]:
    return [Piece(raw, offset=0, number=n, **more) for n, raw in enumerate(games, 1)]


def expected(prepared: Prepared) -> dict[str, Any]:
    """What the ordinary path stores of the game."""
    white, black = named_in(prepared)
    texts = {item: item for item in texts_of(prepared)}
    row = game_row(StoredGame(1, prepared.key), prepared, {white.key: 1, black.key: 1}, texts, 0)  # type: ignore[arg-type]
    game = prepared.game
    telling = (
        prepared.digest,
        game.source,
        game.native_id,
        game.url,
        prepared.pgn,
        game.has_comments,
        game.encoding,
    )
    row |= {"white_id": white, "black_id": black} | dict(zip(OF_TELLING, telling, strict=True))
    return {name: row[name] for name in COLUMNS}


def check(packer: Packer, reading: Reading, given: Iterable[Piece]) -> None:
    """The answers to these pieces say what the ordinary path makes of them."""
    given = list(given)
    outcomes = iter([parse_one(piece) for piece in given])
    for answer in packer.pack(given):
        if isinstance(answer, Unreadable):
            outcome = next(outcomes)
            assert isinstance(outcome, Unreadable)
            assert answer == replace(outcome, raw=b"")
            continue
        prepared: list[Prepared] = [next(outcomes) for _ in range(answer.count)]  # type: ignore[misc]
        reading.define(answer)
        assert list(reading.rows(answer)) == [expected(one) for one in prepared]
        assert answer.keys == b"".join(one.key for one in prepared)
        assert answer.digests == b"".join(one.digest for one in prepared)
        assert answer.oddities == [
            (n, one.game.oddities) for n, one in enumerate(prepared) if one.game.oddities
        ]
        for used, one in zip(reading.references(answer), prepared, strict=True):
            assert used[:2] == list(named_in(one))
            assert [text for text in used[2:] if text is not None] == list(texts_of(one))
    assert next(outcomes, None) is None


def test_records_are_the_rows_of_the_ordinary_path() -> None:
    """Games of every kind, and again: what was defined before is not defined again."""
    packer, reading = Packer(parse_one), Reading()
    check(packer, reading, pieces(*GAMES))
    known = len(reading.players), len(reading.texts)
    check(packer, reading, pieces(*reversed(GAMES)))
    assert (len(reading.players), len(reading.texts)) == known


def test_an_encoding_that_the_user_named() -> None:
    """It goes with the game if anything is read in it."""
    check(Packer(parse_one), Reading(), pieces(*GAMES, encoding="cp850"))


def test_an_unreadable_game_ends_a_run() -> None:
    """It stands between two runs, without its bytes; readable ones before and after it are whole."""
    packer = Packer(parse_one)
    answers = packer.pack(pieces(UNREADABLE, OTB, LICHESS, UNREADABLE, UNREADABLE, ODD))
    counts = [None if isinstance(one, Unreadable) else one.count for one in answers]
    assert counts == [None, 2, None, None, 1]
    assert all(one.raw == b"" for one in answers if isinstance(one, Unreadable))
    check(packer, Reading(), [])
    check(Packer(parse_one), Reading(), pieces(UNREADABLE, OTB, LICHESS, UNREADABLE, UNREADABLE, ODD))


def test_answers_in_parts_are_the_same() -> None:
    """Handed out after each game, every game is a run; nothing is lost, and definitions come once."""
    packer, reading = Packer(parse_one, quickly=False), Reading()
    parts = list(packer.pack_in_parts(list(map(Cut.of, pieces(*GAMES))), lambda: True))
    assert len(parts) == len(GAMES)
    rows: list[dict[str, Any]] = []
    for (run,) in parts:
        assert isinstance(run, PackedRun)
        reading.define(run)
        rows += reading.rows(run)
    assert rows == [expected(parse_one(piece)) for piece in pieces(*GAMES)]  # type: ignore[arg-type]


def test_places_begin_again_when_there_are_many() -> None:
    """A parser's memory stays bounded: after so many names the lists begin again, and the run says so."""
    packer, reading = Packer(parse_one, most=3), Reading()
    for _ in range(3):
        check(packer, reading, pieces(*GAMES))
    again = [run.again for _ in range(2) for run in packer.pack(pieces(OTB)) if isinstance(run, PackedRun)]
    assert again == [True, True]
    assert [
        run.again
        for run in Packer(parse_one).pack(pieces(OTB, UNREADABLE, OTB))
        if isinstance(run, PackedRun)
    ] == [
        True,
        False,
    ]


def test_a_player_has_a_place_for_each_way_of_naming_them() -> None:
    """The archive shows the name in the first new game, which need not be the first that is packed."""
    packer = Packer(parse_one)
    (run,) = packer.pack(pieces(OTB, OTB.replace(b"Rossi, Mario", b"Mario Rossi"), OTB))
    assert isinstance(run, PackedRun)
    players = [named(values) for values in run.players]
    assert [player.name for player in players] == ["Rossi, Mario", "Bianchi, Gina", "Mario Rossi"]
    assert players[0].key == players[2].key
