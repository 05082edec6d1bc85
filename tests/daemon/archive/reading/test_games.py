"""The list of games: the field above it, the search window, its order, one game whole."""

import itertools
from dataclasses import replace
from datetime import date as calendar_date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from core.game import Game, PartialDate, Side
from core.names import clean, fold
from core.players import Profile
from core.search import matches_eco, matches_game
from daemon.archive.archive import Archive, open_archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.reading import shapes
from daemon.archive.reading.cursors import BadCursor
from daemon.archive.reading.games import find_games, game, games_of_player, pgn
from daemon.archive.reading.search import by_date, plan
from daemon.archive.reading.search.asked_dates import read_date
from daemon.archive.reading.search.conditions import conditions
from daemon.archive.reading.search.filters import GameFilters, UnclearFilters
from daemon.archive.reading.search.sorts import SORTS
from daemon.config.configured import ConfiguredDossier
from daemon.edits.door import edit_game
from tests.core.vector_files import vectors
from tests.daemon.archive.reading.test_players import TEXTS
from tests.daemon.seeding import NOW, downloaded, emptied, fill, follow, game_between, named, online
from tests.examples import examples

SEARCH = vectors("search")
NOBODY = Profile()


def listed(archive: Archive, profile: Profile = NOBODY, limit: int = 500, **fields: Any) -> list[shapes.Game]:
    filters = GameFilters.model_validate(fields)
    items: list[shapes.Game] = []
    cursor = None
    while True:
        with archive.reading() as connection:
            page = find_games(connection, filters, profile, limit=limit, cursor=cursor)
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            return items


def ids(archive: Archive, **fields: Any) -> list[int]:
    return sorted(found["id"] for found in listed(archive, **fields))


def texts_of(found: shapes.Game) -> list[str]:
    fields = [found["event"], found["site"], found["opening"], found["eco"]]
    teams = [found["white"]["team"], found["black"]["team"]]
    return [text for text in (*fields, *teams) if text]


def of_vectors(fields: dict[str, str]) -> Game:
    known: dict[str, Any] = {name: text if text not in {"", "?"} else None for name, text in fields.items()}
    return game_between(
        Side(name=fields["white"], team=known["white_team"]),
        Side(name=fields["black"], team=known["black_team"]),
        **{name: known[name] for name in ("event", "site", "opening", "eco")},
    )


