"""Everything in an archive is looked at: what is damaged is told, and what can be derived is repaired."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, update

from daemon.archive.archive import Archive, Connection, open_archive
from daemon.archive.database.engine import sqlite_driver
from daemon.archive.games.compression import compress
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.archive.reading.totals import totals
from daemon.archive.tables.edits import told_games
from daemon.archive.tables.main import (
    games,
    player_names,
    player_words,
    players,
    quarantine,
    tellings,
    text_words,
    texts,
)
from daemon.archive.verify.findings import Finding
from daemon.archive.verify.repairs import repair
from daemon.archive.verify.run import VerifyProgress, verify
from daemon.edits.door import edit_game, edit_player
from tests.daemon import made_up
from tests.daemon.other_rules import other_rules
from tests.daemon.seeding import NOW, downloaded, fill, follow
from tests.daemon.shown import Shown
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import Emulator

Damage = Callable[[Connection], object]


def _filled(archive: Archive) -> None:
    """Three games, one of them told twice, with events, a FIDE id, a download and an item in quarantine."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [made_up.lichess()])
    fill(
        archive,
        [
            made_up.otb(),
            made_up.otb(black="Müller-Lüdenscheidt, Karl", WhiteFideId="1234567", Opening="Caro-Kann"),
        ],
    )
    fill(archive, [made_up.otb(white="ROSSI,Mario")], path="league.pgn")
    with archive.writing() as connection:
        put(connection, [QuarantineItem(source="club.pgn", raw=b"no game", reason="no game")], NOW)


def _found(archive: Archive) -> list[Finding]:
    return list(verify(archive))


def _findings(archive: Archive) -> list[str]:
    return [str(one) for one in _found(archive)]


def _mend(archive: Archive) -> None:
    repair(archive, {one.repair for one in _found(archive) if one.repair is not None})


def test_nothing_is_wrong(archive: Archive) -> None:
    """An archive that was filled through its door is sound, and every row was looked at."""
    _filled(archive)
    progress = VerifyProgress()
    assert list(verify(archive, progress=progress)) == []
    assert progress.counts == {"players": 6, "texts": 6, "games": 3, "tellings": 4, "quarantine": 1}
    assert progress.done == progress.total == 20


def test_an_empty_archive_is_sound(archive: Archive) -> None:
    """There need not be anything in it."""
    assert _found(archive) == []


@pytest.mark.parametrize("site", ["lichess", "chesscom"])
def test_downloads_of_the_emulated_sites_are_sound(archive: Archive, site: str) -> None:
    """Variants, positions, games that are not finished: what a site tells is read again likewise."""
    with Emulator(seed=7) as sites:
        bench = Bench(archive, sites)
        add = partial(sites.world.add_game, site, "mrossi90", "BianchiL")
        for day in range(1, 5):
            add(at=datetime(2026, 10, day, 18, tzinfo=UTC))
        add(at=datetime(2026, 10, 6, 18, tzinfo=UTC), variant="chess960")
        add(at=datetime(2026, 10, 7, 18, tzinfo=UTC), variant="crazyhouse")
        add(at=datetime(2026, 11, 30, 11, 59, tzinfo=UTC), status="started", played=10)
        bench.run(f"{site}:mrossi90")
    assert _found(archive) == []
    with archive.reading() as connection:
        assert totals(connection)["games"] >= 6


def _flip_blob(connection: Connection) -> None:
    packed = connection.execute(tellings.select().where(tellings.c.id == 2)).one().pgn
    bent = packed[:20] + bytes([packed[20] ^ 0xFF]) + packed[21:]
    connection.execute(update(tellings).where(tellings.c.id == 2).values(pgn=bent))


def _other_bytes(connection: Connection) -> None:
    connection.execute(update(tellings).where(tellings.c.id == 2).values(pgn=compress(b"1. e4 *")))


def _no_moves(connection: Connection) -> None:
    connection.execute(update(games).where(games.c.id == 2).values(moves=b"\xff\xff\xff"))


def _no_telling(connection: Connection) -> None:
    connection.execute(delete(tellings).where(tellings.c.game_id == 3))


