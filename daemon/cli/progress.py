"""The progress of downloads: bars on a terminal, lines elsewhere, nothing for --json and --quiet."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from core.plurals import agreeing
from daemon.cli.context import Context

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from daemon.sync.batch import Progress
    from daemon.sync.sync_now import Watch
    from daemon.sync.sync_round import Report

LINE_EVERY: Final = 10.0
"""Seconds between two lines of one account."""

_SURE_AFTER: Final = 5.0
"""Seconds until a speed allows an estimate of the remaining time."""


@contextmanager
def watching(context: Context) -> Iterator["Watch"]:
    """Reports progress as the options and the terminal want it."""
    from daemon.sync.sync_now import Watch

    notes = _WaitNotes(context)
    if context.json or context.verbosity < 0:
        yield Watch(lambda _: None, lambda _: None, lambda _: None, notes)
    elif sys.stderr.isatty():
        from rich.console import Console

        with bars(Console(stderr=True)) as (begun, progress, ended):
            yield Watch(begun, progress, ended, notes)
    else:
        lines = Lines(lambda line: click.echo(line, err=True))
        yield Watch(lines.begun, lines.progress, lambda _: None, notes)


@dataclass(slots=True)
class _AccountLines:
    """What was printed of an account: the first progress of its round, when, and when the last line was."""

    at: float
    first: "tuple[float, int] | None" = None
    text: str = ""


class Lines:
    """Progress as lines: when something is new, at most one in ten seconds for each account.

    Args:
        print_line: Takes a line.
        clock: Seconds, never going back.
    """

    def __init__(
        self, print_line: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._print = print_line
        self._clock = clock
        self._noted: dict[str, _AccountLines] = {}

    def begun(self, key: str) -> None:
        """Note that a round over this account begins."""
        self._noted[key] = _AccountLines(self._clock())
        self._print(f"{key}: asking")

    def progress(self, now: "Progress") -> None:
        """Note that a batch is stored."""
        lines, at = self._noted[now.account], self._clock()
        lines.first = lines.first or (at, now.seen)
        text = games(now)
        if text != lines.text and at - lines.at >= LINE_EVERY:
            lines.at, lines.text = at, text
            self._print(f"{now.account}: {text}{_left(now, lines.first, at)}")


def _left(now: "Progress", first: tuple[float, int], at: float) -> str:
    """The remaining time at the speed so far, if it can be estimated."""
    seconds, done = at - first[0], now.seen - first[1]
    if now.expected is None or now.expected <= now.seen or done <= 0 or seconds < _SURE_AFTER:
        return ""
    minutes = (now.expected - now.seen) * seconds / done / 60
    if minutes < 1:
        return ", less than a minute left"
    return f", about {minutes:.0f} min left" if minutes < 100 else f", about {minutes / 60:.0f} h left"


class _WaitNotes:
    """Notes once for each site that we wait for the daemon."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._noted: set[str] = set()

    def __call__(self, site: str) -> None:
        if site not in self._noted:
            self._noted.add(site)
            self._context.note(
                f"{site}: waiting until another gamekeeper (the daemon) has finished its round"
            )


def games(progress: "Progress") -> str:
    """``12,300 of 100,000 games, 12,291 new``. The site may count fewer games than it sends."""
    most = max(progress.expected or 0, progress.seen)
    expected = f" of {most:,}" if progress.expected else ""
    return f"{progress.seen:,}{expected} {agreeing(most, 'game')}, {progress.counts.new:,} new"


_Bars = tuple[Callable[[str], None], Callable[["Progress"], None], Callable[["Report"], None]]


@contextmanager
def bars(console: "Console") -> Iterator[_Bars]:
    """A bar for each account that is being asked.

    Gives the functions for the begin, progress and end of a round.
    """
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True) as shown:
        tasks: dict[str, TaskID] = {}
        counted: set[str] = set()

        def begun(key: str) -> None:
            counted.discard(key)
            tasks[key] = shown.add_task(escape(key), total=None)

        def progress(now: "Progress") -> None:
            text = f"{escape(now.account)}  {games(now)}"
            if now.account not in counted:
                # What earlier rounds brought does not count for the speed of this one.
                counted.add(now.account)
                shown.reset(tasks[now.account], completed=now.seen)
            shown.update(tasks[now.account], description=text, completed=now.seen, total=now.expected)

        def ended(report: "Report") -> None:
            if report.account in tasks:
                shown.remove_task(tasks.pop(report.account))

        yield begun, progress, ended