@pytest.fixture(params=["by index", "in order", "after a look", "walking"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to a page: as if few games were found by every condition, and as if many were."""
    if request.param != "by index":
        monkeypatch.setattr(plan, "FEW", -1)
    if request.param in {"after a look", "walking"}:
        monkeypatch.setattr(by_date, "SINGLY", 0)
        for number in ("LOOKED_AT", "LOOKED_AT_LISTED", "LOOKED_AT_SINGLY"):
            monkeypatch.setattr(by_date, number, 1)
    if request.param == "walking":
        monkeypatch.setattr(by_date, "MANY", 0)
        monkeypatch.setattr(by_date, "MANY_UNDATED", 0)


def test_box_of_the_documents(archive: Archive, way: None) -> None:
    """Every query of the vectors finds its games in the field above the list."""
    fill(archive, map(of_vectors, SEARCH["games"].values()))
    names = list(SEARCH["games"])
    for case in SEARCH["box"]:
        assert [names[number - 1] for number in ids(archive, q=case["typed"])] == case["games"], case


@st.composite
def _games(draw: st.DrawFn) -> Game:
    maybe = st.none() | TEXTS
    return game_between(
        Side(name=draw(TEXTS), team=draw(maybe)),
        Side(name=draw(TEXTS), team=draw(maybe)),
        event=draw(maybe),
        site=draw(maybe),
        opening=draw(maybe),
        eco=draw(st.sampled_from([None, "B90", "b91", "A00", "E99"])),
    )


@examples(60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    games=st.lists(_games(), min_size=1, max_size=6), query=TEXTS | st.sampled_from(["b9", "b-9", "a rossi"])
)
def test_sql_finds_what_the_rule_finds(archive: Archive, way: None, games: list[Game], query: str) -> None:
    """On any archive, SQL answers the field above the list as core.search does."""
    fill(emptied(archive), games)
    everything = listed(archive)
    expected = [
        found["id"]
        for found in everything
        if matches_game(
            query, players=[found["white"]["name"], found["black"]["name"]], texts=texts_of(found)
        )
    ]
    assert [found["id"] for found in listed(archive, q=query)] == expected


def test_an_online_game_is_found_by_its_own_id(archive: Archive, way: None) -> None:
    """Its Site counts word by word, the id at its end too: whole or its beginning, capitals aside, in both fields."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    games = [
        replace(online("mrossi90", white, one), site=f"https://lichess.org/{one}")
        for white, one in (("gbianchi", "AbCdEfGh"), ("averdi", "xyz12345"))
    ]
    numbered = replace(
        online("mrossi90", "neri", "live/987", "chesscom"), site="https://www.chess.com/game/live/987"
    )
    downloaded(archive, account, [*games, numbered])
    assert [found["site"] for found in listed(archive)][-1] == "https://lichess.org/AbCdEfGh"
    for query, expected in {
        "AbCdEfGh": [1],
        "abcd": [1],
        "lichess xyz12345": [2],
        "https://lichess.org/xyz12345": [2],
        "987": [3],
        "live-987": [3],
        "lichess": [1, 2],
        "chess game live": [3],
        "cdef": [],
        "abcdefghi": [],
    }.items():
        assert ids(archive, q=query) == expected, query
        assert ids(archive, site=query) == expected, query


@pytest.mark.parametrize(
    ("field", "value", "index"),
    [
        ("eco", "b9", "ix_games_eco"),
        ("title", "gm", "ix_games_white_title"),
        ("time_class", "blitz", "ix_games_time_class"),
        ("variant", "chess960", "ix_games_variant"),
        ("termination", "Time forfeit", "ix_games_termination"),
        ("result", "*", "ix_games_result"),
        ("team", "to", "ix_games_black_team_id"),
        ("annotator", "a", "ix_games_annotator"),
        ("site", "abcdefgh", "ix_games_site_tail"),
        ("source", "lichess", "ix_tellings_site_game_id"),
        ("source", "file", "uq_tellings_file"),
    ],
)
def test_rare_games_are_found_by_an_index(sqlite_path: Path, field: str, value: str, index: str) -> None:
    """The way to the games that fit a field of the search window is its index, not a look at all games."""
    known = game_between(Side(name="Rossi, Mario", title="GM"), "Neri", eco="B90", annotator="Anna")
    with open_archive(sqlite_path) as archive:
        fill(archive, [known])
    with open_archive(sqlite_path) as archive, archive.reading() as connection:
        (wanted,) = conditions(connection, GameFilters.model_validate({field: value}), NOBODY)
        assert wanted.ids is not None
        statement = wanted.ids.compile(connection.engine)
        steps = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {statement}", tuple(statement.params[name] for name in statement.positiontup)
        ).all()
    assert any(index in row.detail for row in steps), steps


def test_text_filters_of_the_documents(archive: Archive, way: None) -> None:
    """Event, site, opening and team find each text of the vectors, or not, by what is typed."""
    cases = [case for case in SEARCH["texts"] if case["text"] != "?"]
    names = sorted({case["text"] for case in cases})
    for number, text in enumerate(names):
        team = Side(name=f"player{number}", team=text)
        fill(archive, [game_between(team, "?", event=text, site=text, opening=text, round=text)], path=text)
        fill(archive, [game_between("?", team, round=text)], path=text)
    for case in cases:
        for field, twice in (("event", False), ("site", False), ("opening", False), ("team", True)):
            hits = [found["round"] for found in listed(archive, **{field: case["typed"]})]
            assert hits.count(case["text"]) == case["found"] * (1 + twice), (field, case)


