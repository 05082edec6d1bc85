"""The archive of the record, built through the program's commands; and their answers on the way."""

import json
import os
import re
import shlex
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.archive.archive import open_archive
from daemon.archive.database import indexes
from tests.daemon.installation import Installation
from tests.docs.commands import every_command
from tests.fetchers.site_emulator.emulator import CHESSCOM, LICHESS, Emulator
from tests.fetchers.site_emulator.sample import ME, RIVALS, sample_world
from tests.outside import files, script
from tests.outside.api import Api, readable
from tests.outside.names import signatures
from tests.outside.normal import Normal, without_sentences

NOT_RUN: Final = {
    "run": "the API is asked of it",
    "quarantine edit": "it opens an editor",
    "restore": "the archive is still needed",
}
"""Commands whose right use is not in the script, with the reason."""


class Built:
    """One archive, built in a folder."""

    def __init__(self, folder: Path, sites: Emulator) -> None:
        self.place = Installation(folder, sites)
        self._folder = folder
        self.normal = Normal(datetime.now(UTC).replace(microsecond=0), folder, _ports(self.place, sites))
        files.write_games(self.place.pgn, sites)
        files.write_lists(folder)
        (folder / "out").mkdir()
        self.place.configure(
            mine=_keys(ME), dossiers={"Laura Bianchi": _keys(RIVALS), "Ghost": ["lichess:nobody_there"]}
        )

    def commands(self) -> Iterator[tuple[str, Any]]:
        """Run the script: each command with its answer."""
        for part in (script.BUILDING, script.CLUB, script.READING, script.WRONG):
            for number, line in enumerate(part.strip().splitlines()):
                yield f"{number + 1:03} {line}", self._run(line)
        yield "broken configuration", self._misconfigured()

    def written(self) -> Iterator[tuple[str, Any]]:
        """The files that the commands wrote, each line."""
        for path in sorted((self._folder / "out").iterdir()):
            text = self.normal.text(readable(path.read_bytes()))
            # The page is laid out for people; that it is a whole one is enough.
            yield (
                path.name,
                [text[:15], text[-8:]] if path.suffix == ".html" else text.splitlines(keepends=True),
            )

    def _run(self, line: str) -> dict[str, Any]:
        verbatim = line.startswith("= ")
        command, _, answer = line.removeprefix("= ").partition(" <")
        arguments = shlex.split(command.replace("{folder}", str(self._folder)))
        ended = self.place.call(*arguments, *([] if verbatim else ["--json"]), stdin=answer.strip() + "\n")
        out = self.normal.text(ended.stdout)
        return {"exit": ended.returncode, "out": out.splitlines(keepends=True) if verbatim else _parsed(out)}

    def _misconfigured(self) -> dict[str, Any]:
        """Every command refuses a configuration that is broken or missing."""
        kept = self.place.file.read_text()
        self.place.file.write_text(kept + "\n[nosuchtable]\nnosuchkey = 1\n")
        answers = {line: self._run(line) for line in ("check-config", "status", "games", "club list", "sync")}
        self.place.file.unlink()
        answers |= {f"{line}, missing": self._run(line) for line in ("check-config", "status")}
        self.place.file.write_text(kept)
        return answers

    def schema(self) -> dict[str, Any]:
        """What the database file holds, as it describes itself."""
        (path,) = (self._folder / "data").glob("*.sqlite")
        with sqlite3.connect(path) as connection:
            rows = connection.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
            )
            laid = {
                f"{kind} {name}": {"of": table, "sql": _definition(sql or "")}
                for kind, name, table, sql in rows
            }
            revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
        connection.close()
        return {"revisions": revisions, **laid}

    @contextmanager
    def without_indexes(self) -> Iterator[None]:
        """As long as the block lasts the archive is as a large import has it, which still runs."""
        path = next((self._folder / "data").glob("*.sqlite"))
        with open_archive(path) as archive, archive.importing():
            with archive.writing() as connection:
                indexes.drop(connection)
            yield

    def asked(self) -> dict[str, list[tuple[str, Any]] | Any]:
        """The answers of a running daemon, by part of the record."""
        with self.place.daemon():
            api = Api(self.place.port, self.normal)
            # It looks through its folders in its own time.
            self.place.until(lambda: api.metrics()["gamekeeper_folder_last_look_timestamp_seconds"]["labels"])
            return {
                "api": dict(api.resources()),
                "problems": dict(api.wrong()),
                "heads": dict(api.heads()),
                "description": api.described(),
                "metrics": api.metrics(),
            }


