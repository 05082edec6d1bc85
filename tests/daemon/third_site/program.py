"""The program with a third site: its entry, and its folder among the fetchers. Nothing else is told of it."""

from pathlib import Path
from types import MappingProxyType

import fetchers
from core import sites

PLAYCHESS = sites.DownloadSite(
    key="playchess",
    host="play.example",
    base_url="https://api.play.example",
    every_s=7200,
    account_page="players/",
    address_tag="GameUrl",
    time_classes=sites.TimeClasses(limits=((900, "blitz"),), longest="rapid"),
)

sites.SITES = MappingProxyType({**sites.SITES, PLAYCHESS.key: PLAYCHESS})  # type: ignore[misc]  # as if it were there
fetchers.__path__.append(str(Path(__file__).parent))

if __name__ == "__main__":
    from daemon.cli import main

    main()