def test_other_filters_of_the_documents(archive: Archive, way: None) -> None:
    """ECO codes are found by their beginning, FIDE ids whole, annotators by a piece."""
    for kind, field in (("eco", "eco"), ("commentator", "annotator")):
        for case in SEARCH[kind]:
            text = case.get(kind, "")
            given: dict[str, Any] = {field: text or None}
            fill(emptied(archive), [game_between("?", "?", **given)])
            if kind in case:
                assert bool(ids(archive, **{field: case["typed"]})) == case["found"], case
    for case in SEARCH["fide"]:
        fill(emptied(archive), [game_between(named("Carlsen, Magnus", case["fide"]), "?")])
        assert bool(ids(archive, fide_id=case["typed"])) == case["found"], case


def test_colours(archive: Archive) -> None:
    """White and Black are searched apart, a player with either; one player must meet all words."""
    fill(
        archive,
        [game_between("Rossi, Mario", "Bianchi, Anna"), game_between("Bianchi, Anna", "Rossi, Mario")],
    )
    assert ids(archive, white="ros") == [1]
    assert ids(archive, black="ros") == [2]
    assert ids(archive, player="mario") == [1, 2]
    assert ids(archive, player="mario anna") == []
    assert ids(archive, white="mario", black="anna") == [1]
    assert ids(archive, white="-") == []


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("result", "1/2-1/2", [2]),
        ("result", "½-½", [2]),
        ("result", "other", []),
        ("variant", "chess960", [2]),
        ("time_class", "Blitz", [2]),
        ("time_class", "bullet", []),
        ("time_control", "180+2", [2]),
        ("variant", "Chess 960", [2]),
        ("variant", "atomic", []),
        ("min_rating", 1810, [2]),
        ("min_rating", 1811, []),
        ("max_rating", 1810, [2]),
        ("max_rating", 1809, []),
        ("min_plies", 3, [2]),
        ("max_plies", 2, [1]),
        ("since", "1", [2]),
        ("since", "2", []),
        ("termination", "Time forfeit", [2]),
        ("title", "gm", [2]),
        ("title", "G", []),
        ("source", "file", [1]),
        ("source", "lichess.org", [2]),
        ("source", "chesscom", []),
        ("account", "lichess:MRossi90", [2]),
        ("account", "lichess:nobody", []),
        ("mine", True, [2]),
        ("mine", False, [1]),
        ("dossier", "nobody", []),
    ],
)
def test_chosen_filters(archive: Archive, way: None, field: str, value: Any, expected: list[int]) -> None:
    """What is chosen from a list must be so."""
    fill(archive, [game_between("Rossi, Anna", "Bianchi, Anna")])
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    blitz = online(
        "mrossi90",
        Side(name="gbianchi", title="GM", rating=1810),
        "abcdefgh",
        result="1/2-1/2",
        moves=("e2e4", "e7e5", "g1f3"),
        time_control="180+2",
        variant="chess960",
        time_class="blitz",
        termination="Time forfeit",
    )
    downloaded(archive, account, [blitz])
    me = Profile(aliases=("lichess:mrossi90",))
    assert sorted(found["id"] for found in listed(archive, me, **{field: value})) == expected


def test_a_colour_of_whom_is_asked_for(archive: Archive, way: None) -> None:
    """The colour narrows the player, the FIDE id, the dossier and the user; alone it would say nothing."""
    accounts = follow(archive, ["lichess:mrossi90", "lichess:gbianchi"])
    mario, giulia = "mrossi90", Side(name="GBianchi", fide_id="1503014")
    downloaded(archive, accounts["lichess:gbianchi"], [online(mario, giulia, "abcdefgh")])
    downloaded(archive, accounts["lichess:gbianchi"], [online(giulia, mario, "abcdefgi", moves=("d2d4",))])
    with archive.writing() as connection:
        wanted = ConfiguredDossier("Giulia", "giulia", None, [], ["lichess:gbianchi"])
        sync_dossiers(connection, [wanted])
    me = Profile(aliases=("lichess:mrossi90",))
    for field, value, white in (
        ("player", "mrossi", [1]),
        ("fide_id", "1503014", [2]),
        ("dossier", "giulia", [2]),
        ("mine", True, [1]),
    ):
        asked: dict[str, Any] = {field: value}
        assert [one["id"] for one in listed(archive, me, colour="white", **asked)] == white, field
        assert [one["id"] for one in listed(archive, me, colour="Black", **asked)] == [3 - white[0]], field
    with pytest.raises(UnclearFilters, match="add player"):
        listed(archive, colour="white", mine=False)


