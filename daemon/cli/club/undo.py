"""`gamekeeper club undo`: takes back the last step, or does it again."""

import click

from daemon.cli.club.common import asked, lines, question_of, tournament_argument, yes_option
from daemon.cli.context import Context, pass_context
from daemon.clock import now_ms


@click.command()
@tournament_argument
@click.option("--redo", is_flag=True, help="Redo what was undone last.")
@click.option("--show", is_flag=True, help="Only say what would be undone or redone.")
@yes_option
@pass_context
def command(context: Context, tournament: str, *, redo: bool, show: bool, yes: bool) -> None:
    """Undo the last step, whatever it was: flags, manual pairs, a pairing list, results, a correction, an edit.

    A step is what one command did. You are asked first, and told what it is; another undo reverts the step
    before it. Members who were added stay. `club log` shows what was undone.
    """
    from daemon.club import undo

    archive, do = context.archive(), undo.redo if redo else undo.undo
    if show:
        question = question_of(lambda: do(archive, tournament, now_ms=now_ms()))
        if context.json:
            context.emit({"question": question})
        else:
            click.echo(lines(question))
        return
    undone = asked(lambda version: do(archive, tournament, now_ms=now_ms(), confirmed=version), yes=yes)
    if context.json:
        context.emit(
            {"redone" if redo else "undone": undone.what, "step": undone.step, "told": undone.sentence}
        )
    elif len(undone.parts) > undo.FEW:
        click.echo(lines("\n  ".join(["redone:" if redo else "undone:", *undone.parts])))
    else:
        click.echo(lines(undone.sentence))
