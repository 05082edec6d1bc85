"""How `gamekeeper sync` tells of what is going on."""

import io

from rich.console import Console

from daemon.archive.games.counts import Counts
from daemon.cli.progress import Lines, bars, games
from daemon.sync.batch import Progress

ME = "lichess:mrossi90"


def _progress(seen: int, expected: int | None, new: int = 0) -> Progress:
    return Progress(ME, seen, Counts(new=new), expected)


class Recorder:
    """Lines by a clock that is set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        self.watch = Lines(self.lines.append, clock=lambda: self.now)
        self.watch.begun(ME)


def test_a_download_tells_how_much_is_done() -> None:
    """Games of all games; of all that were told where the site counts fewer; none where it does not count."""
    assert games(_progress(12_300, 100_000, 12_291)) == "12,300 of 100,000 games, 12,291 new"
    assert games(_progress(1_001, 1_000)) == "1,001 of 1,001 games, 0 new"
    assert games(_progress(7, None, 7)) == "7 games, 7 new"


def test_lines_come_every_ten_seconds() -> None:
    """A batch of 100 in each second is six lines a minute."""
    recorder = Recorder()
    for second in range(1, 61):
        recorder.now = second
        recorder.watch.progress(_progress(100 * second, None, 100 * second))

    assert recorder.lines[0] == f"{ME}: asking"
    assert recorder.lines[1] == f"{ME}: 1,000 games, 1,000 new"
    assert len(recorder.lines) == 7


def test_lines_say_how_long_it_will_take() -> None:
    """By the speed of this round: what an earlier one brought does not count."""
    recorder = Recorder()
    recorder.watch.progress(_progress(40_000, 100_000))
    recorder.now = 50.0
    recorder.watch.progress(_progress(43_000, 100_000, 3_000))
    recorder.now = 900.0
    recorder.watch.progress(_progress(97_000, 100_000, 57_000))
    recorder.now = 1000.0
    recorder.watch.progress(_progress(100_000, 100_000, 60_000))

    assert [line.partition("new")[2] for line in recorder.lines[1:]] == [
        ", about 16 min left",
        ", less than a minute left",
        "",
    ]


def test_nothing_new_is_no_line() -> None:
    """The same numbers are not told again."""
    recorder = Recorder()
    for second in (20.0, 40.0, 60.0):
        recorder.now = second
        recorder.watch.progress(_progress(5, None))

    assert len(recorder.lines) == 2


def test_bars_on_a_terminal() -> None:
    """A bar shows games of all games and the time that is left."""
    screen = io.StringIO()
    with bars(Console(file=screen, force_terminal=True, width=120)) as (begun, progress, _):
        begun(ME)
        progress(_progress(40_000, 100_000))
        progress(_progress(40_100, 100_000, 100))
        progress(_progress(40_300, 100_000, 300))
    shown = screen.getvalue()

    assert "40,300 of 100,000 games, 300 new" in shown
