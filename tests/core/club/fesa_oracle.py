"""An event of made-up players, rated by FESA's rules once more, and printed as FESA publishes it.

Written from the rules alone (club R1 to R7 and R13); nothing of the program is used, so that both cannot share an error.
"""

import random
from dataclasses import dataclass, field

LOWER = [80 * step for step in range(17)] + [1360, 1460, 1560, 1680, 1800, 1920, 2080, 2240, 2440, 2640]
"""The lower bounds of 20 Kyu to 7 Dan."""
SERIES: dict[int, tuple[int | None, int | None]] = {
    **dict.fromkeys(range(9), (6, 3)),
    **dict.fromkeys(range(9, 13), (8, 4)),
    **dict.fromkeys(range(13, 16), (10, 5)),
}
SERIES |= {
    **dict.fromkeys(range(16, 19), (12, 6)),
    **dict.fromkeys(range(19, 22), (14, 7)),
    22: (16, 8),
    23: (16, 8),
}
SERIES |= {24: (None, 10), 25: (None, None), 26: (None, None)}
"""So many games in a row above the lower bound, or above the middle, promote to the grade of this step."""
LOOK_AHEAD = 20


@dataclass
class Member:
    """A player of the event: *bonus* games are left of the hundred; without a grade's *step* they are new."""

    rating: int
    step: int | None
    bonus: int = 0
    rounds: list[tuple[int | None, str]] = field(default_factory=list)
    after: int = 0
    promoted: int | None = None

    @property
    def games(self) -> list[tuple[int, str]]:
        """Opponent and mark of the rounds that were played."""
        return [(opponent, mark) for opponent, mark in self.rounds if opponent is not None]

    @property
    def new(self) -> bool:
        """Are they rated by all their games together?"""
        return self.step is None


def weight(rating: float) -> int:
    """K."""
    bounds = ((2240, 16), (1920, 20), (1560, 24), (1280, 28), (1040, 32), (720, 36))
    return next((k for bound, k in bounds if rating >= bound), 40)


def chance_of(mine: float, theirs: float) -> float:
    """The expected score."""
    return 1 / (1 + 10 ** ((theirs - mine) / 400))


SCORE = {"+": 1.0, "=": 0.5, "-": 0.0}


def new_rating(member: Member, members: list[Member]) -> int:
    """One player's rating after the event, by the others' ratings after it."""
    played: list[tuple[float, float]] = [
        (max(400, members[opponent].after), SCORE[mark]) for opponent, mark in member.games
    ]
    if member.new:
        return performance(played)
    rating, total = float(member.rating), 0.0
    for number, (theirs, score) in enumerate(played):
        gain = weight(rating) * (score - chance_of(rating, theirs))
        if score == 1 and theirs > rating:
            gain = max(gain, weight(rating) * (theirs - rating) / 160)
        if number < member.bonus and rating < 1800:
            gain += (1800 - rating) / 200
        rating += gain
        total += gain
    return member.rating + round(total)


def performance(played: list[tuple[float, float]]) -> int:
    """The rating at which these results were to be expected, by halving."""
    scores = [score for _, score in played]
    if not any(scores):
        return 1
    if all(score == 1 for score in scores):
        played = [*played, (max(theirs for theirs, _ in played), 0.5)]
    low, high = -2000.0, 5000.0
    for _ in range(100):
        middle = (low + high) / 2
        wanted = sum(score - chance_of(middle, theirs) for theirs, score in played)
        low, high = (middle, high) if wanted > 0 else (low, middle)
    return max(1, round(low))


def rate(members: list[Member]) -> None:
    """Everybody's rating after the event, again and again until none changes."""
    for member in members:
        member.after = member.rating
    for _ in range(1000):
        ratings = [new_rating(member, members) for member in members]
        if ratings == [member.after for member in members]:
            break
        for member, rating in zip(members, ratings, strict=True):
            member.after = rating
    else:
        raise AssertionError("the ratings do not come to rest")
    for member in members:
        if not member.new:
            member.promoted = promotion(member)


