"""Rates a tournament by FIDE's rules: everybody's change, first ratings, and who falls below the floor."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from core.club import rating_outcomes
from core.club.chess_rating_list import KnownPlayer
from core.club.contest import Contest, Contestant
from core.club.fide_editions import Edition, edition_on
from core.club.fide_rating import fide_change, fide_differences, fide_expected, fide_initial, fide_k
from core.club.rated_games import points
from core.club.rating_outcomes import GameLine, RatingOutcome
from core.plurals import count_of

ASSUMED_GAMES: Final = "30 rated games or more before"
ASSUMED_AGE: Final = "older than 18"
ASSUMED_PEAK: Final = "never had 2400"
_NEAR_2400: Final = 2200
"""Players below this rating are not asked whether they ever had 2400."""
NO_POINT: Final = "unrated: no point in the first tournament, which does not count"
STORED: Final = "unverified: games stored before count however old they are (FIDE: 26 months)"


def rate(contest: Contest, known: Sequence[KnownPlayer], day: date) -> tuple[RatingOutcome, ...]:
    """Rate a tournament.

    Args:
        contest: The tournament.
        known: What is known of each of its players.
        day: Its last day; it decides the rules, and who is young.
    """
    edition = edition_on(day)
    ratings = [_rated(one.rating, edition) for one in known]
    return tuple(
        _outcome(player, one, rating_outcomes.lines_of(player, contest, ratings), edition, day)
        for player, one in zip(contest.players, known, strict=True)
    )


def _rated(rating: int | None, edition: Edition) -> int | None:
    return rating if rating is not None and rating >= edition.floor else None


def _outcome(
    player: Contestant, known: KnownPlayer, lines: list[GameLine], edition: Edition, day: date
) -> RatingOutcome:
    below = known.rating is not None and _rated(known.rating, edition) is None
    low = (f"{known.rating} is below {edition.floor}: counts as unrated",) if below else ()
    if low:
        unrated = replace(known, rating=None)
        found = _first(player, unrated, lines, edition)
        return replace(found, before=known, why=(*low, *found.why))
    if known.rating is None:
        return _first(player, known, lines, edition)
    return _changed(player, known, lines, edition, day)


def _changed(
    player: Contestant, known: KnownPlayer, lines: list[GameLine], edition: Edition, day: date
) -> RatingOutcome:
    played = rating_outcomes.counted(lines)
    if not played or known.rating is None:
        return RatingOutcome(player, known, known, "no games", lines=tuple(lines))
    usual, assumed = _k(known, known.rating, day)
    change = fide_change(known.rating, played, k=usual, edition=edition)
    k = change.coefficient
    why = [
        f"K {k}" if k == usual else f"K {k}, for {count_of(len(played), 'game')} × {usual} are more than 700"
    ]
    after = _after(known, change.after, len(played), edition)
    if after.rating is None:
        why.append(f"{change.after} is below {edition.floor}: unrated from now on")
    return replace(
        rating_outcomes.of_change(player, known, after, played, change),
        why=tuple(why),
        assumed=assumed,
        lines=tuple(_worked_out(known.rating, lines, k, edition)),
    )


def _k(known: KnownPlayer, rating: int, day: date) -> tuple[int, tuple[str, ...]]:
    """K, and the assumptions made for it."""
    if known.k is not None:
        return known.k, ()
    peak = max(rating, known.highest or 0)
    age = None if known.born is None else day.year - known.born
    games = 30 if known.games is None else known.games
    k = fide_k(rating, games=games, age=age, reached_2400=peak >= 2400)
    unknown = {
        ASSUMED_GAMES: known.games is None and k == 20,
        ASSUMED_AGE: age is None and k == 20 and rating < 2300,
        ASSUMED_PEAK: known.highest is None and rating >= _NEAR_2400 and k != 10,
    }
    return k, tuple(text for text, holds in unknown.items() if holds)


def _after(known: KnownPlayer, rating: int, games: int, edition: Edition) -> KnownPlayer:
    return replace(
        known,
        rating=_rated(rating, edition),
        games=None if known.games is None else known.games + games,
        # K may be another one now: it is worked out where that is possible.
        k=known.k if known.games is None else None,
        highest=max(known.highest or 0, known.rating or 0, rating)
        if known.highest or rating >= 2400
        else None,
        stored=(),
    )


def _worked_out(rating: int, lines: Sequence[GameLine], k: int, edition: Edition) -> list[GameLine]:
    """The games with the change by each."""
    opponents = [line.rating for line in lines if line.rating is not None]
    used = iter(fide_differences(rating, opponents, edition))
    found = []
    for line in lines:
        if line.rating is None:
            found.append(line)
            continue
        difference = next(used)
        expected = fide_expected(difference)
        cut = difference != rating - line.rating
        found.append(
            replace(
                line,
                difference=difference,
                expected=expected,
                change=k * (line.score - expected),
                why=f"{rating - line.rating:+d} counts as {difference:+d}" if cut else "",
            )
        )
    return found


def _first(player: Contestant, known: KnownPlayer, lines: list[GameLine], edition: Edition) -> RatingOutcome:
    """A player without a rating gets a first one, if they have enough games."""
    new = rating_outcomes.counted(lines)
    played = (*known.stored, *new)
    if not new:
        return RatingOutcome(player, known, known, "no games", lines=tuple(lines), why=("unrated",))
    score = points(played)
    if not known.stored and not score:
        # 8.2.1: the first event without a point is as if it had not been.
        return RatingOutcome(player, known, known, "unrated", len(new), why=(NO_POINT,), lines=tuple(lines))
    found = fide_initial(played, edition)
    before = f", {len(known.stored)} of them from before" if known.stored else ""
    if found.rating is None:
        why: tuple[str, ...] = (f"unrated: {found.reason}", *((found.how,) if found.how else ()))
        after = replace(known, stored=played)
    else:
        why = (f"first rating from {count_of(len(played), 'game')}{before}", found.how)
        after = replace(known, rating=found.rating, games=len(played), highest=None, k=None, stored=())
    doubts = (*found.unverified, *((STORED,) if known.stored and found.rating else ()))
    return RatingOutcome(
        player,
        known,
        after,
        "first" if found.rating else "unrated",
        len(new),
        points(new),
        why=why,
        unverified=doubts,
        lines=tuple(lines),
    )
