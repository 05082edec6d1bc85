"""Games for output: PGN as the archive has it, and each telling as it came."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from core import move_bytes
from core.game import STANDARD, VERBATIM_NAMES, Game, Side
from core.names import display
from core.pgn.encodings import as_utf_8
from core.pgn.movetext import Fault
from core.pgn.reader import parse, read_header
from core.pgn.replay import PlayedLine
from core.pgn.variants import VARIANT_NAMES
from core.pgn.writer import ROSTER, standing_alone, with_tags, without_moves
from core.players import read_fide_id
from core.sites import SITES
from daemon.archive.games.game_rows import first_tellings
from daemon.archive.games.packed import unpack
from daemon.archive.games.prepared import said
from daemon.archive.reading import shapes
from daemon.archive.reading.games import games_by_id
from daemon.archive.tables.edits import told_players
from daemon.archive.tables.main import games, players, tellings

GROUP_BYTES: Final = 1 << 20
"""Packed bytes of the tellings that are in memory at once, unless a single game has more."""

GROUP_GAMES: Final = 100

ExportTags = dict[str, str | None]


def grouped(connection: Connection, ids: Sequence[int]) -> Iterator[list[int]]:
    """The ids in their order, in groups whose tellings fit into memory; ids of no game are left out."""
    size = func.sum(func.length(tellings.c.pgn))
    its = select(tellings.c.game_id, size).where(tellings.c.game_id.in_(ids)).group_by(tellings.c.game_id)
    sizes: dict[int, int] = {game_id: int(of_it) for game_id, of_it in connection.execute(its)}
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


def pgn_texts(connection: Connection, ids: Sequence[int]) -> list[bytes]:
    """Each game as the archive has it, in UTF-8, ready to be put in a file.

    That is a telling's own text, with other tags if the user has edited them, or if a site's record says what
    its PGN does not: taken in again it is the same game.
    """
    return [standing_alone(text) for text in _texts(connection, ids).values()]


def game_pgn(connection: Connection, game_id: int) -> bytes | None:
    """The game as the archive has it; byte for byte as a telling came, if that says all.

    None if there is none.
    """
    return _texts(connection, [game_id]).get(game_id)


def _texts(connection: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    rows = {row.game_id: row for row in connection.execute(first_tellings(ids))}
    renamed = _renamed(connection, ids)
    apart = [game_id for game_id, row in rows.items() if row.told_key is not None]
    raws = {game_id: _unpacked(row) for game_id, row in rows.items()} | _with_the_moves(connection, apart)
    # What is in a file says itself what it says.
    other = [one for one, row in rows.items() if row.download or row.told_key is not None or one in renamed]
    shown = {one["id"]: one for one in games_by_id(connection, other)} if other else {}
    return {
        one: _text(raws[one], shown.get(one), renamed.get(one, {}), rows[one]) for one in ids if one in rows
    }


def _with_the_moves(connection: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """For each merged game, the telling that has the moves of the game."""
    its = select(tellings.c.game_id, tellings.c.pgn, tellings.c.encoding, tellings.c.told_key)
    its = its.add_columns(games.c.moves, games.c.start)
    its = its.join(games, games.c.id == tellings.c.game_id).where(tellings.c.game_id.in_(ids))
    source_game: dict[int, dict[bytes, Row[*tuple[Any, ...]]]] = {}
    for row in connection.execute(its.order_by(tellings.c.game_id, tellings.c.n)):
        source_game.setdefault(row.game_id, {}).setdefault(row.told_key, row)
    several = {game_id: rows.values() for game_id, rows in source_game.items() if len(rows) > 1}
    found = {game_id: next(filter(_has_the_moves, rows), None) for game_id, rows in several.items()}
    return {game_id: _unpacked(row) for game_id, row in found.items() if row is not None}


def _has_the_moves(row: Row[*tuple[Any, ...]]) -> bool:
    source_game = parse(_unpacked(row))
    return (
        isinstance(source_game, Game)
        and source_game.start == row.start
        and move_bytes.pack(source_game.moves) == row.moves
    )


def _unpacked(row: Row[*tuple[Any, ...]]) -> bytes:
    """The bytes of a telling; as UTF-8 if the user has named their encoding, which no reader would know."""
    return as_utf_8(unpack(row.pgn, f"game {row.game_id}"), row.encoding)


def tellings_as_they_came(connection: Connection, ids: Sequence[int]) -> list[bytes]:
    """Every telling of each game, byte for byte."""
    its = select(tellings.c.game_id, tellings.c.pgn).where(tellings.c.game_id.in_(ids)).order_by(tellings.c.n)
    source_game: dict[int, list[bytes]] = {}
    for game_id, packed in connection.execute(its):
        source_game.setdefault(game_id, []).append(packed)
    return [unpack(packed, f"game {game_id}") for game_id in ids for packed in source_game.get(game_id, [])]


def _renamed(connection: Connection, ids: Sequence[int]) -> dict[int, ExportTags]:
    """The games with a player whom the user has renamed, with that name."""
    renamed: dict[int, ExportTags] = {}
    for tag, column in (("White", games.c.white_id), ("Black", games.c.black_id)):
        its = (
            select(games.c.id, players.c.name)
            .join(players, players.c.id == column)
            .join(told_players, told_players.c.id == players.c.id)
            .where(games.c.id.in_(ids))
        )
        for game_id, name in connection.execute(its):
            renamed.setdefault(game_id, {})[tag] = name
    return renamed


def _text(raw: bytes, shown: shapes.Game | None, names: ExportTags, row: Row[*tuple[Any, ...]]) -> bytes:
    """The text of a telling with the game's tags, where its own differ."""
    if shown is None:
        return raw
    try:
        rules, source_game = _rules(raw, shown)
    except Fault:  # newer rules of reading refuse it: it goes out as it came
        return raw
    changed = dict(rules)
    if source_game is not None and (row.download or row.told_key is not None):
        before, after = _source_tags(source_game), _shown_tags(shown)
        changed |= {name: value for name, value in after.items() if value != before[name]}
        changed |= _origin_tags(source_game, row)
        changed |= _start_time(source_game, shown)
    written = dict(_names(source_game.tags if source_game else read_header(raw)))
    changed |= {name: value for name, value in names.items() if written[name] != value}
    changed |= _verbatim({**changed, **names}, shown)
    return (
        with_tags(raw, {name: _written(name, value) for name, value in changed.items()}) if changed else raw
    )


