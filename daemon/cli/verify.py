"""`gamekeeper verify`: checks everything in the archive."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import click

from core.plurals import count_of
from daemon.cli import exits
from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.archive.verify.findings import Finding, Repair
    from daemon.archive.verify.run import VerifyProgress

_KEPT: Final = 1000
"""How many findings --json prints one by one."""


@click.command
@click.option("--fix", is_flag=True, help="Repair what can be derived from the rest; a copy is made before.")
@pass_context
def command(context: Context, *, fix: bool) -> None:
    """Check everything in the archive: the database, every key, every telling, every search word.

    Each finding is a line that says what to do. The daemon may run meanwhile.
    """
    from daemon.archive.verify.repairs import repair

    archive = context.archive() if fix else context.archive_to_read(keys_of_ours=True)
    looked = _look(context, archive)
    repaired: list[Repair] = sorted(looked.repairs)
    if fix and repaired:
        repair(archive, repaired)
        context.note(f"repaired: {', '.join(repaired)}; looking again")
        looked = _look(context, archive)
    else:
        repaired = []
    _print_findings(context, looked, repaired)
    if looked.count:
        click.get_current_context().exit(exits.PROBLEMS)


@dataclass(slots=True)
class _Looked:
    """The result of a check: the first findings, how many there are, and what would repair them."""

    findings: list["Finding"] = field(default_factory=list)
    count: int = 0
    repairs: set["Repair"] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)


def _look(context: Context, archive: "Archive") -> _Looked:
    from daemon.archive.verify.run import VerifyProgress, verify
    from daemon.cli.output import printable

    looked = _Looked()
    progress = VerifyProgress()
    with _bar(context) as report:
        for finding in verify(archive, report=report, progress=progress):
            looked.count += 1
            if finding.repair is not None:
                looked.repairs.add(finding.repair)
            if not context.json:
                click.echo(printable(str(finding)))
            elif looked.count <= _KEPT:
                looked.findings.append(finding)
    looked.counts = progress.counts
    return looked


def _print_findings(context: Context, looked: _Looked, repaired: list["Repair"]) -> None:
    if context.json:
        findings = [
            {"where": one.where, "fault": one.fault, "repair": one.repair, "help": one.help}
            for one in looked.findings
        ]
        context.emit(
            {"findings": findings, "count": looked.count, "checked": looked.counts, "repaired": repaired}
        )
    elif context.verbosity >= 0:
        checked = ", ".join(f"{name} ({count})" for name, count in looked.counts.items())
        found = count_of(looked.count, "finding") if looked.count else "everything is as it should be"
        click.echo(f"checked {checked or 'the database'}: {found}")


@contextmanager
def _bar(context: Context) -> Iterator["Callable[[VerifyProgress], None]"]:
    """Show a progress bar with an estimate on a terminal; nothing elsewhere."""
    import sys

    if context.json or context.verbosity < 0 or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Findings go to standard output: on the same terminal they are to stand above the bar.
    console, same = Console(stderr=True), sys.stdout.isatty()
    with Bar(*columns, console=console, transient=True, redirect_stdout=same) as bar:
        task = bar.add_task("", total=None)

        def show(progress: "VerifyProgress") -> None:
            bar.update(
                task,
                description=progress.stage,
                completed=progress.done,
                total=progress.total or None,
            )

        yield show
