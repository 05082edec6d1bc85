"""A tournament as a page: who is meant by each number, and how tables are parted for the paper."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.tournament import AbsenceReason, GameResult
from daemon.club.errors import ClubError
from daemon.club.paper import MARGIN, Paper, laid_out
from daemon.club.season import Season
from daemon.club.sheets import SIGNS
from daemon.club.web_page import PARTS, PageLook, html
from tests.daemon.club.evenings import table_of
from tests.daemon.club.made_seasons import by_chance, large, made, member
from tests.daemon.club.pages import Page
from tests.examples import examples

OPPOSITE = {"1": "0", "0": "1", "½": "½", "+": "−", "": ""}
TURN = re.compile(r"(\d+)([wb])([10½+−]?)")
SEASONS = st.integers(0, 10**6).map(by_chance)


def page(season: Season, number: int | None = None, **look: Any) -> Page:
    return Page(html(season, number, PageLook(**look)).decode())


def truth(season: Season, up_to: int) -> dict[tuple[str, int], tuple[str, str]]:
    """Whom each member met in each round, by numbers, and the colour."""
    numbers = {one.id: str(one.n) for one in season.members}
    met = {}
    for played in season.rounds[:up_to]:
        for board in played.pairings:
            white, black = numbers[board.white], numbers[board.black]
            met[white, played.n] = (black, "w")
            met[black, played.n] = (white, "b")
    return met


@given(SEASONS)
@examples(100)
def test_every_number_in_the_standings_names_its_opponent(season: Season) -> None:
    """The row with that number is of whom was met, and says the same of that round from the other side.

    With unranked, withdrawn and late members, in every table of a season.
    """
    for number in range(len(season.complete) + 1):
        (table,) = page(season, number, parts=["standings"]).named("Standings")
        rows = table.by_number()
        assert {n: row[2].removesuffix(" (withdrawn)") for n, row in rows.items()} == {
            str(one.n): one.label for one in season.members
        }
        met = truth(season, number)
        for n, row in rows.items():
            for round_ in range(1, number + 1):
                cell = row[table.heads.index(f"R{round_}")]
                turn = TURN.fullmatch(cell)
                assert (turn is not None) == ((n, round_) in met), cell
                if turn is not None:
                    opponent, colour, result = turn.groups()
                    assert (opponent, colour) == met[n, round_]
                    _, other_colour, other = TURN.fullmatch(
                        rows[opponent][table.heads.index(f"R{round_}")]
                    ).groups()
                    assert {colour, other_colour} == {"w", "b"}
                    assert other == OPPOSITE.get(result) or {result, other} <= {"+", "−"}


@given(SEASONS)
@examples(100)
def test_every_head_of_the_cross_table_is_the_number_of_a_row(season: Season) -> None:
    """In the order of the rows; a cell tells the games of row and head, and the cell opposite the same games."""
    number = len(season.complete)
    (table,) = page(season, parts=["crosstable"]).named("Cross table")
    numbers = [row[1] for row in table.rows]
    assert table.heads == ["Rank", "No.", "Name", *numbers]
    games: dict[tuple[str, str], list[str]] = {}
    for (n, _), (opponent, colour) in sorted(truth(season, number).items(), key=lambda one: one[0][1]):
        games.setdefault((n, opponent), []).append(colour)
    for row in table.rows:
        for head, cell in zip(numbers, row[3:], strict=True):
            words = cell.split()
            if head == row[1]:
                assert words == ["×"]
            else:
                assert [one[-1] for one in words] == games.get((row[1], head), [])


@given(SEASONS)
@examples(100)
def test_every_number_of_a_board_is_the_one_of_its_player(season: Season) -> None:
    """In the lists of rounds, and in the one to hang up; who had no game is named with their number, too."""
    labels = {str(one.n): one.label for one in season.members}
    shown = page(season, parts=["rounds", *(["pairings"] if season.listed else [])])
    assert len(shown.tables) == len(season.listed) + bool(season.listed)
    for table in shown.tables:
        assert table.heads == ["Board", "No.", "White", "No.", "Black", "Result"]
        for row in table.rows:
            assert (labels[row[1]], labels[row[3]]) == (row[2], row[4])
    names = {str(one.n): one.name for one in season.members}
    for n, name in re.findall(r"no\. (\d+) (.*?) \(", "".join(shown.texts)):
        assert names[n] == name


def test_ranks_leave_room_for_the_unranked() -> None:
    """A member with too few games has no rank; the references are the numbers all the same."""

    def ranks(season: Season) -> list[int | None]:
        found = table_of(season)
        return [one["rank"] for one in found["items"]]

    seasons = (one for one in map(by_chance, range(500)) if ranks(one))
    shown = next(one for one in seasons if None in ranks(one)[:-1] and ranks(one)[-1])
    (table,) = page(shown, parts=["standings"]).named("Standings")
    printed = [row[0] for row in table.rows][: len(ranks(shown))]
    assert printed == [str(rank) if rank else "–" for rank in ranks(shown)]


def test_every_reason_has_a_sign_of_its_own() -> None:
    """The legend explains each."""
    assert set(SIGNS) == set(AbsenceReason)
    assert len({sign for sign, _ in SIGNS.values()}) == len(AbsenceReason)
    text = "".join(page(by_chance(5), parts=["standings"]).texts)
    assert all(f"{sign} {words}" in text for sign, words in SIGNS.values())


@pytest.mark.parametrize("landscape", [True, False])
@pytest.mark.parametrize("format_", ["a4", "letter"])
def test_no_column_is_lost_where_a_table_is_parted(landscape: bool, format_: Any) -> None:
    """Every part begins with rank, number and name of everybody; together they have each column once, in order."""
    season = large()
    shown = page(season, paper=Paper(format_, landscape))
    numbers = [row[1] for row in shown.named("Standings")[0].rows]
    facts = ["Rating", "Category", "Points", "Value", "Next", "Games", "+", "=", "−"]
    for caption, wanted in (
        ("Standings", [*facts, *(f"R{n}" for n in range(1, 13))]),
        ("Cross table", numbers),
    ):
        parts = shown.named(caption)
        assert [head for part in parts for head in part.heads[3:]] == wanted
        for part in parts:
            assert part.heads[:3] == ["Rank", "No.", "Name"]
            assert [row[1] for row in part.rows] == numbers
            assert {len(row) for row in part.rows} == {len(part.heads)}
            assert len(parts) == 1 or f"of {len(parts)})" in part.caption


@given(
    st.floats(1, 30),
    st.lists(st.lists(st.floats(0.5, 12), max_size=40), min_size=1, max_size=3),
    st.booleans(),
)
@examples(200)
def test_parts_fit_the_paper(fixed: float, groups: list[list[float]], landscape: bool) -> None:
    """Each column is in one part, in order; a part fits the paper, and is of one group where there are more."""
    paper = Paper(landscape=landscape)
    layout = laid_out(fixed, groups, paper)
    columns = [width for group in groups for width in group]
    assert [at for begin, end in layout.parts for at in range(begin, end)] == list(range(len(columns)))
    for begin, end in layout.parts:
        assert fixed + sum(columns[begin:end]) <= paper.room(layout.points) + 1e-6
    if len(layout.parts) > 1:
        group_of = [at for at, group in enumerate(groups) for _ in group]
        assert all(len(set(group_of[begin:end])) == 1 for begin, end in layout.parts)


def test_the_room_of_a_page() -> None:
    """A4 is 210 mm wide: 190 between the margins are 538.6 points."""
    assert MARGIN == 10
    assert Paper(landscape=False).room(1) == pytest.approx(190 * 72 / 25.4)
    assert Paper("letter").css == "letter landscape"
    assert b"@page { size: A4 portrait; margin: 10mm" in html(
        by_chance(1), look=PageLook(paper=Paper(landscape=False))
    )


def test_parts_of_the_page_can_be_chosen() -> None:
    """Alone or together; the whole page has all but the list to hang up."""
    season = large(8, 3)
    captions = {part: [one.caption for one in page(season, parts=[part]).tables] for part in PARTS}
    assert captions["standings"] == ["Standings after round 3, final"]
    assert captions["crosstable"] == ["Cross table after round 3"]
    assert [one[:7] for one in captions["rounds"]] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    assert captions["pairings"] == captions["rounds"][-1:]
    assert [one.caption for one in page(season).tables] == [
        *captions["standings"],
        *captions["crosstable"],
        *captions["rounds"],
    ]


def test_the_list_to_hang_up() -> None:
    """The boards of the round with room for the results; another round by its number; none before any is paired."""
    season = large(8, 3)
    (wall,) = page(season, parts=["pairings"]).tables
    assert wall.rows
    assert all(row[5] == "" for row in wall.rows)
    (earlier,) = page(season, 2, parts=["pairings"]).tables
    assert earlier.caption.startswith("Round 2")
    assert all(row[5] in set(GameResult) for row in earlier.rows)
    with pytest.raises(ClubError, match="round 9 is not paired"):
        html(season, 9, PageLook(["pairings"]))
    with pytest.raises(ClubError, match="no round is paired yet"):
        html(made([member(1, "Rossi, Mario", 1800)], []), None, PageLook(["pairings"]))


def test_games_without_a_result_say_why() -> None:
    """Postponed, and to which day, if that is known; blank to be written in while the round is played."""
    first = large(8, 3).rounds[0]
    pairings = [
        replace(first.pairings[0], result=None, postponed=True),
        replace(first.pairings[1], result=None, postponed=True, postponed_to="2026-12-24"),
        replace(first.pairings[2], result=None, handicap="2p", giver_id=first.pairings[2].white),
    ]
    state: Any
    for state, last in (("complete", "no result yet"), ("paired", "")):
        season = made(large(8, 3).members, [replace(first, state=state, pairings=tuple(pairings))])
        shown = page(season, 1, parts=["pairings"]).tables[0]
        assert [row[5].strip() for row in shown.rows] == ["postponed", "postponed to 2026-12-24", last]
        assert [row[6] for row in shown.rows] == ["", "", f"2p by no. {shown.rows[2][1]}"]
    text = "".join(page(season).texts)
    assert "nothing after the colour while the game is still to be played" in text


def test_groups_have_their_tables() -> None:
    """After the standings, with the ranks of these, the same after an earlier round."""
    season = large(8, 3)
    field = [replace(one, in_group="A" if one.n % 2 else None) for one in season.members]
    season = made(field, season.rounds, season.settings)
    for number in (3, 1):
        shown = page(season, number, parts=["standings"])
        ranks = {row[1]: (row[0], row[2]) for row in shown.named("Standings")[0].rows}
        (group,) = shown.named(f"Group A after round {number}")
        assert sorted(row[1] for row in group.rows) == ["1", "3", "5", "7"]
        assert all((row[6], row[2]) == ranks[row[1]] for row in group.rows)


def test_a_page_can_be_read_aloud() -> None:
    """Tables have captions, heads say what they head, and each row is headed by its name or board."""
    text = html(large(8, 3), None, PageLook(PARTS)).decode()
    heads = re.findall(r"<th [^>]*>", text)
    assert heads
    assert all('scope="col"' in one or 'scope="row"' in one for one in heads)
    assert text.count("<table") == text.count("<caption>")
    assert text.count("<tr") == text.count('<th scope="row"') + text.count("<thead>")
    assert "himself" not in text


def test_templates_have_no_styles_of_their_own() -> None:
    """A page with a strict policy can use the parts: looks come by classes, from one sheet."""
    text = html(large(8, 3), None, PageLook(PARTS)).decode()
    assert " style=" not in text
    assert text.count("<style>") == 1


def test_numbers_are_short() -> None:
    """At most two places, none that say nothing."""
    from daemon.club.sheets import number

    assert [number(str(Fraction(one))) for one in ("7", "15/2", "71/6", "100")] == [
        "7",
        "7.5",
        "11.83",
        "100",
    ]


def test_a_tournament_by_points_has_no_value_numbers() -> None:
    """Its page has the columns that its table has, and does not explain others."""
    keizer = large(8, 3)
    season = replace(keizer, tournament=replace(keizer.tournament, kind="points"))
    shown = page(season, parts=["standings"])
    heads = shown.tables[0].heads
    assert heads[3:-3] == ["Rating", "Category", "Points", "Games", "+", "=", "−"]
    assert {len(row) for row in shown.tables[0].rows} == {len(heads)}
    assert "value number" not in "".join(shown.texts)
