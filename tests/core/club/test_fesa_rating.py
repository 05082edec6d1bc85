"""The FESA rating: single games, performance, whole events."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.crosstable import Crosstable, entrants
from core.club.fesa_rating import (
    Entrant,
    EventGame,
    PerformanceGame,
    by_performance,
    change,
    expected,
    performance,
    rate,
)
from core.club.fesa_rating_list import read_list
from core.club.grades import Grade, Handicap, read_grade, seen_as
from core.club.turnering import read
from tests.core.club.club_data import (
    DATA,
    FIRST_EVENT,
    LATER_EVENT,
    LATER_STANDINGS,
    LATER_STORED,
    SAMPLE,
    SAMPLE_STORED,
    rows_of,
    stored,
)

ratings = st.floats(min_value=1, max_value=3000)
results = st.sampled_from([0, 0.5, 1])


def games_of(cells):
    """Games from cells such as "12+"; a 0 is none."""
    scores = {"+": 1.0, "=": 0.5, "-": 0.0}
    return tuple(EventGame(int(cell[:-1]) - 1, scores[cell[-1]]) for cell in cells if cell[:-1] != "0")


# --- one game


@pytest.mark.parametrize(
    ("my", "opponent", "result", "bonus", "wanted"),
    [
        (1500, 1600, 1, False, 17.9218),
        (1500, 1600, 1, True, 19.4218),
        (1500, 1900, 1, False, 70.0),
        (1000, 1000, 0.5, True, 4.0),
        (1000, 1000, 0.5, False, 0.0),
        (700, 380, 0, False, -33.9608),
        (1900, 1900, 1, True, 12.0),
    ],
)
def test_worked_single_games(my, opponent, result, bonus, wanted):
    """The worked examples of club R1 to R4; an opponent below 400 counts as 400 (club R5)."""
    assert change(my, opponent, result, bonus=bonus) == pytest.approx(wanted, abs=5e-5)


def test_expected_score_of_the_worked_example():
    """1500 against 1600 is expected to score 0.359935."""
    assert expected(1500, 1600) == pytest.approx(0.359935, abs=5e-7)


def test_upset_is_paid_only_where_it_is_more():
    """The normal gain of 1500 over 1900 is 25.45; K times the difference over 160 is 70 and is taken (club R3)."""
    assert 28 * (1 - expected(1500, 1900)) == pytest.approx(25.45, abs=5e-3)
    assert change(1500, 1510, 1) == pytest.approx(28 * (1 - expected(1500, 1510)))


@pytest.mark.parametrize(
    ("rating", "k"),
    [
        (1, 40),
        (719, 40),
        (720, 36),
        (1039, 36),
        (1040, 32),
        (1279, 32),
        (1280, 28),
        (1559, 28),
        (1560, 24),
        (1919, 24),
        (1920, 20),
        (2239, 20),
        (2240, 16),
        (2900, 16),
    ],
)
def test_k_at_its_bounds(rating, k):
    """A draw against an equal changes nothing, a loss half of K (club R2)."""
    assert change(rating, max(rating, 400), 0) == pytest.approx(-k * expected(rating, max(rating, 400)))


@pytest.mark.parametrize(
    ("text", "score"),
    [("+", 1), ("-", 0), ("=", 0.5), ("1", 1), ("0", 0), ("0.5", 0.5), ("½", 0.5), ("win", 1), ("draw", 0.5)],
)
def test_results_may_be_texts(text, score):
    """A result is a number or a mark."""
    assert change(1500, 1550, text) == change(1500, 1550, score)


def test_fractions_are_results():
    """Exact halves are taken like 0.5."""
    assert change(1500, 1550, Fraction(1, 2)) == change(1500, 1550, 0.5)


@pytest.mark.parametrize("result", ["", "x", "2", 2, -1, 0.3])
def test_what_is_no_result(result):
    """Anything else is refused."""
    with pytest.raises(ValueError, match="is not a result"):
        change(1500, 1550, result)


@given(ratings, ratings, results, st.booleans())
def test_more_points_never_change_less(my, opponent, result, bonus):
    """A win is worth at least a draw, a draw at least a loss; with bonus never less than without."""
    worth = [change(my, opponent, score, bonus=bonus) for score in (0, 0.5, 1)]
    assert worth == sorted(worth)
    assert change(my, opponent, result, bonus=True) >= change(my, opponent, result)


@given(ratings, ratings)
def test_a_game_changes_at_most_k_without_upset_and_bonus(my, opponent):
    """A loss costs less than 40, a win over a weaker one brings less than 40."""
    assert -40 <= change(my, opponent, 0) <= 0
    if max(opponent, 400) <= my:
        assert 0 <= change(my, opponent, 1) <= 40


@given(st.floats(min_value=-1e308, max_value=1e308), st.floats(min_value=-1e308, max_value=1e308))
def test_expected_score_never_overflows(my, opponent):
    """Absurd ratings give a score from 0 to 1."""
    assert 0 <= expected(my, opponent) <= 1


# --- performance


def test_worked_performances():
    """The worked examples of club R7 and R8."""
    assert performance(stored((1200, 1), (1300, 0), (1400, 0.5))) == 1300
    wins = ((1315, 1), (400, 1), (850, 1))
    assert performance(stored(*wins)) == 1517
    assert performance(stored((1740, 0), (1740, 1), *wins)) == 1766
    assert performance(stored((2000, 0), (1200, 0))) == 1


def test_no_games_have_no_performance():
    """A performance needs a game."""
    with pytest.raises(ValueError, match="at least one game"):
        performance([])


lists = st.lists(st.builds(PerformanceGame, st.integers(400, 2800), results), min_size=1, max_size=12)


@given(lists)
def test_performance_is_where_the_score_was_expected(games):
    """At the performance the expected score is what was scored, within half a point of rating."""
    found = performance(games)
    if all(game.score == 1 for game in games):
        games = [*games, PerformanceGame(max(game.opponent for game in games), 0.5)]
    score = sum(game.score for game in games)
    if found > 1:
        assert sum(expected(found - 0.51, game.opponent) for game in games) <= score
        assert sum(expected(found + 0.51, game.opponent) for game in games) >= score


@given(lists, st.integers(400, 2800))
def test_one_more_win_never_lowers_a_performance(games, opponent):
    """More wins, no lower performance; unless all were wins, which end in a draw against the strongest."""
    if any(game.score < 1 for game in games):
        assert performance([*games, PerformanceGame(opponent, 1)]) >= performance(games)


@pytest.mark.parametrize(
    ("entrant", "wanted"),
    [
        (Entrant("new"), True),
        (Entrant("few games", rating=1500, games_before=5), True),
        (Entrant("nine games", rating=1500, games_before=9), False),
        (Entrant("all won", rating=1500, games_before=12, stored=stored(*[(1400, 1)] * 12)), True),
        (Entrant("all lost", rating=1, games_before=12, stored=stored(*[(1400, 0)] * 12)), True),
        (Entrant("mixed", rating=1400, games_before=12, stored=stored((1400, 0), (1400, 1))), False),
        (Entrant("drawn", rating=1400, games_before=12, stored=stored((1400, 0.5))), False),
    ],
)
def test_who_is_rated_by_performance(entrant, wanted):
    """New players, those with fewer than nine games, and those who won or lost all so far (club R7)."""
    assert by_performance(entrant) is wanted


# --- events


def test_first_event_of_seventeen_new_players():
    """A whole event of new players with recognised grades comes out as published (club R5, R7, R8)."""
    rows = [line.split() for line in FIRST_EVENT.strip().splitlines()]
    event = rate(
        [Entrant(row[0], games_of(row[3:6]), prior_grade=Grade(int(row[1]), row[2])) for row in rows]
    )
    assert event.settled
    assert [(one.name, one.after, one.games_after) for one in event.players] == [
        (row[0], int(row[6]), int(row[7])) for row in rows
    ]
    assert all(one.status == "unrated" and one.grade is None for one in event.players)
    assert all("no grade yet" in one.remarks[0] for one in event.players)


def later_event():
    """The entrants of the later event, and what each is expected to have after it."""
    rows = [line.split() for line in LATER_EVENT.strip().splitlines()]
    players = [
        Entrant(
            name,
            games_of(cells),
            rating=int(rating) or None,
            games_before=int(games),
            bonus_used=int(bonus),
            stored=LATER_STORED.get(name, ()),
            prior_grade=Grade(4, "Kyu") if rating == "0" else None,
        )
        for name, rating, games, bonus, *cells, _, _ in rows
    ]
    return players, [(row[0], int(row[7]), int(row[8])) for row in rows]


def test_later_event_with_all_kinds_of_players():
    """Established, provisional and unrated players, bonus running, and one new with a grade (club R1 to R8)."""
    players, wanted = later_event()
    event = rate(players)
    assert [(one.name, one.after, one.games_after) for one in event.players] == wanted
    assert {one.method for one in event.players if one.games_after < 9} == {"performance"}


def test_grades_and_series_after_the_later_event():
    """Grades and the games towards the next one go on from event to event (club R13, R14)."""
    players, _ = later_event()
    standings = {name: before for name, (before, _) in LATER_STANDINGS.items()}
    event = rate([replace(one, standing=standings.get(one.name, one.standing)) for one in players])
    found = {one.name: (one.grade, one.series.above_lower, one.series.above_middle) for one in event.players}
    for name, (_, after) in LATER_STANDINGS.items():
        assert found[name] == (after.grade, after.series.above_lower, after.series.above_middle), name


def test_bonus_is_counted_on():
    """Each rated game uses one of the hundred games with bonus, up to a hundred; performances use none (club R4)."""
    players, _ = later_event()
    used = {one.name: one.bonus_used for one in rate(players).players}
    assert used["Bianchi"] == 21
    assert used["Gallo"] == 0
    nearly = Entrant(
        "a", (EventGame(1, 0.0), EventGame(1, 1.0)), rating=1500, games_before=200, bonus_used=99
    )
    assert rate([nearly, Entrant("b", rating=1500, games_before=200)]).players[0].bonus_used == 100


def test_bonus_ends_inside_an_event():
    """Only as many games of an event have the bonus as are left of the hundred."""
    games = (EventGame(1, 0.5),) * 3
    other = Entrant("b", rating=1000, games_before=200, bonus_used=100)
    gains = [
        rate([Entrant("a", games, rating=1000, games_before=200, bonus_used=used), other]).players[0].change
        for used in (97, 98, 99, 100)
    ]
    assert gains == [11, 7, 4, 0]


def test_sample_of_all_wins_and_all_losses():
    """Who won all and who lost all are rated by performance, with an opponent's floor of 400."""
    rows = [line.split() for line in SAMPLE.strip().splitlines()]
    event = rate(
        [
            Entrant(name, games_of(cells), int(rating), len(SAMPLE_STORED[name]), stored=SAMPLE_STORED[name])
            for name, rating, *cells, _ in rows
        ]
    )
    assert [one.after for one in event.players] == [int(row[-1]) for row in rows]
    assert event.players[3].stored[-3:] == stored((852, 0), (1787, 0), (1321, 0))


