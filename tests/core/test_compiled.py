"""The compiled core as a module: that it is there where it has to be, and harms nothing."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from core.compiled import NATIVE, NEVER, WHY_NOT, Native
from core.pgn.reader import parse
from core.pgn.replay import replay
from tests.examples import FUZZING

ROOT = Path(__file__).parents[2]
WANTED = os.environ.get("GAMEKEEPER_COMPILED")
compiled = pytest.mark.skipif(NATIVE is None, reason="the compiled core is not used here")

GAMES = [
    b'[Event "Club"]\n[White "Rossi"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {x} Nc6 $1 3. Bc4 (3. Bb5 a6) Bc5 4. O-O Nf6 1-0\n',
    b'[White "A"]\n[SetUp "1"]\n[FEN "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1"]\n\n1. a8=Q+ Ke7 2. h8Q a1=N ; end\n*\n\n',
    b'[White "M\xc3\xbcller \\"M\\""]\n[Variant "Chess960"]\n[FEN "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]\n\n1. O-O O-O-O *',
    b'[White "A"]\n\n1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2 O-O 5. a3 Bxc3+ 6. Qxc3 d5 7. cxd5 exd5 8. Bg5 1/2-1/2',
    b'[White "M\xfcller"]\n\n1. e4 {\xe9} (1. d4 \xa0) *',
    b'[White "A"]\n\n1.e4 a6 2.e5 d5 3.exd6 Nh6 4.Nge2 Nf5 5.Nbc3 Nxd6 0-1',
]


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=os.environ | environment,
        timeout=3600 if FUZZING else 250,
    )


def test_the_compiled_core_is_used_where_it_has_to_be() -> None:
    """CI says so; a build that fails would otherwise go unnoticed."""
    if WANTED == "require" or (os.environ.get("CI") == "true" and WANTED != NEVER):
        assert NATIVE is not None, WHY_NOT
    assert (NATIVE is None) == (WHY_NOT is not None)


def test_python_does_all_where_it_is_said() -> None:
    """GAMEKEEPER_COMPILED=never leaves the compiled core alone, and games are read all the same."""
    program = (
        "from core import compiled\nfrom core.pgn.reader import parse\n"
        "print(compiled.NATIVE, compiled.WHY_NOT)\n"
        f"print(parse({GAMES[0]!r}).moves)"
    )
    ended = run(sys.executable, "-c", program, GAMEKEEPER_COMPILED=NEVER)
    first, second = ended.stdout.splitlines()
    assert first == "None GAMEKEEPER_COMPILED says never"
    assert second == str(parse(GAMES[0]).moves)  # type: ignore[union-attr]


@compiled
def test_one_that_is_older_than_its_sources_is_not_used(tmp_path: Path) -> None:
    """A checkout was updated and not installed again: Python reads the games, and why is said."""
    shutil.copytree(ROOT / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    program = "from core import compiled\nprint(compiled.WHY_NOT)"
    assert run(sys.executable, "-c", program, cwd=tmp_path).stdout == "None\n"
    os.utime(tmp_path / "core" / "native" / "scan.h", (2e9, 2e9))
    assert "older than its sources" in run(sys.executable, "-c", program, cwd=tmp_path).stdout


def answer(memo: int, key: object) -> object:
    """What might be remembered of a game, in the shapes that `line` wants."""
    event = (
        b"N",
        b"N",
        b"t\x01\0\0\0x",
        b"NN",
        b"N",
        b"i" + bytes(8),
        b"NNN",
        bytes(8),
        b"\x02\x05\0" * bool(len(str(key)) % 2),
    )
    place = (b"N", bytes(4)) if len(str(key)) % 2 else None
    side = (b"NNNN", str(key).encode(), b"", bytes(4), bytes(4))
    return (3, event, side, b"N", (b"N", b'""'), b"N", (b"N", bytes(4)), (b"NN", bytes(4)), place)[memo]


WRONG_ANSWERS = (
    None,
    -1,
    99,
    b"",
    (),
    (b"", b""),
    (b"",) * 5,
    (b"",) * 9,
    ("",) * 9,
    (b"N",) * 8 + (b"\x02\xff\xff",),
)
NUMBERS = bytes(8 * 785)


def lines(native: Native, text: bytes) -> int:
    """Ask for the line of a game with usual answers, and with all wrong ones; how many are read."""
    read = 0
    usual = bytes((2, 19, 14, 16, 4, 8, 15)) + bytes(len(native.KNOWN_TAGS) - 7)
    mixed = bytes(2 + number % 25 for number in range(len(native.KNOWN_TAGS)))
    for given in (answer, *(lambda *_, wrong=wrong: wrong for wrong in WRONG_ANSWERS)):
        memos: tuple[dict[object, object], ...] = tuple({} for _ in range(9))
        for kinds, keys in ((usual, b""), (usual, bytes(8)), (mixed, bytes(8))):
            with suppress(TypeError):
                read += native.line(memos, given, kinds, NUMBERS, keys, 30, text) is not None
    return read


@compiled
def test_all_memory_is_given_back() -> None:
    """Games that are read, and games that are left to Python, keep none of it."""
    texts = [*GAMES, GAMES[0][:-30] + b" Kxe8", GAMES[1].replace(b"P6P", b"P6PP"), b"", b'[A "']
    start = ("8/8/8/8/8/8/8/8 w - -", False, object())

    native = NATIVE
    assert native is not None
    assert lines(native, GAMES[0]) == 3
    packed = native.pack(("e2e4", "a7a8q"))
    assert packed is not None

    def work() -> None:
        for text in texts:
            NATIVE.read(text, lambda _: start, None)
            parse(text)
            NATIVE.unpack(packed)
            NATIVE.pack(("e2e4", "P@e4"))
            NATIVE.unpack(b"\xff\xff")
            NATIVE.split(text, 0, True, 1000)
            lines(native, text)
            NATIVE.opening(("e2e4", "e7e5"), 3, bytes(8 * 785), b"")
            NATIVE.opening(("e2e4", "P@e5"), 3, bytes(8 * 785), b"")

    for _ in range(50):
        work()
    before = sys.getallocatedblocks()
    for _ in range(500):
        work()
    assert sys.getallocatedblocks() - before < 500  # a leak would be one for each


@compiled
def test_threads_do_not_meet() -> None:
    """It holds no state between two games, so that threads can read at once."""
    expected = [parse(game, backend=replay) for game in GAMES]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [parse(game) for game in GAMES], range(100)):
            assert found == expected


SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The C compiler, if it has the sanitizers' libraries."""
    folder = tmp_path_factory.mktemp("compiler")
    (folder / "a.c").write_text("int main(void) { return 0; }")
    compiler = os.environ.get("CC") or "cc"
    try:
        tried = run(compiler, *SANITIZED, str(folder / "a.c"), "-o", str(folder / "a"))
    except FileNotFoundError:
        pytest.skip("there is no C compiler")
    if tried.returncode != 0 or run(str(folder / "a")).returncode != 0:
        pytest.skip("the compiler has no library of AddressSanitizer")
    return compiler