def _bent_quarantine(connection: Connection) -> None:
    connection.execute(update(quarantine).values(raw=b"not packed"))


def _other_quarantine(connection: Connection) -> None:
    connection.execute(update(quarantine).values(raw=compress(b"no GAME")))


@pytest.mark.parametrize(
    ("damage", "place", "said", "remedy"),
    [
        (_flip_blob, "telling 1 of game 2", "cannot be unpacked", "gamekeeper restore"),
        (_other_bytes, "telling 1 of game 2", "not those that came", "gamekeeper restore"),
        (_no_moves, "game 2", "cannot be read", "gamekeeper restore"),
        (_no_telling, "game 3", "no telling", "gamekeeper restore"),
        (_bent_quarantine, "quarantine 1", "cannot be unpacked", "quarantine drop 1"),
        (_other_quarantine, "quarantine 1", "not those that came", "quarantine drop 1"),
    ],
)
def test_what_cannot_be_made_anew(
    archive: Archive, damage: Damage, place: str, said: str, remedy: str
) -> None:
    """What a source has said is nowhere else: it is told where the damage is and what helps."""
    _filled(archive)
    with archive.writing() as connection:
        damage(connection)

    (found,) = _found(archive)

    assert found.where == place
    assert said in found.fault
    assert remedy in str(found)
    assert found.repair is None


def _wrong_key(connection: Connection) -> None:
    connection.execute(update(games).where(games.c.id == 2).values(key=b"\1" * 16))


def _wrong_player_key(connection: Connection) -> None:
    one = players.c.kind == "person"
    first = connection.execute(players.select().where(one).order_by(players.c.id)).first()
    assert first is not None
    wrong = {"key": "person:somebody else", "digest": b"\2" * 16}
    connection.execute(update(players).where(players.c.id == first.id).values(wrong))


def _wrong_player(connection: Connection) -> None:
    other = connection.execute(players.select().where(players.c.name == "mrossi90")).one().id
    connection.execute(update(games).where(games.c.id == 2).values(white_id=other))


def _missing_words(connection: Connection) -> None:
    connection.execute(delete(player_words).where(player_words.c.word == "rossi"))


def _strange_word(connection: Connection) -> None:
    connection.execute(insert(player_words).values(word="verdi", player_id=1, nickname=False))


def _wrong_kind_of_word(connection: Connection) -> None:
    connection.execute(update(player_words).where(player_words.c.word == "mrossi90").values(nickname=False))


def _wrong_folded(connection: Connection) -> None:
    connection.execute(update(players).where(players.c.id == 1).values(folded="zz"))


def _missing_text_words(connection: Connection) -> None:
    connection.execute(delete(text_words).where(text_words.c.word == "torino"))


def _strange_text_word(connection: Connection) -> None:
    connection.execute(insert(text_words).values(word="verdi", text_id=1))


def _wrong_text(connection: Connection) -> None:
    connection.execute(update(texts).where(texts.c.text == "Torino").values(folded="t", digest=b"\3" * 16))


def _missing_name(connection: Connection) -> None:
    connection.execute(delete(player_names))


def _wrong_name(connection: Connection) -> None:
    connection.execute(update(player_names).values(identity=b"\4" * 16))


def _wrong_counts(connection: Connection) -> None:
    connection.execute(update(games).where(games.c.id == 2).values(ply_count=99, last_n=0))


def _moved_telling(connection: Connection) -> None:
    connection.execute(update(tellings).where(tellings.c.id == 4).values(game_id=3, n=2))
    connection.execute(update(games).where(games.c.id == 3).values(last_n=2))


@pytest.mark.parametrize(
    "damage",
    [
        _wrong_key,
        _wrong_player_key,
        _missing_words,
        _strange_word,
        _wrong_kind_of_word,
        _wrong_folded,
        _missing_text_words,
        _strange_text_word,
        _wrong_text,
        _missing_name,
        _wrong_name,
        _wrong_counts,
        _moved_telling,
    ],
)
def test_what_can_be_made_anew(archive: Archive, damage: Damage) -> None:
    """It is found, and after the repair everything is as it was."""
    _filled(archive)
    before = _everything(archive)
    with archive.writing() as connection:
        damage(connection)
    assert _everything(archive) != before

    assert all("gamekeeper verify --fix" in one for one in _findings(archive))
    assert _findings(archive)
    _mend(archive)

    assert _findings(archive) == []
    assert _without_n(_everything(archive)) == _without_n(before)