@pytest.mark.parametrize("event", ["first_event", "later_event", "sample"])
def test_events_from_files(event):
    """A results file and a rating list, read as they are, give every number that was published."""
    rows = {row["name"]: row for row in rows_of(f"{event}_list.csv")}
    known = read_list((DATA / f"{event}_list.csv").read_bytes()).players
    table = read((DATA / f"{event}_turnering.txt").read_bytes()).table
    if event == "later_event":
        # The list says where these come from, but does not have them.
        known = {name: replace(one, stored=LATER_STORED.get(name, ())) for name, one in known.items()}
    found = rate(entrants(table, [known.get(row.name) for row in table.rows]))
    assert found.settled
    assert {one.name: (one.after, one.games_after) for one in found.players} == {
        name: (int(row["elo_post"]), int(row["games_post"])) for name, row in rows.items()
    }


def test_stored_games_of_the_first_event():
    """What is stored after the first event is what the published list has."""
    rows = {row["name"]: row for row in rows_of("first_event_list.csv")}
    known = read_list((DATA / "first_event_list.csv").read_bytes()).players
    table = read((DATA / "first_event_turnering.txt").read_bytes()).table
    for one in rate(entrants(table, [known.get(row.name) for row in table.rows])).players:
        said = "".join(f"({game.opponent:g} {game.score:g})" for game in one.stored)
        assert said == rows[one.name]["stored_games_post"], one.name


