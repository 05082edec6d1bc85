"""Evenings in one line, so that a whole tournament fits on a page.

`a:b+` is a win of White, `-` of Black, `=` a draw, `>` and `<` won by forfeit, `#` both absent, `?` still open;
`ae` is excused, `as` at short notice, `au` unexcused, `ac` club duty, `ab` a bye; `aw`, `ad`, `al` a win, draw or loss for
the club elsewhere.
"""

import re

from core.club.tournament import Away, ClubGame, Player, Reason, Result, Round

RESULTS = {
    "+": Result.WHITE,
    "-": Result.BLACK,
    "=": Result.DRAW,
    ">": Result.WHITE_FORFEIT,
    "<": Result.BLACK_FORFEIT,
    "#": Result.BOTH_ABSENT,
    "?": None,
}
REASONS = {
    "e": Reason.EXCUSED,
    "s": Reason.SHORT_NOTICE,
    "u": Reason.UNEXCUSED,
    "c": Reason.CLUB,
    "b": Reason.BYE,
    "w": Reason.EXTERNAL_WIN,
    "d": Reason.EXTERNAL_DRAW,
    "l": Reason.EXTERNAL_LOSS,
}


def evening(line):
    """The round that this line stands for."""
    games, away = [], []
    for word in line.split():
        if game := re.fullmatch(r"(\w+):(\w+)([-+=<>#?])", word):
            games.append(ClubGame(game[1], game[2], RESULTS[game[3]]))
        else:
            away.append(Away(word[:-1], REASONS[word[-1]]))
    return Round(tuple(games), tuple(away))


def evenings(text):
    """The rounds of a text with a line for each."""
    return [evening(line) for line in text.strip().splitlines()]


def field(count, *, first=2000, step=-10):
    """Players "1", "2", … by rating."""
    return [Player(str(number + 1), first + step * number) for number in range(count)]


def points(table):
    """The table as `{id: points}`, best first."""
    return {row.player: row.points for row in table.rows}
