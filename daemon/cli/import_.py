"""`gamekeeper import`: imports PGN files and folders."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from core.plurals import count_of
from daemon.cli import exits
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath
from daemon.cli.signals import stopped_by_signals

if TYPE_CHECKING:
    from daemon.imports.run import ImportProgress, Summary

_MOST_ODDITIES: Final = 5


def _encoding(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    from core.pgn.encodings import UnknownEncoding, encoding

    if name is None:
        return None
    try:
        return encoding(name)
    except UnknownEncoding as error:
        raise click.BadParameter(
            f"{error}; usual ones are cp850, cp1250, cp1251, koi8-r, mac-roman"
        ) from None


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=GivenPath(allow_dash=True))
@click.option(
    "--encoding",
    metavar="NAME",
    callback=_encoding,
    help="Of what is not UTF-8 in these files, such as cp850; it holds for them from now on. (Default: cp1252.)",
)
@click.option("--again", is_flag=True, help="Also files that have not changed since their last import.")
@click.option(
    "--prune",
    is_flag=True,
    help="Then delete games that are no longer in these files: shows them first, and asks.",
)
@click.option("--yes", is_flag=True, help="With --prune: do not ask.")
@pass_context
def command(
    context: Context, paths: tuple[str, ...], *, encoding: str | None, again: bool, prune: bool, yes: bool
) -> None:
    """Import PGN files and folders: .pgn, also compressed (.gz .bz2 .zst .zip), or - for standard input.

    Games that are in the archive already are not stored twice; a file with another telling of a known game
    adds that telling. Ctrl-C stops between two games: what was read is kept.

    A game that was corrected or deleted in its file stays as it was; --prune deletes it, for a folder in all
    files there. A game that has another source stays in any case.
    """
    from core.compiled import WHY_NOT
    from daemon.imports.run import import_paths
    from daemon.service.openings import look_up

    if "" in paths:
        raise click.BadParameter("an empty path names no file; write . for this folder", param_hint="PATH")
    if WHY_NOT is not None and context.verbosity > 0:
        context.note(f"The compiled core is not used, and reading takes ten times as long: {WHY_NOT}")
    archive = context.archive()
    look_up(archive)
    with stopped_by_signals() as stop, _progress(context) as progress:
        summary = import_paths(
            archive, paths, again=again, encoding=encoding, progress=progress, stop=stop.is_set
        )
    if summary.new:
        archive.optimize()
    pruned = None
    if not context.json:
        _report(context, summary)
    if prune and not summary.stopped:
        from daemon.cli.prune import prune_files

        pruned = prune_files(context, archive, paths, yes=yes)
    if context.json:
        _emit(context, summary, pruned)
    if not summary.clean:
        click.get_current_context().exit(exits.PROBLEMS)


@contextmanager
def _progress(context: Context) -> Iterator["Callable[[ImportProgress], None] | None"]:
    """Show a progress bar, by bytes, on a terminal; nothing elsewhere."""
    import sys

    if context.json or context.verbosity < 0 or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from daemon.cli.output import printable

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(progress: "ImportProgress") -> None:
            text = f"{count_of(progress.games, 'game')}  {escape(printable(progress.part[-40:]))}"
            bar.update(task, description=text, completed=progress.done, total=progress.total or None)

        yield show


def _emit(context: Context, summary: "Summary", pruned: "dict[str, Any] | None") -> None:
    problems = [{"file": problem.file, "message": problem.message} for problem in summary.problems]
    answer = {**asdict(summary), "problems": problems}
    context.emit(answer if pruned is None else {**answer, "prune": pruned})


def _report(context: Context, summary: "Summary") -> None:
    from daemon.cli.output import printable

    for problem in summary.problems:
        click.echo(printable(problem.message), err=True)
    if context.verbosity < 0:
        return
    for line in _lines(summary):
        click.echo(line)
    if not (summary.read or summary.problems or summary.files_unchanged or summary.stopped):
        files = "what was read was" if summary.files == 1 else f"all {summary.files} files were"
        context.note(f"no games found: {files} empty")


def _lines(summary: "Summary") -> Iterator[str]:
    from daemon.cli.output import printable

    yield f"files        {summary.files}" + (
        f" ({summary.files_unchanged} more unchanged)" if summary.files_unchanged else ""
    )
    yield f"read         {summary.read}"
    yield f"new          {summary.new}"
    yield f"added        {summary.added} (tellings of games known from elsewhere)"
    yield f"unchanged    {summary.unchanged}"
    if summary.refreshed:
        yield f"refreshed    {summary.refreshed} (read in another encoding than before)"
    if summary.collapsed:
        yield f"collapsed    {summary.collapsed} (two ids of one site are one game)"
    yield f"quarantined  {summary.quarantined}" + (
        " (`gamekeeper quarantine list` says why)" if summary.quarantined else ""
    )
    yield from _unread(summary)
    yield from _odd(summary)
    for looks in summary.encodings:
        yield f"encoding     {printable(str(looks))}"
    if summary.left:
        yield f"left         {summary.left} (no longer in their files; `import --prune` deletes them)"
    yield f"problems     {len(summary.problems)}"
    if summary.stopped:
        yield "stopped before the end; what was read is kept, the next import completes it"


def _unread(summary: "Summary") -> Iterator[str]:
    """Why games could not be read: the most frequent reasons, and how many have others."""
    for one in summary.reasons:
        yield f"             {one.games} x {one.reason}"
    others = summary.quarantined - sum(one.games for one in summary.reasons)
    if summary.reasons and others:
        yield f"             {others} x another reason"


def _odd(summary: "Summary") -> Iterator[str]:
    """What was odd about games that were read: the most frequent kinds, and the number of other kinds."""
    if summary.odd:
        yield f"odd          {summary.odd} (read all the same; `gamekeeper games --odd any` lists them)"
    for odd in summary.oddities[:_MOST_ODDITIES]:
        yield f"             {odd.games} x {odd.code}: {odd.text}"
    kinds = len(summary.oddities) - _MOST_ODDITIES
    if kinds > 0:
        yield f"             and {count_of(kinds, 'more kind')}"