# --- handicaps, missing data, hostile events


def test_handicap_game_is_rated_against_what_each_sees():
    """Giver and receiver of a handicap see different ratings of each other (club R11)."""
    giver = Entrant("a", (EventGame(1, 0.0, Handicap("4p", received=False)),), 2005, 100, 100)
    receiver = Entrant("b", (EventGame(0, 1.0, Handicap("4p", received=True)),), 400, 100, 100)
    after = [one.after for one in rate([giver, receiver]).players]
    assert after[0] == 2005 + round(change(2005, seen_as(after[1], 2005, Handicap("4p", received=False)), 0))
    assert after[1] == 400 + round(change(400, seen_as(after[0], 400, Handicap("4p", received=True)), 1))


def test_without_stored_games_the_result_says_so():
    """A performance whose earlier games are missing is marked as unverified."""
    few = Entrant("a", (EventGame(1, 1.0),), rating=1500, games_before=4)
    found = rate(
        [few, Entrant("b", (EventGame(0, 0.0),), rating=1500, games_before=50, bonus_used=0)]
    ).players[0]
    assert any(
        text.startswith("unverified: the list lacks 4 of their 4 earlier games") for text in found.remarks
    )


def test_unknown_bonus_is_told():
    """Below 1800 the bonus matters: where nobody knows it, the result says so; above it does not."""
    weak = Entrant("a", (EventGame(1, 1.0),), rating=1500, games_before=40)
    strong = Entrant("b", (EventGame(0, 0.0),), rating=1900, games_before=40)
    found = rate([weak, strong]).players
    assert any("bonus" in text for text in found[0].remarks)
    assert not any("bonus" in text for text in found[1].remarks)


