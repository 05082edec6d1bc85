"""`gamekeeper game`: one game, with all that is known of it."""

import sys
import textwrap
from typing import TYPE_CHECKING, Final

import click

from daemon.cli import colours
from daemon.cli.columns import CellValue, Column, Shown
from daemon.cli.context import Context, pass_context
from daemon.cli.ids import ID
from daemon.cli.source_choice import api_options, ask

if TYPE_CHECKING:
    from daemon.archive.reading import shapes
    from daemon.cli.sources import AnswerSource

_WIDEST: Final = 100
"""The greatest width of a line of moves; longer lines are hard to read."""


@click.command()
@click.argument("game_id", metavar="ID", type=ID)
@click.option("--pgn", is_flag=True, help="Print it as PGN, byte for byte as its first telling came.")
@click.option(
    "--telling", "n", type=ID, metavar="N", help="With --pgn or --open: this telling, not the first."
)
@click.option(
    "--open", "opens", is_flag=True, help="Open it in the browser, on the site that it was played on."
)
@api_options
@pass_context
def command(context: Context, game_id: int, n: int | None, *, pgn: bool, opens: bool) -> None:
    """Show game ID: its facts, its sources, and its moves.

    The ids are those that `gamekeeper games` lists.
    """
    if pgn and opens:
        raise click.UsageError("--pgn and --open exclude each other")
    source = ask(context)
    found = source.game(game_id)
    if found is None:
        raise click.UsageError(f"there is no game {game_id} in the archive; `gamekeeper games` lists them")
    if n is not None and n not in {telling["n"] for telling in found["tellings"]}:
        known = ", ".join(str(telling["n"]) for telling in found["tellings"])
        raise click.BadParameter(
            f"game {game_id} has no telling {n} (it has: {known})", param_hint="--telling"
        )
    if opens:
        _open(context, found, n)
    elif pgn or n is not None:
        _print_pgn(source, game_id, n)
    elif context.json:
        context.emit(found)
    else:
        _show(found)


def _print_pgn(source: "AnswerSource", game_id: int, n: int | None) -> None:
    out = sys.stdout.buffer
    out.write(source.pgn(game_id, n) or b"")
    out.flush()


def _open(context: Context, game: "shapes.WholeGame", n: int | None) -> None:
    """Show the game's page in the browser.

    Raises:
        ClickException: no source has a page, or there is no browser.
    """
    import webbrowser

    url = next(
        (one["url"] for one in game["tellings"] if n in (None, one["n"]) and _is_page(one["url"])), None
    )
    if url is None:
        raise click.ClickException("no telling of it names a page on the web")
    context.note(url)
    if not webbrowser.open(url):
        raise click.ClickException("no browser found; set $BROWSER")


def _is_page(url: str | None) -> bool:
    """Whether it is a URL that a browser may open. A file may contain anything."""
    return url is not None and url.lower().startswith(("https://", "http://")) and url.isprintable()


def _show(game: "shapes.WholeGame") -> None:
    from daemon.cli.output import print_facts, print_table, printable

    names = " – ".join(_side(game[colour]) for colour in ("white", "black"))
    click.echo(colours.bold(printable(f"{names}  {game['result']}"), sys.stdout))
    click.echo()
    print_facts(_facts(game))
    click.echo()
    print_table(_TELLINGS, [_telling(one) for one in game["tellings"]])
    for one in game["oddities"]:
        click.echo(printable(_odd(one)))
    for line in _moves(game):
        click.echo(line)


def _odd(one: "shapes.Oddity") -> str:
    return f"odd in telling {one['telling']}: {one['text']} ({one['code']})"


def _side(side: "shapes.Side") -> str:
    about = [f"{side['rating']}"] if side["rating"] is not None else []
    about += [side["team"]] if side["team"] else []
    title = f"{side['title']} " if side["title"] else ""
    return f"{title}{side['name']}" + (f" ({', '.join(about)})" if about else "")


def _facts(game: "shapes.WholeGame") -> list[tuple[str, CellValue]]:
    from daemon.cli.moments import local

    started = game["started_at"]
    return [
        ("id", game["id"]),
        ("date", game["date"]),
        ("started", None if started is None else Shown(started, local(started, "%Y-%m-%d %H:%M"))),
        ("event", game["event"]),
        ("site", game["site"]),
        ("round", game["round"]),
        ("opening", _opening(game)),
        ("time", " ".join(filter(None, (game["time_control"], game["time_class"]))) or None),
        ("variant", None if game["variant"] == "standard" else game["variant"]),
        ("start", game["start_fen"]),
        ("termination", game["termination"]),
        ("annotator", game["annotator"]),
        ("ids", _ids(game)),
        *_further(game),
    ]


def _opening(game: "shapes.WholeGame") -> str | None:
    text = " ".join(filter(None, (game["eco"], game["opening"])))
    derived = game["opening_derived"] if game["opening"] else game["eco_derived"]
    return (f"{text} (by the moves)" if derived else text) or None


def _ids(game: "shapes.WholeGame") -> str | None:
    """Which games of a site this one is, if the site has more than one id for it."""
    ids: dict[str, set[str]] = {}
    for one in game["tellings"]:
        if one["file"] is None and one["site"] and one["native_id"]:
            ids.setdefault(one["site"], set()).add(one["native_id"])
    several = [f"{len(its)} ids of {site} are this one game" for site, its in ids.items() if len(its) > 1]
    return "; ".join(several) or None


def _further(game: "shapes.WholeGame") -> list[tuple[str, CellValue]]:
    """The ids of the players, and the tags that are not shown elsewhere."""
    sides = [(f"{colour}'s FIDE id", game[colour]["fide_id"]) for colour in ("white", "black")]
    return [*sides, *((name, value) for name, value in game["tags"].items() if name not in _SHOWN)]


def _telling(one: "shapes.Telling") -> tuple[CellValue, ...]:
    from pathlib import PurePath

    from daemon.cli.moments import moment

    file = one["file"]
    where = Shown(one["url"]) if file is None else Shown(file, PurePath(file).name)
    by = one["site"] or ("file" if file else None)
    left = one["left_at"]
    what = "no longer in its file" if file else "withdrawn"
    gone = None if left is None else Shown(f"{what}, known since {left}", what)
    return (one["n"], by, where, ", ".join(one["accounts"]) or None, moment(one["fetched_at"]), gone)


def _moves(game: "shapes.WholeGame") -> list[str]:
    """The moves in lines that fit the terminal, followed by the result."""
    from shutil import get_terminal_size

    from core.pgn.san import numbered_or_none

    moves = tuple(game["moves"].split())
    written = numbered_or_none(game["variant"], game["start_fen"], moves)
    text = f"{game['moves'] if written is None else written} {game['result']}".strip()
    return ["", *textwrap.wrap(text, min(get_terminal_size().columns, _WIDEST))]


_TELLINGS: Final = (
    "n",
    "told by",
    "where",
    Column("accounts", 2),
    Column("since", 1),
    Column("left", 3),
)
_SHOWN: Final = frozenset(
    [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteElo",
        "BlackElo",
        "WhiteTitle",
        "BlackTitle",
        "WhiteTeam",
        "BlackTeam",
        "WhiteFideId",
        "BlackFideId",
        "ECO",
        "Opening",
        "TimeControl",
        "Termination",
        "Annotator",
        "Variant",
        "FEN",
        "SetUp",
        "UTCDate",
        "UTCTime",
        "StartTime",
        "GameId",
        "Link",
        "ECOUrl",
    ]
)
"""Tags whose content is shown elsewhere."""
