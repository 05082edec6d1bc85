"""Prints the rules of a tournament for people."""

import shutil
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import click

from daemon.cli.context import Context

if TYPE_CHECKING:
    from daemon.club import shapes

_FACTS: Final = ("name", "short_name", "city", "federation", "arbiter", "time_control", "fesa", "begins")
_WIDEST: Final = 100
_NAME: Final = 22
_VALUE: Final = 9


def print_rules(found: "shapes.WholeTournament") -> None:
    """Print all rules by groups: name, value, and what it means."""
    from daemon.cli.output import print_facts, printable

    print_facts((fact, found[fact] or None) for fact in _FACTS)
    width = min(_WIDEST, shutil.get_terminal_size((80, 24)).columns)
    group = ""
    for rule in found["rules"]:
        if rule["group"] != group:
            group = rule["group"]
            click.echo(f"\n{group.upper()}")
        for line in _lines(rule, width):
            click.echo(printable(line))
    click.echo("\n* changed   ( ) does not count while the others are as they are")
    click.echo(f"one of them: gamekeeper club settings {found['slug']} NAME")


def _lines(rule: "shapes.Rule", width: int) -> Iterator[str]:
    mark = "*" if rule["changed"] else " "
    value = rule["value"] or "-"
    head = f"{mark} {rule['name']:<{_NAME}}{value:<{_VALUE}} "
    says = rule["says"] if rule["counts"] else f"({rule['says']})"
    if rule["changed"]:
        says += f" Usual: {rule['usual'] or 'none'}."
    yield from textwrap.wrap(
        says, width, initial_indent=head, subsequent_indent=" " * (_NAME + _VALUE + 3), break_on_hyphens=False
    )


def print_rule(context: Context, found: "shapes.WholeTournament", name: str) -> None:
    """Explain one rule.

    Raises:
        click.UsageError: *name* contains a value, as for a change.
        click.ClickException: there is no rule of this name.
    """
    from daemon.cli.output import printable

    rules = {rule["name"]: rule for rule in found["rules"]}
    rule = rules.get(name.strip().replace("-", "_"))
    if rule is None:
        if "=" in name:
            raise click.UsageError(
                printable(f"to change it: gamekeeper club settings {found['slug']} --set {name}")
            )
        near = get_close_matches(name, rules, n=3)
        like = f"; did you mean {' or '.join(near)}?" if near else ""
        raise click.ClickException(printable(f'there is no setting "{name}"{like}'))
    if context.json:
        context.emit(rule)
        return
    usual = "usual" if not rule["changed"] else f"usual: {rule['usual'] or 'none'}"
    click.echo(printable(f"{rule['name']} = {rule['value'] or 'none'} ({usual})"))
    click.echo(printable(rule["says"]))
    if not rule["counts"]:
        click.echo("It does not count while the other settings are as they are.")
    for text in (f"Who wants something else: {rule['clubs']}.", f"It must be {rule['allowed']}."):
        click.echo(textwrap.fill(text, 80))
    click.echo(f"To change it: gamekeeper club settings {found['slug']} --set {rule['name']}=VALUE")


def print_presets(context: Context) -> None:
    """Print the kinds of clubs, with the settings of each."""
    from core.club.presets import PRESETS

    if context.json:
        items = [{"name": one.name, "clubs": one.clubs, "settings": dict(one.settings)} for one in PRESETS]
        context.emit({"items": items, "next": None})
        return
    for one in PRESETS:
        click.echo(one.name)
        for text in (one.clubs, " ".join(f"{name}={value}" for name, value in one.settings.items())):
            if text:
                click.echo(
                    textwrap.fill(
                        text, 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
                    )
                )
    click.echo("\nto take one: gamekeeper club new NAME --preset KIND")