def test_who_did_not_play_keeps_everything():
    """A player without a game keeps rating, games and stored games; a new one gets no rating."""
    idle = Entrant("a", rating=1500, games_before=4, stored=stored((1500, 1)))
    found = rate([idle, Entrant("b")]).players
    assert (found[0].after, found[0].games_after, found[0].stored) == (1500, 4, idle.stored)
    assert (found[1].after, found[1].change) == (None, None)
    assert found[1].method == "not rated"


def test_an_empty_event():
    """Nobody, nothing."""
    assert rate([]).players == ()


@st.composite
def events(draw):
    """Random events in which each game stands with both players."""
    count = draw(st.integers(2, 7))
    games = [[] for _ in range(count)]
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    for a, b in draw(st.lists(pairs, max_size=20)):
        score = draw(results)
        games[a].append(EventGame(b, score))
        games[b].append(EventGame(a, 1 - score))
    return [
        Entrant(
            str(place),
            tuple(played),
            rating=draw(st.none() | st.integers(1, 2800)),
            games_before=draw(st.integers(0, 40)),
            bonus_used=draw(st.none() | st.integers(0, 100)),
            prior_grade=draw(
                st.none() | st.builds(Grade, st.integers(1, 6), st.sampled_from(["Dan", "Kyu"]))
            ),
        )
        for place, played in enumerate(games)
    ]


@given(events())
def test_every_event_comes_to_an_end(players):
    """No event runs for ever; ratings are at least 1, and if it settled, one more pass changes nothing."""
    event = rate(players)
    assert all(one.after is None or one.after >= 1 for one in event.players)
    if event.settled:
        for one, entrant in zip(event.players, players, strict=True):
            if one.method != "elo":
                continue
            total, used = 0.0, 100 if entrant.bonus_used is None else entrant.bonus_used
            for number, game in enumerate(entrant.games):
                opponent = event.players[game.opponent].after or 0
                bonus = used + number < 100
                total += change(entrant.rating + total, opponent, game.score, bonus=bonus)
            assert one.after == max(1, entrant.rating + round(total))


def test_an_event_that_does_not_settle():
    """Some events go round in a circle of ratings; that ends, and is told."""
    played = {
        0: [(3, 0), (4, 0.5), (1, 1), (4, 0), (1, 0.5)],
        1: [(4, 0), (0, 0), (3, 0.5), (2, 1), (4, 0), (0, 0.5)],
        2: [(4, 0.5), (3, 1), (1, 0)],
        3: [(0, 1), (2, 0), (1, 0.5)],
        4: [(2, 0.5), (0, 0.5), (1, 1), (0, 1), (1, 1)],
    }
    ratings_before = {1: (2337, 5), 3: (1353, 5), 4: (351, 40)}
    players = []
    for number, pairs in played.items():
        rating, before = ratings_before.get(number, (None, 0))
        players.append(Entrant(str(number), tuple(EventGame(*pair) for pair in pairs), rating, before))
    event = rate(players)
    assert not event.settled
    assert all(one.after >= 1 for one in event.players)


def test_prior_grades_of_professionals():
    """A professional's grade is worth 2540 and 30 for each dan (club R15)."""
    new = Entrant("a", (EventGame(1, 0.0),), prior_grade=read_grade("3 Pro"))
    found = rate([new, Entrant("b", (EventGame(0, 1.0),), rating=2700, games_before=100)]).players[0]
    assert found.stored[:2] == stored((2600, 0), (2600, 1))


def test_a_table_without_known_players():
    """Players who are not in the list are rated as new."""
    event = rate(entrants(Crosstable("x"), []))
    assert event.players == ()
