"""Games that are made up as programs and sites write them: what the dictionary of stored games is trained on.

Each begins with a line of the book of openings and goes on with legal moves that a player might choose: captures,
recaptures, development, few gifts. All comes from one seed, by `random.Random.random` alone, whose numbers Python
promises never to change. Nobody's games, names or accounts are in it: names are common ones, put together by chance.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import log
from operator import attrgetter
from typing import Final, TypeVar

import chess

from core.openings import Opening

SEED: Final = 1
_OPENINGS: Final = {"e2e4": 45, "d2d4": 34, "c2c4": 8, "g1f3": 8, "g2g3": 1, "b2b3": 1, "f2f4": 1, "b1c3": 1}
"""How often games begin so, of a hundred."""
_VALUES: Final = (0, 100, 310, 330, 500, 950, 2000)
_CENTRE: Final = tuple(
    14 - 2 * int(abs(chess.square_file(square) - 3.5) + abs(chess.square_rank(square) - 3.5))
    for square in chess.SQUARES
)

GIVEN: Final = [
    "Alexander",
    "Andrea",
    "Andreas",
    "Andrei",
    "Anna",
    "Antonio",
    "Artur",
    "Boris",
    "Carlos",
    "Christian",
    "Daniel",
    "David",
    "Dmitry",
    "Elena",
    "Eric",
    "Eva",
    "Fabio",
    "Francisco",
    "Frank",
    "Georg",
    "Giulia",
    "Hans",
    "Igor",
    "Ivan",
    "Jan",
    "Jean",
    "Johannes",
    "John",
    "Jorge",
    "Jose",
    "Juan",
    "Karl",
    "Klaus",
    "Laura",
    "Luca",
    "Luis",
    "Marco",
    "Maria",
    "Mario",
    "Markus",
    "Martin",
    "Michael",
    "Mikhail",
    "Milan",
    "Natalia",
    "Nikolai",
    "Oleg",
    "Olga",
    "Paolo",
    "Patrick",
    "Paul",
    "Pedro",
    "Peter",
    "Petr",
    "Pierre",
    "Rafael",
    "Ralf",
    "Richard",
    "Robert",
    "Sergei",
    "Stefan",
    "Stephan",
    "Thomas",
    "Tomas",
    "Viktor",
    "Vladimir",
    "Wolfgang",
    "Yuri",
    "Zoltan",
]
FAMILY: Final = [
    "Alvarez",
    "Andersen",
    "Antonov",
    "Bauer",
    "Becker",
    "Berg",
    "Bianchi",
    "Black",
    "Blanc",
    "Bondarenko",
    "Brown",
    "Carlsson",
    "Conti",
    "Costa",
    "Cruz",
    "Dubois",
    "Dvorak",
    "Eriksson",
    "Fernandez",
    "Ferrari",
    "Fischer",
    "Fuchs",
    "Garcia",
    "Gomez",
    "Gonzalez",
    "Green",
    "Gruber",
    "Gupta",
    "Hansen",
    "Hernandez",
    "Hoffmann",
    "Horvath",
    "Huber",
    "Ivanov",
    "Jansen",
    "Johansson",
    "Johnson",
    "Jones",
    "Jovanovic",
    "Kaiser",
    "Keller",
    "Kim",
    "King",
    "Klein",
    "Koch",
    "Kovacs",
    "Kowalski",
    "Kumar",
    "Kuznetsov",
    "Larsen",
    "Lee",
    "Lehmann",
    "Li",
    "Lopez",
    "Maier",
    "Marino",
    "Martin",
    "Martinez",
    "Meyer",
    "Miller",
    "Moreau",
    "Moreno",
    "Mueller",
    "Nagy",
    "Neri",
    "Nielsen",
    "Nikolic",
    "Novak",
    "Novotny",
    "Olsen",
    "Pavlov",
    "Peeters",
    "Pereira",
    "Perez",
    "Petersen",
    "Petrov",
    "Popov",
    "Popescu",
    "Ramirez",
    "Ricci",
    "Rivera",
    "Rodriguez",
    "Romano",
    "Rossi",
    "Ruiz",
    "Russo",
    "Sanchez",
    "Santos",
    "Schmidt",
    "Schneider",
    "Schulz",
    "Sharma",
    "Silva",
    "Singh",
    "Smirnov",
    "Smith",
    "Sokolov",
    "Svensson",
    "Szabo",
    "Taylor",
    "Torres",
    "Toth",
    "Varga",
    "Vasiliev",
    "Verdi",
    "Visser",
    "Vogel",
    "Volkov",
    "Wagner",
    "Walker",
    "Wang",
    "Weber",
    "White",
    "Williams",
    "Wilson",
    "Wolf",
    "Wright",
    "Yilmaz",
    "Zhang",
    "Zimmermann",
]
PLACES: Final = [
    "Amsterdam",
    "Athens",
    "Baku",
    "Barcelona",
    "Basel",
    "Belgrade",
    "Berlin",
    "Biel",
    "Bled",
    "Bratislava",
    "Brussels",
    "Bucharest",
    "Budapest",
    "Buenos|Aires",
    "Cannes",
    "Copenhagen",
    "Debrecen",
    "Doha",
    "Dortmund",
    "Dresden",
    "Dublin",
    "Edinburgh",
    "Frankfurt",
    "Geneva",
    "Gibraltar",
    "Graz",
    "Hamburg",
    "Hastings",
    "Havana",
    "Helsinki",
    "Istanbul",
    "Kiev",
    "Krakow",
    "Las|Vegas",
    "Leipzig",
    "Leningrad",
    "Lisbon",
    "Ljubljana",
    "London",
    "Lugano",
    "Madrid",
    "Manila",
    "Milan",
    "Minsk",
    "Moscow",
    "Munich",
    "New|York",
    "Nice",
    "Nottingham",
    "Novi|Sad",
    "Oslo",
    "Palma|de|Mallorca",
    "Paris",
    "Prague",
    "Reykjavik",
    "Riga",
    "Rome",
    "Rotterdam",
    "Saint|Louis",
    "Saint|Petersburg",
    "San|Sebastian",
    "Sarajevo",
    "Seville",
    "Skopje",
    "Sofia",
    "Stockholm",
    "Tallinn",
    "Tbilisi",
    "Tehran",
    "Tilburg",
    "Vienna",
    "Vilnius",
    "Warsaw",
    "Wijk|aan|Zee",
    "Wuppertal",
    "Yerevan",
    "Zagreb",
    "Zurich",
]
COUNTRIES: Final = [
    "GER",
    "RUS",
    "USA",
    "ENG",
    "FRA",
    "ESP",
    "ITA",
    "NED",
    "HUN",
    "POL",
    "UKR",
    "CZE",
    "AUT",
    "SUI",
    "IND",
    "CHN",
    "NOR",
    "SWE",
    "DEN",
    "SRB",
    "CRO",
    "ARG",
    "BRA",
    "ISR",
    "ARM",
]
WORDS: Final = [
    "active",
    "black",
    "blitz",
    "blue",
    "brave",
    "calm",
    "chess",
    "clever",
    "crazy",
    "dark",
    "fast",
    "fire",
    "grand",
    "green",
    "happy",
    "ice",
    "iron",
    "king",
    "knight",
    "lazy",
    "light",
    "little",
    "lucky",
    "magic",
    "master",
    "mate",
    "moon",
    "night",
    "pawn",
    "quick",
    "queen",
    "quiet",
    "red",
    "river",
    "rook",
    "royal",
    "silent",
    "silver",
    "sleepy",
    "star",
    "storm",
    "strong",
    "sun",
    "swift",
    "tiger",
    "tower",
    "wild",
    "wolf",
]

_SQUARES: Final = attrgetter("from_square", "to_square", "promotion")
_T = TypeVar("_T")


class Chance(random.Random):
    """Numbers by chance that are the same for ever: everything is made of `random` alone."""

    def number(self, least: int, most: int) -> int:
        """An integer, both ends included."""
        return least + int(self.random() * (most - least + 1))

    def one_of(self, things: Sequence[_T]) -> _T:
        """Any of these."""
        return things[int(self.random() * len(things))]

    def likely(self, percent: int) -> bool:
        """Whether something happens that happens so often."""
        return self.random() * 100 < percent


@dataclass(frozen=True, slots=True)
class Line:
    """A game's moves and its end."""

    opening: Opening
    sans: tuple[str, ...]
    result: str
    fen: str
    mate: bool


