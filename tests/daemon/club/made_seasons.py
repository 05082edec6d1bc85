"""Tournaments in memory, as they would be read from an archive: quick, for tests of what is shown."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from core.club.keizer_settings import KeizerSettings
from core.club.setting_texts import as_texts
from core.club.tournament import AbsenceReason, Competitor, GameResult, TournamentRound
from daemon.archive.club.rows import MemberRow, PairingRow, RoundRow, TournamentRow
from daemon.club.labels import labelled
from daemon.club.season import Season
from tests.core.club import random_tournaments

FIRST_DAY = date(2026, 9, 1)


def made(
    members: Sequence[MemberRow],
    rounds: Sequence[RoundRow],
    settings: KeizerSettings | None = None,
    **facts: str,
) -> Season:
    """A tournament of these members and rounds."""
    texts = as_texts(settings or KeizerSettings())
    named = {"name": "Club championship 2026", "city": "", "federation": "", "arbiter": "", **facts}
    row = TournamentRow(
        id=1,
        slug="vm26",
        short_name="VM26",
        kind="keizer",
        settings=texts,
        pairing_settings={},
        time_control="",
        created_at=0,
        **named,
    )
    return Season(row, labelled(members), tuple(rounds), 1)


def member(n: int, name: str, rating: int, **more: Any) -> MemberRow:
    """A member; ids are not numbers of members."""
    return MemberRow(
        id=1000 - n, n=n, player_id=2000 + n, name=name, written=name, fide_id=None, rating=rating, **more
    )


def by_chance(number: int) -> Season:
    """A small tournament of `random_tournaments`: namesakes, late entries, withdrawals, games without a result.

    Some have too few games for a rank, and often a round has a pairing list only.
    """
    chance = random.Random(number)
    field, rounds, settings = random_tournaments.tournament(number)
    numbers = list(range(1, len(field) + 1))
    chance.shuffle(numbers)
    members = {player.id: _member(player, n, chance) for player, n in zip(field, numbers, strict=True)}
    settings = replace(settings, minimum_games=chance.randint(0, 4))
    rows = [_row(n, one, members) for n, one in enumerate(rounds, start=1)]
    if rows and chance.random() < 0.3:
        rows[-1] = replace(rows[-1], state="paired")
    return made(sorted(members.values(), key=lambda one: one.n), rows, settings)


def _member(player: Competitor, n: int, chance: random.Random) -> MemberRow:
    category = chance.choice([None, "U18", "u18"])
    return member(
        n,
        chance.choice([player.name, player.name.upper()]),
        player.rating or 0,
        joined=player.joined,
        withdrawn=player.withdrawn,
        category=category,
    )


def _row(n: int, one: TournamentRound, members: Mapping[str, MemberRow]) -> RoundRow:
    boards = [
        PairingRow(
            board,
            members[game.white].id,
            members[game.black].id,
            by_hand=False,
            why="",
            why_colours="",
            result=game.result and game.result.value,
        )
        for board, game in enumerate(one.games, start=1)
    ]
    away = {members[gone.player].id: gone.reason.value for gone in one.away}
    return RoundRow(n=n, state="complete", day=_day(n), pairings=tuple(boards), absences=away)


def _day(n: int) -> str:
    return (FIRST_DAY + timedelta(weeks=n - 1)).isoformat()


def large(members: int = 60, rounds: int = 12) -> Season:
    """As large as a club is: names of forty characters, two of them alike; a round is left to be played."""
    chance = random.Random(members)
    field = [
        member(n, _long_name(n), 2500 - 20 * n, category=chance.choice([None, "U18", "Seniors 65+"]))
        for n in range(1, members + 1)
    ]
    field[2] = replace(field[2], name=field[1].name)
    field[3] = replace(field[3], withdrawn=rounds)
    played = [_evening(n, field, chance) for n in range(1, rounds + 1)]
    bare = [replace(one, result=None) for one in played[-1].pairings]
    coming = replace(played[-1], n=rounds + 1, day=_day(rounds + 1), state="paired", pairings=tuple(bare))
    settings = KeizerSettings(planned_rounds=rounds, minimum_games=2 * rounds // 3)
    return made(field, [*played, coming], settings, city="Roma", arbiter="Verdi, Gino")


def _long_name(n: int) -> str:
    last = ("Wolfeschlegelsteinhausen", "Grünwald-Hohenfels", "O'Neill", "Meier")[n % 4]
    return f"{last}-{n}, Maximilian Alexander Ferdinand"[:40] if n % 3 else f"{last}, Zoë {n}"


def _evening(n: int, field: Sequence[MemberRow], chance: random.Random) -> RoundRow:
    there = [one for one in field if one.plays(n) and chance.random() < 0.8]
    chance.shuffle(there)
    playing = there[: len(there) // 2 * 2]
    games = [
        PairingRow(
            board,
            white.id,
            black.id,
            by_hand=False,
            why="",
            why_colours="",
            result=chance.choice(
                [*[GameResult.WHITE, GameResult.BLACK, GameResult.DRAW] * 3, *GameResult]
            ).value,
        )
        for board, (white, black) in enumerate(zip(playing[::2], playing[1::2], strict=True), start=1)
    ]
    away = {
        one.id: chance.choice(list(AbsenceReason)).value
        for one in field
        if one.plays(n) and one not in playing
    }
    return RoundRow(n=n, state="complete", day=_day(n), pairings=tuple(games), absences=away)
