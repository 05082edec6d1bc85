"""How chess.com writes a game: the JSON of the Published Data API, its PGN, and the PGN of the website."""

import json
import re
import textwrap
from typing import Any, Final

import chess

from tests.fetchers.site_emulator.lichess_format import escape
from tests.fetchers.site_emulator.values import CHESSCOM, Game, Seat, utc
from tests.fetchers.site_emulator.world import World

API: Final = "https://api.chess.com/pub"
SITE: Final = "https://www.chess.com"

_RULES = {
    "standard": "chess",
    "fromPosition": "chess",
    "kingOfTheHill": "kingofthehill",
    "threeCheck": "threecheck",
}
_DRAW_TEXTS = {
    "agreed": "agreement",
    "repetition": "repetition",
    "stalemate": "stalemate",
    "insufficient": "insufficient material",
    "50move": "50-move rule",
    "timevsinsufficient": "timeout vs insufficient material",
}
_WIN_TEXTS = {
    "checkmated": "by checkmate",
    "resigned": "by resignation",
    "timeout": "on time",
    "abandoned": "- game abandoned",
    "kingofthehill": "by king of the hill",
    "threecheck": "by three-check",
}
_VARIANT_NAMES = {
    "chess960": "Chess960",
    "kingOfTheHill": "King of the Hill",
    "threeCheck": "3-Check",
    "crazyhouse": "Crazyhouse",
    "oddschess": "Odds Chess",
    "bughouse": "Bughouse",
}
_IN_HAND = re.compile(r"\[(.*)\]")
_CHECKS_LEFT = re.compile(r" \d\+\d")
_SQUARES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?"
_PROMOTIONS = "{~}(^)[_]@#$"
_DROPS = "&-*++="
_PIECES = "qnrbkp"


def dumps(record: object) -> bytes:
    """JSON as chess.com writes it: slashes bare, no blanks."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def url(game: Game) -> str:
    """The page of the game, in the form of its time."""
    kind, number = game.id.split("/")
    if game.url_form == "uuid":
        return f"{SITE}/game/{game.uuid}"
    return f"{SITE}/{kind}/game/{number}" if game.url_form == "old" else f"{SITE}/game/{kind}/{number}"


def time_class(game: Game) -> str:
    """daily, rapid, blitz or bullet."""
    if game.time_control.initial is None:
        return "daily"
    seconds = game.time_control.estimate
    return "bullet" if seconds < 180 else "blitz" if seconds < 600 else "rapid"


def rules(game: Game) -> str:
    """chess.com's word for the variant."""
    return _RULES.get(game.variant, game.variant)


def time_control(game: Game) -> str:
    """``600``, ``180+2``, ``1/86400`` or ``-``."""
    control = game.time_control
    if control.days is not None:
        return f"1/{control.days * 86400}"
    if control.initial is None:
        return "-"
    return f"{control.initial}+{control.increment}" if control.increment else str(control.initial)