def book_lines() -> Iterator[tuple[Opening, list[str]]]:
    """The lines of the book of openings, in its order."""
    for row in files("daemon.openings").joinpath("book.tsv").read_text("utf-8").splitlines():
        if not row.startswith("#"):
            eco, name, moves = row.split("\t")
            yield Opening(eco, name), moves.split()


def made_lines(chance: Chance, count: int) -> Iterator[Line]:
    """So many games' moves."""
    by_first: dict[str, list[tuple[Opening, list[str]]]] = {}
    for opening, moves in book_lines():
        by_first.setdefault(moves[0], []).append((opening, moves))
    often = [first for first, share in _OPENINGS.items() for _ in range(share)]
    for _ in range(count):
        yield _played(chance, *chance.one_of(by_first[chance.one_of(often)]))


def _played(chance: Chance, opening: Opening, moves: Sequence[str]) -> Line:
    board, sans = chess.Board(), list[str]()
    for uci in moves:
        sans.append(board.san_and_push(chess.Move.from_uci(uci)))
    length = max(len(sans), chance.number(20, 70) + chance.number(10, 70))
    last = moves[-1][2:4]
    while len(sans) < length and not board.is_game_over():
        move = _choice(chance, board, chess.parse_square(last))
        last = chess.square_name(move.to_square)
        sans.append(board.san_and_push(move))
    mate = board.is_checkmate()
    result = board.result() if mate else chance.one_of(("1-0", "1-0", "0-1", "1/2-1/2", "1/2-1/2"))
    return Line(opening, tuple(sans), result, board.fen(), mate)


