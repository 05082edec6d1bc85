"""Games that are almost the same: perhaps one game in two versions, perhaps two games. Only the user knows.

Nothing here merges games (names R19 alone does); `near` says why somebody should look at a pair.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date as calendar_date
from typing import Final, Literal, get_args

from typing_extensions import TypeAliasType

from core.game import UNFINISHED, Game, PartialDate, read_result
from core.near_names import Likeness, likeness
from core.players import PlayerKey, identify
from core.plurals import count_of
from core.sameness import canonical_moves, compare, facts
from core.sites import BOARDS_OF_KIND, SiteId

DoubleKind = TypeAliasType(
    "DoubleKind",
    Literal[
        "native_id",
        "replaced",
        "other_moves",
        "beginning",
        "result",
        "date",
        "unknown",
        "fide_id",
        "dossier",
        "transliteration",
        "initial",
        "spelling",
        "start",
    ],
)

DOUBLE_KINDS: Final[tuple[DoubleKind, ...]] = get_args(DoubleKind.__value__)
"""The kinds of near doubles, most certain first."""

RULES: Final = "3"
"""The version of this module's rules.

Raise it when they change, so that archives look at their games again.
"""

SamePerson = Callable[[PlayerKey, PlayerKey], bool]
"""Whether these two players belong to one dossier."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game, with the sites' ids for it.

    Attributes:
        ids: Every id that one of its tellings names.
    """

    game: Game
    ids: frozenset[SiteId] = frozenset()


@dataclass(frozen=True, slots=True)
class DoubleReason:
    """Why two games may be one: *text* is a sentence for people."""

    kind: DoubleKind
    text: str


def near(a: Candidate, b: Candidate, same_person: SamePerson) -> DoubleReason | None:
    """Why these games may be one, though they are not the same by the rule; None if nothing suggests it.

    If a site itself has two ids for them, they are two games, however alike they are.
    """
    if has_two_ids(a.ids, b.ids) or compare(a.game, b.game).same:
        return None
    common = a.ids & b.ids
    return _of_one_id(a.game, b.game, min(common)) if common else _almost(a.game, b.game, same_person)


def replaced(file: str) -> DoubleReason:
    """The reason for a game that was in this file, where the other one is now."""
    return DoubleReason("replaced", f"One was in {file}, where the other is at its place now.")


def withdrawn(kind: str) -> DoubleReason:
    """The reason for a board of a round (a chapter of a study) that another of the same players replaced."""
    one, where = BOARDS_OF_KIND[kind]
    return DoubleReason(
        "replaced", f"One was a {one} of {where}, which has another {one} of the same players now."
    )


def has_two_ids(a: frozenset[SiteId], b: frozenset[SiteId]) -> bool:
    """Whether one site has two ids for these two games.

    Then they are not proposed as near doubles. It does not make two games of what the rule of duplicates says
    is one.
    """
    return not a & b and bool({site for site, _ in a} & {site for site, _ in b})


def _of_one_id(a: Game, b: Game, site_id: SiteId) -> DoubleReason:
    where = f"Both are the game {site_id[1]} of {site_id[0]}."
    one, other = canonical_moves(a), canonical_moves(b)
    shorter = min(len(one), len(other))
    kind: DoubleKind = (
        "native_id" if a.start == b.start and one[:shorter] == other[:shorter] else "other_moves"
    )
    return DoubleReason(kind, f"{where} {compare(a, b).reason}")


def _almost(a: Game, b: Game, same_person: SamePerson) -> DoubleReason | None:
    """The only difference, if it could be two accounts of one game.

    A running game may differ in two things.
    """
    found: list[DoubleReason] = []
    for differs, reason in _compared(a, b, same_person):
        if differs and reason is None:
            return None
        if reason is not None:
            found.append(reason)
    kinds = {reason.kind for reason in found}
    if len(found) == 1 or kinds == {"beginning", "result"}:
        return min(found, key=lambda reason: DOUBLE_KINDS.index(reason.kind))
    return None


def _compared(a: Game, b: Game, same_person: SamePerson) -> Iterator[tuple[bool, DoubleReason | None]]:
    """For each thing: whether they differ in it, and if so, whether the difference can be one of wording."""
    one, other = facts(a), facts(b)
    for colour, left, right in (("White", a.white, b.white), ("Black", a.black, b.black)):
        keys = identify(left.name, left.fide_id), identify(right.name, right.fide_id)
        yield keys[0] != keys[1], _player(colour, keys, (left.name, right.name), same_person)
    yield one.date != other.date, _date(a.date, b.date)
    yield one.result != other.result, _result(one.result, other.result)
    yield one.rules != other.rules, None
    yield one.start != other.start, _start(a, b)
    yield one.moves != other.moves, _moves(one.moves, other.moves)


def _player(
    colour: str, keys: tuple[PlayerKey, PlayerKey], written: tuple[str, str], same_person: SamePerson
) -> DoubleReason | None:
    one, other = keys
    if one == other:
        return None
    if "unknown" in {one.kind, other.kind}:
        return DoubleReason("unknown", f"{colour} is unknown in one game.")
    if (one.fide_id is None) != (other.fide_id is None) and identify(written[0]) == identify(written[1]):
        return DoubleReason(
            "fide_id", f"{colour} has the FIDE id {one.fide_id or other.fide_id} in one game only."
        )
    if same_person(one, other):
        names = f"{written[0]} and {written[1]}"
        return DoubleReason("dossier", f"{colour} is {names}, who are one person of a dossier.")
    return _near_name(colour, keys, written)


def _near_name(
    colour: str, keys: tuple[PlayerKey, PlayerKey], written: tuple[str, str]
) -> DoubleReason | None:
    """Compare names where there are no FIDE ids: two ids, or an id and another name, are two people."""
    kind = likeness(*written) if {key.fide_id for key in keys} == {None} else None
    if kind is None:
        return None
    return DoubleReason(
        kind, f"{colour} is {written[0]} in one game and {written[1]} in the other: {_LIKENESS[kind]}."
    )


_LIKENESS: Final[dict[Likeness, str]] = {
    "initial": "the initial may be that of the name",
    "transliteration": "a letter may be written as two",
    "spelling": "one letter differs",
}


def _date(a: PartialDate, b: PartialDate) -> DoubleReason | None:
    if a == b or a.text is not None or b.text is not None:
        return None
    days = _days(a), _days(b)
    if days[0] is not None and days[1] is not None:
        if abs(days[0] - days[1]) == 1:
            return DoubleReason("date", f"The dates {a} and {b} are a day apart.")
        return None
    if all(left == right or left is None or right is None for left, right in _parts(a, b)):
        return DoubleReason("date", f"The date is {a} in one game and {b} in the other.")
    return None


def _parts(a: PartialDate, b: PartialDate) -> tuple[tuple[int | None, int | None], ...]:
    return (a.year, b.year), (a.month, b.month), (a.day, b.day)


def _days(date: PartialDate) -> int | None:
    """The day's number; None if a part is unknown, or the calendar has no such day."""
    if date.year is None or date.month is None or date.day is None:
        return None
    try:
        return calendar_date(date.year, date.month, date.day).toordinal()
    except ValueError:
        return None


