"""`gamekeeper games`: the games that fit, newest first, in constant memory."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from daemon.cli.asking import api_options, ask, refuse_unknown
from daemon.cli.context import Context, pass_context
from daemon.cli.filtering import filter_options, read_filters
from daemon.cli.sources import Source

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_TITLES = ("id", "date", "white", "black", "result", "eco", "event", "site")


@click.command()
@click.argument("query", nargs=-1)
@filter_options
@click.option("--limit", type=click.IntRange(min=1), help="Print so many at most (default: all).")
@click.option("--pgn", is_flag=True, help="Print the games as PGN, each as its first telling came.")
@api_options
@pass_context
def command(
    context: Context,
    /,
    query: tuple[str, ...],
    limit: int | None,
    *,
    pgn: bool,
    **fields: Any,
) -> None:
    """List games, newest first.

    Each word of QUERY is the beginning of a word in any field: names, teams, event, site, opening, ECO code.
    Games must fit every option that is given.
    """
    filters = read_filters(words(query, fields))
    source = ask(context)
    refuse_unknown(source, filters.dossier, filters.account)
    found = source.games(filters, limit)
    if pgn:
        _print_pgn(source, found)
    elif context.json:
        _print_json(found)
    else:
        _print_lines(context, found)


def words(query: tuple[str, ...], fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of the search window, with the words of *query* in the field above the list."""
    every = " ".join([*query, *([fields["q"]] if fields["q"] else [])])
    return {**fields, "q": every or None}


def _print_pgn(source: Source, found: Iterator[list["shapes.Game"]]) -> None:
    out = sys.stdout.buffer
    for page in found:
        out.writelines(text.rstrip() + b"\n\n" for text in source.pgns(game["id"] for game in page))
    out.flush()


def _print_json(found: Iterator[list["shapes.Game"]]) -> None:
    """One object like the API's, one game a line."""
    click.echo('{"items": [', nl=False)
    before = "\n"
    for page in found:
        for game in page:
            click.echo(before + json.dumps(game, ensure_ascii=False), nl=False)
            before = ",\n"
    click.echo('\n], "next": null}')


def _print_lines(context: Context, found: Iterator[list["shapes.Game"]]) -> None:
    heading = True
    for page in found:
        if page:
            print_games(page, heading=heading)
            heading = False
    if heading:
        context.note("no game is found")


def print_games(games: list["shapes.Game"], *, heading: bool = True) -> None:
    """Print games as a table."""
    from daemon.cli.printing import print_table

    print_table(_TITLES, [_line(game) for game in games], heading=heading)


def _line(game: "shapes.Game") -> tuple[int | str | None, ...]:
    return (
        game["id"],
        game["date"],
        _player(game["white"]),
        _player(game["black"]),
        game["result"],
        game["eco"],
        game["event"],
        game["site"],
    )


def _player(side: "shapes.Side") -> str:
    return side["name"] if side["rating"] is None else f"{side['name']} ({side['rating']})"