def _choice(chance: Chance, board: chess.Board, last: int) -> chess.Move:
    """A move that a player might choose: the best of a look one ply ahead, with a lot of chance."""
    legal = sorted(board.legal_moves, key=_SQUARES)
    return max(legal, key=lambda move: _worth(chance, board, move, last))


def _worth(chance: Chance, board: chess.Board, move: chess.Move, last: int) -> float:
    piece, taken = board.piece_type_at(move.from_square) or 0, board.piece_type_at(move.to_square) or 0
    guarded = board.attackers_mask(not board.turn, move.to_square)
    worth = (
        -25 * log(-log(chance.random() or 0.5)) + _VALUES[taken] + 60 * (move.to_square == last and taken > 0)
    )
    if guarded:
        worth -= _VALUES[piece] * (0.9 if piece > chess.PAWN or not taken else 0.3)
    elif board.attackers_mask(not board.turn, move.from_square):
        worth += 0.1 * _VALUES[piece]
    if piece == chess.KING:
        worth += 120 if board.is_castling(move) else -40 if len(board.move_stack) < 50 else 10
    elif piece in {chess.KNIGHT, chess.BISHOP}:
        worth += 2 * (_CENTRE[move.to_square] - _CENTRE[move.from_square]) + 25 * _at_home(board, move)
    elif piece == chess.PAWN:
        worth += _CENTRE[move.to_square] + (800 if move.promotion == chess.QUEEN else 0)
    else:
        worth += _CENTRE[move.to_square] / 2 - (30 if len(board.move_stack) < 16 else 0)
    return worth


def _at_home(board: chess.Board, move: chess.Move) -> bool:
    return chess.square_rank(move.from_square) == (0 if board.turn else 7)


def made_games(count: int, seed: int = SEED) -> Iterator[bytes]:
    """So many games, each written in one of the ways that there are."""
    chance = Chance(seed)
    for line in made_lines(chance, count):
        yield chance.one_of(_WAYS)(chance, line).encode()


def _tags(tags: Sequence[tuple[str, str]]) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags)