def promotion(member: Member) -> int | None:
    """The step that an established player without games from before is promoted to."""
    assert member.step is not None
    step, above = member.step, [0, 0, 0]
    count = len(member.games)
    for number in range(1, count + 1):
        step, above = _game(step, above, member.rating + (member.after - member.rating) * number / count)
    ahead, future, rating = step, list(above), float(member.after)
    for _ in range(LOOK_AHEAD):
        rating -= weight(rating)
        ahead, future = _game(ahead, future, rating)
    if count and ahead > step:
        step += 1
    return step if step > member.step else None


def _game(step: int, above: list[int], rating: float) -> tuple[int, list[int]]:
    """One game at *rating*: games in a row above the lower bound, above the middle, and whether the middle was seen."""
    while step < 26:
        low, high = LOWER[step + 1], LOWER[step + 2] if step < 25 else 2880
        middle = (low + high) / 2
        if rating < high:
            if rating < low:
                return step, [0, 0, 0]
            above = [above[0] + 1, above[1] + 1, 1] if rating >= middle else [above[0] + 1, 0, above[2]]
            by_lower, by_middle = SERIES[step + 1]
            if not (by_lower and above[0] >= by_lower and above[2]) and not (
                by_middle and above[1] >= by_middle
            ):
                return step, above
        step, above = step + 1, [0, 0, 0]
    return step, above


def event(number: int, count: int, rounds: int) -> list[Member]:
    """Made-up players and results, rated: every tenth is new, a third have games with bonus left."""
    chance = random.Random(number)
    members = []
    for place in range(count):
        rating = chance.randint(500, 2300)
        step = max(one for one in range(27) if LOWER[one] <= rating) + chance.choice([-2, -1, 0, 0, 0, 1])
        bonus = chance.choice([0, 0, rounds, chance.randint(1, rounds)])
        members.append(Member(rating, None if place % 10 == 9 else max(step, 0), bonus))
    members.sort(key=lambda one: -one.rating)
    for _ in range(rounds):
        _pair(members, chance)
    rate(members)
    return members


def _pair(members: list[Member], chance: random.Random) -> None:
    """A round: neighbours of about equal ratings; who stays away has 0-."""
    there = sorted(range(len(members)), key=lambda one: members[one].rating + chance.gauss(0, 150))
    there = [one for one in there if chance.random() < 0.95]
    if len(there) % 2:
        there.pop()
    for member in members:
        member.rounds.append((None, "-"))
    for one, other in zip(there[::2], there[1::2], strict=True):
        won = chance.random() < chance_of(members[one].rating, members[other].rating)
        mine, theirs = "==" if chance.random() < 0.03 else "+-" if won else "-+"
        members[one].rounds[-1], members[other].rounds[-1] = (other, mine), (one, theirs)


def name_of(step: int) -> str:
    """The grade of a step in words."""
    return f"{20 - step} Kyu" if step < 20 else f"{step - 19} Dan"


def printed(members: list[Member], name: str, *, macmahon: bool = False) -> str:
    """The table as FESA publishes it: opponents of three digits shift the columns, a star marks a performance."""
    turns = range(1, len(members[0].rounds) + 1)
    columns = " ".join(f"{turn:>3}" for turn in turns)
    lines = [
        f"{name} : 2026-08-01/02",
        f"Nr Name{'':26} Nat  Grade  ELO  {columns} {'MMS ' * macmahon}Pts   +/-",
    ]
    for number, one in enumerate(members, start=1):
        cells = " ".join(
            f"{0 if opponent is None else opponent + 1:>2}{mark}" for opponent, mark in one.rounds
        )
        start = max(0, (one.rating - 800) // 400)
        points = start * macmahon + sum(SCORE[mark] for _, mark in one.rounds)
        shown = f"{int(points)}½" if points % 1 else f"{int(points)}"
        grade = "" if one.step is None else name_of(one.step)
        rating = f"{one.after:>5}*" if one.new else f"{one.rating:>5} "
        change = "" if one.new else f"{one.after - one.rating:+d}"
        starting = f"  {start}" * macmahon
        lines.append(
            f"{number:2} P{number:03} X{'':24} {'IT'} {grade:>7} {rating} {cells}{starting}  {shown:>2}  {change:>4}"
        )
    lines.append("")
    lines += [
        f"Promoting P{number:03} X to {name_of(one.promoted)}"
        for number, one in enumerate(members, start=1)
        if one.promoted is not None
    ]
    return "\n".join([*lines, ""])
