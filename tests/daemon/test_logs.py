"""Logs: their three shapes, their levels, and the secrets that never get there."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest
import structlog

from daemon import logs

TOKEN = "lip_" + "T0kenOfNobody"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    logs._secrets.clear()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    """Raise an error with the secret in its text and in a local variable."""
    value = TOKEN
    raise ValueError(f"no {value}")


def test_lines_are_json_where_nobody_looks() -> None:
    """With time, level, logger and what was told; those of libraries, too."""
    out = io.StringIO()
    logs.configure(logging.INFO, out)
    structlog.get_logger("daemon.x").info("round done", account="lichess:mrossi90", new=3)
    logging.getLogger("library").warning("slow %s", "disk")
    first, second = lines(out)
    assert {name: first[name] for name in ("event", "level", "logger", "account", "new")} == {
        "event": "round done",
        "level": "info",
        "logger": "daemon.x",
        "account": "lichess:mrossi90",
        "new": 3,
    }
    assert str(first["timestamp"]).endswith("Z")
    assert (second["event"], second["level"]) == ("slow disk", "warning")


def test_people_get_a_line_they_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal; without colours where these are not wanted."""
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    logs.configure(logging.INFO, out)
    structlog.get_logger().info("round done", new=3)
    assert "round done" in out.getvalue()
    assert "new=3" in out.getvalue()
    assert "{" not in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_the_journal_gets_its_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``<4>`` before a warning, if the stream is really the journal's."""
    with (tmp_path / "stream").open("w+") as out:
        status = os.fstat(out.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        write_lines(out)
        monkeypatch.setenv("JOURNAL_STREAM", "1:1")
        write_lines(out)
        out.seek(0)
        first, second = out.readlines()
    assert first.startswith('<4>{"')
    assert second.startswith('{"')


def write_lines(out: TextIO) -> None:
    logs.configure(logging.INFO, out)
    structlog.get_logger().warning("something")


def test_levels_keep_back_what_is_below_them() -> None:
    """The last call of `configure` counts; talkative libraries stay quiet in between."""
    out = io.StringIO()
    logs.configure(logging.DEBUG, out)
    logs.configure(logging.INFO, out)
    structlog.get_logger().debug("no")
    logging.getLogger("httpx").info("HTTP Request: GET …")
    structlog.get_logger().info("yes")
    assert [line["event"] for line in lines(out)] == ["yes"]


def test_secrets_are_hidden_wherever_they_stand() -> None:
    """By their key, by their value, in addresses, in nested values, in tracebacks, in libraries' lines."""
    out = io.StringIO()
    logs.configure(logging.INFO, out)
    logs.hide(TOKEN)
    log = structlog.get_logger()
    log.info("a", api_token="other", Authorization="Bearer x", note=f"sent {TOKEN} there")
    log.info(TOKEN, headers={"authorization": "Bearer y", "accept": [TOKEN]})
    log.info("b", url="postgresql://keeper:geheim@dbhost/games")
    log.info("c", path=Path("/run") / TOKEN)
    logging.getLogger("library").warning("sent %s", TOKEN)
    try:
        fail()
    except ValueError:
        log.exception("d")
    text = out.getvalue()
    assert len(text.splitlines()) == 6
    for secret in (TOKEN, "other", "Bearer", "geheim"):
        assert secret not in text
    assert "ValueError" in text
    assert "postgresql://keeper:[hidden]@dbhost/games" in text


def test_secrets_are_hidden_on_a_terminal_too() -> None:
    """Also in tracebacks, which show no local variables."""
    out = Terminal()
    logs.configure(logging.INFO, out)
    logs.hide(TOKEN)
    try:
        fail()
    except ValueError:
        structlog.get_logger().exception("d", key=TOKEN)
    assert "ValueError" in out.getvalue()
    assert TOKEN not in out.getvalue()


def run(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


LOGGING = """
import logging, sys
from daemon import logs
log = logs.get_logger("daemon.x")
logs.configure({level})
log.info("round done", new=3)
print("structlog" in sys.modules)
"""


def test_a_line_that_nobody_wants_loads_nothing() -> None:
    """Commands that read log nothing, and need not wait for structlog."""
    done = run(LOGGING.format(level="logging.WARNING"))
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_the_first_line_is_written_as_all_others() -> None:
    """With what comes with it, by the configuration that was made before."""
    done = run(LOGGING.format(level="logging.INFO"))
    assert done.stdout == "True\n"
    line = json.loads(done.stderr)
    assert (line["event"], line["level"], line["logger"], line["new"]) == (
        "round done",
        "info",
        "daemon.x",
        3,
    )


def test_a_line_of_a_library_may_be_the_first() -> None:
    """It is formatted as ours are."""
    done = run(
        "import logging; from daemon import logs; logs.configure(); logging.getLogger('library').warning('slow')"
    )
    assert json.loads(done.stderr)["event"] == "slow"


def test_loggers_are_those_of_structlog() -> None:
    """Whatever they can do: bind values, for example."""
    out = io.StringIO()
    logs.configure(logging.INFO, out)
    logs.get_logger("daemon.x").bind(account="lichess:a").info("round done")
    assert [line["account"] for line in lines(out)] == ["lichess:a"]
