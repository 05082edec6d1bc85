"""Near doubles in an archive: found, answered, and the answers undone; on both databases."""

import time
from dataclasses import replace

import pytest

from core.edits import FIELDS, EditError
from core.game import Game, Side
from daemon.archive.archive import Archive
from daemon.archive.database import indexes
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.reading import shapes
from daemon.archive.reading.doubles import list_doubles
from daemon.config.configured import ConfiguredDossier
from daemon.edits import doubles
from daemon.edits.door import edit_game, undo
from tests.daemon.edits.test_door import all_games
from tests.daemon.edits.test_door_properties import rows_of
from tests.daemon.made_up import ITALIAN, RUY, lichess, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow

LONG = f"{RUY} a6 4. Ba4"


def found(archive: Archive) -> list[shapes.Double]:
    doubles.look(archive)
    with archive.reading() as connection:
        return list_doubles(connection, limit=100)["items"]


def pairs(archive: Archive) -> list[tuple[str, int, int]]:
    return [(one["kind"], one["game"]["id"], one["other"]["id"]) for one in reversed(found(archive))]


@pytest.mark.parametrize("turned", [False, True])
def test_all_kinds(archive: Archive, turned: bool) -> None:
    """Whichever of the two came first, and in whichever batch, the pair is found once."""
    follow(archive, ["lichess:mrossi90"])
    with archive.writing() as connection:
        sync_dossiers(
            connection, [ConfiguredDossier("Mario", "mario", None, ["Rossi, Mario"], ["lichess:mrossi90"])]
        )
    games = {
        "": otb(moves=LONG),
        "beginning": otb(moves=f"{LONG} Nf6"),
        "date": otb(moves=LONG, Date="2024.05.??"),
        "result": otb(moves=LONG, result="*"),
        "unknown": otb(moves=LONG, black="?"),
        "fide_id": otb(moves=LONG, WhiteFideId="1234567"),
        "dossier": otb("mrossi90", moves=LONG),
    }
    names = list(reversed(games)) if turned else list(games)
    for number, name in enumerate(names):
        fill(archive, [games[name]], f"{number}.pgn")
        if number % 2:
            doubles.look(archive)
    ids = {name: number for number, name in enumerate(names, 1)}
    own = {(kind, *sorted((ids[""], ids[kind]))) for kind in games if kind}
    assert own <= set(pairs(archive))
    assert len(pairs(archive)) == len(set(pairs(archive)))


def test_the_same_id_of_a_site(archive: Archive) -> None:
    """A file's game that names a downloaded game's id and is not the same: accepted for all at once, and undone."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    numbers = [f"abcdefg{number}" for number in range(5)]
    day = {number: f"2024.05.{at:02}" for at, number in enumerate(numbers, 1)}
    downloaded(archive, account, [lichess(number, Date=day[number]) for number in numbers])
    named = [
        replace(lichess(number, Date=day[number]), white=Side(name="Rossi, Mario")) for number in numbers
    ]
    other = lichess(numbers[0], ITALIAN, Date=day[numbers[0]])
    fill(archive, [replace(game, online=False) for game in [*named, other]])
    kinds = [kind for kind, *_ in pairs(archive)]
    assert (kinds.count("native_id"), kinds.count("other_moves")) == (5, 2)
    before = rows_of(archive)
    accepted = doubles.of_kind(archive, "native_id")
    edits = doubles.same(archive, [one["id"] for one in accepted], now_ms=NOW)
    assert [len(one["tellings"]) for one in all_games(archive)] == [2] * 5 + [1]
    assert all_games(archive)[0]["white"]["name"] == "mrossi90"
    downloaded(archive, account, [lichess(number, Date=day[number]) for number in numbers])
    fill(archive, [replace(game, online=False) for game in named], "again.pgn")
    assert [len(one["tellings"]) for one in all_games(archive)] == [3] * 5 + [1]
    undo(archive, [edits[0]], now_ms=NOW, whole=True)
    assert len(all_games(archive)) == 11
    assert rows_of(archive)["games"] == before["games"]


def test_answers(archive: Archive) -> None:
    """What the user has decided is not asked again, until they undo it."""
    fill(archive, [otb(moves=LONG), otb(moves=RUY), otb(moves=LONG, Date="2024.05.13")])
    assert pairs(archive) == [("beginning", 1, 2), ("date", 1, 3)]
    (second, first) = (one["id"] for one in found(archive))
    doubles.different(archive, [first], now_ms=NOW)
    assert pairs(archive) == [("date", 1, 3)]
    doubles.same(archive, [second], now_ms=NOW)
    assert pairs(archive) == []
    assert [one["id"] for one in all_games(archive)] == [1, 2]
    with pytest.raises(EditError, match="no pair"):
        doubles.same(archive, [first], now_ms=NOW)
    undo(archive, [2], now_ms=NOW)
    assert pairs(archive) == [("date", 1, 3)]
    undo(archive, [1], now_ms=NOW)
    assert set(pairs(archive)) == {("beginning", 1, 2), ("date", 1, 3)}


def test_one_game_of_three(archive: Archive) -> None:
    """Answers join: two games that are the same as a third are the same, however they were answered and undone."""
    fill(archive, [otb(moves=RUY), otb(moves=LONG), otb(moves=f"{LONG} Nf6")])
    before = rows_of(archive)
    by_games = {(one["game"]["id"], one["other"]["id"]): one["id"] for one in found(archive)}
    assert len(by_games) == 3
    doubles.same(archive, [by_games[1, 3], by_games[2, 3]], now_ms=NOW)
    (one,) = all_games(archive)
    assert (one["id"], one["ply_count"], len(one["tellings"])) == (1, 8, 3)
    undo(archive, [1], now_ms=NOW)
    assert [one["id"] for one in all_games(archive)] == [1, 2]
    undo(archive, [2], now_ms=NOW)
    for table in ("games", "tellings", "told_games", "players"):
        assert rows_of(archive)[table] == before[table]


def test_the_same_game_told_again(archive: Archive) -> None:
    """A download that is one with another game stays so when it is told otherwise later."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    fill(archive, [otb("mrossi90", "gbianchi", moves=LONG)])
    running = lichess(moves=RUY, result="*")
    downloaded(archive, account, [running])
    assert pairs(archive) == [("beginning", 1, 2)]
    doubles.same(archive, [found(archive)[0]["id"]], now_ms=NOW)
    downloaded(archive, account, [lichess(moves=f"{LONG} Nf6", result="0-1")])
    (one,) = all_games(archive)
    assert (one["ply_count"], one["result"], len(one["tellings"])) == (8, "0-1", 2)
    undo(archive, [1], now_ms=NOW)
    assert [one["ply_count"] for one in all_games(archive)] == [7, 8]