def _rules(raw: bytes, shown: shapes.Game) -> tuple[ExportTags, Game | None]:
    """Tags for rules and start position, if its own do not give them, and the game with these tags."""
    source_game = _header(raw)
    if source_game is not None and (source_game.variant, source_game.start_fen) == (
        shown["variant"],
        shown["start_fen"],
    ):
        return {}, source_game
    fen = shown["start_fen"]
    tags: ExportTags = {
        "Variant": None
        if shown["variant"] == STANDARD
        else VARIANT_NAMES.get(shown["variant"], shown["variant"]),
        "SetUp": None if fen is None else "1",
        "FEN": fen,
    }
    return tags, _header(with_tags(raw, tags))


def _header(raw: bytes) -> Game | None:
    source_game = parse(without_moves(raw), backend=_nothing_played)
    return source_game if isinstance(source_game, Game) else None


def _nothing_played(*_: object) -> PlayedLine:
    return PlayedLine(moves=(), castlings=())


def _origin_tags(source_game: Game, row: Row[*tuple[Any, ...]]) -> ExportTags:
    """The address of a downloaded game, which identifies it as the site's, if its tags do not have it."""
    if (
        not row.download
        or (source_game.source, source_game.native_id) == (row.site, row.native_id)
        or row.url is None
    ):
        return {}
    return {SITES[row.site].address_tag: row.url}


def _start_time(source_game: Game, shown: shapes.Game) -> ExportTags:
    """When an online game began, if its tags do not say."""
    at = shown["started_at"]
    if at is None or source_game.started_at is not None:
        return {}
    return {"UTCDate": at[:10].replace("-", "."), "UTCTime": at[11:19]}


def _verbatim(given: ExportTags, shown: shapes.Game) -> ExportTags:
    """A tag that keeps the names that the user has typed, if a file would show them otherwise."""
    typed = [
        colour
        for colour, side in (("White", shown["white"]), ("Black", shown["black"]))
        if (name := given.get(colour)) and not side["verbatim"] and display(name) != name
    ]
    return {VERBATIM_NAMES: " ".join(typed)} if typed else {}


def _names(tags: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str | None]]:
    for colour in ("White", "Black"):
        yield colour, next((value for name, value in tags if name == colour), None)


def _written(tag: str, value: str | None) -> str | None:
    """What to write if nothing is known: every game has the tags of the roster."""
    unknown = {"Date": "????.??.??", "Result": "*"}.get(tag, "?") if tag in ROSTER else None
    return unknown if value is None else value


def _source_tags(source_game: Game) -> Mapping[str, str | None]:
    """What a telling says, by tag, in the form of `_shown_tags`."""
    return {
        "Event": said(source_game.event),
        "Site": said(source_game.site),
        "Date": str(source_game.date) if source_game.date.known else None,
        "Round": said(source_game.round),
        "Result": source_game.result,
        **_side_tags("White", _source_side(source_game.white)),
        **_side_tags("Black", _source_side(source_game.black)),
        "ECO": said(source_game.eco),
        "Opening": said(source_game.opening),
        "TimeControl": said(source_game.time_control),
        "Termination": said(source_game.termination),
        "Annotator": said(source_game.annotator),
    }


def _source_side(side: Side) -> tuple[str | None, str | None, int | None, str | None, str | None]:
    return side.name or None, read_fide_id(side.fide_id), side.rating, said(side.title), said(side.team)


def _shown_tags(game: shapes.Game) -> Mapping[str, str | None]:
    """What the archive shows, by tag."""
    return {
        "Event": game["event"],
        "Site": game["site"],
        "Date": game["date"],
        "Round": game["round"],
        "Result": game["result"],
        **_side_tags("White", _shown_side(game["white"])),
        **_side_tags("Black", _shown_side(game["black"])),
        # What the moves say is not a tag of the game.
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
