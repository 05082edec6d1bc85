"""Games as they go out: PGN as the archive has it, and each telling as it came."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from core.game import Game, Side
from core.pgn import parse
from core.pgn_writing import ROSTER, standing_alone, with_tags
from core.players import read_fide_id
from daemon.archive.reading import shapes
from daemon.archive.reading.games import first_tellings, games_by_id
from daemon.archive.tables import games, players, tellings
from daemon.archive.tables_edits import told_players
from daemon.preparing import said

GROUP_BYTES: Final = 1 << 20
"""Packed bytes of the tellings that are in memory at once, unless a single game has more."""

GROUP_GAMES: Final = 100

Tags = dict[str, str | None]


def grouped(conn: Connection, ids: Sequence[int]) -> Iterator[list[int]]:
    """The ids in their order, in groups whose tellings fit into memory; those of no game are left out."""
    size = func.sum(func.length(tellings.c.pgn))
    its = select(tellings.c.game_id, size).where(tellings.c.game_id.in_(ids)).group_by(tellings.c.game_id)
    sizes: dict[int, int] = {game_id: int(of_it) for game_id, of_it in conn.execute(its)}
    group: list[int] = []
    total = 0
    for game_id in (one for one in ids if one in sizes):
        if group and (total + sizes[game_id] > GROUP_BYTES or len(group) == GROUP_GAMES):
            yield group
            group, total = [], 0
        group.append(game_id)
        total += sizes[game_id]
    if group:
        yield group


def pgn_texts(conn: Connection, ids: Sequence[int]) -> list[bytes]:
    """Each game as its first telling has it, in UTF-8, with the tags that the user has edited; it can stand in a file."""
    rows = {row.game_id: row for row in conn.execute(first_tellings(ids))}
    renamed = _renamed(conn, ids)
    edited = [game_id for game_id, row in rows.items() if row.told_key is not None or game_id in renamed]
    shown = {one["id"]: one for one in games_by_id(conn, edited)} if edited else {}
    return [_text(rows[one], shown.get(one), renamed.get(one, {})) for one in ids if one in rows]


def tellings_as_they_came(conn: Connection, ids: Sequence[int]) -> list[bytes]:
    """Every telling of each game, byte for byte."""
    its = select(tellings.c.game_id, tellings.c.pgn).where(tellings.c.game_id.in_(ids)).order_by(tellings.c.n)
    told: dict[int, list[bytes]] = {}
    for game_id, packed in conn.execute(its):
        told.setdefault(game_id, []).append(packed)
    return [zlib.decompress(packed) for game_id in ids for packed in told.get(game_id, [])]


def _renamed(conn: Connection, ids: Sequence[int]) -> dict[int, Tags]:
    """The games of players who are shown by a name that the user has given them, with that name."""
    renamed: dict[int, Tags] = {}
    for tag, column in (("White", games.c.white_id), ("Black", games.c.black_id)):
        its = (
            select(games.c.id, players.c.name)
            .join(players, players.c.id == column)
            .join(told_players, told_players.c.id == players.c.id)
            .where(games.c.id.in_(ids))
        )
        for game_id, name in conn.execute(its):
            renamed.setdefault(game_id, {})[tag] = name
    return renamed


def _text(row: Row[*tuple[Any, ...]], shown: shapes.Game | None, names: Tags) -> bytes:
    raw = zlib.decompress(row.pgn)
    if shown is None:
        return standing_alone(raw)
    told = parse(raw)
    changed: Tags = {}
    # A telling that newer rules of reading refuse still goes out: as it came.
    if row.told_key is not None and isinstance(told, Game):
        before, after = _told_tags(told), _shown_tags(shown)
        changed = {name: value for name, value in after.items() if value != before[name]}
    changed.update((name, value) for name, value in names.items() if dict(_names(told.tags))[name] != value)
    return standing_alone(with_tags(raw, {name: _written(name, value) for name, value in changed.items()}))


def _names(tags: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str | None]]:
    for colour in ("White", "Black"):
        yield colour, next((value for name, value in tags if name == colour), None)


def _written(tag: str, value: str | None) -> str | None:
    """What to write where nothing is known: every game has the tags of the roster."""
    unknown = {"Date": "????.??.??", "Result": "*"}.get(tag, "?") if tag in ROSTER else None
    return unknown if value is None else value


def _told_tags(told: Game) -> Mapping[str, str | None]:
    """What a telling says, by the tags that say it, in the form of `_shown_tags`."""
    return {
        "Event": said(told.event),
        "Site": said(told.site),
        "Date": str(told.date) if told.date.known else None,
        "Round": said(told.round),
        "Result": told.result,
        **_side_tags("White", _told_side(told.white)),
        **_side_tags("Black", _told_side(told.black)),
        "ECO": said(told.eco),
        "Opening": said(told.opening),
        "TimeControl": said(told.time_control),
        "Termination": said(told.termination),
        "Annotator": said(told.annotator),
    }


def _told_side(side: Side) -> tuple[str | None, str | None, int | None, str | None, str | None]:
    return side.name or None, read_fide_id(side.fide_id), side.rating, said(side.title), said(side.team)


def _shown_tags(game: shapes.Game) -> Mapping[str, str | None]:
    """What the archive shows, by the tags that say it."""
    return {
        "Event": game["event"],
        "Site": game["site"],
        "Date": game["date"],
        "Round": game["round"],
        "Result": game["result"],
        **_side_tags("White", _shown_side(game["white"])),
        **_side_tags("Black", _shown_side(game["black"])),
        # What the moves say is no tag of the game.
        "ECO": None if game["eco_derived"] else game["eco"],
        "Opening": None if game["opening_derived"] else game["opening"],
        "TimeControl": game["time_control"],
        "Termination": game["termination"],
        "Annotator": game["annotator"],
    }


def _shown_side(side: shapes.Side) -> tuple[str | None, str | None, int | None, str | None, str | None]:
    return side["written"], side["fide_id"], side["rating"], side["title"], side["team"]


def _side_tags(
    colour: str, side: tuple[str | None, str | None, int | None, str | None, str | None]
) -> dict[str, str | None]:
    name, fide_id, rating, title, team = side
    return {
        colour: name,
        f"{colour}FideId": fide_id,
        f"{colour}Elo": None if rating is None else str(rating),
        f"{colour}Title": title,
        f"{colour}Team": team,
    }
