"""Members' numbers in what `gamekeeper club` prints and writes: each names who it means, in the same table."""

import csv
import io
from contextlib import redirect_stdout

from hypothesis import given
from hypothesis import strategies as st

from daemon.cli.club import crosstable, round_output
from daemon.cli.club.standings import _members, _print_details
from daemon.club.files import pairings_csv, standings_csv
from daemon.club.season import Season
from daemon.club.views import cross_table
from tests.daemon.club.evenings import table_of
from tests.daemon.club.made_seasons import by_chance
from tests.examples import examples

SEASONS = st.integers(0, 10**6).map(by_chance)


def printed(show, *arguments, **named) -> list[str]:
    """The lines that it prints into a pipe."""
    text = io.StringIO()
    with redirect_stdout(text):
        show(*arguments, **named)
    return text.getvalue().splitlines()


def cells(lines: list[str]) -> list[dict[str, str]]:
    """The rows of an aligned table by its heads: numbers stand to the right, everything else to the left of a column."""
    head, *rows = lines
    names = head.split()
    found = []
    for row in rows:
        parts = [part.strip() for part in row.split("  ") if part.strip()]
        assert len(parts) == len(names), (head, row)
        found.append(dict(zip(names, parts, strict=True)))
    return found


@given(SEASONS)
@examples(100)
def test_heads_of_the_cross_table_stand_in_its_rows(season: Season) -> None:
    """Each is the number of the row that it means: cells opposite each other are of the same games."""
    rows = cells(printed(crosstable._show, cross_table(season)))
    numbers = {one["NO."]: one for one in rows}
    labels = {str(one.n): one.label for one in season.members}
    assert {n: row["NAME"] for n, row in numbers.items()} == labels
    for n, row in numbers.items():
        assert [name for name in row if name not in {"RANK", "NO.", "NAME"}] == list(numbers)
        for other in numbers:
            mine, theirs = row[other].split(), numbers[other][n].split()
            assert [one.lstrip("10½+-") for one in mine] == [
                one.lstrip("10½+-").translate({ord("w"): "b", ord("b"): "w"}) for one in theirs
            ]


@given(SEASONS)
@examples(100)
def test_the_standings_name_who_a_credit_is_of(season: Season) -> None:
    """Details: number and name of the member and of each opponent belong together."""
    found = table_of(season)
    everybody = {one["label"]: one for one in _members(found)}
    names = {str(one.n): one.name for one in season.members}
    for line in printed(_print_details, found, everybody):
        for part in line.split("no. ")[1:]:
            n, _, rest = part.partition(" ")
            assert rest.startswith(names[n])


@given(SEASONS)
@examples(100)
def test_numbers_on_boards_are_those_of_the_players(season: Season) -> None:
    """In the lists of a round, and in the files for spreadsheets."""
    labels = {str(one.n): one.label for one in season.members}
    for row in season.listed:
        lines = printed(round_output._print_boards, season, row)[1:]
        for line in lines[1:]:
            _, white_no, white, black_no, black, *_ = [part for part in line.split("  ") if part.strip()]
            assert (labels[white_no.strip()], labels[black_no.strip()]) == (white.strip(), black.strip())
    for one in read(pairings_csv(season).data):
        assert labels[one["white_no"]] == one["white"]
        assert labels[one["black_no"]] == one["black"]
    for one in read(standings_csv(season).data):
        assert labels[one["no"]] == one["name"]


def read(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file by its heads."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
