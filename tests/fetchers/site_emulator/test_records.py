"""The emulated sites write games as records of the real ones' shape have them."""

import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import chess.pgn
import pytest

from tests.fetchers.site_emulator import chesscom_format, lichess_format
from tests.fetchers.site_emulator.asking import asking
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Ai, Game, World
from tests.fetchers.site_emulator.lichess_format import Flags
from tests.site_files import file_of, json_of

_MONTHS = ("daily.json", "coach.json", "odds.json", "month.json")


def moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def lichess_records() -> list[dict[str, Any]]:
    """Games of lichess with their PGN."""
    lines = file_of("lichess/user_games.ndjson").splitlines()
    single = [json_of(f"lichess/{name}.json") for name in ("crazyhouse", "from_position")]
    return [*(json.loads(line) for line in lines), *single]


def lichess_game(world: World, record: dict[str, Any]) -> Game:
    """The same game, made up by its values."""
    who = [record["players"][colour] for colour in ("white", "black")]
    clock = record.get("clock")
    game = world.add_game(
        LICHESS,
        *(player["user"]["name"] if "user" in player else Ai(player["aiLevel"]) for player in who),
        id=record["id"],
        at=moment(record["createdAt"]),
        ended=moment(record["lastMoveAt"]),
        moves=record["moves"],
        variant=record["variant"],
        start=record.get("initialFen"),
        status=record["status"],
        winner=record.get("winner"),
        time_control=f"{clock['initial']}+{clock['increment']}" if clock else "-",
        clocks=tuple(record.get("clocks", ())),
        rated=record["rated"],
        source=record["source"],
    )
    white, black = (
        replace(seat, rating=player.get("rating"), change=player.get("ratingDiff"))
        for seat, player in zip((game.white, game.black), who, strict=True)
    )
    return world.change_game(game, white=white, black=black)


def without_openings(pgn: str) -> str:
    """The book of openings is the site's own; ours is small."""
    return re.sub(r'\[(?:ECO|Opening) "[^"]*"\]\n', "", pgn)


@pytest.mark.parametrize("number", range(5))
def test_lichess_json_and_pgn_are_of_its_shape(number: int) -> None:
    """A game of the site, made up again by its values, is written the same: every key, every tag, every clock."""
    record = lichess_records()[number]
    world = World()
    flags = Flags(pgn_in_json=True, clocks="clocks" in record, division="division" in record)
    written = lichess_format.as_json(lichess_game(world, record), world, flags)
    assert without_openings(written.pop("pgn")) == without_openings(record.pop("pgn"))
    for player in record["players"].values():
        for grace in ("flair", "patron", "patronColor"):
            player.get("user", {}).pop(grace, None)
        player.pop("provisional", None)
    record.pop("opening", None)
    record.pop("division", None)
    written.pop("division", None)
    assert written == record
    assert list(written) == list(record)


def chesscom_records() -> list[dict[str, Any]]:
    """Games of chess.com, of every kind that there is."""
    games = [game for name in _MONTHS for game in json_of(f"chesscom/{name}")["games"]]
    return [game for game in games if "pgn" in game]


def chesscom_game(world: World, record: dict[str, Any]) -> Game:
    """The same game, made up by its values."""
    pgn = chess.pgn.read_game(io.StringIO(record["pgn"]))
    assert pgn is not None
    tags = pgn.headers
    start = datetime.strptime(f"{tags['UTCDate']} {tags['UTCTime']} +0000", "%Y.%m.%d %H:%M:%S %z")
    won = {colour: record[colour]["result"] == "win" for colour in ("white", "black")}
    loser = record["white" if won["black"] else "black"]
    kind = "daily" if "/daily/" in record["url"] else "live"
    node: Any = pgn
    moves = []
    while node.variations:
        node = node.variations[0]
        moves.append(node.san())
    game = world.add_game(
        CHESSCOM,
        record["white"]["username"],
        record["black"]["username"],
        id=f"{kind}/{record['url'].rsplit('/', 1)[1]}",
        at=start,
        ended=moment(record["end_time"] * 1000),
        moves=moves,
        variant="oddschess" if record["rules"] == "oddschess" else "standard",
        start=tags.get("FEN"),
        status=loser["result"],
        winner=next((colour for colour in ("white", "black") if won[colour]), None),
        time_control=record["time_control"],
        rated=record["rated"],
        event=tags["Event"],
        event_id=record["tournament"].rsplit("/", 1)[1] if "tournament" in record else None,
        uuid=record["uuid"],
        accuracies=tuple(record["accuracies"].values()) if "accuracies" in record else None,
    )
    seats = {
        colour: replace(seat, rating=record[colour]["rating"], change=0)
        for colour, seat in (("white", game.white), ("black", game.black))
    }
    for colour in ("white", "black"):
        world.change_player(CHESSCOM, record[colour]["username"], uuid=record[colour]["uuid"])
    return world.change_game(game, **seats)


def without_clocks(pgn: str) -> str:
    """Clocks, opening names and the counters of the position are left out of the comparison."""
    bare = re.sub(r" \{\[%clk [^\]]*\]\}| \d+\.\.\.", "", pgn)
    return re.sub(r'\[(ECO|ECOUrl|CurrentPosition|Tournament) "[^"]*"\]', r"[\1]", bare)


def test_chesscom_json_and_pgn_are_of_its_shape() -> None:
    """A game of the site, made up again by its values, is written the same: keys, tags in their order, compact moves."""
    for record in chesscom_records():
        world = World()
        written = chesscom_format.as_json(chesscom_game(world, record), world)
        assert without_clocks(written.pop("pgn")) == without_clocks(record.pop("pgn"))
        assert written.pop("fen").split()[:4] == record.pop("fen").split()[:4]
        assert list(written) == list(record)
        for own in ("eco", "tournament"):
            written.pop(own, None)
            record.pop(own, None)
        assert written == record


@pytest.mark.parametrize("path", ["games/2026/05", "games/2026/05/pgn", "", "games/archives"])
def test_headers_are_of_its_shape(path: str) -> None:
    """Every header of the site's answers that a client could act on is in ours, in the same form."""
    theirs = json_of("chesscom/headers.json")[path]
    with asking() as ask:
        ask.world.add_game(CHESSCOM, "rossi-mario", "BianchiL", at=datetime(2026, 5, 5, tzinfo=UTC))
        ours = ask.chesscom("/".join(filter(None, ["rossi-mario", path]))).headers
    for header in (
        "Cache-Control",
        "Content-Type",
        "etag",
        "expires",
        "last-modified",
        "content-disposition",
        "link",
    ):
        assert (header in theirs) == (header in ours), header
        if header in theirs:
            assert shape(theirs[header]).startswith(shape(ours[header])), header


def shape(value: str) -> str:
    """Words as words, numbers as numbers: what a value looks like."""
    value = re.sub(r"W/\"[0-9a-f]{32}\"", "ETAG", value)
    value = re.sub(r"ChessCom_.*_\d{6}", "FILE", value)
    value = re.sub(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b", "DAY", value)
    value = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),", "Day,", value)
    value = re.sub(r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b", "Mon", value)
    return re.sub(r"\d+", "9", value)


def test_a_month_from_a_file_is_served() -> None:
    """All its games, word for word."""
    body = file_of("chesscom/month.json")
    with asking() as ask:
        ask.sites.replay(
            CHESSCOM, "/pub/player/rossi-mario/games/2025/03", body, {"Content-Type": "application/json"}
        )
        answer = ask.chesscom("rossi-mario/games/2025/03")
    assert answer.content == body
    assert len(answer.json()["games"]) == 14
