"""Writes an imported report again: changed where something has changed since, otherwise as it was."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.club.points_table import Scale
from core.club.trf import BYE, BYES, TEAM_NAME, Document, OtherLine, TrfColour, TrfPlayer, TrfTurn

_SAME: Final = {"XXR": "142"}
"""Codes of TRF16 that TRF-2026 writes differently."""
_UNRATED: Final = {"1": "W", "=": "D", "0": "L"}
_NAMING: Final = {
    "013": (f".{{{TEAM_NAME}}}", 0),
    "XXP": (r"(?=.)", 2),
    "XXZ": (r"(?=.)", 1),
    "240": (r"\s*\S+\s+\S+", 1),
    "260": (r"\s*\S+\s+\S+", 2),
}
"""Codes whose lines name players: the columns before the numbers, and how many players a line needs."""
_TEXTS: Final = ("name", "rating", "sex", "title", "federation", "fide_id", "birth")


def merged(stored: Document, base: Document, now: Document) -> Document:
    """The report *stored* with the differences between *base* and *now*.

    Args:
        stored: The report as it came.
        base: What this program would have written for it when it came.
        now: What it would write today. Starting numbers are those of *stored*.
    """
    if base == now:
        return stored
    players = tuple(_players(stored, base, now))
    removed = {player.number for player in stored.players} - {player.number for player in now.players}
    before, after = (tuple(_without(part, removed)) for part in _fields(stored, base, now))
    return Document(before, players, after)


def _without(part: Sequence[OtherLine], removed: Collection[int]) -> Iterator[OtherLine]:
    """Teams, forbidden pairs and byes asked for, without removed players; lines that become empty go."""
    for field in part:
        head, least = _NAMING.get(field.code, ("", 0))
        found = re.match(head, field.text) if head and removed else None
        if found is None:
            yield field
            continue
        rest = field.text[found.end() :]
        kept = re.sub(r"\s*\b0*(\d+)\b", lambda one: "" if int(one[1]) in removed else one[0], rest)
        if kept == rest:
            yield field
        elif len(kept.split()) >= least:
            yield replace(field, text=found[0] + kept)


def _fields(
    stored: Document, base: Document, now: Document
) -> tuple[tuple[OtherLine, ...], tuple[OtherLine, ...]]:
    """The other lines; those of one code change together, comments one by one."""
    changed = {
        code: list(now.texts(code))
        for code in dict.fromkeys(field.code for field in (*base.before, *now.before))
        if code != "###" and list(base.texts(code)) != list(now.texts(code))
    }
    said, gone = _comments(base, now)
    done: set[str] = set()
    parts = [tuple(_lines(part, changed, gone, done, now)) for part in (stored.before, stored.after)]
    new = [field for field in now.before if field.code in changed and field.code not in done]
    return (*parts[0], *new, *said), parts[1]


def _comments(base: Document, now: Document) -> tuple[list[OtherLine], Counter[str]]:
    """The new ones, and those that are no longer true."""
    was, is_ = (Counter(field.text for field in one.before if field.code == "###") for one in (base, now))
    return [OtherLine("###", text) for text in (is_ - was).elements()], was - is_


def _lines(
    part: Sequence[OtherLine],
    changed: Mapping[str, Sequence[str]],
    gone: Counter[str],
    done: set[str],
    now: Document,
) -> Iterator[OtherLine]:
    for field in part:
        code = _SAME.get(field.code, field.code)
        if field.code == "###" and gone[field.text]:
            gone[field.text] -= 1
        elif code not in changed:
            yield field
        elif code not in done:
            done.add(code)
            yield from (OtherLine(field.code, one.text) for one in now.before if one.code == code)


def _players(stored: Document, base: Document, now: Document) -> Iterator[TrfPlayer]:
    before = {player.number: player for player in base.players}
    today = {player.number: player for player in now.players}
    scale = Scale(stored)
    asked = stored.absent
    for old in stored.players:
        if old.number in today:
            yield _player(old, before[old.number], today[old.number], scale, asked)
    known = {player.number for player in stored.players}
    yield from (player for player in now.players if player.number not in known)


def _player(
    old: TrfPlayer,
    base: TrfPlayer,
    now: TrfPlayer,
    scale: Scale,
    asked: Mapping[tuple[int, int], str],
) -> TrfPlayer:
    texts = {name: getattr(now, name) for name in _TEXTS if getattr(base, name) != getattr(now, name)}
    turns = tuple(_turn(number, old, base, now, asked) for number in range(1, _length(old, base, now) + 1))
    points = old.points
    if points is not None and turns != old.turns:
        points += _sum(scale, turns) - _sum(scale, old.turns)
    return replace(old, **texts, turns=turns, points=points)


def _length(old: TrfPlayer, base: TrfPlayer, now: TrfPlayer) -> int:
    """The rounds of the line: a short one grows only as far as something was played here."""
    new = (number for number in range(1, len(now.turns) + 1) if _at(base, number) != _at(now, number))
    return max(len(old.turns), *new, 0)


def _sum(scale: Scale, turns: Sequence[TrfTurn]) -> Fraction:
    return sum((scale.worth(turn) for turn in turns), Fraction(0))


def _turn(
    number: int, old: TrfPlayer, base: TrfPlayer, now: TrfPlayer, asked: Mapping[tuple[int, int], str]
) -> TrfTurn:
    here, was, is_ = (_at(one, number) for one in (old, base, now))
    if is_ is None:
        return here or TrfTurn()
    if is_ == was and here is not None:
        return here
    if not is_.opponent and is_.result != BYE:
        # A bye that was asked for is one of these, and says more.
        if here is not None and not here.opponent and here.result in BYES - {BYE}:
            return here
        return replace(is_, result=asked.get((number, old.number), is_.result))
    if here is None or here.opponent != is_.opponent:
        return is_
    return _corrected(here, was or here, is_)


def _at(player: TrfPlayer, number: int) -> TrfTurn | None:
    return player.turns[number - 1] if number <= len(player.turns) else None


def _corrected(here: TrfTurn, was: TrfTurn, is_: TrfTurn) -> TrfTurn:
    """The turn with another result or colour of the same game; a game that is not rated stays so."""
    colour: TrfColour = here.colour if was.colour == is_.colour else is_.colour
    result = here.result if was.result == is_.result else is_.result
    if here.result in _UNRATED.values():
        result = _UNRATED.get(result, result)
    return replace(here, colour=colour, result=result)