def _everything(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    with archive.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in (games, players, player_words, player_names, tellings, texts, text_words)
        }


def _without_n(everything: dict[str, list[tuple[object, ...]]]) -> dict[str, object]:
    """A telling that went and came back has a further number in its game."""
    at, last = list(tellings.columns).index(tellings.c.n), list(games.columns).index(games.c.last_n)
    cut = {"tellings": at, "games": last}
    return {
        name: [row[: cut[name]] + row[cut[name] + 1 :] if name in cut else row for row in rows]
        for name, rows in everything.items()
    }


def test_a_game_of_the_wrong_player(archive: Archive) -> None:
    """It goes to whom its names make its players."""
    _filled(archive)
    with archive.writing() as connection:
        _wrong_player(connection)
    assert "White is kept as another player than 'Rossi, Mario' (gamekeeper verify --fix)" in "".join(
        _findings(archive)
    )
    _mend(archive)
    assert _findings(archive) == []
    assert [one["white"]["name"] for one in Shown(archive).games(player="rossi")] == ["Rossi, Mario"] * 2


def test_keys_are_made_anew_beside_a_damaged_telling(archive: Archive) -> None:
    """It stays with its game, and is the only thing that is still wrong."""
    _filled(archive)
    with archive.writing() as connection:
        connection.execute(update(games).where(games.c.id == 2).values(key=b"\1" * 16))
        connection.execute(update(tellings).where(tellings.c.id == 4).values(pgn=b"not packed"))
    _mend(archive)
    assert [one.partition(": its bytes cannot")[0] for one in _findings(archive)] == ["telling 2 of game 2"]


def _edited(archive: Archive) -> None:
    """One game whose White is another player, one with another event, two that are said to be the same."""
    _filled(archive)
    fill(archive, [made_up.otb(moves="1. d4 d5"), made_up.otb(moves="1. d4 d5 2. c4")], path="more.pgn")
    edit_game(archive, 2, {"white": "Verdi, Luca"}, now_ms=NOW)
    edit_game(archive, 1, {"event": "Casual", "result": "0-1"}, now_ms=NOW)
    edit_player(archive, 5, "ROSSI Mario", now_ms=NOW)


def test_edited_games_are_sound(archive: Archive) -> None:
    """What the user has changed is not a fault, and a repair keeps it."""
    _edited(archive)
    assert _findings(archive) == []
    before = [(one["white"]["name"], one["event"], one["result"]) for one in Shown(archive).games()]
    with archive.writing() as connection:
        connection.execute(update(games).where(games.c.id == 3).values(key=b"\1" * 16))
    assert _findings(archive)
    _mend(archive)
    assert _findings(archive) == []
    assert [(one["white"]["name"], one["event"], one["result"]) for one in Shown(archive).games()] == before


def test_what_is_kept_of_an_edited_game(archive: Archive) -> None:
    """A game that is kept as told under a wrong key, or not at all, is found."""
    _edited(archive)
    with archive.writing() as connection:
        connection.execute(update(told_games).where(told_games.c.home_id == 2).values(key=b"\1" * 16))
    findings = "\n".join(_findings(archive))
    assert "edited game 2: its source game is kept under another game's key (restore" in findings
    assert "telling 1 of game 2: it is edited, and what it tells without the edit is not kept" in findings


def test_rules_of_somebody_else(archive: Archive) -> None:
    """Keys by other rules than ours are all found, and made again."""
    with other_rules():
        _filled(archive)
    assert _findings(archive)
    _mend(archive)
    assert _findings(archive) == []