def test_one_player_has_the_rating(archive: Archive) -> None:
    """Both bounds of the rating are asked of one player: 2300 against 1500 is not a game of a player of 2000."""
    fill(archive, [game_between(named("Rossi, Mario", rating=2300), named("Bianchi, Anna", rating=1500))])
    assert ids(archive, min_rating=1900, max_rating=2100) == []
    assert ids(archive, min_rating=1400, max_rating=1600) == [1]


def test_taken_in_since(archive: Archive, way: None) -> None:
    """What was taken in at that time or after it is found, however the time is written."""
    fill(archive, [game_between("Rossi, Mario", "Bianchi, Anna")])  # at 2024-05-12T10:00:00Z
    for since in (
        "2024-05-12T10:00:00Z",
        "2024-05-12T12:00:00+02:00",
        "2024-05-12T12:00:00 02:00",
        "2024-05-12",
    ):
        assert ids(archive, since=since) == [1], since
    for since in ("2024-05-12T10:00:00.001z", "2024-05-13", "9999-12-31T23:59:59-23:59"):
        assert ids(archive, since=since) == [], since
    assert ids(archive, since="0001-01-01T00:00:00+23:59") == [1]


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024])
def test_every_day_of_a_year(year: int) -> None:
    """All days of a year are taken, and no other one."""
    for month, day in itertools.product(range(14), range(1, 33)):
        text = f"{year}-{month:02}-{day:02}"
        try:
            calendar_date(year, month, day)
        except ValueError:
            with pytest.raises(ValueError, match=r"not a date|not in the calendar"):
                read_date(text)
        else:
            assert read_date(text) == PartialDate(year, month, day)


_PARTS = st.integers(2022, 2025), st.none() | st.integers(1, 12), st.none() | st.integers(1, 28)
_DATES = st.builds(PartialDate, st.none() | _PARTS[0], *_PARTS[1:]).map(str) | st.just("12.05.2024")


def _may_lie(date: PartialDate, since: PartialDate | None, until: PartialDate | None) -> bool:
    """The rule, day by day: is there a day that the date may be, in the range?"""
    if date.year is None:
        return False
    days = [
        (date.year, month, day)
        for month in ([date.month] if date.month else range(1, 13))
        for day in ([date.day] if date.day else range(1, 32))
    ]
    first = (since.year or 0, since.month or 0, since.day or 0) if since else (0, 0, 0)
    last = (until.year or 0, until.month or 99, until.day or 99) if until else (9999, 0, 0)
    return any(first <= day <= last for day in days)


@st.composite
def _asked(draw: st.DrawFn) -> PartialDate:
    month = draw(_PARTS[1])
    return PartialDate(draw(_PARTS[0]), month, draw(_PARTS[2]) if month else None)


def _first(date: PartialDate) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 1, date.day or 1)


def _last(date: PartialDate) -> tuple[int, int, int]:
    return (date.year or 0, date.month or 12, date.day or 31)


@example(dates=["2022.??.15"], since=PartialDate(2022, 12, 31), until=None)
@example(dates=["2022.??.15"], since=None, until=PartialDate(2022, 1, 14))
@example(dates=["2022.??.??"], since=PartialDate(2022, 2), until=PartialDate(2022, 1))
@example(dates=["2022.??.15", "2022.??.17"], since=PartialDate(2022, 3, 16), until=PartialDate(2022, 3, 20))
@examples(60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dates=st.lists(_DATES, min_size=1, max_size=8), since=st.none() | _asked(), until=st.none() | _asked())
def test_dates(
    archive: Archive, dates: list[str], since: PartialDate | None, until: PartialDate | None
) -> None:
    """A game is found where its date may lie, both ends included; a date without a year lies nowhere.

    From a day that comes after the last one nothing is asked for.
    """
    rounds = {str(number): date for number, date in enumerate(dates)}
    for number, date in rounds.items():
        fill(
            emptied(archive) if number == "0" else archive,
            [game_between(number, "?", date, round=number)],
            number,
        )
    asked: dict[str, Any] = {
        name: str(bound).removesuffix(".??").removesuffix(".??")
        for name, bound in (("from", since), ("to", until))
        if bound
    }
    if since and until and _first(since) > _last(until):
        with pytest.raises(UnclearFilters, match="nothing lies between"):
            listed(archive, **asked)
        return
    found = {item["round"] for item in listed(archive, **asked)}
    expected = {
        number
        for number, date in rounds.items()
        if not asked or _may_lie(PartialDate.parse(date), since, until)
    }
    assert found == expected


