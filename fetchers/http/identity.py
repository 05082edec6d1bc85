"""What we show a site of ourselves, and the proxy that the environment wants us to use."""

from ipaddress import ip_address
from typing import Final
from urllib.parse import quote
from urllib.request import getproxies, proxy_bypass

_PRINTABLE: Final = "".join(map(chr, range(32, 127)))


def user_agent(version: str, contact: str) -> str:
    """Our User-Agent. Both sites refuse programs that do not say whom to write to."""
    return f"gamekeeper/{version} (+contact: {quote(' '.join(contact.split()), safe=_PRINTABLE)})"


def checked_token(token: str | None) -> str | None:
    """The token without blanks around it; None if there is none.

    Raises:
        ValueError: it cannot be one. (An HTTP library would say so too, and show it.)
    """
    token = (token or "").strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError("the token has characters that no token may have")
    return token or None


def proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host."""
    if host == "localhost" or _is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
