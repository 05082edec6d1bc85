"""`gamekeeper games`: the games that fit, newest first, in constant memory."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from daemon.cli.context import Context, pass_context
from daemon.cli.filtering import filter_options, read_filters

if TYPE_CHECKING:
    from daemon.archive.reading import shapes

_TITLES = ("id", "date", "white", "black", "result", "eco", "event", "site")


@click.command()
@click.argument("query", nargs=-1)
@filter_options
@click.option("--limit", type=click.IntRange(min=1), help="Print so many at most (default: all).")
@click.option("--pgn", is_flag=True, help="Print the games as PGN, each as its first telling came.")
@pass_context
def command(
    context: Context, /, query: tuple[str, ...], limit: int | None, *, pgn: bool, **fields: Any
) -> None:
    """List games, newest first.

    Each word of QUERY is the beginning of a word in any field: names, teams, event, site, opening, ECO code.
    Games must fit every option that is given.
    """
    _refuse_unknown(context, fields["dossier"], fields["account"])
    words = " ".join([*query, *([fields["q"]] if fields["q"] else [])])
    found = _pages(context, {**fields, "q": words or None}, limit)
    if pgn:
        _print_pgn(context, found)
    elif context.json:
        _print_json(found)
    else:
        _print_lines(context, found)


def _refuse_unknown(context: Context, slug: str | None, account: str | None) -> None:
    """An empty list would hide that a dossier or an account is misspelt.

    Raises:
        BadParameter: the archive has never had it.
    """
    from daemon.archive.accounts import all_accounts
    from daemon.archive.reading.dossiers import dossier

    with context.archive().reading() as conn:
        if slug is not None and dossier(conn, slug) is None:
            hint = "`gamekeeper dossier list` lists them"
            raise click.BadParameter(f'there is no dossier "{slug}"; {hint}', param_hint="--dossier")
        if account is not None and account.lower() not in {one.key.lower() for one in all_accounts(conn)}:
            hint = "`gamekeeper status` lists them"
            raise click.BadParameter(f'there is no account "{account}"; {hint}', param_hint="--account")


def _pages(context: Context, fields: dict[str, Any], limit: int | None) -> Iterator[list["shapes.Game"]]:
    from daemon.archive.reading.games import find_games
    from daemon.archive.reading.walking import pages

    filters = read_filters(fields)
    profile = context.config().profile()
    return pages(
        context.archive(),
        lambda conn, size, cursor: find_games(conn, filters, profile, limit=size, cursor=cursor),
        limit,
    )


def _print_pgn(context: Context, found: Iterator[list["shapes.Game"]]) -> None:
    from daemon.archive.reading.games import pgn

    out = sys.stdout.buffer
    archive = context.archive()
    for page in found:
        with archive.reading() as conn:
            texts = [pgn(conn, game["id"]) for game in page]
        out.writelines(text.rstrip() + b"\n\n" for text in texts if text is not None)
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
