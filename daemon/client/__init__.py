"""The read API for programs in Python: a client with the types of the API, over TCP or a Unix socket.

with Client("http://127.0.0.1:8470") as client:
    for game in client.all_games(GameFilters(q="carlsen roma")):
        print(game["date"], game["white"]["name"])

It needs nothing of the daemon but the shapes and the filters: no database, no server. What takes time to import, the
filters and httpx, is imported when it is used.
"""

from typing import TYPE_CHECKING

from daemon.client.client import Client, ServerEvent
from daemon.client.connection import ClientError, Refused, Unreachable

if TYPE_CHECKING:
    from daemon.archive.reading.search.filters import GameFilters
    from daemon.config.values import Listen

__all__ = ["Client", "ClientError", "GameFilters", "Refused", "ServerEvent", "Unreachable", "address_of"]


def address_of(listen: "Listen") -> str:
    """The address at which this machine can ask a server that listens at *listen*."""
    if listen.socket is not None:
        return str(listen)
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not listened at: asked instead of it
    host = everywhere.get(listen.host, listen.host)
    return f"http://[{host}]:{listen.port}" if ":" in host else f"http://{host}:{listen.port}"


def __getattr__(name: str) -> object:
    if name != "GameFilters":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from daemon.archive.reading.search.filters import GameFilters

    return GameFilters