def test_edits_make_and_end_doubles(archive: Archive) -> None:
    """A game that was edited is looked at again."""
    fill(archive, [otb(moves=LONG), otb("Verdi, Luca", moves=RUY)])
    assert pairs(archive) == []
    edit_game(archive, 2, {"white": FIELDS["white"].read("Rossi, Mario")}, now_ms=NOW)
    assert pairs(archive) == [("beginning", 1, 2)]
    edit_game(archive, 1, {"date": "2020.01.01"}, now_ms=NOW)
    assert pairs(archive) == []


def test_games_that_a_site_tells_apart(archive: Archive) -> None:
    """Two games of one site with ids of their own are two, however alike."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess("abcdefgh", LONG), lichess("hgfedcba", RUY)])
    assert pairs(archive) == []


def test_looked_for_in_the_background(archive: Archive) -> None:
    """The daemon looks by itself, and ends when it is told to."""
    fill(archive, [otb(moves=LONG), otb(moves=RUY)])
    thread = doubles.doubles_thread(archive)
    thread.start()
    for _ in range(500):
        with archive.reading() as connection:
            if list_doubles(connection, limit=1)["items"]:
                break
        time.sleep(0.02)
    thread.close()
    with archive.reading() as connection:
        assert len(list_doubles(connection, limit=5)["items"]) == 1


def test_many(archive: Archive) -> None:
    """More games than are looked at together: every pair is found."""
    games: list[Game] = []
    for number in range(400):
        date = f"20{number % 20:02}.{number % 12 + 1:02}.{number % 28 + 1:02}"
        games += [
            otb(f"Rossi, Mario{number}", moves=LONG, Date=date),
            otb(f"Rossi, Mario{number}", moves=RUY, Date=date),
        ]
    fill(archive, games)
    assert doubles.look(archive) == 400
    assert doubles.look(archive) == 0


def dossiers(archive: Archive, *names: str) -> None:
    """Let these be the names of the only dossier, or let there be none."""
    wanted = [ConfiguredDossier("Mario", "mario", None, names, ["lichess:mrossi90"])] if names else []
    with archive.writing() as connection:
        sync_dossiers(connection, wanted)


def test_dossiers_come_change_and_go(archive: Archive) -> None:
    """Games of people whom a dossier makes one are looked at again when it is added, changed, or gone."""
    follow(archive, ["lichess:mrossi90"])
    fill(archive, [otb(moves=LONG), otb("mrossi90", moves=LONG), otb("Verdi, Luca", moves=LONG)])
    assert pairs(archive) == []
    dossiers(archive, "Rossi, Mario")
    assert pairs(archive) == [("dossier", 1, 2)]
    dossiers(archive, "Verdi, Luca")
    assert pairs(archive) == [("dossier", 2, 3)]
    dossiers(archive)
    assert pairs(archive) == []


def test_other_rules_look_at_everything_again(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that was looked at by other rules is looked at again, and a pair keeps its number."""
    from daemon.archive.edits import double_search

    monkeypatch.setattr(double_search, "RULES", "other")
    fill(archive, [otb(moves=LONG), otb(moves=RUY)])
    before = found(archive)
    monkeypatch.undo()
    with archive.writing() as connection:
        assert double_search.look(connection) == 0
        assert double_search.look(connection) is None
    assert found(archive) == before


