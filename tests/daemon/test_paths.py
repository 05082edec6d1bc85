"""File names are bytes: whatever they are, a path can be shown, stored, sent and logged."""

import io
import json
import logging
import os
import threading
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from daemon import logs
from daemon.api.events import ClientPlace, _event
from daemon.archive.archive import Archive, open_archive
from daemon.cli import main
from daemon.events import News
from daemon.imports.folders import Folder, Folders
from daemon.imports.progress_events import ImportNews
from daemon.paths import printable, shown, storable

ODD = os.fsdecode(b"caf\xe9\x1b[2J.pgn")
SHOWN = r"caf\xe9\x1b[2J.pgn"
GAME = '[White "Rossi, M"]\n[Black "Neri, A"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'


@pytest.fixture
def sqlite(sqlite_path: Path) -> Archive:
    return open_archive(sqlite_path)


def test_a_path_is_shown_with_what_is_not_utf_8_and_what_steers_terminals_as_numbers() -> None:
    """Letters of all alphabets stay."""
    assert shown(ODD) == SHOWN
    assert shown(Path("/tmp") / "Müller Дата 棋.pgn") == "/tmp/Müller Дата 棋.pgn"
    assert printable(f"{ODD}: no \ud800") == "caf\\xe9\x1b[2J.pgn: no \\ud800"
    assert storable({"a": [ODD, 1, None], "b": (ODD,)})["a"][0] == "caf\\xe9\x1b[2J.pgn"


def test_an_import_of_such_a_file_is_announced_in_json(sqlite: Archive, tmp_path: Path) -> None:
    """Every event of it can be sent, so that nobody who listens is stuck at one."""
    (tmp_path / ODD).write_text(GAME)
    (tmp_path / f"bad {ODD}").write_text("<html>no</html>")
    os.utime(tmp_path / ODD, (1, 1))
    os.utime(tmp_path / f"bad {ODD}", (1, 1))
    news = News(run=7)
    Folders(sqlite, [], news=news).take_in([tmp_path], threading.Event())
    sent = [_event(ClientPlace(7, event.number, 0), event.kind, event.data) for event in news.after(0)]
    assert any(b"caf\\\\xe9" in one for one in sent)
    ImportNews(news, ODD).running(_Progress())  # type: ignore[arg-type]  # it has what is looked at
    assert b"caf" in _event(ClientPlace(7, 9, 0), "import", news.after(0)[-1].data)


class _Progress:
    part, done, total, games = ODD, 1, 2, 3


def test_json_of_an_import_names_it(tmp_path: Path) -> None:
    """`import --json` prints the problem with such a name, and is JSON."""
    (tmp_path / "gamekeeper.toml").write_text(f'[daemon]\ndata_dir = "{tmp_path}/data"\n')
    (tmp_path / "pgn").mkdir()
    (tmp_path / "pgn" / ODD).write_text("<html>no</html>")
    args = ["--config", str(tmp_path / "gamekeeper.toml"), "import", "--json", str(tmp_path / "pgn" / ODD)]
    answer = json.loads(CliRunner().invoke(main, args).stdout)
    assert answer["problems"][0]["file"].endswith(SHOWN)


def test_a_log_line_can_name_it() -> None:
    """However it got there."""
    out = io.StringIO()
    logs.configure(logging.INFO, out)
    structlog.get_logger("test").info("file", path=ODD, paths=[Path(ODD)])
    answer = json.loads(out.getvalue())
    assert answer["path"].startswith(r"caf\xe9")
    out.getvalue().encode()


def test_a_watched_folder_with_such_names_is_kept_taken_in(sqlite: Archive, tmp_path: Path) -> None:
    """The watching library gives up at such a name; files that come later are seen all the same."""
    import time

    from daemon.archive.reading.totals import totals

    def held() -> int:
        with sqlite.reading() as connection:
            return totals(connection)["games"]

    folder = tmp_path / "pgn"
    stop = threading.Event()
    thread = threading.Thread(target=Folders(sqlite, [Folder(folder)], settle=0.05).run, args=(stop,))
    thread.start()
    try:
        for number, name in enumerate((ODD, f"{os.fsdecode(b'd' + bytes([0xE9]))}/b.pgn", "c.pgn"), 1):
            path = folder / name
            while not folder.is_dir():
                time.sleep(0.02)
            path.parent.mkdir(exist_ok=True)
            path.write_text(GAME.replace("Neri, A", f"Neri, A{number}"))
            end = time.monotonic() + 120
            while held() < number:
                assert time.monotonic() < end, "it never came"
                time.sleep(0.05)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()
