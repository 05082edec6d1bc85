"""Club tournaments as the API shows them. The tables are computed each time: nothing of them is stored."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Final

from core.club.keizer import Credit, KeizerRow, KeizerTable
from core.club.ranks import notes, ranked
from core.club.setting import Explained, explained
from core.club.tournament import AbsenceReason, ClubGame, GameResult
from core.vocabulary import Colour
from daemon.archive.base import Connection
from daemon.archive.club import steps, tournaments
from daemon.archive.club.rows import MemberRow, PairingRow, RoundRow, TournamentRow
from daemon.archive.reading import shapes
from daemon.archive.reading.shape_words import ClubResult
from daemon.archive.reading.times import rfc3339
from daemon.club import shapes as club_shapes
from daemon.club.season import Season, season_of
from daemon.club.tie_breaks import Ties, ties


def list_tournaments(connection: Connection) -> shapes.Page[club_shapes.Tournament]:
    """All tournaments, newest first, on one page."""
    rows: Iterable[TournamentRow] = tournaments.tournaments(connection)
    return {"items": [summary(season_of(connection, row)) for row in rows], "next": None}


def summary(season: Season) -> club_shapes.Tournament:
    """A tournament in a list."""
    row = season.tournament
    return {
        "slug": row.slug,
        "name": row.name,
        "short_name": row.short_name,
        "kind": row.kind,
        "city": row.city,
        "federation": row.federation,
        "arbiter": row.arbiter,
        "time_control": row.time_control,
        "fesa": row.fesa,
        "begins": row.begins,
        "planned_rounds": season.settings.planned_rounds,
        "rounds_complete": len(season.complete),
        "playing": season.current.n if season.current else None,
        "member_count": len(season.members),
        "created_at": rfc3339(row.created_at),
    }


def whole(season: Season) -> club_shapes.WholeTournament:
    """One tournament with settings, members and rounds."""
    return {
        **summary(season),
        "settings": dict(season.tournament.settings),
        "pairing_settings": dict(season.tournament.pairing_settings),
        "rules": [rule(one) for one in explained(season.settings, season.pairing_settings)],
        "members": [member(one) for one in season.members],
        "rounds": rounds(season),
    }


def rounds(season: Season) -> list[club_shapes.RoundSummary]:
    """The rounds in a list."""
    return [_summary(one) for one in season.rounds]


def rule(one: Explained) -> club_shapes.Rule:
    """A setting in plain words."""
    return {
        "name": one.name,
        "group": one.group,
        "value": one.value,
        "usual": one.usual,
        "changed": one.changed,
        "counts": one.counts,
        "says": one.says,
        "allowed": one.allowed,
        "clubs": one.clubs,
    }


def member(row: MemberRow) -> club_shapes.Member:
    """A member."""
    return {
        "n": row.n,
        "player_id": row.player_id,
        "name": row.name,
        "label": row.label or row.name,
        "fide_id": row.fide_id,
        "rating": row.rating,
        "joined": row.joined,
        "withdrawn": row.withdrawn,
        "category": row.category,
        "handles": list(row.handles),
        "nation": row.nation,
        "grade": row.grade,
        "macmahon": row.macmahon,
        "spelled": row.spelled,
        "newcomer": row.newcomer,
        "group": row.in_group,
        "terms": dict(row.terms),
    }


def _summary(row: RoundRow) -> club_shapes.RoundSummary:
    results = sum(one.result is not None for one in row.pairings)
    return {
        "n": row.n,
        "state": row.state,
        "day": row.day,
        "boards": len(row.pairings),
        "results": results,
        "postponed": sum(one.postponed for one in row.open_games),
    }


def round_(season: Season, number: int) -> club_shapes.ClubRound | None:
    """One round, None if there is none."""
    row = next((one for one in season.rounds if one.n == number), None)
    if row is None:
        return None
    by_id = {one.id: member(one) for one in season.members}
    return {
        **_summary(row),
        "begins_at": rfc3339(row.begins_at),
        "ends_at": rfc3339(row.ends_at),
        "pairings": [pairing(one, by_id) for one in row.pairings],
        "absences": [
            {"member": by_id[one], "reason": AbsenceReason(why).value} for one, why in row.absences.items()
        ],
        "by_hand": [
            {
                "one": by_id[one.one],
                "other": by_id[one.other],
                "white": by_id[one.white] if one.white else None,
            }
            for one in row.by_hand
        ],
        "bye_by_hand": by_id[row.bye_id] if row.bye_id else None,
        "notes": list(row.notes),
    }


def pairing(row: PairingRow, by_id: Mapping[int, club_shapes.Member]) -> club_shapes.Pairing:
    """A board."""
    return {
        "board": row.board,
        "white": by_id[row.white],
        "black": by_id[row.black],
        "by_hand": row.by_hand,
        "why": row.why,
        "why_colours": row.why_colours,
        "result": None if row.result is None else GameResult(row.result).value,
        "game_id": row.now_in,
        "postponed": row.postponed,
        "postponed_to": row.postponed_to,
        "handicap": row.handicap,
        "handicap_giver": _giver(row),
    }


def _giver(row: PairingRow) -> Colour | None:
    if row.handicap is None:
        return None
    return "white" if row.giver_id == row.white else "black"


def _open(season: Season, number: int) -> list[str]:
    """The games that are missing from a table."""
    return [
        f"{season.board_sentence(round_, board)} is not played yet, and worth nothing so far"
        + (f" (postponed to {board.postponed_to})" if board.postponed_to else "")
        for round_, board in season.open_games
        if round_.n <= number
    ]


def standings(
    season: Season, number: int | None = None, tie_breaks: Sequence[str] = (), day: date | None = None
) -> club_shapes.Standings | None:
    """The table after a round, of the last complete one if none is named; None if there is none.

    Of the round that is being played it is the table so far: missing games are worth nothing yet.

    Args:
        season: the tournament.
        number: of the round.
        tie_breaks: FIDE's codes: extra numbers in a Keizer table, the order after the points in one by points.
        day: the tournament began on, if it does not say: by its rules they are worked out.

    Raises:
        ClubError: a tie-break is unknown, or cannot be worked out.
    """
    number = len(season.complete) if number is None else number
    if not 0 <= number <= len(season.listed):
        return None
    stands = number <= len(season.complete)
    season = season if stands else season.so_far
    broken = ties(season, number, tie_breaks, day) if tie_breaks and number else None
    table = _in_order(season, season.tables[number], broken)
    settings = season.settings
    keizer = season.kind == "keizer"
    with_rank = {row.player for row in (ranked(table, settings) if keizer else table.rows)}
    return {
        "tournament": season.tournament.slug,
        "kind": season.kind,
        "round": number,
        "final": stands and number >= settings.planned_rounds,
        "minimum_games": settings.games_needed,
        "held": table.held,
        "cycle": table.cycle,
        "notes": [*(notes(table, settings) if keizer else ()), *_open(season, number)],
        "tie_break_rules": broken.rules if broken else None,
        "items": list(_standings(season, table, with_rank, broken)),
        "withdrawn": [member(season.by_label[label]) for label in table.withdrawn],
    }


def _in_order(season: Season, table: KeizerTable, broken: Ties | None) -> KeizerTable:
    """By points and the tie-breaks, where the table goes by points; a Keizer table stays as it is."""
    if broken is None or season.kind == "keizer":
        return table
    rows = sorted(table.rows, key=lambda row: (-row.points, broken.places[row.player]))
    return replace(table, rows=tuple(replace(row, rank=place) for place, row in enumerate(rows, start=1)))


def _standings(
    season: Season, table: KeizerTable, ranked: set[str], broken: Ties | None
) -> Iterator[club_shapes.Standing]:
    places: Counter[str] = Counter()
    rank = 0
    for row in table.rows:
        its = season.by_label[row.player]
        inside = row.player in ranked
        key = (its.category or "").casefold()
        if inside:
            rank += 1
            places[key] += 1
        category = places[key] if inside and key else None
        yield {
            **_standing(row, its, rank if inside else None, category),
            "tie_breaks": dict(broken.values[row.player]) if broken else {},
        }


def _standing(
    row: KeizerRow, its: MemberRow, rank: int | None, category_rank: int | None
) -> club_shapes.Standing:
    kinds = Counter(credit.kind for credit in row.credits)
    return {
        "place": row.rank,
        "rank": rank,
        "category_rank": category_rank,
        "member": member(its),
        "points": rounded(row.points),
        "exact": str(row.points),
        "value": str(row.value),
        "next_value": str(row.next_value),
        "own": str(row.own),
        "played": row.games,
        "wins": kinds["win"],
        "draws": kinds["draw"],
        "losses": kinds["loss"],
        "byes": kinds["bye"],
        "tie_breaks": {},
        "credits": [_credit(one) for one in row.credits],
    }


def _credit(credit: Credit) -> club_shapes.Credit:
    return {
        "round": credit.round,
        "kind": credit.kind,
        "opponent": credit.opponent,
        "of": "own" if credit.of != credit.opponent else "opponent",
        "value": str(credit.value),
        "rating_share": str(credit.rating_share),
        "rating_value": str(credit.rating_value),
        "factor": str(credit.factor),
        "fixed": str(credit.fixed),
        "points": str(credit.points),
    }


def rounded(points: Fraction) -> float:
    """Points for people: two places, halves up."""
    return int(points * 100 + Fraction(1, 2)) / 100


def cross_table(
    season: Season, number: int | None = None, tie_breaks: Sequence[str] = (), day: date | None = None
) -> club_shapes.CrossTable | None:
    """Everybody against everybody, in the order of the `standings` of these arguments; None if there are none."""
    found = standings(season, number, tie_breaks, day)
    if found is None:
        return None
    if found["round"] > len(season.complete):
        season = season.so_far
    met: dict[tuple[str, str], list[club_shapes.CrossCell]] = {}
    for n, evening in enumerate(season.evenings(season.complete[: found["round"]]), start=1):
        for game in evening.games:
            met.setdefault((game.white, game.black), []).append(_cell(n, game, white=True))
            met.setdefault((game.black, game.white), []).append(_cell(n, game, white=False))
    ranks = {one["member"]["label"]: one["rank"] for one in found["items"]}
    order = [*(one["member"] for one in found["items"]), *found["withdrawn"]]
    items: list[club_shapes.CrossRow] = [
        {
            "place": place,
            "rank": ranks.get(one["label"]),
            "member": one,
            "cells": [met.get((one["label"], other["label"]), []) for other in order],
        }
        for place, one in enumerate(order, start=1)
    ]
    return {"tournament": season.tournament.slug, "round": found["round"], "items": items}


_SIGNS: Final = ("0", "½", "1")


def _cell(number: int, game: ClubGame, *, white: bool) -> club_shapes.CrossCell:
    result: GameResult | None = game.result
    return {
        "round": number,
        "colour": "white" if white else "black",
        "result": sign(result, white=white),
        "played": result is not None and result.played,
    }


def sign(result: GameResult | ClubResult | None, *, white: bool) -> str | None:
    """One side's result: `1`, `½`, `0`, or `+` and `-` if it was not played; None while there is none."""
    if result is None:
        return None
    known = GameResult(result)
    points = known.points(white=white)
    if known.played:
        return _SIGNS[points]
    return "+" if points else "-"


def events(connection: Connection, season: Season) -> list[club_shapes.Event]:
    """Everything that was done in a tournament, newest first."""
    undone = steps.undone_numbers(connection, season.tournament.id)
    return [
        {
            "n": one.n,
            "at": rfc3339(one.at),
            "what": one.what,
            "told": one.told,
            "step": one.step,
            "undone": one.step in undone,
        }
        for one in tournaments.events(connection, season.tournament.id)
    ]
