"""Logs on standard error: for people on a terminal, JSON elsewhere, with the journal's levels under systemd.

Secrets never get there: a value under a key like ``token`` and every secret given to `hide` is replaced.

structlog takes as long to load as a command that reads takes to answer, and such a command logs nothing: it is
loaded with the first line that is logged.
"""

import logging
import os
import re
import sys
from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from daemon.paths import printable

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger
    from structlog.typing import EventDict, Processor, WrappedLogger

HIDDEN: Final = "[hidden]"

_SECRET_KEY: Final = re.compile(r"token|password|secret|authorization|cookie|credential", re.IGNORECASE)
_IN_URL: Final = re.compile(r"(://[^/\s:@]*:)[^/\s@]+@")
_JOURNAL_LEVELS: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
# They tell at INFO what we tell better ourselves; httpx would tell every address.
_TALKATIVE: Final = ("httpx", "httpcore", "apscheduler", "alembic", "watchfiles", "uvicorn.access")

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40, "exception": 40, "critical": 50}

_secrets: set[str] = set()
_waiting = False
"""Whether structlog has yet to be configured as `configure` says."""
_lock: Final = Lock()


def hide(secret: str) -> None:
    """From now on replace *secret* wherever it would be logged."""
    if len(secret) >= 4:
        _secrets.add(secret)


def get_logger(name: str) -> "BoundLogger":
    """The logger of a module, as structlog gives it."""
    return cast("BoundLogger", _Logger(name))


class _Logger:
    """Loads structlog when something is to be logged."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, method: str) -> Any:
        level = _LEVELS.get(method)
        if _waiting and level is not None and not logging.getLogger(self._name).isEnabledFor(level):
            return _nothing
        import structlog

        _configure_structlog()
        return getattr(structlog.get_logger(self._name), method)


def _nothing(_event: str, **_values: object) -> None:
    """Log nothing."""


def configure(level: int = logging.WARNING, stream: TextIO | None = None) -> None:
    """Send our own logs and those of the libraries to *stream* (standard error), from *level* on.

    May be called again: the last call counts.
    """
    global _waiting  # noqa: PLW0603 - of the whole process, as is what it is for
    out = sys.stderr if stream is None else stream
    handler = logging.StreamHandler(out)
    handler.setFormatter(_Formatter(out))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    _waiting = True
    if "structlog" in sys.modules:
        _configure_structlog()


def _configure_structlog() -> None:
    """Let structlog write to the loggers of the standard library, once after each `configure`."""
    import structlog

    global _waiting  # noqa: PLW0603 - see above
    with _lock:
        if _waiting:
            structlog.configure(
                processors=[
                    structlog.stdlib.filter_by_level,
                    *_before(),
                    structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
                ],
                logger_factory=structlog.stdlib.LoggerFactory(),
                wrapper_class=structlog.stdlib.BoundLogger,
                cache_logger_on_first_use=False,
            )
            _waiting = False


class _Formatter(logging.Formatter):
    """Formats lines by structlog, which comes with the first one."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out
        self._by: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        """The line of this record."""
        self._by = self._by or _formatter(self._out)
        return self._by.format(record)


def _formatter(out: TextIO) -> logging.Formatter:
    import structlog

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_before(),
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_renderers(out)],
    )


def _before() -> "list[Processor]":
    import structlog

    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _renderers(out: TextIO) -> "list[Processor]":
    import structlog

    if out.isatty():
        # Plain tracebacks: rich ones would print local variables, tokens among them.
        console = structlog.dev.ConsoleRenderer(
            colors="NO_COLOR" not in os.environ, exception_formatter=structlog.dev.plain_traceback
        )
        return [structlog.processors.format_exc_info, _hide_secrets, console]
    renderers: list[Processor] = [
        structlog.processors.format_exc_info,
        _hide_secrets,
        structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
    ]
    return [*renderers[:-1], _ForJournal(renderers[-1])] if _is_journal(out) else renderers


def _is_journal(out: TextIO) -> bool:
    """Whether *out* is the stream that systemd connected to the journal (``$JOURNAL_STREAM``.

    Device and inode).
    """
    try:
        status = os.fstat(out.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


class _ForJournal:
    """Puts the level before the line as systemd wants it: ``<6>``."""

    def __init__(self, render: "Processor") -> None:
        self._render = render

    def __call__(self, logger: "WrappedLogger", name: str, event: "EventDict") -> str:
        level = _JOURNAL_LEVELS.get(str(event.get("level")), 6)
        line = self._render(logger, name, event)
        assert isinstance(line, str)
        return f"<{level}>{line}"


def _hide_secrets(_logger: "WrappedLogger", _name: str, event: "EventDict") -> "EventDict":
    return {
        key: HIDDEN if _SECRET_KEY.search(key) and isinstance(value, str) else _without_secrets(value)
        for key, value in event.items()
    }


def _without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        for secret in _secrets:
            value = value.replace(secret, HIDDEN)
        return _IN_URL.sub(rf"\1{HIDDEN}@", printable(value))
    if isinstance(value, Mapping):
        return {
            key: HIDDEN if _SECRET_KEY.search(str(key)) else _without_secrets(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_without_secrets(item) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return _without_secrets(str(value))