def _result(a: str, b: str) -> DoubleReason | None:
    if a != b and UNFINISHED in {a, b}:
        return DoubleReason("result", "One game has no result.")
    return None


def _start(a: Game, b: Game) -> DoubleReason | None:
    if a.start != b.start and "" in {a.start, b.start}:
        return DoubleReason("start", "One game has no start position.")
    return None


def _moves(a: tuple[str, ...], b: tuple[str, ...]) -> DoubleReason | None:
    shorter, longer = sorted((a, b), key=len)
    if a != b and longer[: len(shorter)] == shorter:
        return DoubleReason(
            "beginning",
            f"One game ends after {count_of(len(shorter), 'ply', 'plies')}, where the other goes on to {len(longer)}.",
        )
    return None


def near_dates(date: PartialDate) -> Iterator[tuple[str, str]]:
    """The ranges of texts, ends included, that contain the dates near this one (`_date`)."""
    if date.text is not None:
        yield str(date), str(date)
        return
    if date.year is None:
        yield "", "\U0010ffff"
        return
    yield "????.", "????.\U0010ffff"
    year = f"{date.year:04}"
    if date.month is None:
        yield f"{year}.", f"{year}.\U0010ffff"
        return
    yield f"{year}.??", f"{year}.??.\U0010ffff"
    month = f"{year}.{date.month:02}"
    if date.day is None:
        yield f"{month}.", f"{month}.\U0010ffff"
        return
    yield f"{month}.??", f"{month}.??"
    number = _days(date)
    days = [str(date)] if number is None else [_written(number + step) for step in (-1, 0, 1)]
    yield from ((day, day) for day in dict.fromkeys(days))


def _written(number: int) -> str:
    day = calendar_date.fromordinal(min(max(number, 1), calendar_date.max.toordinal()))
    return f"{day.year:04}.{day.month:02}.{day.day:02}"


def fullest(games: Sequence[Game]) -> tuple[Game, Game]:
    """The game that gives the moves and the game that gives the result, of games that the user has merged.

    If one telling continues where the other ends, the longer gives the moves; else one that has a result;
    else the first. The result is that of the moves, or if these have none, of the first game that has one.

    Args:
        games: At least one, in the order of their tellings.
    """
    moves = games[0]
    for other in games[1:]:
        moves = _fuller(moves, other)
    finished = (game for game in (moves, *games) if read_result(game.result) != UNFINISHED)
    return moves, next(finished, moves)


def _fuller(one: Game, other: Game) -> Game:
    if (one.rules, one.start) == (other.rules, other.start):
        left, right = canonical_moves(one), canonical_moves(other)
        shorter = min(len(left), len(right))
        if left[:shorter] == right[:shorter]:
            return other if len(right) > len(left) else one
    unfinished = [read_result(game.result) == UNFINISHED for game in (one, other)]
    return other if unfinished == [True, False] else one
