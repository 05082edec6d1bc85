"""The extension packed_rows in C: that it knows SQLite as it is, and that no damage makes it do harm."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_build import packed_rows_command
from tests.examples import FUZZING

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]
SOURCES = ROOT / "daemon/archive/database/native"
SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")

STRUCTS = {
    "struct sqlite3_index_info": ["nConstraint", "aConstraint", "aConstraintUsage", "idxNum", "estimatedCost", "estimatedRows"],
    "struct sqlite3_index_constraint": ["iColumn", "op", "usable"],
    "struct sqlite3_index_constraint_usage": ["argvIndex", "omit"],
    "sqlite3_vtab": ["pModule", "nRef", "zErrMsg"],
    "sqlite3_vtab_cursor": ["pVtab"],
    "sqlite3_module": [
        *("iVersion", "xCreate", "xConnect", "xBestIndex", "xDisconnect", "xDestroy", "xOpen", "xClose", "xFilter"),
        *("xNext", "xEof", "xColumn", "xRowid", "xUpdate", "xBegin", "xSync", "xCommit", "xRollback", "xFindFunction"),
        "xRename",
    ],
}  # fmt: skip
VALUES = [
    *(
        "SQLITE_OK",
        "SQLITE_ERROR",
        "SQLITE_NOMEM",
        "SQLITE_CONSTRAINT",
        "SQLITE_DONE",
        "SQLITE_BLOB",
        "SQLITE_NULL",
    ),
    *("SQLITE_INDEX_CONSTRAINT_EQ", "SQLITE_VTAB_DIRECTONLY"),
]
FUNCTION = re.compile(r"FUNCTION\((\w+), (\d+), ([^,]+), (\(.*\))\)(?: *\\)?$", re.MULTILINE)


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=os.environ | environment,
        timeout=3600 if FUZZING else 250,
    )  # fmt: skip


def built_and_run(folder: Path, program: str, *options: str) -> str:
    """What a program in C prints."""
    (folder / "program.c").write_text(program)
    built = run(COMPILER, *options, str(folder / "program.c"), "-o", str(folder / "program"))
    assert built.returncode == 0, built.stderr
    return run(str(folder / "program")).stdout


COMPILER = os.environ.get("CC") or "cc"


def works(folder: Path, program: str, *options: str) -> bool:
    """Whether this can be compiled, and ends well."""
    (folder / "a.c").write_text(program)
    try:
        built = run(COMPILER, *options, str(folder / "a.c"), "-o", str(folder / "a"))
    except FileNotFoundError:
        return False
    return built.returncode == 0 and run(str(folder / "a")).returncode == 0


@pytest.fixture
def compiler(tmp_path: Path) -> str:
    """The C compiler, if it has the sanitizers' libraries."""
    if not works(tmp_path, "int main(void) { return 0; }", *SANITIZED):
        pytest.skip("there is no C compiler with the library of AddressSanitizer")
    return COMPILER


def test_sqlite_is_as_the_extension_declares_it(tmp_path: Path) -> None:
    """Every function at its place in SQLite's table, with its type; every field of its structs; every constant."""
    if not works(tmp_path, "#include <sqlite3ext.h>\nint main(void) { return 0; }"):
        pytest.skip("there are no headers of SQLite")
    functions = FUNCTION.findall((SOURCES / "sqlite.h").read_text())
    assert len(functions) == len(re.findall(r"\bFUNCTION\(\w+, \d", (SOURCES / "sqlite.h").read_text())) > 10
    fields = "".join(
        f'printf("{struct}.{field} %zu\\n", offsetof({struct}, {field}));'
        for struct, names in STRUCTS.items()
        for field in names
    )
    values = "".join(f'printf("{name} %d\\n", {name});' for name in VALUES)
    places = "".join(
        f'printf("{name} %zu\\n", offsetof(sqlite3_api_routines, {name}) / sizeof(void *));'
        for name, *_ in functions
    )
    types = "".join(
        f"{result} (*x_{name}){arguments} = all.{name}; (void)x_{name};"
        for name, _, result, arguments in functions
    )
    main = "\nint main(void) {{ {} return 0; }}\n"
    theirs = built_and_run(
        tmp_path,
        "#include <stddef.h>\n#include <stdio.h>\n#include <sqlite3ext.h>\nstatic sqlite3_api_routines all;"
        + main.format(places + fields + values + re.sub(r"\b(u?)int64_t\b", r"sqlite3_\1int64", types)),
        *("-std=c11", "-Wall", "-Wextra", "-Werror"),
    )
    ours = built_and_run(
        tmp_path,
        f'#include <stddef.h>\n#include <stdio.h>\n#include "{SOURCES / "sqlite.h"}"'
        + main.format(fields + values),
    )
    assert ours
    assert theirs == "".join(f"{name} {place}\n" for name, place, *_ in functions) + ours


