"""A game in quarantine that a person mends: it comes in, and what came is known when it comes again."""

from pathlib import Path

import pytest

from daemon.archive.archive import Archive
from daemon.archive.games import quarantine
from daemon.archive.games.quarantine import QuarantineEntry, QuarantineItem
from daemon.archive.reading.totals import totals
from daemon.archive.take_in import take_in
from daemon.imports.retry import StillUnreadableError, mend, retry_all
from daemon.imports.run import import_paths
from tests.daemon.seeding import NOW, follow, in_quarantine
from tests.daemon.shown import Shown

HEADER = '[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Date "2024.05.12"]\n[Result "1-0"]\n\n'
BAD = HEADER + "1. e4 e5 2. Ke3 1-0\n\n"
GOOD = HEADER + "1. e4 e5 2. Ke2 1-0\n\n"


def _quarantined(archive: Archive, folder: Path, text: str = BAD) -> QuarantineEntry:
    (folder / "club.pgn").write_text(text)
    assert import_paths(archive, [folder / "club.pgn"]).quarantined == 1
    with archive.reading() as connection:
        (item,) = in_quarantine(connection)
    return item


def test_a_mended_game_is_a_telling_of_its_file(archive: Archive, tmp_path: Path) -> None:
    """It has the edited bytes, and the item keeps those that came."""
    item = _quarantined(archive, tmp_path)

    (outcome,) = mend(archive, item, GOOD.encode())

    shown = Shown(archive)
    (game,) = shown.games()
    assert (outcome.game_id, outcome.what) == (game["id"], "new")
    assert game["tellings"][0]["file"] == str(tmp_path / "club.pgn")
    assert shown.text_of(game["id"]) == GOOD
    assert shown.quarantine() == []
    with archive.reading() as connection:
        assert totals(connection)["quarantine"] == quarantine.count(connection) == 0
        kept = quarantine.get(connection, item.id)
    assert kept is not None
    assert kept.item.raw == BAD.encode()


def test_the_unchanged_file_does_not_bring_it_again(archive: Archive, tmp_path: Path) -> None:
    """A later import of the bad file, also with other games after it, counts it as unchanged; so does a retry."""
    mend(archive, _quarantined(archive, tmp_path), GOOD.encode())

    again = import_paths(archive, [tmp_path / "club.pgn"], again=True)
    (tmp_path / "club.pgn").write_text(BAD + GOOD.replace("Neri", "Verdi"))
    longer = import_paths(archive, [tmp_path / "club.pgn"])

    assert (again.read, again.unchanged, again.quarantined, again.clean) == (1, 1, 0, True)
    assert (longer.new, longer.unchanged, longer.quarantined) == (1, 1, 0)
    assert retry_all(archive).unreadable == []


def test_the_file_mended_likewise_is_known(archive: Archive, tmp_path: Path) -> None:
    """Who corrects the file itself in the same way gets no second telling."""
    mend(archive, _quarantined(archive, tmp_path), GOOD.encode())
    (tmp_path / "club.pgn").write_text(GOOD)

    summary = import_paths(archive, [tmp_path / "club.pgn"])

    assert (summary.new, summary.added, summary.unchanged) == (0, 0, 1)


def test_what_still_cannot_be_read(archive: Archive, tmp_path: Path) -> None:
    """The reason and its place in the edited text are told, and nothing has changed."""
    item = _quarantined(archive, tmp_path)
    edited = GOOD + HEADER + "1. e4 e5 2. Kd4 1-0\n"

    with pytest.raises(StillUnreadableError, match="Kd4") as caught:
        mend(archive, item, edited.encode())

    assert caught.value.position == edited.index("Kd4")
    assert Shown(archive).games() == []
    with archive.reading() as connection:
        assert [one.id for one in in_quarantine(connection)] == [item.id]


def test_two_games_that_ran_into_one(archive: Archive, tmp_path: Path) -> None:
    """A comment that never ends may have swallowed a game: the edit may make two of it."""
    item = _quarantined(
        archive, tmp_path, HEADER + "1. e4 {never closed 1-0\n" + GOOD.replace("Neri", "Verdi")
    )

    outcomes = mend(archive, item, (GOOD + GOOD.replace("Neri", "Verdi")).encode())

    assert [outcome.what for outcome in outcomes] == ["new", "new"]
    again = import_paths(archive, [tmp_path / "club.pgn"], again=True)
    assert again.quarantined == 0


@pytest.mark.parametrize("edited", ["", "\n\n"])
def test_an_empty_text_is_no_game(archive: Archive, tmp_path: Path, edited: str) -> None:
    """Deleting everything does not delete the item: that is what `drop` is for."""
    with pytest.raises(StillUnreadableError, match="no game"):
        mend(archive, _quarantined(archive, tmp_path), edited.encode())


def _downloaded(archive: Archive, raw: bytes) -> tuple[QuarantineItem, QuarantineEntry]:
    account_id = follow(archive, ["lichess:mrossi90"])["lichess:mrossi90"]
    item = QuarantineItem(
        source="lichess:mrossi90",
        raw=raw,
        reason="illegal move",
        account_id=account_id,
        site="lichess",
        native_id="abcdefgh",
    )
    take_in(archive, [], unread=[item], now_ms=NOW)
    with archive.reading() as connection:
        (found,) = in_quarantine(connection)
    return item, found


def test_a_mended_download_is_the_download(archive: Archive) -> None:
    """It is known by the site's id, and the next round that brings the bad record again changes nothing."""
    item, found = _downloaded(archive, BAD.encode())

    mend(archive, found, GOOD.encode())
    again = take_in(archive, [], unread=[item], now_ms=NOW + 1)

    (game,) = Shown(archive).games()
    assert [(one["site"], one["native_id"], one["accounts"]) for one in game["tellings"]] == [
        ("lichess", "abcdefgh", ["lichess:mrossi90"])
    ]
    assert (again.unchanged, again.quarantined) == (1, 0)
    assert Shown(archive).quarantine() == []


def test_a_download_is_one_game(archive: Archive) -> None:
    """Two games cannot both be the site's one game."""
    _, found = _downloaded(archive, BAD.encode())

    with pytest.raises(StillUnreadableError, match="one game"):
        mend(archive, found, (GOOD + GOOD.replace("Neri", "Verdi")).encode())
