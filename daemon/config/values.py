"""Parses the values of a configuration that are more than a text or a number."""

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from core import names
from core.pgn.encodings import UnknownEncoding, encoding
from core.sites import SITES
from daemon.config import links
from daemon.config.problems import did_you_mean

LONGEST_HANDLE: Final = 64
LONGEST_PATH: Final = 4096
"""The longest path that Linux accepts, in bytes."""
_LONGEST_PART: Final = 255
"""The longest name in it, in bytes."""
_LONGEST_SOCKET: Final = 107
_SITE_WORD: Final = re.compile(r"[a-z][a-z0-9.]*|[A-Z]{2,}")

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"(?:\d{1,6}[smhdw])+", re.ASCII)
_LONGEST: Final = 366 * 86400


class WrongValue(Exception):  # noqa: N818 - what it is: a value that is wrong
    """A value that cannot be used, with a hint if there is one.

    *other*: the place in the file that it contradicts; its line follows the message.
    """

    def __init__(
        self, message: str, hint: str | None = None, *, other: tuple[str | int, ...] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.other = other


@dataclass(frozen=True, slots=True)
class HandleOnSite:
    """An account on a site. *handle* is the site's key (lower case), *display* the handle as typed."""

    site: str
    handle: str
    display: str

    @property
    def key(self) -> str:
        """The account as the archive and the API name it: ``lichess:mrossi90``."""
        return f"{self.site}:{self.handle}"


@dataclass(frozen=True, slots=True)
class Listen:
    """Where the read API listens: *host* and *port*, or the path of a Unix socket."""

    host: str = ""
    port: int = 0
    socket: Path | None = None

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        if self.socket is not None or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        if self.socket is not None:
            return f"unix:{self.socket}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_account(text: str) -> HandleOnSite:
    """Read ``site:handle``, or the URL of the account's page.

    Raises:
        WrongValue: no site, an unknown one, or an invalid handle.
    """
    site, handle = _site_and_handle(text)
    if site not in SITES:
        hint = did_you_mean(site, SITES) or f"known are {', '.join(SITES)}"
        raise WrongValue(f'the account "{text}" names an unknown site', hint)
    if handle in {"", "?"}:
        raise WrongValue(
            f'the account "{text}" has no handle', f'write "{site}:" and the name of the account'
        )
    if names.classify(handle) != "nickname":
        hint = "a handle has only the letters A-Z, digits, _ and -; a person's name belongs into names or aliases"
        raise WrongValue(f'"{handle}" is not a handle of {site}', hint)
    if len(handle) > LONGEST_HANDLE:
        what = f'the handle "{handle[:20]}…" is longer than {LONGEST_HANDLE} characters'
        raise WrongValue(what, "copy it from the address of the account's page")
    return HandleOnSite(site, handle.lower(), handle)


def _site_and_handle(text: str) -> tuple[str, str]:
    found = links.account_of(text)
    if found is not None:
        return found
    if links.is_address(text):
        hint = "copy the address of the account's page: https://lichess.org/@/handle"
        raise WrongValue(f'"{text}" is not the address of an account', hint)
    site, colon, handle = text.strip().partition(":")
    if not colon:
        raise WrongValue(
            f'the account "{text}" names no site', f'write "{next(iter(SITES))}:{site or "handle"}"'
        )
    site, handle = site.strip().lower(), handle.strip()
    if links.is_address(handle):  # "lichess:https://lichess.org/@/handle"
        named, handle = _site_and_handle(handle)
        if site in SITES and site != named:
            raise WrongValue(f'the account "{text}" names two sites', f'write "{named}:{handle}"')
        return named, handle
    return site, handle.removeprefix("@/").removeprefix("@")


def alias_account(alias: str) -> HandleOnSite | None:
    """The account that an alias names; None if it is a name without a site before it.

    Raises:
        WrongValue: it begins like an account (``lichess:``, ``lichss:``, ``icc:mrossi90``) or URL, but is not
            one.
    """
    if links.is_address(alias):
        return read_account(alias)
    site, colon, handle = alias.partition(":")
    word = site.strip().lower()
    near = " " not in word and (word in SITES or did_you_mean(word, SITES) is not None)
    return read_account(alias) if colon and (near or _is_elsewhere(site, handle)) else None


def _is_elsewhere(site: str, handle: str) -> bool:
    """Whether this is a handle on some other site, as ``icc:mrossi90``. ``Rossi: M`` is a name."""
    return _SITE_WORD.fullmatch(site) is not None and names.classify(handle) == "nickname"


def read_event_id(text: str) -> str:
    """The id of an event, from itself or from the URL of its page (the last part of it).

    Raises:
        WrongValue: there is none.
    """
    address = urlsplit(text.strip())
    path = address.path if address.scheme else text.strip()
    event_id = path.rstrip("/").rpartition("/")[2]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,96}", event_id):
        raise WrongValue(
            f'"{text}" is not the id of an event', "write its id, or copy the address of its page"
        )
    return event_id


