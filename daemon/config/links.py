"""URLs of accounts' pages, as copied from a browser, and the accounts that they show."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from core.sites import SITES

_END: Final = r"([^/?#\s]+)(?:[/?#].*)?"
_PAGES: Final[Mapping[str, re.Pattern[str]]] = {
    site.key: re.compile(
        rf"(?:https?://)?(?:\w+\.)?{re.escape(site.host)}/{site.account_page}{_END}", re.IGNORECASE
    )
    for site in SITES.values()
}
"""The URLs of the accounts of each site, whatever the language of its page."""
_ADDRESS: Final = re.compile(r"https?://|(?:[\w-]+\.)+[a-z]{2,}/", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether *text* looks like the URL of a page: ``https://…``, ``lichess.org/…``."""
    return _ADDRESS.match(text.strip()) is not None


def account_of(address: str) -> tuple[str, str] | None:
    """Site and handle (as written) of the account whose page this is; None if it is not an account's."""
    for site, page in _PAGES.items():
        if found := page.fullmatch(address.strip()):
            return site, unquote(found[1])
    return None


def without_address(text: str) -> str:
    """``lichess:Handle`` for the URL of an account's page, anything else unchanged."""
    found = account_of(text)
    return text if found is None else ":".join(found)
