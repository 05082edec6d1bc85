"""Checks what a TRF says of the tournament, of teams, byes and forbidden pairs."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Final

from core.club.findings import FileFinding
from core.club.nations import is_nation
from core.club.trf import TEAM_NAME, Document, OtherLine
from core.club.trf_days import is_like_a_day, read_day, round_days
from core.plurals import count_of

_ONCE: Final = ("012", "022", "032", "042", "052", "062", "072", "082", "092", "122", "142", "152", "162")
_COUNTS: Final = {"062": "players", "072": "rated players", "082": "teams"}
_VALUES: Final = re.compile(r"(?:[A-Z]{1,2}\s+\d{1,2}(?:\.\d)?\s*)+")
_SHOWN: Final = 30
_MOST_ROUNDS: Final = 4


def check_lines(document: Document) -> Iterator[FileFinding]:
    """All that is wrong with the lines other than players."""
    yield from _once(document)
    yield from _counts(document)
    yield from _rounds(document)
    yield from _days(document)
    yield from _round_days(document)
    yield from _teams(document)
    yield from _named(document)
    yield from _asked(document)
    yield from _others(document)


def _at(field: OtherLine, message: str, mend: str, *, note: bool = False) -> FileFinding:
    return FileFinding("TRF", f"{field.code}: {message}", mend, field.line or None, note=note)


def _lines(document: Document, *codes: str) -> Iterator[OtherLine]:
    return (field for field in document.fields if field.code in codes)


def _once(document: Document) -> Iterator[FileFinding]:
    seen: Counter[str] = Counter()
    for field in _lines(document, *_ONCE):
        seen[field.code] += 1
        if seen[field.code] == 2:
            yield _at(field, "the line is there twice", "leave one of the two: the first counts", note=True)


def _counts(document: Document) -> Iterator[FileFinding]:
    there = {"062": len(document.players), "082": len(list(_lines(document, "013", "310")))}
    for field in _lines(document, *_COUNTS):
        text, what = field.text.strip(), _COUNTS[field.code]
        if not text:
            continue
        if not _is_number(text.split()[0]):
            yield _at(field, f'"{text[:_SHOWN]}" is not a number of {what}', "write their number", note=True)
            continue
        stated = int(text.split()[0])
        if field.code == "072":
            if stated > len(document.players):
                message = f"the number of rated players is {stated} here, but the file has {count_of(len(document.players), 'player')}"
                yield _at(field, message, "write their number", note=True)
        elif stated != there[field.code] and (field.code == "062" or stated or there["082"]):
            message = f"the number of {what} is {stated} here, but the file has {there[field.code]}"
            yield _at(field, message, "write their number", note=True)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _rounds(document: Document) -> Iterator[FileFinding]:
    for field in _lines(document, "142", "XXR"):
        text = field.text.strip()
        if not (_is_number(text) and int(text) and len(text) <= _MOST_ROUNDS):
            mend = f"write it in digits: {field.code} {document.played_rounds or 7}"
            yield _at(field, f'"{text[:_SHOWN]}" is not a number of rounds', mend)


def _days(document: Document) -> Iterator[FileFinding]:
    days: dict[str, date] = {}
    for field in _lines(document, "042", "052"):
        text = field.text.strip()
        day = read_day(text)
        if day is not None:
            days.setdefault(field.code, day)
        if text and (day is None or "/" not in text or not text[:4].isdecimal()):
            yield _no_day(field, text, known=day is not None)
    first, last = days.get("042"), days.get("052")
    if first is not None and last is not None and last < first:
        (end, *_) = _lines(document, "052")
        yield _at(end, f"the end {last} is before the beginning {first}", "correct one of the two")


def _no_day(field: OtherLine, text: str, *, known: bool = False) -> FileFinding:
    """A text that is not a date by the rules.

    An impossible date is refused, others are just not understood.
    """
    shown = f'"{text[:_SHOWN]}"'
    if known:
        return _at(field, f"{shown} is written as elsewhere", "write YYYY/MM/DD", note=True)
    if is_like_a_day(text) and not text[-4:].isdecimal():
        return _at(field, f"there is no day {shown}", "write YYYY/MM/DD")
    return _at(field, f"{shown} is not a date", "write YYYY/MM/DD", note=True)


def _round_days(document: Document) -> Iterator[FileFinding]:
    fields = list(_lines(document, "132"))
    if not fields:
        return
    texts = sorted(round_days(document).items())
    days = [(number, text, read_day(text)) for number, text in texts]
    for number, text, day in days:
        if day is None:
            impossible = is_like_a_day(text) and not text[-4:].isdecimal()
            message = f'round {number}: there is no day "{text[:_SHOWN]}"'
            yield _at(fields[0], message, "write YY/MM/DD", note=not impossible)
    known = [(number, day) for number, _, day in days if day is not None]
    for (earlier, before), (later, after) in pairwise(known):
        if after < before:
            message = f"round {later} on {after} is before round {earlier} on {before}"
            yield _at(fields[0], message, "correct the dates", note=True)
            break
    yield from _outside(document, fields[0], known)
    planned = max(document.rounds or 0, document.played_rounds)
    if texts and planned and texts[-1][0] > planned:
        message = f"a date for round {texts[-1][0]} of {planned}"
        yield _at(fields[0], message, "correct the dates or the number of rounds", note=True)


def _outside(document: Document, field: OtherLine, days: list[tuple[int, date]]) -> Iterator[FileFinding]:
    first, last = (read_day(document.text(code)) for code in ("042", "052"))
    if first and last and last < first:
        return
    for number, day in days:
        if (first and day < first) or (last and day > last):
            message = f"round {number} on {day} is outside the days of the tournament (042, 052)"
            yield _at(field, message, "correct the dates", note=True)
            return


def _teams(document: Document) -> Iterator[FileFinding]:
    """Teams consist of players of the tournament, and nobody is in two."""
    numbers = {player.number for player in document.players}
    seen: dict[int, str] = {}
    for field in _lines(document, "013"):
        name, words = field.text[:TEAM_NAME].strip(), field.text[TEAM_NAME:].split()
        for word in words:
            if not _is_number(word):
                message = f'"{word[:_SHOWN]}" is not a starting number'
                yield _at(field, message, "write the players' numbers from column 37 on")
            elif int(word) not in numbers:
                yield _at(field, f"there is no player {int(word)}", "correct the number")
            elif int(word) in seen:
                message = f"player {int(word)} is in the team {seen[int(word)] or name} already"
                yield _at(field, message, "take them out of one of the two")
            else:
                seen[int(word)] = name


def _named(document: Document) -> Iterator[FileFinding]:
    """Forbidden pairs and absentees name players of the tournament."""
    numbers = {player.number for player in document.players}
    for field in _lines(document, "XXP", "XXZ", "260"):
        words = field.text.split()[2 if field.code == "260" else 0 :]
        strange = [word for word in words if not _is_number(word)]
        if strange:
            message = f'"{strange[0][:_SHOWN]}" is not a starting number'
            yield _at(field, message, "write the players' numbers")
        unknown = [int(word) for word in words if _is_number(word) and int(word) not in numbers]
        if unknown:
            yield _at(field, f"there is no player {unknown[0]}", "correct the number")
        if field.code != "XXZ" and len(set(words)) < 2:
            yield _at(field, "a forbidden pair needs two players", "write both numbers", note=True)


def _asked(document: Document) -> Iterator[FileFinding]:
    """Byes that were asked for (240): kind, round, players."""
    numbers = {player.number for player in document.players}
    for field in _lines(document, "240"):
        kind, *words = field.text.split() or [""]
        if kind.upper() not in {"F", "H", "Z"} or not words or not all(map(_is_number, words)):
            mend = "write F or H, the round, and the players' numbers"
            yield _at(field, f'"{field.text.strip()[:_SHOWN]}" is not understood', mend)
            continue
        unknown = [int(word) for word in words[1:] if int(word) not in numbers]
        if unknown:
            yield _at(field, f"there is no player {unknown[0]}", "correct the number")
        if document.rounds and int(words[0]) > document.rounds:
            message = f"round {int(words[0])} of {document.rounds}"
            yield _at(field, message, "correct the round", note=True)


def _others(document: Document) -> Iterator[FileFinding]:
    for field in _lines(document, "032"):
        text = field.text.strip()
        if text and not (len(text) == 3 and text.isupper() and is_nation(text)):
            message = f'"{text[:_SHOWN]}" is not the code of a federation'
            yield _at(field, message, "write its three letters: ITA, GER, …", note=True)
    for field in _lines(document, "152"):
        if field.text.strip().upper() not in {"W", "B"}:
            yield _at(field, f'"{field.text.strip()[:_SHOWN]}" is not a colour', "write W or B")
    for field in _lines(document, "XXC"):
        strange = [word for word in field.text.split() if word.casefold() not in _FIRST]
        if strange or not field.text.strip():
            message = f'"{field.text.strip()[:_SHOWN]}" is not a first colour'
            yield _at(field, message, "write white1 or black1", note=True)
    for field in _lines(document, "162"):
        if not _VALUES.fullmatch(field.text.strip().upper()):
            message = f'"{field.text.strip()[:_SHOWN]}" is not a system of points'
            yield _at(field, message, "write as in W 1.0 D 0.5 L 0.0", note=True)


_FIRST: Final = frozenset(("white1", "black1", "rank"))