def test_newest_first_unknown_years_last(archive: Archive) -> None:
    """The list goes by date and then by intake, both backwards; games of an unknown year end it, on any pages."""
    dates = [
        "2024.05.12",
        "????.??.??",
        "2024.05.??",
        "1999.12.31",
        "2024.05.12",
        "Maggio",
        "????.05.12",
        "2024.06.01",
    ]
    fill(archive, (game_between(f"Player {number}", "?", date) for number, date in enumerate(dates)))
    whole = [found["id"] for found in listed(archive)]
    assert whole == [8, 3, 5, 1, 4, 6, 2, 7]
    assert [[found["id"] for found in listed(archive, limit=limit)] for limit in (1, 3, 7, 8)] == [whole] * 4


def test_shape_of_a_game(archive: Archive) -> None:
    """A game in the list has exactly these fields; shown and written name are told apart."""
    accounts = follow(archive, ["lichess:mrossi90", "lichess:gbianchi"])
    played = online(
        Side(name="MRossi90", rating=1500),
        "gbianchi",
        "abcdefgh",
        event="Rated blitz game",
        eco="B90",
        time_control="180+0",
    )
    downloaded(archive, accounts["lichess:mrossi90"], [played])
    downloaded(archive, accounts["lichess:gbianchi"], [played])
    fill(archive, [game_between("mrossi90", "gbianchi")])
    [found] = listed(archive)
    black = found.pop("black")  # type: ignore[misc] # the rest is compared as a whole
    tellings = found.pop("tellings")  # type: ignore[misc]
    assert found == {
        "id": 1,
        "white": {
            "player_id": 1,
            "name": "MRossi90",
            "written": "MRossi90",
            "fide_id": None,
            "verbatim": True,
            "rating": 1500,
            "title": None,
            "team": None,
        },
        "date": "2024.05.12",
        "result": "1-0",
        "event": "Rated blitz game",
        "site": "https://lichess.example/abcdefgh",
        "round": None,
        "eco": "B90",
        "eco_derived": False,
        "opening": "King's Pawn Game",
        "opening_derived": True,
        "time_control": "180+0",
        "time_class": None,
        "variant": "standard",
        "start_fen": None,
        "ply_count": 2,
        "termination": None,
        "annotator": None,
        "started_at": None,
    }
    assert black["name"] == "gbianchi"
    assert [
        (telling["n"], telling["site"], telling["accounts"], telling["file"]) for telling in tellings
    ] == [
        (1, "lichess", ["lichess:mrossi90", "lichess:gbianchi"], None),
        (2, None, [], "club.pgn"),
    ]
    assert tellings[0]["fetched_at"] == "2024-05-12T10:00:00Z"


def test_one_game_whole(archive: Archive) -> None:
    """A single game has its moves in UCI and its first telling's tags, the first of a repeated one."""
    raw = b'[White "Rossi, Mario"]\n[White "Rossi, M."]\n[Odd "t\xe9"]\n\n1. e4 e5 1-0\n'
    fill(archive, [game_between("Rossi, Mario", "?", raw=raw)])
    with archive.reading() as connection:
        whole = game(connection, 1)
        assert whole is not None
        assert (whole["moves"], whole["tags"]) == ("e2e4 e7e5", {"White": "Rossi, Mario", "Odd": "té"})
        assert game(connection, 2) is None


