"""Made-up games of made-up people as a file or a site tells them: each is read from the PGN that it carries.

Where a test chooses fields whatever the PGN says, `tests.daemon.seeding` has games of just these fields; whole accounts
that a site serves are the emulator's (`tests.fetchers.site_emulator.making`), and games by the thousand the benchmarks'.
"""

from collections.abc import Mapping
from dataclasses import replace

from core.game import Game
from core.pgn import reader

RUY = "1. e4 e5 2. Nf3 Nc6 3. Bb5"
ITALIAN = "1. e4 e5 2. Nf3 Nc6 3. Bc4"


def read(tags: Mapping[str, str], moves: str) -> Game:
    """The game of a PGN text."""
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    game = reader.parse(f"{header}\n{moves} {tags.get('Result', '*')}\n".encode())
    assert isinstance(game, Game)
    return game


def otb(
    white: str = "Rossi, Mario",
    black: str = "Bianchi, Gina",
    moves: str = RUY,
    result: str = "1-0",
    **more: str,
) -> Game:
    """A game over the board, as a file holds it."""
    tags = {
        "Event": "Club Championship",
        "Site": "Torino",
        "Date": "2024.05.12",
        "Round": "1",
        "White": white,
        "Black": black,
        "Result": result,
    }
    return read(tags | more, moves)


def lichess(
    native_id: str = "abcdefgh",
    moves: str = RUY,
    result: str = "1-0",
    white: str = "mrossi90",
    black: str = "gbianchi",
    **more: str,
) -> Game:
    """A game as lichess tells it."""
    tags = {
        "Event": "Rated blitz game",
        "Site": f"https://lichess.org/{native_id}",
        "Date": "2024.05.12",
        "White": white,
        "Black": black,
        "Result": result,
        "GameId": native_id,
        "UTCDate": "2024.05.12",
        "UTCTime": "10:00:00",
    }
    game = read(tags | more, moves)
    assert (game.source, game.native_id, game.online) == ("lichess", native_id, True)
    return game


def chesscom(
    number: int = 123, moves: str = RUY, result: str = "1-0", uuid: str | None = None, **more: str
) -> Game:
    """A game as chess.com tells it; *uuid* is its further id."""
    tags = {
        "Event": "Live Chess",
        "Site": "Chess.com",
        "Date": "2024.05.12",
        "White": "rossi-mario",
        "Black": "gbianchi",
        "Result": result,
        "Link": f"https://www.chess.com/game/live/{number}",
    }
    game = read(tags | more, moves)
    assert (game.source, game.native_id, game.online) == ("chesscom", f"live/{number}", True)
    return replace(game, other_ids=(uuid,) if uuid else ())