def test_damaged_records_do_no_harm(compiler: str, tmp_path: Path) -> None:
    """Nothing makes it read where it should not; `make fuzz` tries for ten minutes."""
    fuzz = ROOT / "tests/daemon/archive/database/packed_rows_fuzz.c"
    built = run(compiler, "-std=c11", *WARNINGS, *SANITIZED, str(fuzz), "-o", str(tmp_path / "fuzz"))
    assert built.returncode == 0, built.stderr
    seconds, seed = ("600", str(os.getpid())) if FUZZING else ("1", "1")
    ended = run(str(tmp_path / "fuzz"), seconds, seed)
    assert ended.returncode == 0, f"seed {seed}: {ended.stderr}"
    tried, _, good, _ = ended.stdout.split()
    assert int(tried) > int(good) > 0


PROGRAM = """
import sys
from array import array
from daemon.archive.database import packed_rows
from daemon.archive.database.packed_rows import FUNCTION, PackedRows
from daemon.archive.database.engine import sqlite_driver
from pathlib import Path
packed_rows._BUILT = Path(sys.argv[1])
driver = sqlite_driver()
values = [packed_rows.null(), packed_rows.integer(-1), packed_rows.text("Zürich"), packed_rows.blob(b"\\0" * 99), packed_rows.ref(1, 1)]
records = packed_rows.record(values) + packed_rows.record(values[::-1]) * 2
numbers, maps = [array("q", [1, 0, 3])] * 4, [array("q", [1, 2])] * 2
kept = 0
for _ in range(3):
    connection = driver.connect(":memory:", isolation_level=None)
    packed_rows._load(connection)
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d, e)")
    for end in range(len(records) + 1):
        for changed in (records[:end], records[:end] + b"\\xff" + records[end + 1:]):
            rows = PackedRows(changed, numbers, maps).arguments
            try:
                connection.execute(f"INSERT INTO t SELECT NULL, c0, c1, c2, c3, c4 FROM {FUNCTION}", rows)
                kept += 1
                connection.execute(f"SELECT * FROM {FUNCTION}", rows).fetchone()
                statement = "INSERT INTO t VALUES (NULL, :c0, :c1, :c2, :c3, :c4)" + " " * (end % 7)
                connection.execute(packed_rows._INSERT, rows | {"statement": statement, "p0": 1, "p1": "x"}).fetchall()
            except driver.OperationalError:
                pass
    connection.close()
print(kept)
"""


def test_sqlite_and_it_do_no_harm(compiler: str, tmp_path: Path) -> None:
    """In SQLite itself under AddressSanitizer: statements that end well, that fail, that are left in the middle; connections closed."""
    library = run(compiler, "-print-file-name=libasan.so").stdout.strip()
    target = tmp_path / "packed_rows.so"
    built = run(*packed_rows_command(ROOT, target), *WARNINGS, *SANITIZED)
    assert built.returncode == 0, built.stderr
    ended = run(
        sys.executable, "-c", PROGRAM, str(target),
        LD_PRELOAD=library, ASAN_OPTIONS="detect_leaks=0", PYTHONMALLOC="malloc",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 0
