"""A tournament on paper, printed by a real browser: nothing lost, nothing cut, dark on light."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from daemon.club.paper import MARGIN, Paper
from daemon.club.season import Season
from daemon.club.web_page import PageLook, PagePart, html
from tests.browser import print_page
from tests.daemon.club.made_seasons import large
from tests.daemon.club.pages import Page, PageTable
from tests.daemon.club.printed import Printed, read, squeezed

pytestmark = pytest.mark.browser

_MARGIN = MARGIN * 72 / 25.4


@pytest.fixture(name="season", scope="module")
def _season() -> Season:
    """Sixty members with names of forty characters, twelve rounds; the thirteenth is paired."""
    return large()


@pytest.mark.parametrize(
    ("parts", "paper"),
    [
        (["standings", "crosstable"], Paper(landscape=True)),
        (["standings", "crosstable"], Paper(landscape=False)),
        (["pairings"], Paper(landscape=False)),
        (["pairings", "standings"], Paper("letter", landscape=True)),
    ],
    ids=["landscape", "portrait", "wall", "letter"],
)
def test_every_cell_is_on_the_paper(
    season: Season, parts: Sequence[PagePart], paper: Paper, tmp_path: Path
) -> None:
    """Each row whole on one page, in its order, below the heads of its table; within the margins; large and dark enough."""
    page = html(season, None, PageLook(parts, paper))
    printed = read(print_page(page, tmp_path))
    assert {(round(one.width), round(one.height)) for one in printed} == {_points(paper)}
    shown = Page(page.decode())
    assert len(shown.tables) >= len(parts)
    _all_there(printed, shown.tables)
    for one in printed:
        _within_the_margins(one)
        assert min(size for *_, size, _ in one.texts) > 5.9
        assert max(one.inks) < 0.25
        assert min(one.papers, default=1) > 0.6
    sizes = [size for one in printed for *_, size, text in one.texts if "Wolfeschlegel" in text]
    assert min(sizes) > 6.9


def _points(paper: Paper) -> tuple[int, int]:
    short, long = {"a4": (595, 842), "letter": (612, 792)}[paper.format]
    return (long, short) if paper.landscape else (short, long)


def _all_there(printed: Sequence[Printed], tables: Sequence[PageTable]) -> None:
    """All tables follow each other through the pages, row by row, nothing twice and nothing left out."""
    texts = [one.squeezed for one in printed]
    page, at = 0, 0
    for table in tables:
        heads = squeezed("".join(table.heads))
        assert squeezed(table.caption) in "".join(texts)
        for row in table.rows:
            wanted = squeezed("".join(row))
            while (found := texts[page].find(wanted, at)) < 0:
                page, at = page + 1, 0
                assert page < len(texts), f"{row} is not on the paper"
            assert heads in texts[page], f"page {page + 1} has no heads above {row}"
            at = found + len(wanted)


def _within_the_margins(one: Printed) -> None:
    assert one.texts
    for x, y, size, text in one.texts:
        assert _MARGIN - 1 <= x < one.width - _MARGIN, text
        assert 0 < y < one.height - size / 2, text
    # The lines of the cells say where their texts end.
    assert one.grounds
    assert min(begin for begin, _ in one.grounds) >= _MARGIN - 1
    assert max(end for _, end in one.grounds) <= one.width - _MARGIN + 1
