"""Evenings in one line, so that a whole tournament fits on a page.

`a:b+` is a win of White, `-` of Black, `=` a draw, `>` and `<` won by forfeit, `#` both absent, `?` still open;
`ae` is excused, `as` at short notice, `au` unexcused, `ac` club duty, `ab` a bye; `aw`, `ad`, `al` a win, draw or loss for
the club elsewhere.
"""

import re

from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound

RESULTS = {
    "+": GameResult.WHITE,
    "-": GameResult.BLACK,
    "=": GameResult.DRAW,
    ">": GameResult.WHITE_FORFEIT,
    "<": GameResult.BLACK_FORFEIT,
    "#": GameResult.BOTH_ABSENT,
    "?": None,
}
REASONS = {
    "e": AbsenceReason.EXCUSED,
    "s": AbsenceReason.SHORT_NOTICE,
    "u": AbsenceReason.UNEXCUSED,
    "c": AbsenceReason.CLUB,
    "b": AbsenceReason.BYE,
    "w": AbsenceReason.EXTERNAL_WIN,
    "d": AbsenceReason.EXTERNAL_DRAW,
    "l": AbsenceReason.EXTERNAL_LOSS,
}


def evening(line):
    """The round that this line stands for."""
    games, away = [], []
    for word in line.split():
        if game := re.fullmatch(r"(\w+):(\w+)([-+=<>#?])", word):
            games.append(ClubGame(game[1], game[2], RESULTS[game[3]]))
        else:
            away.append(Away(word[:-1], REASONS[word[-1]]))
    return TournamentRound(tuple(games), tuple(away))


def evenings(text):
    """The rounds of a text with a line for each."""
    return [evening(line) for line in text.strip().splitlines()]


def field(count, *, first=2000, step=-10):
    """Players "1", "2", … by rating."""
    return [Competitor(str(number + 1), first + step * number) for number in range(count)]


def points(table):
    """The table as `{id: points}`, best first."""
    return {row.player: row.points for row in table.rows}
