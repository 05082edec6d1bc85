"""`gamekeeper explain`: who a name is, or whether two games are the same, and why."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daemon import visible_paths
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import GivenPath
from daemon.cli.ids import GREATEST

if TYPE_CHECKING:
    from core.game import Game, Unreadable


@click.group()
def command() -> None:
    """Explain who a name is, or whether two games are the same."""


@command.command("name")
@click.argument("name")
@click.option("--fide-id", metavar="N", help="The FIDE id given with the name.")
@click.option(
    "--online", is_flag=True, help="As in a game of a site: names are handles and stay as they are."
)
@pass_context
def explain_name(context: Context, name: str, fide_id: str | None, *, online: bool) -> None:
    """Show the kind, key, words and display form of NAME, and the rules behind them."""
    from core import names, players

    key = players.identify(name, fide_id)
    answer = {
        "name": name,
        "kind": names.classify(name),
        "key": str(key),
        "fide_id": key.fide_id,
        "words": names.words(name),
        "found_by": list(names.search_words(name)),
        "display": names.display(name, online=online),
        "why": list(_why(name, fide_id, online=online)),
    }
    if context.json:
        context.emit(answer)
        return
    for label in ("kind", "key", "words", "found_by", "display"):
        value = answer[label]
        shown = " ".join(str(word) for word in value) if isinstance(value, list) else str(value)
        click.echo(f"{label.replace('_', ' '):9} {shown or '-'}")
    for reason in _why(name, fide_id, online=online):
        click.echo(f"- {reason}")


def _why(name: str, fide_id: str | None, *, online: bool) -> Iterator[str]:
    from core import names, players

    kind = names.classify(name)
    if names.clean(name) != name:
        yield f'Blanks at the ends and invisible characters do not count: the name is "{names.clean(name)}".'
    yield _why_kind(names.clean(name), kind)
    known_id = players.read_fide_id(fide_id)
    if known_id:
        yield f"With a FIDE id the player is {known_id}, however the name is written."
    elif fide_id is not None:
        yield f'"{fide_id}" is not a FIDE id (digits only, not zero), so the name decides.'
    if not known_id:
        yield _why_key(kind)
    yield _why_display(name, kind, online=online)


def _why_kind(clean: str, kind: str) -> str:
    if kind == "nickname":
        return "It is written only with A-Z, a-z, 0-9, _ and -, so it is a nickname."
    if kind == "unknown":
        return "It has no words, so it is the unknown player."
    other = re.search(r"[^A-Za-z0-9_-]", clean)
    assert other is not None, "a name without such a sign is a nickname"
    sign = "a blank" if other[0] == " " else f'"{other[0]}"'
    return f"It has {sign}, which no nickname has, so it is a person's name."


def _why_key(kind: str) -> str:
    if kind == "nickname":
        return "A nickname counts by its whole text; only capitals do not matter."
    if kind == "unknown":
        return "The unknown player is nobody in particular; no search finds them."
    return (
        "A person's name counts by its whole words in any order; case, accents and punctuation do not matter."
    )


def _why_display(name: str, kind: str, *, online: bool) -> str:
    if kind == "unknown":
        return "The unknown player is shown as a question mark."
    if kind == "nickname":
        return "Nicknames are shown as they are written."
    if online:
        return "In an online game every name is shown as it is written."
    from core.names import has_account_signs

    if has_account_signs(name):
        return "A name with a digit or _ is shown as it is written."
    return "A person's name is shown in the usual form."


@command.command("games")
@click.argument("first", metavar="A", type=GivenPath())
@click.argument("second", metavar="B", type=GivenPath())
@pass_context
def explain_games(context: Context, first: str, second: str) -> None:
    """Say whether A and B are the same game by the rule for duplicates, and why.

    A and B are ids of games in the archive, or PGN files (the first game of each).
    """
    from core.sameness import compare

    verdict = compare(_game(context, first), _game(context, second))
    if context.json:
        context.emit({"same": verdict.same, "reason": verdict.reason})
    else:
        click.echo(f"{'the same' if verdict.same else 'not the same'}: {verdict.reason}")


def _game(context: Context, named: str) -> "Game":
    if named.isdecimal() and not visible_paths.exists(Path(named)):
        return _from_archive(context, int(named))
    return _from_file(named)


def _from_file(named: str) -> "Game":
    from core.pgn.reader import read
    from daemon.imports.pgn_files import open_pgn

    for source in open_pgn(named):
        for game in read(source.stream):
            return _readable(game, named)
    raise click.ClickException(f"{named}: there is no game in it")


def _from_archive(context: Context, number: int) -> "Game":
    """The game as the archive has it, including edits."""
    from daemon.archive.edits.rows import games_as_edited

    found: dict[int, Game] = {}
    if number <= GREATEST:
        with context.archive_to_read().reading() as connection:
            found = games_as_edited(connection, [number])
    if number not in found:
        raise click.UsageError(f"there is no game {number} in the archive")
    return found[number]


def _readable(game: "Game | Unreadable", named: str) -> "Game":
    from core.game import Unreadable

    if isinstance(game, Unreadable):
        raise click.ClickException(f"{named} cannot be read: {game.reason}")
    return game
