"""The sockets that the API listens on: only this machine's, unless a token is set."""

import errno
import os
import socket
import stat
from contextlib import closing
from pathlib import Path
from typing import Final

from daemon.config.values import Listen
from daemon.errors import UnusableError

BACKLOG: Final = 64
"""Connections that wait to be accepted; asyncio accepts so many at once, before it looks at any of them."""

_NO_IPV6: Final = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
_GROUP_ONLY: Final = 0o117  # a socket of 0660: its owner and its group


class ListenError(UnusableError):
    """The API cannot listen there. The message is one sentence for the user."""


def bind(listen: Listen, *, has_token: bool) -> list[socket.socket]:
    """Sockets bound to *listen*; ``localhost`` is IPv4 and, if there is one, IPv6.

    Raises:
        ListenError: the address is taken, not ours, or reachable from elsewhere without a token.
    """
    if not listen.local and not has_token:
        raise ListenError(f"listening at {listen} needs a token: set token_file under [api]")
    if listen.socket is not None:
        return [_bind_unix(listen.socket)]
    if listen.host != "localhost":
        return [_bind_tcp(listen.host, listen.port)]
    first = _bind_tcp("127.0.0.1", listen.port)
    return [first, *_bind_ipv6_loopback(first.getsockname()[1])]


def _bind_ipv6_loopback(port: int) -> list[socket.socket]:
    """Empty if the machine has no IPv6."""
    if not socket.has_ipv6:
        return []
    try:
        return [_bind_tcp("::1", port)]
    except ListenError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno in _NO_IPV6:
            return []
        raise


def _bind_tcp(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Said to be TCP, not just a stream: only then does asyncio switch Nagle's algorithm off, which would hold up
    # every second part of an answer for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise ListenError(f"cannot listen at {Listen(host, port)}: {error.strerror}") from error
    return bound


def _bind_unix(path: Path) -> socket.socket:
    _remove_stale(path)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Before any thread starts: the mask is the whole process's.
    mask = os.umask(_GROUP_ONLY)
    try:
        bound.bind(str(path))
    except OSError as error:
        bound.close()
        raise ListenError(f"cannot listen at {path}: {error.strerror or error}") from error
    finally:
        os.umask(mask)
    return bound


def _remove_stale(path: Path) -> None:
    """Remove the socket of a daemon that is gone, and nothing else."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(mode):
        raise ListenError(f"cannot listen at {path}: something else has that name")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise ListenError(f"cannot listen at {path}: another program listens there")
