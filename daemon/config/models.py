"""The tables of the configuration file and their keys. `config.example.toml` explains each.

Validated in strict mode: a number in quotes is not a number, and an unknown key is a fault.
The validation context is the folder of the file, from which relative paths start.
"""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, create_model
from pydantic_core import PydanticCustomError

from core import names
from core.sites import SITE_OF_KIND, SITES
from daemon.config import links, values
from daemon.config.values import HandleOnSite, Listen, WrongValue

LONGEST_NAME: Final = 200
"""Characters of a name: a dossier's URL is made of it, and is in an index."""

_REACHABLE: Final = re.compile(
    r"[\w.+-]+@(?:[\w-]+\.)+[\w-]+|https?://[\w-]+(?:\.[\w-]+)+|\b(?:[\w-]+\.)+[a-z]{2,}/\S|\bwww\.[\w-]+\.\w",
    re.ASCII | re.IGNORECASE,
)
"""An e-mail or web address, with anything around it."""

WRONG_VALUE: Final = "wrong_value"
"""The pydantic error type of a `WrongValue`; its context has ``message`` and ``hint``."""


def _read(read: Callable[[str], object], value: object) -> object:
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "not a text")
    try:
        return read(value)
    except WrongValue as wrong:
        context = {"message": wrong.message, "hint": wrong.hint}
        raise PydanticCustomError(WRONG_VALUE, "{message}", context) from wrong


def _reader(read: Callable[[str], object]) -> BeforeValidator:
    """A validator that reads a text with *read*."""
    return BeforeValidator(partial(_read, read))


def _read_path(value: object, info: ValidationInfo) -> object:
    folder = info.context if isinstance(info.context, Path) else Path.cwd()
    return _read(partial(values.read_path, folder=folder), value)


def _read_name(text: str) -> str:
    words = names.words(text)
    if not words:
        what = "the name is empty" if not text.strip() else f'"{text}" has no letter and no digit'
        raise WrongValue(what, "write the name as it is in games, or leave it out")
    if len("-".join(words)) > LONGEST_NAME:
        raise WrongValue(f'the name "{text[:20]}…" is longer than {LONGEST_NAME} characters', "shorten it")
    if "\0" in text:
        raise WrongValue("the name has a NUL character", "write it without")
    return text.strip()


def _read_alias(text: str) -> str:
    if values.alias_account(text) is None:
        _read_name(text)
    return links.without_address(text.strip())


def _read_contact(text: str) -> str:
    if not text.strip():
        raise WrongValue(
            "contact is empty", "the sites want to know whom to write to: an e-mail or web address"
        )
    if not (text.isascii() and text.isprintable()):
        raise WrongValue(
            "contact has characters that an HTTP header cannot have", "use plain letters, digits and @ . / :"
        )
    if not _REACHABLE.search(text):
        raise WrongValue(
            f'"{text.strip()}" is neither an e-mail nor a web address',
            'the sites want to know whom to write to: contact = "mario.rossi@example.org"',
        )
    return text.strip()


def _read_database(text: str) -> str:
    if not text.startswith(("postgresql+psycopg://", "postgresql://")):
        hint = 'write "postgresql+psycopg://user@host/name", or leave it out for SQLite in data_dir'
        raise WrongValue("database is not the address of a PostgreSQL database", hint)
    return text.replace("postgresql://", "postgresql+psycopg://", 1)


ConfigPath = Annotated[Path, BeforeValidator(_read_path)]
Seconds = Annotated[int, _reader(values.read_duration)]
Name = Annotated[str, _reader(_read_name)]
Alias = Annotated[str, _reader(_read_alias)]
ConfigAccount = Annotated[HandleOnSite, _reader(values.read_account)]
OriginText = Annotated[str, _reader(values.read_origin)]
FideId = Annotated[int, Field(gt=0, lt=10**12)]
# TOML has lists; the outer type alone is lax, its entries stay strict.
Names = Annotated[tuple[Name, ...], Field(strict=False)]
Aliases = Annotated[tuple[Alias, ...], Field(strict=False)]
Accounts = Annotated[tuple[ConfigAccount, ...], Field(strict=False)]