def as_json(game: Game, world: World) -> dict[str, Any]:
    """A finished game as an archive has it, keys in chess.com's order."""
    old = game.url_form == "old"
    record: dict[str, Any] = {"url": url(game)}
    if game.variant != "bughouse":
        record["pgn"] = as_pgn(game, world)
    record |= {"time_control": time_control(game), "end_time": game.ended // 1000, "rated": game.rated}
    if game.accuracies is not None:
        record["accuracies"] = {"white": game.accuracies[0], "black": game.accuracies[1]}
    if not old:
        record |= {"tcn": tcn(game), "uuid": game.uuid, "initial_setup": initial_setup(game)}
    record["fen"] = position(game)
    if time_class(game) == "daily":
        record["start_time"] = game.started // 1000
    record |= {"time_class": time_class(game), "rules": rules(game)}
    for colour, seat in game.seats():
        record[colour] = _player(game, seat, world, won=game.winner == colour)
    if not old and game.variant != "oddschess" and time_control(game) != "-":
        record["eco"] = _eco_url(game)
    if game.event_id is not None:
        record["tournament"] = f"{API}/tournament/{game.event_id}"
    return record


def as_current(game: Game, world: World) -> dict[str, Any]:
    """A daily game in progress: another schema, the players are URLs."""
    seconds = (game.time_control.days or 0) * 86400
    return {
        "url": url(game),
        "move_by": game.ended // 1000 + seconds,
        "pgn": as_pgn(game, world),
        "time_control": time_control(game),
        "last_activity": game.ended // 1000,
        "rated": game.rated,
        "turn": "white" if game.line.board(game.played).turn else "black",
        "fen": position(game),
        "start_time": game.started // 1000,
        "time_class": time_class(game),
        "rules": rules(game),
        "white": f"{API}/player/{_name(game.white, world).lower()}",
        "black": f"{API}/player/{_name(game.black, world).lower()}",
    }


def position(game: Game) -> str:
    """The position after the last move; in crazyhouse with what the players hold at its end."""
    return _plain_fen(game, game.line.fen(game.played))


def initial_setup(game: Game) -> str:
    """The start position; Chess960 with the letters of the rooks' files."""
    return _plain_fen(game, game.line.board().fen(shredder=game.variant == "chess960"))


def _plain_fen(game: Game, fen: str) -> str:
    in_hand = _IN_HAND.search(fen)
    board = _CHECKS_LEFT.sub("", _IN_HAND.sub("", fen))
    return f"{board} {in_hand[1]}".rstrip() if in_hand and game.variant == "crazyhouse" else board


def _player(game: Game, seat: Seat, world: World, *, won: bool) -> dict[str, Any]:
    assert seat.number is not None, "everybody has an account at chess.com"
    account = world.by_number(CHESSCOM, seat.number)
    fields: dict[str, Any] = {
        "rating": _rating(seat),
        "result": "win" if won else game.status,
        "@id": f"{API}/player/{account.key}",
        "username": account.handle,
    }
    return fields if game.url_form == "old" else fields | {"uuid": account.uuid}


def _rating(seat: Seat) -> int:
    """The rating after the game: the only one that chess.com tells."""
    return (seat.rating or 0) + (seat.change or 0)


def _name(seat: Seat, world: World) -> str:
    assert seat.number is not None, "everybody has an account at chess.com"
    return world.by_number(CHESSCOM, seat.number).handle


def _eco_url(game: Game) -> str:
    opening = game.line.opening
    if opening is None:
        return f"{SITE}/openings/Undefined"
    return f"{SITE}/openings/{opening.name.replace(' ', '-').replace(chr(39), '')}"


def as_pgn(game: Game, world: World) -> str:
    """The `pgn` of the API: ends with one line feed, no blank line after it."""
    tags = "".join(f'[{name} "{escape(value)}"]\n' for name, value in _tags(game, world))
    return f"{tags}\n{_movetext(game)} {game.result}\n".replace("\n ", "\n")


def month_pgn(games: list[Game], world: World) -> str:
    """The PGN of a month: a blank line between the games, none after the last."""
    return "\n".join(as_pgn(game, world) for game in games if game.variant != "bughouse")


def _tags(game: Game, world: World) -> list[tuple[str, str]]:
    started, ended = utc(game.started), utc(game.ended)
    opening = game.line.opening
    tags = [
        ("Event", _event(game)),
        ("Site", "Chess.com"),
        ("Date", f"{started:%Y.%m.%d}"),
        ("Round", "1" if game.running else "-"),
        ("White", _name(game.white, world)),
        ("Black", _name(game.black, world)),
        ("Result", game.result),
    ]
    if game.event_id is not None:
        tags.append(("Tournament", f"{SITE}/tournament/{game.event_id}"))
    tags += _setup(game)
    tags += [("CurrentPosition", position(game)), ("Timezone", "UTC")]
    tags += [("ECO", opening.eco if opening else "A00")]
    tags += [("ECOUrl", _eco_url(game))]
    tags += [("UTCDate", f"{started:%Y.%m.%d}"), ("UTCTime", f"{started:%H:%M:%S}")]
    tags += [("WhiteElo", str(_rating(game.white))), ("BlackElo", str(_rating(game.black)))]
    tags.append(("TimeControl", time_control(game)))
    if not game.running:
        tags.append(("Termination", termination(game)))
    tags.append(("StartTime", f"{started:%H:%M:%S}"))
    if not game.running:
        tags += [("EndDate", f"{ended:%Y.%m.%d}"), ("EndTime", f"{ended:%H:%M:%S}")]
    return [*tags, ("Link", url(game))]


def _setup(game: Game) -> list[tuple[str, str]]:
    name = _VARIANT_NAMES.get(game.variant)
    variant = [("Variant", name)] if name and game.variant != "oddschess" else []
    setup = [("SetUp", "1"), ("FEN", initial_setup(game))] if game.line.start is not None else []
    return variant + setup


def _event(game: Game) -> str:
    if game.event is not None:
        return game.event
    base = "Let's Play!" if time_class(game) == "daily" else "Live Chess"
    ending = _VARIANT_NAMES.get(game.variant)
    return f"{base} - {ending}" if ending else base


def termination(game: Game) -> str:
    """The Termination text. It holds the winner's handle as it was when the game was played."""
    if game.winner is None:
        return f"Game drawn by {_DRAW_TEXTS.get(game.status, 'agreement')}"
    seat = game.white if game.winner == "white" else game.black
    return f"{seat.name} won {_WIN_TEXTS.get(game.status, 'by resignation')}"


def _movetext(game: Game) -> str:
    words = []
    first = game.line.board().ply()
    clocked = bool(game.clocks) or game.time_control.days is not None
    for index, san in enumerate(game.sans):
        ply = first + index
        if ply % 2 == 0 or clocked or index == 0:
            words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        words.append(san)
        if clocked:
            words.append(f"{{[%clk {_clock(game, index)}]}}")
    return " ".join(words)


def _clock(game: Game, index: int) -> str:
    """Live: what is left. Daily: what was spent once it is over, what is left (hours over 24) while it runs."""
    if game.clocks:
        tenths = game.clocks[index] // 10
    elif game.running:
        tenths = (game.time_control.days or 1) * 864_000 - 10 * (index * 977 % 40_000)
    else:
        tenths = 3 + index * 7919 % 300_000
    seconds, rest = divmod(tenths, 10)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{rest}" if rest else "")


def website_pgn(game: Game, world: World) -> str:
    """The same game as the website's download writes it: few tags, no id, wrapped lines."""
    ended = utc(game.ended)
    daily = time_class(game) == "daily"
    tags = [*_tags(game, world)[:7], *_setup(game)]
    tags += [("WhiteElo", str(_rating(game.white))), ("BlackElo", str(_rating(game.black)))]
    tags.append(("TimeControl", time_control(game)))
    tags.append(("EndDate", f"{ended:%Y.%m.%d}") if daily else ("EndTime", f"{ended:%H:%M:%S} GMT+0000"))
    tags.append(("Termination", termination(game)))
    head = "".join(f'[{name} "{escape(value)}"]\n' for name, value in tags)
    first = game.line.board().ply()
    words = [
        f"{(first + i) // 2 + 1}{'.' if (first + i) % 2 == 0 else '...'} {san}"
        if (first + i) % 2 == 0 or i == 0
        else san
        for i, san in enumerate(game.sans)
    ]
    return f"{head}\n{textwrap.fill(' '.join([*words, game.result]), 80, break_on_hyphens=False)}\n"


def tcn(game: Game) -> str:
    """The moves in chess.com's compact notation: two characters a ply."""
    return "".join(_tcn_move(_as_chesscom_castles(game, ply)) for ply in range(game.played))


def _as_chesscom_castles(game: Game, ply: int) -> chess.Move:
    """Live games: the king goes two squares. Daily ones, for Black at least, and against a coach: it takes the rook."""
    move = chess.Move.from_uci(game.line.ucis[ply])
    to_rook = time_class(game) == "daily" and (ply % 2 == 1 or time_control(game) == "-")
    if not to_rook or not game.sans[ply].startswith("O-O") or game.variant == "chess960":
        return move
    file = 0 if game.sans[ply].startswith("O-O-O") else 7
    return chess.Move(move.from_square, chess.square(file, chess.square_rank(move.from_square)))


def _tcn_move(move: chess.Move) -> str:
    if move.drop is not None:
        return _DROPS[_PIECES.index(chess.piece_symbol(move.drop))] + _SQUARES[move.to_square]
    if move.promotion is None:
        return _SQUARES[move.from_square] + _SQUARES[move.to_square]
    step = chess.square_file(move.to_square) - chess.square_file(move.from_square) + 1
    piece = _PIECES.index(chess.piece_symbol(move.promotion))
    return _SQUARES[move.from_square] + _PROMOTIONS[3 * piece + step]