def test_a_game_that_comes_back_is_looked_at(archive: Archive) -> None:
    """A game that was one with another, and comes back after the others were looked at, has its doubles again."""
    fill(archive, [otb(moves=RUY), otb(moves=LONG), otb(moves=f"{LONG} Nf6", Date="2024.05.13")])
    doubles.look(archive)
    number = next(one["id"] for one in found(archive) if one["other"]["id"] == 2)
    doubles.same(archive, [number], now_ms=NOW)
    edit_game(archive, 1, {"date": "2020.01.01"}, now_ms=NOW)
    assert pairs(archive) == []
    undo(archive, [2], now_ms=NOW)
    undo(archive, [1], now_ms=NOW)
    assert ("beginning", 1, 2) in pairs(archive)


def test_the_longer_and_the_finished_count(archive: Archive) -> None:
    """Of a running game and its finished export, once they are one: the export's moves and result, the older one's tags."""
    account = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    downloaded(archive, account, [lichess(moves="1. e4 e5", result="*", Termination="Unterminated")])
    finished = lichess(moves=LONG, Event="exported", Termination="Normal")
    fill(archive, [replace(finished, white=Side(name="Rossi, Mario"), online=False)])
    doubles.same(archive, [one["id"] for one in found(archive)], now_ms=NOW)
    (one,) = all_games(archive)
    assert (one["result"], one["ply_count"], one["termination"]) == ("1-0", 7, "Normal")
    assert (one["event"], one["white"]["name"]) == ("Rated blitz game", "mrossi90")
    downloaded(archive, account, [lichess(moves="1. e4 e5 2. Nf3", result="*")])
    (one,) = all_games(archive)
    assert (one["result"], one["ply_count"]) == ("1-0", 7)
    undo(archive, [1], now_ms=NOW)
    assert [(one["result"], one["ply_count"]) for one in all_games(archive)] == [("*", 3), ("1-0", 7)]


def test_a_typed_result_stays(archive: Archive) -> None:
    """What the user has typed counts more than any telling, whichever game they typed it in."""
    fill(archive, [otb(moves=LONG), otb(moves=LONG, result="*")])
    edit_game(archive, 2, {"result": "0-1"}, now_ms=NOW)
    edit_game(archive, 2, {"result": "*"}, now_ms=NOW)
    doubles.same(archive, [one["id"] for one in found(archive)], now_ms=NOW)
    assert [one["result"] for one in all_games(archive)] == ["*"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [("initial", "Rossi, M."), ("spelling", "Rosi, Mario"), ("transliteration", "Roessi, Mario")],
)
def test_names_that_are_almost_one(archive: Archive, kind: str, name: str) -> None:
    """One name is written otherwise, and all else is equal: proposed, and one game only when the user says so."""
    known = "Rössi, Mario" if kind == "transliteration" else "Rossi, Mario"
    fill(archive, [otb(known, moves=LONG), otb(name, moves=LONG), otb(name, "Verdi, Luca", moves=LONG)])
    assert pairs(archive) == [(kind, 1, 2)]
    assert len(all_games(archive)) == 3
    doubles.same(archive, [one["id"] for one in found(archive)], now_ms=NOW)
    assert [len(one["tellings"]) for one in all_games(archive)] == [2, 1]


def test_looked_for_with_all_indexes(sqlite_archive: Archive) -> None:
    """While an import does without indexes nothing is searched for; when they are built, all that waits is found."""
    fill(sqlite_archive, [otb(moves=LONG), otb(moves=f"{LONG} Nf6")])
    with sqlite_archive.writing() as connection:
        indexes.drop(connection)
    assert doubles.look(sqlite_archive) == 0
    sqlite_archive.migrate()
    assert doubles.look(sqlite_archive) == 1
