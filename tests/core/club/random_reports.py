"""Tournament reports made by chance from a number: everything that a file without contradictions can say."""

import random
from dataclasses import replace
from fractions import Fraction

from core.club.trf import Document, OtherLine, TrfPlayer, TrfTurn

PAIRS = [
    *[("1", "0"), ("0", "1"), ("=", "=")] * 3,
    *[("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("L", "W"), ("D", "D")],
]
WORTH = {**dict.fromkeys("1+WFU", Fraction(1)), **dict.fromkeys("=DH", Fraction(1, 2))}
BEFORE = [
    OtherLine("022", "Nowhere"),
    OtherLine("032", "ITA"),
    OtherLine("042", "2026/01/10"),
    OtherLine("052", "2026/03/01"),
    OtherLine("072", "1"),
    OtherLine("092", "Individual: Swiss-System"),
    OtherLine("102", "Arbiter, Ann  (IA)"),
    OtherLine("112", "Deputy, Dan"),
    OtherLine("112", "Deputy, Dora"),
    OtherLine("122", "90 min + 30 sec"),
    OtherLine("XXC", "white1"),
    OtherLine("XXS", "1 2.0"),
    OtherLine("###", "of an arbiter"),
    OtherLine("250", " 1.0 0.0 1 2 1 3"),
    OtherLine("ITA", "1 rated elsewhere"),
]
NAMES = (
    "Rossi, Mario",
    "Bianchi, Anna",
    "Verdi, Ugo",
    "Russo, Léa",
    "Ferrari,  Pia",
    "mrossi90",
    "Neri, Ada",
    "Bo",
)


def report(number):
    """Report number *number*: at least two players, any rounds, the last without some results."""
    chance = random.Random(number)
    count = chance.randint(2, len(NAMES))
    numbers = sorted(chance.sample(range(1, 30), count))
    rounds = chance.randint(0, 5)
    turns = _turns(chance, numbers, rounds)
    players = tuple(_player(chance, one, NAMES[place], turns[one]) for place, one in enumerate(numbers))
    fields = [OtherLine("012", "Open of Nowhere"), *(one for one in BEFORE if chance.random() < 0.5)]
    if chance.random() < 0.5:
        fields.append(OtherLine("132", " " * 87 + "  ".join(f"26/01/{10 + at}" for at in range(rounds or 1))))
    if chance.random() < 0.7:
        fields.append(OtherLine(chance.choice(["XXR", "142"]), str(rounds + chance.randint(0, 2) or 1)))
    chance.shuffle(fields)
    after = (
        OtherLine("013", f"{'Team One':<32} {numbers[0]:4} {numbers[1]:4}"),
        OtherLine("XXP", f"{numbers[0]} {numbers[1]}"),
    )
    return Document(tuple(fields), players, after if chance.random() < 0.5 else ())


def _turns(chance, numbers, rounds):
    turns = {one: [] for one in numbers}
    for at in range(rounds):
        there = chance.sample(numbers, len(numbers))
        playing = len(there) - chance.randint(0, min(3, len(there)))
        pairs = list(zip(there[0:playing:2], there[1:playing:2], strict=False))
        for a, b in pairs:
            mine, theirs = chance.choice(PAIRS)
            if at == rounds - 1 and chance.random() < 0.2:
                mine = theirs = ""
            colours = ("-", "-") if mine in "+-" and chance.random() < 0.5 else ("w", "b")
            turns[a].append(TrfTurn(b, colours[0], mine))
            turns[b].append(TrfTurn(a, colours[1], theirs))
        rest = there[2 * len(pairs) :]
        for place, one in enumerate(rest):
            turns[one].append(TrfTurn(result=chance.choice("HFZ-" if place else "HFZU-")))
    return turns


def _player(chance, number, name, turns):
    if chance.random() < 0.1:
        # A member who has left: a short line.
        while turns and turns[-1] == TrfTurn():
            turns.pop()
    points = sum((WORTH.get(turn.result, Fraction(0)) for turn in turns), Fraction(0))
    return TrfPlayer(
        number,
        name,
        tuple(turns),
        points,
        chance.choice([None, number]),
        chance.choice([None, 1500, 1500 + number]),
        chance.choice(["", "m", "w"]),
        chance.choice(["", "GM", "WIM"]),
        chance.choice(["", "ITA"]),
        chance.choice(["", str(100_000 + number)]),
        chance.choice(["", "1999/12/31", "1999"]),
    )


def swapped(document, number, a, b, results):
    """The report with these results of *a* and *b* in a round."""

    def turn(player):
        if player.number not in {a, b}:
            return player
        turns = list(player.turns)
        turns[number - 1] = replace(turns[number - 1], result=results[player.number == b])
        return replace(player, turns=tuple(turns))

    return replace(document, players=tuple(map(turn, document.players)))