def read_encoding(text: str) -> str:
    """The usual name of an encoding for PGN files.

    Raises:
        WrongValue: it is not one.
    """
    try:
        return encoding(text)
    except UnknownEncoding as error:
        raise WrongValue(str(error), 'usual ones are "cp850", "cp1250", "cp1251", "koi8-r"') from None


def read_duration(text: str) -> int:
    """Seconds in a duration like ``30m``, ``6h``, ``1d`` or ``1h30m``.

    Raises:
        WrongValue: it is not one, or not between a second and a year.
    """
    compact = "".join(text.split())
    if not _DURATION.fullmatch(compact):
        raise WrongValue(
            f'"{text}" is not a duration', 'write a number and s, m, h, d or w: "30m", "6h", "1d"'
        )
    seconds = sum(int(part[:-1]) * _UNITS[part[-1]] for part in re.findall(r"\d+[smhdw]", compact))
    if not 1 <= seconds <= _LONGEST:
        raise WrongValue(
            f'"{text}" is not between a second and a year', 'write for example "30m", "6h" or "1d"'
        )
    return seconds


def read_listen(text: str) -> Listen:
    """Read ``127.0.0.1:8470``, ``[::1]:8470``, ``localhost:8470`` or ``unix:/run/gamekeeper/api.sock``.

    Raises:
        WrongValue: it is none of these.
    """
    if text.startswith("unix:"):
        path = Path(text.removeprefix("unix:")).expanduser()
        if not path.is_absolute():
            raise WrongValue(f'"{text}" has no absolute path', 'write "unix:/run/gamekeeper/api.sock"')
        if len(bytes(path)) > _LONGEST_SOCKET:
            what = f"the path of the socket is longer than the {_LONGEST_SOCKET} bytes that the system allows"
            raise WrongValue(what, 'write "unix:/run/gamekeeper/api.sock"')
        return Listen(socket=path)
    host, _, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not _is_host(host, bare) or not re.fullmatch(r"\d{1,5}", port, re.ASCII) or int(port) > 65535:
        hint = 'write "127.0.0.1:8470", "[::1]:8470" or "unix:/run/gamekeeper/api.sock"'
        shown = "this" if "@" in text else f'"{text}"'
        raise WrongValue(f"{shown} is not an address to listen at", hint)
    return Listen(host=bare, port=int(port))


def _is_host(host: str, bare: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return False
    return (address.version == 6) == (bare != host)


def read_path(text: str, folder: Path) -> Path:
    """The absolute path that *text* means in a configuration in *folder*.

    Raises:
        WrongValue: it is empty, too long, has a NUL, or begins with the home of a user who does not exist.
    """
    if not text.strip() or "\0" in text:
        what = "the path is empty" if not text.strip() else "the path has a NUL character"
        raise WrongValue(what, 'write a path like "~/chess/pgn", or leave the key out')
    parts = text.encode(errors="surrogateescape").split(b"/")
    if len(text.encode(errors="surrogateescape")) > LONGEST_PATH or max(map(len, parts)) > _LONGEST_PART:
        raise WrongValue(f'the path "{text[:20]}…" is longer than any system allows', "shorten it")
    try:
        return folder / Path(text).expanduser()
    except RuntimeError as error:
        raise WrongValue(f'the home folder of "{text}" is unknown', "write the whole path") from error


def read_base_url(text: str) -> str:
    """The address of a site, without a slash at its end.

    Raises:
        WrongValue: it is not an address of HTTP, or has a user, a query or a fragment.
    """
    try:
        parts = urlsplit(text)
        good = (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        good = False
    if not good or parts.username or parts.query or parts.fragment or any(sign.isspace() for sign in text):
        # What stands before an @ may be a password.
        what = (
            "base_url has a user or password"
            if "@" in text.replace("/@/", "")
            else f'"{text}" is not the address of a site'
        )
        raise WrongValue(what, 'write "https://lichess.org"')
    return text.rstrip("/")


def read_origin(text: str) -> str:
    """The origin of a web page, as browsers send it: scheme, host and port, and nothing else.

    Raises:
        WrongValue: it is not one.
    """
    hint = 'write "http://localhost:3000": scheme, host and port, as the browser shows the page'
    address = read_base_url(text) if text.startswith(("http://", "https://")) else None
    if address is None:
        raise WrongValue(f'"{text}" is not the origin of a web page', hint)
    parts = urlsplit(address)
    if parts.path:
        raise WrongValue(
            f'"{text}" has a path, and origins have none', f'write "{parts.scheme}://{parts.netloc}"'
        )
    usual = {"http": ":80", "https": ":443"}[parts.scheme]
    return address.lower().removesuffix(usual)
