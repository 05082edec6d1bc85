"""Files that commands write: made beside their place, and moved there when they are complete.

If root runs a command, that is done in a process that stays root: the command itself acts as the owner of the
data folder, who may not write where root wants the file. It gets a descriptor, and can do nothing else with
that process.
"""

import errno
import json
import os
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, cast

import click

from daemon.paths import shown

_MODE: Final = 0o666
_LONGEST: Final = 1 << 16


@contextmanager
def placed(path: Path, *, name: str | None = None, force: bool) -> Iterator[tuple[BinaryIO, Path]]:
    """A file to write to, and its path: *path*, or *name* in the folder *path*.

    It appears complete or not at all.

    Raises:
        FileExistsError: it exists, and *force* is not set.
        ClickException: its folder does not exist.
        OSError: it cannot be written there.
    """
    with ExitStack() as open_:
        try:
            found = open_.enter_context(_placed_by_us_or_root(path, name, force=force))
        except FileNotFoundError as error:
            folder = shown(path.parent)
            raise click.ClickException(
                f"the folder {folder} is not there: make it first, or write the file elsewhere"
            ) from error
        yield found


@contextmanager
def _placed_by_us_or_root(path: Path, name: str | None, *, force: bool) -> Iterator[tuple[BinaryIO, Path]]:
    if _helper is not None:
        with _helper.placed(path, name=name, force=force) as found:
            yield found
        return
    with _placed(path / name if name is not None and path.is_dir() else path, force=force) as found:
        yield found


@contextmanager
def _placed(path: Path, *, force: bool) -> Iterator[tuple[BinaryIO, Path]]:
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as pipe:  # a pipe, say: it is written to as it is
            yield pipe, path
        return
    with ExitStack() as if_it_fails:
        if not force:
            target.open("xb").close()  # takes the place, so that nobody else can meanwhile
            if_it_fails.callback(target.unlink, missing_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            if_it_fails.callback(Path(file.name).unlink, missing_ok=True)
            yield cast("BinaryIO", file), path
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).chmod(_mode(target))
        Path(file.name).replace(target)
        if_it_fails.pop_all()


def _mode(target: Path) -> int:
    """The permissions of a file that a user makes, or of the one that is replaced."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return _MODE & ~mask


class _Helper:
    """Our end of the process that stays root. It writes the files of one command.

    *allowed*, or in such a folder.
    """

    def __init__(self, allowed: Path) -> None:
        self._ours, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            self._ours.close()
            _end_with(partial(_serve, theirs, allowed))
        theirs.close()

    @contextmanager
    def placed(self, path: Path, *, name: str | None, force: bool) -> Iterator[tuple[BinaryIO, Path]]:
        self._ours.sendall(json.dumps([str(path), name, force]).encode())
        answer, descriptors, _, _ = socket.recv_fds(self._ours, _LONGEST, 1)
        target = _read_answer(answer)
        with open(descriptors[0], "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            yield file, target
        self._ours.sendall(b"complete")
        _read_answer(self._ours.recv(_LONGEST))

    def close(self) -> None:
        self._ours.close()
        os.waitpid(self._pid, 0)


def _end_with(work: Callable[[], None]) -> None:
    """Do that, and end this process in any case: it must never continue as the command, as root."""
    code = 1
    try:
        with suppress(KeyboardInterrupt):
            work()
            code = 0
    except BaseException:  # noqa: BLE001 - said here: there is nobody above
        traceback.print_exc()
    finally:
        os._exit(code)


def _read_answer(answer: bytes) -> Path:
    if not answer:
        raise OSError("the process that writes the file has ended")
    number, text = json.loads(answer)
    if number is not None:
        raise OSError(number, os.strerror(number), text)
    return Path(text)


def _serve(theirs: socket.socket, allowed: Path) -> None:
    """Serve the command as the process that stays root, until the command ends."""
    while request := theirs.recv(_LONGEST):
        path, name, force = json.loads(request)
        if Path(path) != allowed or (name is not None and Path(name).name != name):
            return
        try:
            with _placed_by_us_or_root(Path(path), name, force=force) as (file, target):
                socket.send_fds(theirs, [json.dumps([None, str(target)]).encode()], [file.fileno()])
                _await_end(theirs)
            theirs.sendall(json.dumps([None, str(target)]).encode())
        except InterruptedError:
            return
        except OSError as error:
            theirs.sendall(json.dumps([error.errno or errno.EIO, error.filename or str(path)]).encode())


def _await_end(theirs: socket.socket) -> None:
    if theirs.recv(_LONGEST) != b"complete":
        raise InterruptedError("the command has failed")


_helper: _Helper | None = None


def stay_root_for(path: Path) -> None:
    """Let the file *path*, or one in the folder *path*, be written by a process that keeps our rights."""
    global _helper  # noqa: PLW0603 - one process, one command
    sys.stdout.flush()
    sys.stderr.flush()
    _helper = _Helper(path)


def end() -> None:
    """End that process."""
    global _helper  # noqa: PLW0603 - as above
    if _helper is not None:
        _helper.close()
        _helper = None
