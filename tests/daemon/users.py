"""Commands as several users of one machine: real processes with real user ids, which only root can start."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT, SERVICE, OTHER = 0, 61_234, 61_235
"""User ids; nobody has to be known to the system by them."""

# Starts once and forks for each command: the Python and the program may lie where only root may read.
_ZYGOTE = """
import json, os, sys, traceback
from daemon.cli import main
from daemon.cli.owner_switch import load_everything
load_everything()
for line in sys.stdin:
    request = json.loads(line)
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            for name, number, flags in (("stdin", 0, os.O_RDONLY), ("stdout", 1, os.O_WRONLY), ("stderr", 2, os.O_WRONLY)):
                os.dup2(os.open(request[name], flags | os.O_APPEND), number)
            sys.stdin = open(0)
            os.chdir(request["cwd"])
            os.umask(0o022)
            if request["uid"]:
                os.setgroups([]); os.setgid(request["uid"]); os.setuid(request["uid"])
                os.environ["HOME"] = "/nonexistent"
            try:
                main(request["arguments"], prog_name="gamekeeper")
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(); sys.stderr.flush()
            os._exit(code)
    print(pid if request["background"] else os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


class Machine:
    """Starts commands as this or that user."""

    def __init__(self) -> None:
        self._zygote = subprocess.Popen(
            [sys.executable, "-c", _ZYGOTE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, uid: int, *arguments: str, cwd: Path, given: str = "") -> Ended:
        """One command, to its end."""
        with tempfile.TemporaryDirectory() as folder:
            streams = {name: Path(folder) / name for name in ("stdin", "stdout", "stderr")}
            for path in streams.values():
                path.write_text(given if path.name == "stdin" else "")
            code = self._ask(uid, arguments, cwd, streams, background=False)
            return Ended(code, streams["stdout"].read_text(), streams["stderr"].read_text())

    @contextmanager
    def running(self, uid: int, *arguments: str, cwd: Path, log: Path) -> Iterator[int]:
        """A command in the background; its pid."""
        log.write_text("")
        streams = {"stdin": Path(os.devnull), "stdout": log, "stderr": log}
        pid = self._ask(uid, arguments, cwd, streams, background=True)
        try:
            yield pid
        finally:
            os.kill(pid, signal.SIGTERM)

    def _ask(
        self, uid: int, arguments: Sequence[str], cwd: Path, streams: dict[str, Path], *, background: bool
    ) -> int:
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        request = {"uid": uid, "arguments": arguments, "cwd": str(cwd), "background": background}
        request |= {name: str(path) for name, path in streams.items()}
        self._zygote.stdin.write(json.dumps(request) + "\n")
        self._zygote.stdin.flush()
        return int(self._zygote.stdout.readline())

    def close(self) -> None:
        """Start no more."""
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self._zygote.stdin.close()
        self._zygote.wait()
        self._zygote.stdout.close()