def default_data_dir() -> Path:
    """``$STATE_DIRECTORY`` under systemd, else the user's data folder."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state)
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "gamekeeper"


class _Table(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )


class Daemon(_Table):
    """``[daemon]``."""

    data_dir: ConfigPath = Field(default_factory=default_data_dir)
    database: Annotated[str, _reader(_read_database)] | None = None
    contact: Annotated[str, _reader(_read_contact)] | None = None


class Api(_Table):
    """``[api]``."""

    listen: Annotated[Listen, _reader(values.read_listen)] = Listen("127.0.0.1", 8470)
    token_file: ConfigPath | None = None
    allowed_origins: Annotated[tuple[OriginText, ...], Field(strict=False)] = ()


class MeTable(_Table):
    """``[me]``."""

    first_name: Annotated[str, _reader(str.strip)] = ""
    last_name: Annotated[str, _reader(str.strip)] = ""
    fide_id: FideId | None = None
    aliases: Aliases = ()
    accounts: Accounts = ()

    @property
    def all_accounts(self) -> tuple[HandleOnSite, ...]:
        """The accounts to download: those among the aliases, then those of `accounts`."""
        named = [values.alias_account(alias) for alias in self.aliases]
        return (*(account for account in named if account), *self.accounts)

    @property
    def all_aliases(self) -> tuple[str, ...]:
        """Every alias for `core.players.Profile`; each account is one, too."""
        accounts = (f"{account.site}:{account.display}" for account in self.accounts)
        return tuple(dict.fromkeys((*self.aliases, *accounts)))


class DossierTable(_Table):
    """One ``[[dossier]]``."""

    name: Name
    fide_id: FideId | None = None
    names: Names = ()
    accounts: Accounts = ()
    every: Seconds | None = None

    @property
    def slug(self) -> str:
        """The dossier in URLs and commands: the folded words of its name, joined by ``-``."""
        return "-".join(names.words(self.name))


class EventTable(_Table):
    """One ``[[broadcast]]``, ``[[study]]``, ``[[arena]]``, ``[[swiss]]``, ``[[tournament]]`` or ``[[club]]``."""

    id: Annotated[str, _reader(values.read_event_id)]
    every: Seconds | None = None


class PgnFolder(_Table):
    """One ``[[pgn]]``: a folder (or file) to import, and to watch if *watch*. *encoding*: of what is not UTF-8."""

    path: ConfigPath
    watch: bool = True
    encoding: Annotated[str, _reader(values.read_encoding)] | None = None


class Backup(_Table):
    """``[backup]``: the defaults of `gamekeeper backup`, and how often the daemon makes a backup."""

    every: Seconds | None = None
    keep: Annotated[int, Field(ge=1, le=1000)] = 7
    folder: ConfigPath | None = None


class SiteTable(_Table):
    """One ``[sites.…]``."""

    every: Seconds | None = None
    base_url: Annotated[str, _reader(values.read_base_url)] | None = None
    token_file: ConfigPath | None = None


Events = Annotated[tuple[EventTable, ...], Field(strict=False)]

if TYPE_CHECKING:
    Sites: TypeAlias = _Table
    EventTables: TypeAlias = _Table
else:  # which keys there are, `core.sites` says
    Sites = create_model("Sites", __base__=_Table, **{key: (SiteTable, SiteTable()) for key in SITES})
    EventTables = create_model("EventTables", __base__=_Table, **dict.fromkeys(SITE_OF_KIND, (Events, ())))


class ConfigTables(EventTables):
    """The whole file; its kinds of events are those of `core.sites.SITE_OF_KIND`."""

    daemon: Daemon = Field(default_factory=Daemon)
    api: Api = Api()
    me: MeTable = MeTable()
    dossier: Annotated[tuple[DossierTable, ...], Field(strict=False)] = ()
    pgn: Annotated[tuple[PgnFolder, ...], Field(strict=False)] = ()
    backup: Backup = Backup()
    sites: Sites = Sites()

    def site(self, name: str) -> SiteTable:
        """The settings of one site by its key."""
        found: SiteTable = getattr(self.sites, name)
        return found

    def events(self, kind: str) -> tuple[EventTable, ...]:
        """The events of one kind, in the order of the file."""
        found: tuple[EventTable, ...] = getattr(self, kind)
        return found


KEYS: Final[dict[tuple[str, ...], type[BaseModel]]] = {
    (): ConfigTables,
    ("daemon",): Daemon,
    ("api",): Api,
    ("me",): MeTable,
    ("dossier",): DossierTable,
    ("pgn",): PgnFolder,
    **{(kind,): EventTable for kind in SITE_OF_KIND},
    ("backup",): Backup,
    ("sites",): Sites,
    **{("sites", key): SiteTable for key in SITES},
}
"""The keys of each table."""
