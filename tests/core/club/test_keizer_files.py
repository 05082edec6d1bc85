"""The collected tables of clubs and programs, where they lie beside this project: every round of every one."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from core.club.keizer import standings
from core.club.tournament import Away, ClubGame, Player, Reason, Result, Round
from tests.core.club import keizer_examples as known
from tests.core.club.keizer_oracle import CHESSPAIRING, FREEKEIZER, Oracle, half_points

FOLDER = Path(__file__).parents[4] / "shared" / "club" / "keizer"
RESULTS = {
    "1-0": Result.WHITE,
    "0-1": Result.BLACK,
    "1/2": Result.DRAW,
    "+-": Result.WHITE_FORFEIT,
    "-+": Result.BLACK_FORFEIT,
}


def _load(name):
    path = FOLDER / f"{name}.json"
    if not path.exists():
        pytest.skip("the collected tables are not here")
    return json.loads(path.read_text(encoding="utf-8"))


def _tournament(record, withdrawn=()):
    players = [
        Player(each["id"], each["rating"], withdrawn=99 if each["id"] in withdrawn else None)
        for each in record["players"]
    ]
    return players, [
        Round(
            tuple(ClubGame(game["white"], game["black"], RESULTS[game["result"]]) for game in each["games"]),
            tuple(
                Away(bye["player"], Reason(bye["type"].replace("absent", "unexcused")))
                for bye in each["byes"]
            ),
        )
        for each in record["rounds"]
    ]


def _published(run):
    return {
        each["round"]: [(i, Fraction(str(p))) for _, i, p in each["standings"]] for each in run["after_round"]
    }


RUNS = {
    "go_ratio3_base17_selfvalue": "fixpoint",
    "go_ratio3_no_self": "no own value",
    "go_classic_KNSB_base17": "thirds, limit 5",
    "go_decay": "halved",
    "go_frozen": "frozen",
    "freekeizer_base17": "FreeKeizer",
}


@pytest.mark.parametrize("name", RUNS)
def test_every_round_of_every_run(name):
    """Two programs, six settings, seven rounds: their tables are the oracle's with their rounding."""
    record = _load("achtuhr_12x7_independent_runs")
    (run,) = [each for each in record["runs"] if each["name"] == name]
    quirks = FREEKEIZER if name.startswith("freekeizer") else CHESSPAIRING
    settings = known.E5_LAST[RUNS[name]][0]
    players, rounds = _tournament(record["tournament"])
    oracle = Oracle(players, rounds, settings, quirks)
    for number, table in _published(run).items():
        computed = oracle.tables[number]
        if oracle.cycles[number] == 2:
            # Here the program rounds the mean as well.
            computed = [(player, half_points(points, Fraction(1), 0)) for player, points in computed]
            computed.sort(key=lambda line: (-line[1], int(line[0][1:])))
        assert sorted(computed) == sorted(table)
        # Equal points stand in FreeKeizer's list as its sorting leaves them.
        assert computed == table or quirks is FREEKEIZER


@pytest.mark.parametrize("name", ["fixpoint_base10", "frozen_base10", "freekeizer_base10"])
def test_every_round_without_absences(name):
    """Full attendance: no half point needs rounding, so the tables of the first program are ours."""
    record = _load("full_8x5_independent_runs")
    (run,) = [each for each in record["runs"] if each["name"] == name]
    players, rounds = _tournament(record["tournament"])
    valuation = name.split("_")[0]
    if valuation == "freekeizer":
        tables = Oracle(players, rounds, replace(known.FREEKEIZER, base=Fraction(10)), FREEKEIZER).tables
    else:
        ours = standings(players, rounds, replace(known.E6_BASE, valuation=valuation))
        tables = [[(row.player, row.points) for row in table.rows] for table in ours]
    for number, table in _published(run).items():
        assert sorted(tables[number]) == sorted(table)


def test_every_cycle():
    """The lengths of the collected cycles and the means over them, to the fourth decimal as they are written."""
    for record in _load("cycling_examples"):
        players, rounds = _tournament(record)
        table = standings(players, rounds, replace(known.PLAIN, base=Fraction(record["base"])))[-1]
        assert table.cycle == record["cycle_length"]
        assert {row.player: round(float(row.points), 4) for row in table.rows} == record["mean_over_cycle"]


def test_the_stored_tournament():
    """Points, ranks, value numbers and each of 26 stored lines of the test tournament with everything in it."""
    record = _load("kfc_test_tournament")
    players, rounds = _tournament(record, record["config"]["retired_players"])
    table = standings(players, rounds, known.E1_SETTINGS)[-1]
    for row, stored in zip(table.rows, record["expected_final_from_KeizerForClubs_database"], strict=True):
        assert (row.player, row.rank) == (stored["player"], stored["rank"])
        assert (float(row.points), row.value) == (stored["keizer_points"], stored["value_used"])
        assert row.next_value == stored["value_after"]
    credits_ = {(row.player, each.round): float(each.points) for row in table.rows for each in row.credits}
    for line in record["expected_game_points_from_KeizerForClubs_database"]:
        for side in ("white", "black"):
            if line[side] is not None:
                assert credits_.get((line[side], line["round"]), 0) == pytest.approx(line[f"pts_{side}"])
