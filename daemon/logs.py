"""Logs on standard error: for people on a terminal, JSON elsewhere, with the journal's levels under systemd.

Secrets never get there: a value under a key like ``token`` and every secret given to `hide` is replaced.
"""

import logging
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from daemon.paths import printable

HIDDEN: Final = "[hidden]"

_SECRET_KEY: Final = re.compile(r"token|password|secret|authorization|cookie|credential", re.IGNORECASE)
_IN_URL: Final = re.compile(r"(://[^/\s:@]*:)[^/\s@]+@")
_JOURNAL_LEVELS: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
# They tell at INFO what we tell better ourselves; httpx would tell every address.
_TALKATIVE: Final = ("httpx", "httpcore", "apscheduler", "alembic", "watchfiles", "uvicorn.access")

_secrets: set[str] = set()


def hide(secret: str) -> None:
    """From now on replace *secret* wherever it would be logged."""
    if len(secret) >= 4:
        _secrets.add(secret)


def configure(level: int = logging.WARNING, stream: TextIO | None = None) -> None:
    """Send our own logs and those of the libraries to *stream* (standard error), from *level* on.

    May be called again: the last call counts.
    """
    out = sys.stderr if stream is None else stream
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
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_before(),
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_renderers(out)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def _before() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _renderers(out: TextIO) -> list[Processor]:
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

    def __init__(self, render: Processor) -> None:
        self._render = render

    def __call__(self, logger: WrappedLogger, name: str, event: EventDict) -> str:
        level = _JOURNAL_LEVELS.get(str(event.get("level")), 6)
        line = self._render(logger, name, event)
        assert isinstance(line, str)
        return f"<{level}>{line}"


def _hide_secrets(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
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
