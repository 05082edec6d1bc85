"""`gamekeeper games`: the games found, newest first, in constant memory."""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import click

from daemon.archive.reading.search.sorts import NEWEST, SORTS, SortWord
from daemon.cli import colours
from daemon.cli.context import Context, pass_context
from daemon.cli.damaged import damaged_left_out, print_left_out
from daemon.cli.filter_options import filter_options, read_filters
from daemon.cli.games_table import of_dossier
from daemon.cli.source_choice import api_options, ask, refuse_unknown
from daemon.cli.sources import AnswerSource

if TYPE_CHECKING:
    from core.players import Profile
    from daemon.archive.reading import shapes
    from daemon.archive.reading.search.filters import GameFilters

    Pages = Iterator[list[shapes.Game]]

_ON_TERMINAL: Final = 50
"""How many games a terminal shows by default."""
_NOTHING: Final = "no games found"


@click.command()
@click.argument("query", nargs=-1)
@filter_options
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Print at most this many (default: {_ON_TERMINAL} on a terminal, all elsewhere).",
)
@click.option("--all", "everything", is_flag=True, help="Print all of them; a terminal gets them in a pager.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    metavar="[-]COLUMN",
    default=NEWEST,
    show_default=True,
    help="What to sort by, in reverse with a hyphen: date, id (as they were taken in), white, black, rating (the "
    "higher one), plies, event or eco. What is unknown comes last.",
)
@click.option("--pgn", is_flag=True, help="Print the games as PGN, each as its first telling came.")
@api_options
@pass_context
def command(
    context: Context,
    /,
    query: tuple[str, ...],
    limit: int | None,
    sort: SortWord,
    *,
    everything: bool,
    pgn: bool,
    **fields: Any,
) -> None:
    """List games, newest first unless --sort says otherwise.

    Each word of QUERY is the beginning of a word in any field: names, teams, event, site, opening, ECO code.
    Games must match all given options. With --mine or --dossier the result is shown as won, lost or drawn.
    """
    if everything and limit is not None:
        raise click.UsageError("--all and --limit exclude each other")
    filters = read_filters(words(query, fields))
    source = ask(context)
    refuse_unknown(source, filters.dossier, filters.account)
    read = partial(source.games, filters, sort=sort)
    if pgn:
        _print_pgn(source, read(limit))
    elif context.json:
        _print_json(read(limit))
    elif limit is None and sys.stdout.isatty():
        _print_on_terminal(context, read, whose(source, filters), everything=everything)
    else:
        _print_lines(context, _tables(read(limit), whose(source, filters)))


def words(query: tuple[str, ...], fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of the search, with the words of *query* as the search field above the list."""
    every = " ".join([*query, *([fields["q"]] if fields["q"] else [])])
    return {**fields, "q": every or None}


def whose(source: AnswerSource, filters: "GameFilters") -> "Profile | None":
    """The person whose games are asked for: the user, or the player of a dossier; None for everybody."""
    found = None if filters.dossier is None else source.dossier(filters.dossier)
    if found is not None:
        return of_dossier(found)
    return source.profile() if filters.mine else None


def _print_pgn(source: AnswerSource, found: "Pages") -> None:
    out = sys.stdout.buffer
    left_out: list[str] = []
    for page in found:
        with damaged_left_out() as notes:
            out.writelines(text.rstrip() + b"\n\n" for text in source.pgns(game["id"] for game in page))
        left_out += notes
    out.flush()
    print_left_out(left_out)


def _print_json(found: "Pages") -> None:
    """Print one object like the API's, one game a line."""
    click.echo('{"items": [', nl=False)
    before = "\n"
    for page in found:
        for game in page:
            click.echo(before + json.dumps(game, ensure_ascii=False), nl=False)
            before = ",\n"
    click.echo('\n], "next": null}')


def _print_on_terminal(
    context: Context, read: "Callable[[int | None], Pages]", person: "Profile | None", *, everything: bool
) -> None:
    """The first games and how to see more, or all of them in a pager."""
    if everything:
        pages = _tables(read(None), person)
        first = next(pages, None)
        if first is None:
            context.note(_NOTHING)
        else:
            click.echo_via_pager(chain([first], pages), color=colours.wanted(sys.stdout))
        return
    (page, *_) = read(_ON_TERMINAL + 1)
    _print_lines(context, _tables(iter([page[:_ON_TERMINAL]]), person))
    if len(page) > _ON_TERMINAL:
        context.note(f"these are the first {_ON_TERMINAL}: --all prints all, --limit N so many")


def _print_lines(context: Context, tables: Iterator[str]) -> None:
    empty = True
    for table in tables:
        click.echo(table, nl=False)
        empty = False
    if empty:
        context.note(_NOTHING)


def _tables(found: "Pages", person: "Profile | None") -> Iterator[str]:
    """The games as tables, one for each page, with titles on the first one."""
    from daemon.cli.games_table import games_table

    heading = True
    for page in found:
        if page:
            yield games_table(page, person, heading=heading)
            heading = False
