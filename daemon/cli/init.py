"""`gamekeeper init`: writes a commented configuration, or one made from a few answers."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.sites import SITES
from daemon import visible_paths
from daemon.cli.context import Context, pass_context
from daemon.config import example

if TYPE_CHECKING:
    from daemon.config.first_answers import Answers


@click.command()
@click.option(
    "--path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write it (default: --config, else ./gamekeeper.toml).",
)
@click.option("--force", is_flag=True, help="Overwrite the file if there is one.")
@click.option(
    "--ask",
    is_flag=True,
    help="Ask for your contact, names and accounts, and write a short configuration with them.",
)
@pass_context
def command(context: Context, path: Path | None, *, force: bool, ask: bool) -> None:
    """Write a commented configuration with every key. It works as it is; put your own names into it."""
    target = path or context.config_path or Path("gamekeeper.toml")
    if visible_paths.exists(target) and not force:
        raise click.ClickException(_there_already(target))
    text = _asked(target.absolute().parent) if ask else example.text()
    try:
        _write(target, text, force=force)
    except FileExistsError as error:
        raise click.ClickException(_there_already(target)) from error
    if context.json:
        context.emit({"path": str(target)})
    else:
        then = "edit it at any time" if ask else "edit it"
        click.echo(f"{target} is written; {then}, then `gamekeeper check-config --config {target}`")


def _there_already(target: Path) -> str:
    return f"{target} exists; --force overwrites it"


def _asked(folder: Path) -> str:
    """The text of a configuration made of the user's answers.

    A wrong answer is asked for again, with the reason.
    """
    from daemon.config.first_answers import Answers

    click.echo("A few questions make a first configuration. Enter alone leaves an answer out.", err=True)
    answers = Answers()
    for question in (_contact, _me, _accounts, _opponent):
        answers = _answered(question, answers, folder)
    return answers.toml()


def _answered(question: Callable[["Answers"], "Answers"], before: "Answers", folder: Path) -> "Answers":
    """*before* with the user's answer, as soon as it makes a valid configuration."""
    from daemon.config.validation import validate

    while True:
        answers = question(before)
        problems = validate(answers.toml().encode(), "", folder).problems
        if not problems:
            return answers
        for problem in problems:
            click.echo(f"  {problem.message}" + (f" ({problem.hint})" if problem.hint else ""), err=True)


def _contact(answers: "Answers") -> "Answers":
    click.echo("\nThe sites want to know whom to write to if a download causes them trouble.", err=True)
    return replace(answers, contact=click.prompt("Your e-mail or web address", err=True).strip())


def _me(answers: "Answers") -> "Answers":
    click.echo("\nYour name, as it is in PGN files of your games over the board.", err=True)
    return replace(answers, first_name=_line("First name"), last_name=_line("Last name"))


def _accounts(answers: "Answers") -> "Answers":
    forms = " or ".join(f"{site}:NAME" for site in SITES)
    click.echo(f"\nYour accounts: {forms}, several with blanks between them.", err=True)
    return replace(answers, accounts=_words("Accounts"))


def _opponent(answers: "Answers") -> "Answers":
    click.echo("\nAn opponent to track; you can add more to the file later.", err=True)
    name = _line("Name of the opponent")
    return replace(answers, opponent=name, opponent_accounts=_words("Their accounts") if name else ())


def _line(question: str) -> str:
    return str(click.prompt(question, default="", show_default=False, err=True)).strip()


def _words(question: str) -> tuple[str, ...]:
    return tuple(_line(question).replace(",", " ").split())


def _write(target: Path, text: str, *, force: bool) -> None:
    """Write completely or not at all; only the user may read it, because it says who is tracked."""
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    with open(os.open(target, flags, 0o600), "w", encoding="utf-8") as stream:  # noqa: PTH123 - Path.open takes no descriptor
        stream.write(text)
