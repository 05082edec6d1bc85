"""`gamekeeper run`: the daemon."""

import logging
import signal
from types import FrameType
from typing import TYPE_CHECKING

import click

from daemon.cli.context import Context, pass_context

if TYPE_CHECKING:
    from daemon.service.service import Signals


@click.command
@pass_context
def command(context: Context) -> None:
    """Run the daemon: download on schedule, watch the PGN folders, serve the API.

    It stays in the foreground (systemd, or a terminal). SIGTERM and Ctrl-C end it cleanly: running rounds
    finish their present game, and what they have is stored. SIGHUP reads the configuration again.
    """
    from daemon import garbage
    from daemon.config import Config
    from daemon.service import memory, systemd
    from daemon.service.service import Service, Signals

    memory.limit_arenas()
    config = context.config()
    context.start_logs(logging.INFO)
    signals = Signals()
    _listen_to_signals(signals)
    with systemd.more_time("opening the archive"):  # an older one is migrated now
        archive = context.archive()
    garbage.look_as_usual()
    Service(archive, config, lambda: Config.load(config.file)).run(signals)


def _listen_to_signals(signals: "Signals") -> None:
    def stop(number: int, _frame: FrameType | None) -> None:
        signals.stop.set()
        signal.signal(number, signal.SIG_DFL)  # a user who asks twice does not want to wait

    def reload(_number: int, _frame: FrameType | None) -> None:
        signals.reload.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGHUP, reload)