def test_tellings_as_they_came(archive: Archive) -> None:
    """Any telling is given byte for byte as it came; the game's own PGN is its first telling."""
    first = game_between("Rossi, Mario", "?", raw=b"\xef\xbb\xbf1. e4 e5 1-0")
    second = game_between("Mario Rossi", "?", raw=b"1.e4 e5 {\xff} 1-0\r\n")
    fill(archive, [first])
    fill(archive, [second], path="other.pgn")
    with archive.reading() as connection:
        assert pgn(connection, 1) == pgn(connection, 1, 1) == first.raw
        assert pgn(connection, 1, 2) == second.raw
        assert pgn(connection, 1, 3) is None
        assert pgn(connection, 2) is None


def test_games_of_a_player(archive: Archive) -> None:
    """A player's games are those of both colours."""
    fill(
        archive,
        [game_between("Rossi, Mario", "A b"), game_between("C d", "Mario Rossi"), game_between("A b", "C d")],
    )
    with archive.reading() as connection:
        page = games_of_player(connection, 1, limit=10)
    assert [found["id"] for found in page["items"]] == [2, 1]


def test_annotators_beyond_any_limit_of_parameters(archive: Archive) -> None:
    """A filter that thousands of annotators meet is one parameter to the database."""
    from sqlalchemy import select

    from daemon.archive.reading.search.values import one_of
    from daemon.archive.tables.main import games

    fill(archive, [game_between("?", "?", annotator='Rossi "R" \\ Mario')])
    many = [f"A{number}" for number in range(70_000)]
    with archive.reading() as connection:
        wanted = one_of(connection, games.c.annotator, [*many, 'Rossi "R" \\ Mario'])
        assert connection.scalars(select(games.c.id).where(wanted)).all() == [1]


def test_titles_are_folded(archive: Archive, way: None) -> None:
    """Titles are compared as names are, on both databases: case and forms of a letter do not count, scripts do."""
    titles = ["МС", "мс", "ms", "WGM", "ＷＧＭ", "GM"]
    sides = [Side(name="Rossi, Mario", title=title) for title in titles]
    fill(archive, [game_between(side, "Neri, Ugo", f"2024.05.{day:02}") for day, side in enumerate(sides, 1)])
    for typed in ["мс", "MS", " wgm ", "ｇｍ", "im"]:
        expected = [
            number for number, title in enumerate(titles, 1) if fold(clean(title)) == fold(clean(typed))
        ]
        assert ids(archive, title=typed) == expected, typed


def test_eco_codes_are_folded(archive: Archive, way: None) -> None:
    """ECO codes are found as `core.search` finds them, in their own field and in the field above the list."""
    codes = ["B90", "b90a", "Ｂ９０", " B90", "xx B90", "Б90", "C60"]
    fill(
        archive, [game_between("?", "?", f"2024.05.{day:02}", eco=code) for day, code in enumerate(codes, 1)]
    )
    for typed in ["b90", "B9", "Ｂ９０", "б", "90", "zz"]:
        found = [number for number, code in enumerate(codes, 1) if matches_eco(typed, code)]
        anywhere = [
            number for number, code in enumerate(codes, 1) if matches_game(typed, players=[], texts=[code])
        ]
        assert (ids(archive, eco=typed), ids(archive, q=typed)) == (found, anywhere), typed


def test_long_values_are_told_apart(archive: Archive, way: None) -> None:
    """Values that are equal for as long as their index knows them are different values."""
    codes = [f"B90{'x' * 70}{end}" for end in "ab"]
    fill(archive, [game_between("Rossi, Mario", f"Neri, {code}", eco=code) for code in codes])
    assert [ids(archive, eco=code) for code in codes] == [[1], [2]]


