"""Explains why a site cannot be reached, in the words of a user instead of the system's."""

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Final

_NO_NETWORK: Final = "is there a network?"
_NO_SUCH_HOST: Final = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
_BY_CLASS: Final = (
    (ConnectionRefusedError, "the connection is refused"),
    (ConnectionError, "the connection was cut"),
    (TimeoutError, "timed out"),
)
_BY_NUMBER: Final = {
    errno.ENETUNREACH: f"no way leads there ({_NO_NETWORK})",
    errno.ENETDOWN: f"the network is down ({_NO_NETWORK})",
    errno.EHOSTUNREACH: f"no way leads there ({_NO_NETWORK})",
    errno.EACCES: "this machine does not allow it (a firewall?)",
    errno.EPERM: "this machine does not allow it (a firewall?)",
}


def outage(error: BaseException) -> str | None:
    """What is wrong, by the first system error that caused *error*; None if we do not know it.

    It contains nothing of the request.
    """
    sentences = (_of_one(cause) for cause in _causes(error))
    return next((words for words in sentences if words is not None), None)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _of_one(error: BaseException) -> str | None:
    match error:
        case socket.gaierror():
            missing = error.errno in _NO_SUCH_HOST
            what = "no such host" if missing else "its name cannot be looked up at the moment"
            return f"{what} ({_NO_NETWORK})"
        case ssl.SSLCertVerificationError():
            return f"its certificate cannot be trusted: {_detail(error, 'verify_message')} (is the clock of this machine right?)"
        case ssl.SSLError():
            return f"no encrypted connection could be made ({_detail(error, 'reason')})"
        case OSError():
            by_class = (words for kinds, words in _BY_CLASS if isinstance(error, kinds))
            return next(by_class, _BY_NUMBER.get(error.errno or 0))
        case _:
            return None


def _detail(error: ssl.SSLError, name: str) -> str:
    # Only errors that come from OpenSSL itself have it.
    return str(getattr(error, name, None) or "no more is known")
