"""Tournaments that were stored before there were rules that there are now: they keep what held then."""

import json

from sqlalchemy import select, update

from core.club.tournament import AbsenceReason
from daemon.archive.tables.club import club_tournaments
from daemon.club.foundation import change_settings
from daemon.club.views import standings, whole
from tests.daemon.club.evenings import SLUG, now, pair_all, results, start, yes
from tests.daemon.seeding import NOW

SINCE = ("bonus_spread", "newcomers")


def _as_stored_earlier(archive):
    """The settings without those that did not exist; two that had another usual value."""
    with archive.writing() as connection:
        settings = json.loads(connection.scalar(select(club_tournaments.c.settings)))
        kept = {name: text for name, text in settings.items() if name not in SINCE}
        kept |= {"minimum_games": "0", "bonus_end": "3"}
        connection.execute(update(club_tournaments).values(settings=json.dumps(kept)))


def _evening(archive):
    pair_all(archive, away={"galli": AbsenceReason.EXCUSED, "conti": AbsenceReason.EXCUSED})
    results(archive, "1-0", "1-0", "1-0")


def test_the_bonus_stays_what_it_was(archive):
    """Half for everybody, by points, without a number of games; who has not played has no rank there either."""
    start(archive, 8)
    _as_stored_earlier(archive)
    _evening(archive)
    season = now(archive)
    assert (season.settings.bonus_spread, season.settings.newcomers) == (0, "points")
    assert (season.settings.games_needed, season.settings.bonus_end) == (0, 3)
    rows = standings(season)["items"]
    assert {row["member"]["name"] for row in rows if row["rank"] is None} == {"Galli, Piero", "Conti, Paola"}
    assert {row["credits"][0]["factor"] for row in rows if row["rank"] is None} == {"1/2"}


def test_a_rule_can_be_changed_there(archive):
    """The others stay, and those that did not exist are shown with what holds."""
    start(archive, 8)
    _as_stored_earlier(archive)
    _evening(archive)
    changed = yes(
        lambda version: change_settings(archive, SLUG, {"bye": "1/3"}, now_ms=NOW, confirmed=version)
    )
    assert changed == ["bye: 1/2 → 1/3"]
    shown = whole(now(archive))["settings"]
    assert [shown[name] for name in (*SINCE, "minimum_games", "bonus_end")] == ["0", "points", "0", "3"]


def test_a_new_tournament_has_the_rules_of_today(archive):
    """A bonus by rating, newcomers by rating, two thirds of the planned rounds."""
    season = start(archive, 8, planned_rounds="9")
    assert (season.settings.bonus_spread, season.settings.newcomers) == (1, "rating")
    assert (season.settings.games_needed, season.settings.bonus_end) == (6, 2)