def by(archive: Archive, sort: Any, limit: int = 500) -> list[int]:
    """The ids of all games in this order."""
    found: list[int] = []
    cursor = None
    while True:
        with archive.reading() as connection:
            page = find_games(connection, GameFilters(), NOBODY, limit=limit, cursor=cursor, sort=sort)
        found += [one["id"] for one in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return found


def known(values: dict[int, Any], *, backwards: bool) -> list[int]:
    """The rule: by the value and then by id, both backwards or not; what is unknown at the end."""
    there = sorted((value, number) for number, value in values.items() if value is not None)
    missing = sorted(number for number, value in values.items() if value is None)
    return [number for _, number in (reversed(there) if backwards else there)] + (
        missing[::-1] if backwards else missing
    )


def test_every_order(archive: Archive) -> None:
    """Each column sorts both ways, on any pages; what is unknown comes last either way."""
    sides = [("Öberg", 1500, None), ("Adams", None, 2100), ("Zed", None, None), ("adams", 1900, 1800)]
    dates = ["2024.05.12", "????.??.??", "2023.01.01", "2024.05.12"]
    events = ["Roma", None, "Ancona", "Ravenna"]
    ecos = ["B90", "A00", None, "B01"]
    fill(
        archive,
        [
            game_between(
                named(f"{name}, Mario", rating=white),
                named("Verdi, Luca", rating=black),
                date,
                event=event,
                eco=eco,
                moves=("e2e4", "e7e5", "g1f3")[: 1 + number % 3],
            )
            for number, ((name, white, black), date, event, eco) in enumerate(
                zip(sides, dates, events, ecos, strict=True)
            )
        ],
    )
    orders: dict[str, dict[int, Any]] = {
        "date": {1: "2024.05.12", 2: None, 3: "2023.01.01", 4: "2024.05.12"},
        "id": {1: 1, 2: 2, 3: 3, 4: 4},
        "white": {1: "oberg", 2: "adams", 3: "zed", 4: "adams"},
        "black": dict.fromkeys(range(1, 5), "verdi"),
        "rating": {1: 1500, 2: 2100, 3: None, 4: 1900},
        "plies": {1: 1, 2: 2, 3: 3, 4: 1},
        "event": {1: "roma", 2: None, 3: "ancona", 4: "ravenna"},
        "eco": {1: "B90", 2: "A00", 3: None, 4: "B01"},
    }
    assert {name for sort in SORTS for name in [sort.removeprefix("-")]} == set(orders)
    for name, values in orders.items():
        for sort in (name, f"-{name}"):
            wanted = known(values, backwards=sort.startswith("-"))
            assert [by(archive, sort, limit) for limit in (1, 3, 4)] == [wanted] * 3, sort


def test_a_cursor_of_another_order(archive: Archive) -> None:
    """A cursor goes with the order that gave it."""
    fill(archive, [game_between("Rossi, Mario", "?"), game_between("Bianchi, Anna", "?")])
    with archive.reading() as connection:
        page = find_games(connection, GameFilters(), NOBODY, limit=1, sort="white")
        with pytest.raises(BadCursor, match="not from this list"):
            find_games(connection, GameFilters(), NOBODY, limit=1, sort="-white", cursor=page["next"])


def test_games_that_are_edited_between_pages(archive: Archive) -> None:
    """A walk by another column than the date meets every other game once, whatever becomes of the last one."""
    fill(
        archive, [game_between(f"Rossi, {name}", "Verdi, Luca", event=name) for name in ("A", "B", "C", "D")]
    )
    with archive.reading() as connection:
        first = find_games(connection, GameFilters(), NOBODY, limit=2, sort="event")
    edit_game(archive, 2, {"event": "Z"}, now_ms=NOW)
    with archive.reading() as connection:
        rest = find_games(connection, GameFilters(), NOBODY, limit=9, sort="event", cursor=first["next"])
    assert [one["id"] for one in (*first["items"], *rest["items"])] == [1, 2, 3, 4, 2]


def test_how_many_there_are(archive: Archive) -> None:
    """The number of all games is there where it is asked for, and counts what the filters find."""
    fill(archive, [game_between("Rossi, Mario", "?", f"2024.05.{day:02}") for day in range(1, 6)])
    with archive.reading() as connection:
        assert "total" not in find_games(connection, GameFilters(), NOBODY, limit=2)
        asked = GameFilters(date_from="2024-05-03")
        page = find_games(connection, asked, NOBODY, limit=2, total=True)
        assert (page["total"], len(page["items"])) == (3, 2)
        assert games_of_player(connection, 1, asked, limit=1, total=True)["total"] == 3