def _name(chance: Chance, form: int) -> str:
    given, family = chance.one_of(GIVEN), chance.one_of(FAMILY)
    middle = chance.one_of("ABCDEFGHIJKLMNOPRSTVW")
    forms = (
        f"{family}, {given}",
        f"{family}, {given[0]}",
        f"{family}, {given} {middle}",
        f"{family} {given[0]}",
    )
    return forms[form]


def _collection(chance: Chance, line: Line) -> str:
    """As collections of master games have it: seven tags and the code, wrapped, no blank after a move's number."""
    form = chance.number(0, 3)
    year = str(1900 + int(123 * chance.random() ** 0.4))
    tags = [
        ("Event", "?" if chance.likely(40) else _event(chance, year)),
        ("Site", _place(chance)),
        ("Date", _day(chance, year)),
        ("Round", "?" if chance.likely(35) else str(chance.number(1, 13))),
        ("White", _name(chance, form)),
        ("Black", _name(chance, form)),
        ("Result", line.result),
        *([("WhiteElo", str(chance.number(1900, 2800))), ("BlackElo", str(chance.number(1900, 2800)))]
          if chance.likely(40) else []),
        ("ECO", line.opening.eco),
    ]  # fmt: skip
    return f"{_tags(tags)}\n{_wrapped(_numbered(line, '.'), chance.number(75, 80))}\n\n"


def _event(chance: Chance, year: str) -> str:
    forms = (
        f"{_place(chance)} op", f"{_place(chance)} Open", f"{_place(chance)} m", f"{_place(chance)} Masters", "Olympiad",
        f"{_place(chance)} (Women)", f"{chance.one_of(COUNTRIES)}-ch", f"{year} {_place(chance)} Open A", "Bundesliga",
        f"World Championship {year}", "Candidates Tournament", f"{_place(chance)} zt", f"{_place(chance)} International",
        "World Cup", "World Blitz", "World Rapid", "European Team Championship", f"{_place(chance)} Memorial", "Titled Tuesday",
        f"{chance.number(1, 90)}th {_place(chance)} Open {year}", "TCh", f"{_place(chance)} Chess Festival", "simul", "corr",
    )  # fmt: skip
    return chance.one_of(forms)


def _place(chance: Chance) -> str:
    return chance.one_of(PLACES).replace("|", " ")


def _day(chance: Chance, year: str) -> str:
    if chance.likely(30):
        return f"{year}.??.??"
    return f"{year}.{chance.number(1, 12):02}.{chance.number(1, 28):02}"


def _numbered(line: Line, after: str) -> list[str]:
    """The words of a game's text, White's moves with their numbers."""
    words = []
    for ply, san in enumerate(line.sans):
        number = f"{ply // 2 + 1}{after}"
        words += ([f"{number}{san}"] if after == "." else [number.strip(), san]) if ply % 2 == 0 else [san]
    return [*words, line.result]


def _wrapped(words: Sequence[str], width: int) -> str:
    rows, row = list[str](), ""
    for word in words:
        if row and len(row) + 1 + len(word) > width:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}" if row else word
    return "\n".join([*rows, row])


def _tournament(chance: Chance, line: Line) -> str:
    """As organisers and databases write it: titles, teams and FIDE's ids, a blank after a move's number."""
    year = str(chance.number(1995, 2026))
    place, day = _place(chance), _day(chance, year)
    sides = ("White", "Black")
    tags = [
        ("Event", _event(chance, year)),
        ("Site", f"{place} {chance.one_of(COUNTRIES)}" if chance.likely(70) else place),
        ("Date", day),
        (
            "Round",
            f"{chance.number(1, 11)}.{chance.number(1, 40)}"
            if chance.likely(60)
            else str(chance.number(1, 9)),
        ),
        *((side, _name(chance, 0)) for side in sides),
        ("Result", line.result),
        ("ECO", line.opening.eco),
        *((f"{side}Elo", str(chance.number(1600, 2750))) for side in sides),
        *(
            (f"{side}Title", chance.one_of(("GM", "IM", "FM", "WGM", "CM")))
            for side in sides
            if chance.likely(45)
        ),
        *((f"{side}FideId", str(chance.number(100_000, 45_999_999))) for side in sides if chance.likely(40)),
        *((f"{side}Team", f"SK {_place(chance)}") for side in sides if chance.likely(10)),
        *([("PlyCount", str(len(line.sans)))] if chance.likely(50) else []),
        *([("EventDate", day)] if chance.likely(60) else []),
        *([("Source", "ChessBase"), ("SourceDate", day)] if chance.likely(10) else []),
    ]
    return f"{_tags(tags)}\n{_wrapped(_numbered(line, '. '), 80)}\n\n"