@pytest.mark.slow
def test_broken_games_do_no_harm(compiler: str, tmp_path: Path) -> None:
    """No text makes it read or write where it should not; `make fuzz` tries for ten minutes."""
    sources = [ROOT / "core/native" / name for name in ("board.c", "opening.c", "scan.c", "split.c")]
    sources.append(ROOT / "tests/core/native_fuzz.c")
    built = run(compiler, "-std=c11", *SANITIZED, *map(str, sources), "-o", str(tmp_path / "fuzz"))
    assert built.returncode == 0, built.stderr
    for number, game in enumerate(GAMES):
        (tmp_path / f"{number}.pgn").write_bytes(game)
    seconds, seed = ("600", str(os.getpid())) if FUZZING else ("1", "1")
    ended = run(str(tmp_path / "fuzz"), seconds, seed, *map(str, sorted(tmp_path.glob("*.pgn"))))
    assert ended.returncode == 0, f"seed {seed}: {ended.stderr}"
    tried, _, read, _ = ended.stdout.replace(",", "").split()
    assert int(tried) > int(read) > 0


@pytest.mark.slow
def test_the_module_does_no_harm(compiler: str, tmp_path: Path) -> None:
    """The same for what lies between Python and C: it runs under AddressSanitizer with Python's memory from malloc."""
    from hatch_build import command

    library = run(compiler, "-print-file-name=libasan.so").stdout.strip()
    target = tmp_path / "_native.so"
    built = run(*command(ROOT, target), *SANITIZED)
    assert built.returncode == 0, built.stderr
    program = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\nimport _native\n"
        "from tests.core.test_compiled import lines\n"
        f"start = ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a1h1a8h8 -', True, 1)\n"
        f"for game in {GAMES!r}:\n"
        "    for end in range(len(game) + 1):\n"
        "        _native.read(game[:end], lambda tags: start, lambda raw: raw.decode('latin-1'))\n"
        "        _native.read(game[end:], lambda tags: None, None)\n"
        "        end % 5 or lines(_native, game[:end]) or lines(_native, game[end:])\n"
        "        _native.split(game[end:] + game, 0, bool(end % 2), 1000)\n"
        "        _native.split(game, end, bool(end % 2), 1000)\n"
        "for text in ('', 'e', 'e2e4', 'e2e9', 'a7a8q', 'a7a8x', 'P@e4', '0000', '\\xe9'):\n"
        "    _native.pack((text,)); _native.pack([text]); _native.pack((None,))\n"
        "for code in range(1 << 16):\n"
        "    moves = _native.unpack(code.to_bytes(2, 'big'))\n"
        "    moves and _native.opening(moves * 2, 1 + code % 2, bytes(8 * 785), bytes(8 * (code % 3)))\n"
        "_native.unpack(b'x'); print('done')"
    )
    ended = run(
        sys.executable, "-c", program,
        LD_PRELOAD=library, ASAN_OPTIONS="detect_leaks=0", PYTHONMALLOC="malloc",
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr
