"""`gamekeeper import --encoding`."""

from pathlib import Path

from tests.daemon.cli.conftest import Run

GAME = '[Event "Klub"]\n[White "Müller, Karl"]\n[Black "Rossi, Mario"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'


def test_it_is_proposed_and_said(run: Run, tmp_path: Path) -> None:
    """The summary proposes it; the name may be written in any way, and what is wrong with one is said."""
    path = tmp_path / "dos.pgn"
    path.write_bytes(GAME.encode("cp850"))
    assert "looks like cp850: import again with --encoding cp850" in run("import", str(path), code=0).stdout
    assert "refreshed    1" in run("import", str(path), "--encoding", "CP-850").stdout
    assert "Müller, Karl" in run("search", "muller").stdout
    assert "utf-16" in run("import", str(path), "--encoding", "utf-16", code=2).output