def _handle(chance: Chance) -> str:
    word = chance.one_of(WORDS)
    forms = (
        f"{word}{chance.number(1, 9999)}", f"{word.title()}_{chance.one_of(WORDS)}", f"{chance.one_of(FAMILY).lower()}{chance.number(50, 99)}",
        f"{chance.one_of(GIVEN)}{chance.one_of(WORDS).title()}", f"{chance.one_of(GIVEN).lower()}-{chance.one_of(FAMILY).lower()}",
    )  # fmt: skip
    return chance.one_of(forms)


def _id(chance: Chance) -> str:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "".join(chance.one_of(letters) for _ in range(8))


def _time(chance: Chance) -> str:
    return f"{chance.number(0, 23):02}:{chance.number(0, 59):02}:{chance.number(0, 59):02}"


_SPEEDS: Final = (
    ("bullet", 60, 0), ("bullet", 60, 0), ("bullet", 120, 1), ("ultraBullet", 15, 0), ("blitz", 180, 0), ("blitz", 180, 2),
    ("blitz", 180, 0), ("blitz", 300, 0), ("blitz", 300, 3), ("rapid", 600, 0), ("rapid", 600, 5), ("rapid", 900, 10),
    ("classical", 1800, 0), ("classical", 1800, 20),
)  # fmt: skip


def _lichess_tags(chance: Chance, line: Line, speed: tuple[str, int, int]) -> str:
    name, base, more = speed
    game, day = _id(chance), _day(chance, str(chance.number(2013, 2026))).replace("??", "07")
    rated = "rated" if chance.likely(85) else "casual"
    rating = chance.number(900, 2600)
    kind = (
        f"{rated} {name} game",
        f"Rated {name.title()} game",
        f"Hourly {name.title()} Arena",
        f"{name.title()} swiss",
    )
    ratings = [(f"{side}Elo", str(rating + chance.number(-150, 150))) for side in ("White", "Black")]
    step = chance.number(1, 12)
    ended = (
        chance.one_of(("Normal", "Normal", "Normal", "Time forfeit", "Abandoned"))
        if not line.mate
        else "Normal"
    )
    tags = [
        ("Event", chance.one_of(kind[:1] * 6 + kind)),
        ("Site", f"https://lichess.org/{game}"),
        ("Date", day),
        ("Round", "-"),
        ("White", _handle(chance)),
        ("Black", _handle(chance)),
        ("Result", line.result),
        *([("GameId", game)] if chance.likely(75) else []),
        ("UTCDate", day),
        ("UTCTime", _time(chance)),
        *ratings,
        *(
            [("WhiteRatingDiff", f"{step:+d}"), ("BlackRatingDiff", f"{-step:+d}")]
            if rated == "rated"
            else []
        ),
        *([("WhiteTitle", chance.one_of(("GM", "IM", "FM", "NM", "BOT")))] if chance.likely(4) else []),
        *([("BlackTitle", chance.one_of(("GM", "IM", "FM", "NM", "BOT")))] if chance.likely(4) else []),
        ("Variant", "Standard"),
        ("TimeControl", f"{base}+{more}" if base < 9999 else "-"),
        ("ECO", line.opening.eco),
        *([("Opening", line.opening.name)] if chance.likely(60) else []),
        ("Termination", ended),
        *([("Annotator", f"lichess.org/@/{_handle(chance)}")] if chance.likely(2) else []),
    ]
    return _tags(tags)


def _lichess(chance: Chance, line: Line) -> str:
    """As lichess writes it, without clocks."""
    return f"{_lichess_tags(chance, line, chance.one_of(_SPEEDS))}\n{' '.join(_numbered(line, '. '))}\n\n\n"


def _lichess_clocks(chance: Chance, line: Line) -> str:
    """As lichess writes it with clocks, now and then with the engine's evaluations."""
    speed = chance.one_of(_SPEEDS)
    clocks, evaluated, level = _clocks(chance, line, speed, 1), chance.likely(20), 20
    words = []
    for ply, (san, clock) in enumerate(zip(line.sans, clocks, strict=True)):
        level += chance.number(-60, 60) + chance.number(-15, 15) * (ply // 10)
        note = f"[%eval {level / 100:.2f}] " if evaluated else ""
        words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'} {san} {{ {note}[%clk {clock}] }}")
    return f"{_lichess_tags(chance, line, speed)}\n{' '.join([*words, line.result])}\n\n\n"


def _clocks(chance: Chance, line: Line, speed: tuple[str, int, int], unit: int) -> Iterator[str]:
    """What each player's clock shows after each move; *unit* 10 is in tenths of seconds."""
    left = [speed[1] * unit] * 2
    pace = max(1.0, speed[1] * unit / 40)
    for ply in range(len(line.sans)):
        spent = 0 if ply < 2 else int(-pace * log(chance.random() or 0.5) * min(1.0, 0.2 + ply / 30))
        left[ply % 2] = max(left[ply % 2] - spent, unit) + speed[2] * unit * (ply >= 2)
        seconds, tenths = divmod(left[ply % 2], unit)
        yield f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (
            f".{tenths}" if tenths else ""
        )


def _chesscom_tags(chance: Chance, line: Line, speed: tuple[str, int, int]) -> str:
    day, began = _day(chance, str(chance.number(2014, 2026))).replace("??", "03"), _time(chance)
    white, black = _handle(chance), _handle(chance)
    rating = chance.number(500, 2400)
    won = (
        ("by checkmate",)
        if line.mate
        else ("by resignation", "by resignation", "on time", "- game abandoned")
    )
    drawn = (
        "by agreement",
        "by repetition",
        "by stalemate",
        "by insufficient material",
        "by timeout vs insufficient material",
    )
    ended = {"1-0": f"{white} won {chance.one_of(won)}", "0-1": f"{black} won {chance.one_of(won)}"}
    name = line.opening.name.replace(":", "").replace(",", "").replace("'", "").replace(" ", "-")
    tags = [
        ("Event", "Live Chess"),
        ("Site", "Chess.com"),
        ("Date", day),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", line.result),
        ("CurrentPosition", line.fen),
        ("Timezone", "UTC"),
        ("ECO", line.opening.eco),
        ("ECOUrl", f"https://www.chess.com/openings/{name}"),
        ("UTCDate", day),
        ("UTCTime", began),
        ("WhiteElo", str(rating + chance.number(-90, 90))),
        ("BlackElo", str(rating + chance.number(-90, 90))),
        ("TimeControl", f"{speed[1]}+{speed[2]}" if speed[2] else str(speed[1])),
        ("Termination", ended.get(line.result, f"Game drawn {chance.one_of(drawn)}")),
        ("StartTime", began),
        ("EndDate", day),
        ("EndTime", _time(chance)),
        ("Link", f"https://www.chess.com/game/live/{chance.number(10**9, 15 * 10**10)}"),
    ]
    return _tags(tags)


def _chesscom(chance: Chance, line: Line) -> str:
    """As chess.com writes it: clocks with tenths of seconds, each of Black's moves with its number too."""
    speed = chance.one_of(_SPEEDS)
    numbered = zip(line.sans, _clocks(chance, line, speed, 10), strict=True)
    words = [
        f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'} {san} {{[%clk {clock}]}}"
        for ply, (san, clock) in enumerate(numbered)
    ]
    return f"{_chesscom_tags(chance, line, speed)}\n{' '.join([*words, line.result])}\n"


_WAYS: Final[tuple[Callable[[Chance, Line], str], ...]] = (
    *(_collection,) * 6, *(_tournament,) * 5, *(_lichess,) * 2, *(_lichess_clocks,) * 3, *(_chesscom,) * 3,
)  # fmt: skip