def test_a_repair_makes_a_copy_first(sqlite_path: Path) -> None:
    """Beside the archive, as before a migration."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
        with archive.writing() as connection:
            _missing_words(connection)
        _mend(archive)
    (copy,) = sqlite_path.parent.glob("*.before-verify.*")
    with open_archive(copy) as archive:
        assert _findings(archive)


def _statement(path: Path, *statements: str) -> None:
    connection = sqlite_driver().connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=OFF")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_rows_that_point_nowhere(sqlite_path: Path) -> None:
    """Each is told; those that only link can go, the others cannot."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
        _statement(
            sqlite_path,
            "INSERT INTO player_words VALUES ('rossi', 99, 0)",
            "INSERT INTO telling_accounts VALUES (99, 1, 1)",
            "UPDATE games SET event_id = 77 WHERE id = 2",
        )
        findings = _findings(archive)

        assert any(
            one.startswith("player_words rossi 99: its player_id 99 is not in players") for one in findings
        )
        assert any(one.startswith("telling_accounts 99 1: its account_id 99") for one in findings)
        assert any("games 2: its event_id 77 is not in texts (restore" in one for one in findings)
        _mend(archive)
        assert [one.partition(":")[0] for one in _findings(archive)] == ["games 2"]


def test_many_rows_that_point_nowhere(sqlite_path: Path) -> None:
    """Only the first are told one by one."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
        _statement(
            sqlite_path, *(f"INSERT INTO telling_accounts VALUES ({n}, 1, 1)" for n in range(100, 150))
        )
        findings = _findings(archive)
    assert len(findings) == 21
    assert findings[-1].startswith("telling_accounts: 30 more rows")


def test_accounts_with_another_game(sqlite_path: Path) -> None:
    """The game beside an account that is not that of its telling is told, and mended."""
    with open_archive(sqlite_path) as archive:
        account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
        downloaded(archive, account, [made_up.lichess(), made_up.lichess("b" * 8, made_up.ITALIAN)])
        _statement(sqlite_path, "UPDATE telling_accounts SET game_id = 2 WHERE telling_id = 1")
        expected = (
            "telling_accounts: 1 row with another game than that of the telling (gamekeeper verify --fix)"
        )
        assert _findings(archive) == [expected]
        _mend(archive)
        assert _findings(archive) == []


def test_tellings_with_one_number(sqlite_path: Path) -> None:
    """A number that was given twice in a game is told."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
        _statement(
            sqlite_path, "DROP INDEX uq_tellings_game_id_n", "UPDATE tellings SET n = 1 WHERE game_id = 2"
        )
        assert "game 2: 2 of its tellings have the number 1" in "\n".join(_findings(archive))


@pytest.mark.parametrize("at", [0.3, 0.5, 0.7, 0.9])
def test_flipped_bytes_in_the_file(sqlite_path: Path, at: float) -> None:
    """Bytes that a disk has changed anywhere in the file are found, and no error ends the look."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
    _statement(sqlite_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    pages = sqlite_path.stat().st_size // 8192
    with sqlite_path.open("r+b") as file:
        # The head of a page is used on every page.
        file.seek(int(pages * at) * 8192)
        head = file.read(16)
        file.seek(int(pages * at) * 8192)
        file.write(bytes(byte ^ 0xFF for byte in head))

    with open_archive(sqlite_path) as archive:
        findings = _findings(archive)

    assert findings
    assert all(one.startswith("database: ") and "restore" in one for one in findings)


def test_an_index_that_is_not_as_its_table(sqlite_path: Path) -> None:
    """It is built again from the table."""
    with open_archive(sqlite_path) as archive:
        _filled(archive)
        schema = "UPDATE sqlite_schema SET {} WHERE name = 'ix_games_date_id'"
        connection = sqlite_driver().connect(sqlite_path, isolation_level=None)
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'ix_games_date_id'"
        ).fetchone()
        # While it is taken for a partial index of nothing, it gets no entries.
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(schema.format(f"sql = '{sql} WHERE 0'"))
        connection.close()
        connection = sqlite_driver().connect(sqlite_path, isolation_level=None)
        connection.execute("REINDEX ix_games_date_id")
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(schema.format(f"sql = '{sql}'"))
        connection.close()
        archive.close()

        assert {one.repair for one in _found(archive)} == {"indexes"}
        _mend(archive)
        assert _findings(archive) == []
