"""How lichess writes a game: one JSON object, or its PGN."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tests.fetchers.site_emulator.values import Ai, Colour, Game, Guest, Named, Player, Seat, utc
from tests.fetchers.site_emulator.world import World

_VARIANT_NAMES = {
    "standard": "Standard",
    "chess960": "Chess960",
    "crazyhouse": "Crazyhouse",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "horde": "Horde",
    "kingOfTheHill": "King of the Hill",
    "racingKings": "Racing Kings",
    "threeCheck": "Three-check",
    "fromPosition": "From Position",
}
_WITH_FEN = {"chess960", "fromPosition", "horde", "racingKings"}
_SPEEDS = ((29, "ultraBullet"), (179, "bullet"), (479, "blitz"), (1499, "rapid"), (21599, "classical"))
_TERMINATIONS = {
    "started": "Unterminated",
    "created": "Unterminated",
    "outoftime": "Time forfeit",
    "timeout": "Time forfeit",
    "aborted": "Abandoned",
    "noStart": "Abandoned",
    "cheat": "Rules infraction",
    "insufficientMaterialClaim": "Insufficient material",
    "unknownFinish": "Unknown",
}
STATUS_IDS: Final = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "cheat": 36,
    "noStart": 37,
    "unknownFinish": 38,
    "insufficientMaterialClaim": 39,
    "variantEnd": 60,
}
FINISHED: Final = 30
"""From this status id on a game counts as finished: `aborted` does not, `noStart` does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What a request wants of each game."""

    moves: bool = True
    pgn_in_json: bool = False
    tags: bool = True
    clocks: bool = False
    opening: bool = False
    division: bool = False
    last_fen: bool = False


ONE_GAME: Final = Flags(clocks=True, opening=True, division=True)
"""What /game/export/{id} gives unless it is told otherwise."""


def speed(game: Game) -> str:
    """The speed as lichess reckons it; a game without clock is "correspondence"."""
    if game.time_control.initial is None:
        return "correspondence"
    return next((name for limit, name in _SPEEDS if game.time_control.estimate <= limit), "correspondence")


def perf(game: Game) -> str:
    """The rating that the game counts for."""
    return speed(game) if game.variant in {"standard", "fromPosition"} else game.variant


def perfs(games: Iterable[Game], player: Player) -> dict[str, dict[str, Any]]:
    """What an account's ratings are made of. Only rated games count; puzzles are among them."""
    counts = Counter(perf(game) for game in games if game.rated)
    kinds = dict.fromkeys(("bullet", "blitz", "rapid", "classical", "correspondence", *counts))
    fields: dict[str, dict[str, Any]] = {
        kind: {"games": counts[kind], "rating": player.rating, "rd": 60, "prog": 0} for kind in kinds
    }
    return fields | {
        "puzzle": {"games": 421, "rating": 1600, "rd": 80, "prog": 0},
        "storm": {"runs": 3, "score": 9},
    }


def shown_plies(game: Game) -> int:
    """How many plies lichess shows: a running game lacks the last 3, its first 5 plies are shown."""
    if not game.running or game.source == "import":
        return game.played
    return max(min(game.played, 5), game.played - 3)


def as_json(game: Game, world: World, flags: Flags) -> dict[str, Any]:
    """The game as one JSON object, keys in lichess's order."""
    record: dict[str, Any] = {
        "id": game.id,
        "rated": game.rated,
        "variant": game.variant,
        "speed": speed(game),
        "perf": perf(game),
        "createdAt": game.started,
        "lastMoveAt": game.ended,
        "status": game.status,
        "source": game.source,
        "players": {colour: _player(seat, world) for colour, seat in game.seats()},
    }
    if game.line.start is not None:
        record["initialFen"] = game.line.start
    if game.winner is not None:
        record["winner"] = game.winner
    if flags.opening and game.line.opening is not None:
        opening = game.line.opening
        record["opening"] = {"eco": opening.eco, "name": opening.name, "ply": len(opening.sans)}
    _add_moves(record, game, world, flags)
    _add_frame(record, game, flags)
    return record


def _add_moves(record: dict[str, Any], game: Game, world: World, flags: Flags) -> None:
    shown = shown_plies(game)
    if flags.moves and game.status != "noStart":
        record["moves"] = " ".join(game.line.sans[:shown])
    if flags.clocks and game.clocks and shown:
        record["clocks"] = list(game.clocks[: shown + (not game.running)])
    if flags.pgn_in_json:
        record["pgn"] = as_pgn(game, world, flags)


def _add_frame(record: dict[str, Any], game: Game, flags: Flags) -> None:
    control = game.time_control
    if control.days is not None:
        record["daysPerTurn"] = control.days
    if game.source == "arena" and game.event_id:
        record["arenaTour"] = {"id": game.event_id, "name": game.event}
    if game.source == "swiss" and game.event_id:
        record["swissTour"] = {"id": game.event_id}
    if control.initial is not None:
        clock = {"initial": control.initial, "increment": control.increment, "totalTime": control.estimate}
        record["clock"] = clock
    if flags.last_fen:
        record["lastFen"] = game.line.board(shown_plies(game)).fen()
        record["lastMove"] = game.line.ucis[shown_plies(game) - 1] if shown_plies(game) else ""
    if flags.division:
        record["division"] = {}
    if game.import_date is not None:
        record["import"] = {"date": game.import_date}


def _player(seat: Seat, world: World) -> dict[str, Any]:
    match seat.other:
        case Ai(level):
            return {"aiLevel": level}
        case Named(name):
            return {"name": name}
        case Guest():
            return {}
    player = _account(seat, world)
    fields: dict[str, Any] = {"user": light_user(player), "rating": seat.rating}
    if seat.change is not None:
        fields["ratingDiff"] = seat.change
    return fields


def light_user(player: Player) -> dict[str, Any]:
    """The few fields by which lichess names an account inside other answers."""
    title = {"title": player.title} if player.title else {}
    return {"name": player.handle, **title, "id": player.key}


def _account(seat: Seat, world: World) -> Player:
    assert seat.number is not None, "only seats without an account have no number"
    return world.by_number("lichess", seat.number)


def as_pgn(game: Game, world: World, flags: Flags) -> str:
    """The game as the site's own PGN export, with the blank lines that follow it."""
    tags = (
        "".join(f'[{name} "{escape(value)}"]\n' for name, value in _tags(game, world, flags))
        if flags.tags
        else ""
    )
    return f"{tags}\n{_movetext(game, flags)} {game.result}\n\n\n"


def escape(value: str) -> str:
    """A tag's value as it stands between the quotation marks."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _tags(game: Game, world: World, flags: Flags) -> list[tuple[str, str]]:
    created = utc(game.started)
    date = f"{created:%Y.%m.%d}"
    own_date = game.import_date is not None
    tags = [
        ("Event", _event(game)),
        ("Site", f"https://lichess.org/{game.id}" if not own_date else "https://lichess.org"),
        ("Date", game.import_date or date),
        ("Round", "-"),
        ("White", _name(game.white, world)),
        ("Black", _name(game.black, world)),
        ("Result", game.result),
        ("GameId", game.id),
    ]
    if not own_date:
        tags += [("UTCDate", date), ("UTCTime", f"{created:%H:%M:%S}")]
    tags += _player_tags(game, world)
    tags += [("Variant", _VARIANT_NAMES[game.variant]), ("TimeControl", _time_control(game))]
    opening = game.line.opening
    if game.line.start is None or own_date:
        tags.append(("ECO", opening.eco if opening else "?"))
    if opening and flags.opening:
        tags.append(("Opening", opening.name))
    tags.append(("Termination", _TERMINATIONS.get(game.status, "Normal")))
    if game.variant in _WITH_FEN:
        tags += [("FEN", game.line.start or game.line.board().fen()), ("SetUp", "1")]
    return tags


def _player_tags(game: Game, world: World) -> list[tuple[str, str]]:
    sides = [(colour.title(), seat) for colour, seat in game.seats()]
    tags = [(f"{side}Elo", str(seat.rating or "?")) for side, seat in sides]
    tags += [(f"{side}RatingDiff", f"{seat.change:+d}") for side, seat in sides if seat.change is not None]
    people = [(side, _account(seat, world)) for side, seat in sides if seat.number is not None]
    tags += [(f"{side}Title", player.title) for side, player in people if player.title]
    tags += [(f"{side}FideId", str(player.fide_id)) for side, player in people if player.fide_id]
    return tags


def _event(game: Game) -> str:
    if game.event is not None:
        return game.event
    kind = "rated" if game.rated else "casual"
    what = perf(game)
    return f"{kind} variant:{what} game" if what == game.variant else f"{kind} {what} game"


def _name(seat: Seat, world: World) -> str:
    match seat.other:
        case Ai(level):
            return f"lichess AI level {level}"
        case Named(name):
            return name
        case Guest():
            return "Anonymous"
    return _account(seat, world).handle


def _time_control(game: Game) -> str:
    control = game.time_control
    if control.days is not None:
        return f"{control.days} day{'s' * (control.days != 1)} per move"
    return "-" if control.initial is None else f"{control.initial}+{control.increment}"


def _movetext(game: Game, flags: Flags) -> str:
    shown = shown_plies(game)
    if not flags.moves or not shown:
        return ""
    first = game.line.board().ply()
    commented = flags.clocks and bool(game.clocks)
    words = []
    for index, san in enumerate(game.line.sans[:shown]):
        ply = first + index
        if ply % 2 == 0 or commented or index == 0:
            words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        words.append(san)
        if commented:
            words.append(f"{{ [%clk {_clock(game.clocks[index])}] }}")
    return " ".join(words)


def _clock(centiseconds: int) -> str:
    seconds = (centiseconds + 50) // 100
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def dumps(record: object) -> bytes:
    """JSON as lichess writes it: nothing escaped that need not be, no blanks."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def colour_of(game: Game, player: Player) -> Colour:
    """The side on which this account played."""
    return "white" if game.white.number == player.number else "black"
