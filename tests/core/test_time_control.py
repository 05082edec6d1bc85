"""How quick a game was and when it was played."""

from datetime import UTC, datetime

import pytest

from core.time_control import ended_at, started_at, time_class


@pytest.mark.parametrize(
    ("control", "lichess", "chesscom"),
    [
        ("15+0", "ultraBullet", "bullet"),
        ("60+0", "bullet", "bullet"),
        ("60+1", "bullet", "bullet"),
        ("120+1", "bullet", "bullet"),
        ("180", "blitz", "blitz"),
        ("180+2", "blitz", "blitz"),
        ("300+5", "rapid", "blitz"),
        ("600", "rapid", "rapid"),
        ("900+10", "rapid", "rapid"),
        ("1800+20", "classical", "rapid"),
        ("40/7200:20/3600:900+30", "classical", "rapid"),
        ("1/86400", "correspondence", "daily"),
        ("3 days per move", "correspondence", "daily"),
        ("1 day per move", "correspondence", "daily"),
        ("-", None, None),
        ("?", None, None),
        ("90 min + 30 sec", None, None),
        ("9" * 30, None, None),
    ],
)
def test_time_class(control, lichess, chesscom):
    """Each site's own names and limits; what no rule covers is not guessed."""
    assert time_class(control, None, "lichess", online=True) == lichess
    assert time_class(control, None, "chesscom", online=True) == chesscom
    assert time_class(control, None, "fics", online=True) == lichess


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("Rated UltraBullet game", "ultraBullet"),
        ("rated blitz game", "blitz"),
        ("Rated Bullet tournament https://lichess.org/tournament/abcdEFGH", "bullet"),
        ("casual correspondence game", "correspondence"),
        ("Daily Rapid Arena", "classical"),
        ("rated variant:crazyhouse game", "classical"),
    ],
)
def test_lichess_says_it_in_the_event(event, expected):
    """Where it does, that counts."""
    assert time_class("1800+20", event, "lichess", online=True) == expected


def test_minutes_or_seconds():
    """Over the board `90+30` are minutes, whatever the standard says: only a long base is surely in seconds."""
    assert time_class("90+30", "Cup", None, online=False) is None
    assert time_class("5400+30", "Cup", None, online=False) == "classical"
    assert time_class(None, None, None, online=False) is None


def test_started_at():
    """Date and time in UTC; a part that is missing or unknown makes the whole unknown."""
    tags = {"UTCDate": "2024.05.12", "UTCTime": "23:59:59"}
    assert started_at(tags) == datetime(2024, 5, 12, 23, 59, 59, tzinfo=UTC)
    assert started_at({"UTCDate": "2024.05.12"}) is None
    assert started_at({**tags, "UTCDate": "2024.??.??"}) is None
    assert started_at({**tags, "UTCTime": "24:00:00"}) is None


@pytest.mark.parametrize(
    ("tags", "known"),
    [
        ({"EndTime": "22:38:19", "Timezone": "UTC"}, True),
        ({"EndTime": "22:38:19 GMT+0000"}, True),
        ({"EndTime": "22:38:19 UTC"}, True),
        ({"EndTime": "22:38:19"}, False),
        ({"EndTime": "22:38:19 PST", "Timezone": "UTC"}, False),
        ({"EndTime": "22:38:19 GMT+0200"}, False),
        ({}, False),
    ],
)
def test_ended_at(tags, known):
    """Only where the zone is surely UTC: downloads of chess.com's website use the reader's own."""
    moment = datetime(2024, 5, 12, 22, 38, 19, tzinfo=UTC)
    assert ended_at({"EndDate": "2024.05.12", **tags}) == (moment if known else None)