def options() -> dict[str, Any]:
    """Every command with its arguments and options; those that all commands have only once."""
    found = {
        name: [_option(one.to_info_dict()) for one in command.params] for name, command in every_command()
    }
    common = [one for one in next(iter(found.values())) if all(one in its for its in found.values())]
    return {
        "common": common,
        **{name: [one for one in its if one not in common] for name, its in found.items()},
    }


def _option(described: dict[str, Any]) -> dict[str, Any]:
    """What of a parameter is typed: neither its help nor its name inside the program."""
    kept: dict[str, Any] = {name: described[name] for name in _TYPED if name in described}
    kind = {name: value for name, value in described["type"].items() if name not in ("param_type", "name")}
    return {**kept, "type": kind}


_TYPED: Final = ("opts", "secondary_opts", "required", "nargs", "multiple", "is_flag", "count")


def record(folder: Path, *, importing: bool = False) -> dict[str, Any]:
    """Everything, by part of the record. *importing*: the API is asked while the archive does without indexes."""
    with in_utc(), Emulator(sample_world(seed=1, games=20)) as sites:
        built = Built(folder, sites)
        parts: dict[str, Any] = {"commands": dict(built.commands())}
        parts |= {
            "files": dict(built.written()),
            "options": options(),
            "schema": built.schema(),
            "names": signatures(),
        }
        with built.without_indexes() if importing else nullcontext():
            parts |= built.asked()
        assert not sites.violations
    return parts


def _definition(sql: str) -> list[str]:
    """A line for each column, in their order, then one for each constraint: these come in any order."""
    head, opening, rest = " ".join(sql.split()).partition("(")
    if not head.startswith("CREATE TABLE"):
        return [" ".join(sql.split())]
    body, _, tail = rest.rpartition(")")
    parts = [part.strip() for part in _OUTER_COMMA.split(body)]
    constraints = [part for part in parts if part.startswith(_CONSTRAINTS)]
    columns = [part for part in parts if part not in constraints]
    return [head + opening, *columns, *sorted(constraints), f"){tail}"]


_OUTER_COMMA: Final = re.compile(r",(?![^(]*\))")
_CONSTRAINTS: Final = ("CONSTRAINT", "CHECK", "FOREIGN", "PRIMARY", "UNIQUE")


@contextmanager
def in_utc() -> Iterator[None]:
    """An evening is played by the clock on the wall: here and in the daemon that is UTC."""
    before = os.environ.get("TZ")
    try:
        _set_zone("UTC")
        yield
    finally:
        _set_zone(before)


def _set_zone(name: str | None) -> None:
    if name is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = name
    time.tzset()


def _keys(handles: dict[str, str]) -> list[str]:
    return [f"{site}:{handles[site]}" for site in (LICHESS, CHESSCOM)]


def _ports(place: Installation, sites: Emulator) -> dict[str, str]:
    """Addresses of this run."""
    addresses = {"lichess": sites.lichess_url, "chesscom": sites.chesscom_url.removesuffix("/pub")}
    fixed = {url: f"<{name}>" for name, url in addresses.items()}
    return {**fixed, f"127.0.0.1:{place.port}": "<api>"}


def _parsed(out: str) -> Any:
    """What was printed: one value of JSON, or one a line; a text for people by its being there."""
    if not out:
        return None
    try:
        return without_sentences(json.loads(out))
    except ValueError:
        pass
    try:
        return [without_sentences(json.loads(line)) for line in out.splitlines()]
    except ValueError:
        return "<text>"


def leaves() -> dict[str, list[str]]:
    """The commands that are not groups, without the program's name; for each the words of it."""
    names = [name.removeprefix("gamekeeper ") for name, _ in every_command()]
    whole = {name for name in names if not any(other.startswith(f"{name} ") for other in names)} | {"edits"}
    return {name: name.split() for name in sorted(whole)}


def commands_run() -> set[str]:
    """Those of them that the script runs rightly."""
    text = script.BUILDING + script.CLUB + script.READING
    lines = [shlex.split(line.removeprefix("= ").partition(" <")[0]) for line in text.strip().splitlines()]
    return {name for name, words in leaves().items() if any(line[: len(words)] == words for line in lines)}
